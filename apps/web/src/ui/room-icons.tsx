import type { ReactNode } from 'react';
import { defineIcons } from './icons.tsx';

declare module './icons.tsx' {
  interface IconSets {
    room: typeof drawings;
  }
}

const off = <path d="M3 3l18 18" />;
const microphone = (
  <path
    d={
      'M12 15a3.500 3.500 0 0 0 3.500-3.500v-5a3.500 3.500 0 0 0-7 0v5A3.500 3.500 0 0 0 12 15ZM5 11.500a7 7 ' +
      '0 0 0 14 0M12 18.500V22M8.500 22h7'
    }
  />
);
const camera = (
  <path
    d={
      'M4.500 6h9A2.500 2.500 0 0 1 16 8.500v7a2.500 2.500 0 0 1-2.500 2.500h-9A2.500 2.500 0 0 1 2 ' +
      '15.500v-7A2.500 2.500 0 0 1 4.500 6ZM16 11l6-3.500v9L16 13'
    }
  />
);

/** Icons of the join page and the meeting room, on a grid of 24 by 24. */
const drawings = {
  mic: microphone,
  micOff: (
    <>
      {microphone}
      {off}
    </>
  ),
  camera,
  cameraOff: (
    <>
      {camera}
      {off}
    </>
  ),
  share: <path d="M3 4.500h18v12H3zM8 20.500h8M12 14V8M9 10.500 12 7.500l3 3" />,
  shareStop: <path d="M3 4.500h18v12H3zM8 20.500h8M9.500 8l5 5M14.500 8l-5 5" />,
  hand: (
    <path
      d={
        'M8 13V5.500a1.500 1.500 0 0 1 3 0V11V3.800a1.500 1.500 0 0 1 3 0V11V5.500a1.500 1.500 0 0 1 3 0V15c0 ' +
        '4-2.500 6.500-6 6.500-3 0-4.500-1.300-6-4l-2-3.800a1.500 1.500 0 0 1 2.500-1.500L8 14.500'
      }
    />
  ),
  react: <path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8.500 10h.01M15.500 10h.01M8 14.500a4.800 4.800 0 0 0 8 0" />,
  hostControls: (
    <path d="M12 3 5 5.500V11c0 4.600 2.900 8.300 7 10 4.100-1.700 7-5.400 7-10V5.500zM8.500 12l2.500 2.500 4.500-5" />
  ),
  reply: <path d="M9.500 6 4 11.500 9.500 17v-3.500c5 0 8.300 1.500 10.500 5-.5-6-4-9-10.500-9.500z" />,
  chat: (
    <path
      d={
        'M4.500 4.500h15A1.500 1.500 0 0 1 21 6v9a1.500 1.500 0 0 1-1.500 1.500H12L7 20.500v-4H4.500A1.500 ' +
        '1.500 0 0 1 3 15V6a1.500 1.500 0 0 1 1.500-1.500ZM7.500 9h9M7.500 12.500h6'
      }
    />
  ),
  invite: (
    <path
      d={
        'M10 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM3 ' +
        '20c.4-3.800 3-6 7-6 1.300 0 2.400.2 3.400.7M18 14v7M14.500 17.500h7'
      }
    />
  ),
  devices: <path d="M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4M4 12h12M20 12h0M18 10v4" />,
  fullscreen: <path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5" />,
  fullscreenExit: <path d="M9 4v5H4M20 9h-5V4M15 20v-5h5M4 15h5v5" />,
  keyboard: <path d="M3 6.500h18v11H3zM6.500 10h0M10 10h0M14 10h0M17.500 10h0M8 14h8" />,
  leave: (
    <path
      d={
        'M3 14.500c0-1 .4-2 1.200-2.700 4.400-4 11.200-4 15.600 0 .8.700 1.200 1.700 1.200 2.700v1.200l-5 ' +
        '.8v-2.800a12 12 0 0 0-8 0v2.800l-5-.8z'
      }
    />
  ),
  pin: <path d="M9 3.500h6l-.8 6 3.300 3.500h-11l3.300-3.500zM12 13v7.500" />,
  previous: <path d="M14.500 5.500 8 12l6.500 6.500" />,
  next: <path d="M9.500 5.500 16 12l-6.500 6.500" />,
  send: <path d="M4 12 20 4.500 15.500 20l-4-6.500zM11.500 13.500 20 4.500" />,
  weak: <path d="M5 19v-3M10 19v-6M15 19V9M20 19V5" />,
  lock: (
    <path
      d={
        'M6 10.500h12a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-8a1 ' +
        '1 0 0 1 1-1ZM8 10.500V7.500a4 4 0 0 1 8 0v3M12 14.500v2.500'
      }
    />
  ),
  select: (
    <path
      d={
        'M3.500 5.500 5.500 7.500 9 4M3.500 12.500l2 2L9 11M3.500 ' +
        '19.500l2 2L9 18M12.500 6h8M12.500 13h8M12.500 20h8'
      }
    />
  ),
  clock: <path d="M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17ZM12 7v5.500l3.500 2" />,
  ownView: <path d="M3.500 5h17v14h-17zM3.500 14h17M12 14v5" />,
} satisfies Record<string, ReactNode>;

defineIcons(drawings, 24);
