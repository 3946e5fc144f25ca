import { defineIcons } from './icons.tsx';

declare module './icons.tsx' {
  interface IconSets {
    player: typeof drawings;
  }
}

/** Icons of players, on a grid of 20 by 20. */
const drawings = {
  pause: <path d="M6.500 4.500v11M13.500 4.500v11" strokeWidth="3" />,
  back: <path d="M10 4a6.500 6.500 0 1 1-6.200 4.500M3.500 4v4.500H8" />,
  forward: <path d="M10 4a6.500 6.500 0 1 0 6.200 4.500M16.500 4v4.500H12" />,
  sound: (
    <path d="M3.500 8v4H6.500L10.500 15.500v-11L6.500 8H3.500ZM13 7.500a3.500 3.500 0 0 1 0 5M15 5a7 7 0 0 1 0 10" />
  ),
  soundOff: <path d="M3.500 8v4H6.500L10.500 15.500v-11L6.500 8H3.500ZM13 8l4 4M17 8l-4 4" />,
  subtitles: (
    <path
      d={
        'M3.500 4.500h13a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-13a1 1 0 0 1-1-1v-9a1 1 ' +
        '0 0 1 1-1ZM5.500 9h4M12 9h2.500M5.500 12h2M10 12h4.500'
      }
    />
  ),
  seen: <path d="M3 4h6v5H3zM11 4h6v5h-6zM3 11h6v5H3zM11 11h6v5h-6z" />,
  pictureIn: <path d="M8 15.500H3.500a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1h13a1 1 0 0 1 1 1V9M10.500 11.500h7v4.500h-7z" />,
  fullScreen: <path d="M3.500 7.500v-4h4M12.500 3.500h4v4M16.500 12.500v4h-4M7.500 16.500h-4v-4" />,
  fullScreenEnd: <path d="M7.500 3.500v4h-4M16.500 7.500h-4v-4M12.500 16.500v-4h4M3.500 12.500h4v4" />,
  link: (
    <path
      d={
        'M8.500 11.500a3 3 0 0 0 4.200 0l2.800-2.800a3 3 0 0 0-4.200-4.200l-1 1M11.500 ' +
        '8.500a3 3 0 0 0-4.200 0L4.500 11.300a3 3 0 0 0 4.200 4.200l1-1'
      }
    />
  ),
  scissors: (
    <path
      d={
        'M5.500 8a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM5.500 17a2.500 2.500 ' +
        '0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM7.500 7l9 8M7.500 13l9-8'
      }
    />
  ),
  playhead: <path d="M6 3.500h8L10 8zM10 8v8.500" />,
  undo: <path d="M7 4 3.500 7.500 7 11M3.500 7.500h8a5 5 0 0 1 0 10H8" />,
  keyboard: <path d="M3 5.500h14v9H3zM6 8.500h.01M9 8.500h.01M12 8.500h.01M14.500 8.500h.01M6.500 11.800h7" />,
};

defineIcons(drawings, 20);
