import type { ReactNode } from 'react';
import { Drawing, Icon as RoomIcon, type IconName as RoomIconName } from '../icons.tsx';

/** Drawings of the desk beside those of the meeting room, on a field of 24 by 24. */
const drawings = {
  admit: (
    <path
      d={
        'M10 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM3 20c.4-3.800 3-6 7-6 1 0 2 .1 ' +
        '2.800.4M14.500 18l2.500 2.500 4.500-5'
      }
    />
  ),
  air: (
    <path
      d={
        'M12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7.800 16.200a6 6 0 0 1 0-8.400M16.200 7.800a6 6 0 0 1 0 8.400M5 ' +
        '19a10 10 0 0 1 0-14M19 5a10 10 0 0 1 0 14'
      }
    />
  ),
  airOff: (
    <path
      d={
        'M12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7.800 16.200a6 6 0 0 1-1-6.800M16.200 7.800a6 6 0 0 1 1 6.800M5 ' +
        '19a10 10 0 0 1-1.500-12M19 5a10 10 0 0 1 1.500 12M4 3l16 18'
      }
    />
  ),
  call: (
    <path
      d={
        'M6 3.500h3l1.500 4-2 1.500a11 11 0 0 0 6.500 6.500l1.500-2 4 1.500v3A2.500 2.500 0 0 1 18 20.500 ' +
        '14.500 14.500 0 0 1 3.500 6 2.500 2.500 0 0 1 6 3.500Z'
      }
    />
  ),
  chair: <path d="m4 17 -1-9.500 5 3.500 4-6 4 6 5-3.500L20 17zM4.500 20h15" />,
  captions: <path d="M3.500 5.500h17v13h-17zM6.500 15.500h7M16 15.500h1.500M6.500 12.500h3M12 12.500h5.500" />,
  topology: (
    <path d="M3.500 9.500h5v5h-5zM15.500 4h5v5h-5zM15.500 15h5v5h-5zM8.500 12h3.500M15.500 6.500H12v11h3.500" />
  ),
  turns: (
    <path
      d={
        'M4 12a8 8 0 0 1 13.700-5.600L20 8.500M20 4v4.500h-4.500M20 ' +
        '12a8 8 0 0 1-13.700 5.600L4 15.500M4 20v-4.500h4.500'
      }
    />
  ),
  scenes: <path d="M3.500 7.500h13V20h-13zM7 7.500V4h13.500v12.500h-4" />,
  pause: <path d="M8.500 5.500v13M15.500 5.500v13" />,
  play: <path d="M8 5.500v13l10.500-6.500z" />,
  check: <path d="m5 12.500 4.500 4.500L19 7" />,
  clock: <path d="M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17ZM12 7v5.500l3.500 2" />,
  door: <path d="M6 20.500v-17h10.500v17M3.500 20.500h17M13 12h.01" />,
  down: <path d="m6 9.500 6 6 6-6" />,
  drag: <path d="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01" strokeWidth="2.600" />,
  edit: (
    <path
      d={
        'm4.500 19.500 1-4L16 5a1.700 1.700 0 0 1 2.400 0l.6.600a1.700 ' +
        '1.700 0 0 1 0 2.400L8.500 18.500zM14.500 6.500l3 3'
      }
    />
  ),
  grant: (
    <path
      d={
        'M10 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM3 ' +
        '20c.4-3.800 3-6 7-6 1 0 2 .1 2.800.4M17.500 14v6M14.500 17h6'
      }
    />
  ),
  grid: <path d="M4 4.500h7v6.500H4zM13.500 4.500h7v6.500h-7zM4 13.500h7V20H4zM13.500 13.500h7V20h-7z" />,
  hear: <path d="M4 9.500v5h3.500l5 4.500V5l-5 4.500zM16 9a4.500 4.500 0 0 1 0 6M18.500 6.500a8 8 0 0 1 0 11" />,
  hearOff: <path d="M4 9.500v5h3.500l5 4.500V5l-5 4.500zM16.500 9.500l5 5M21.500 9.500l-5 5" />,
  layout: <path d="M3.500 5h17v14h-17zM14 5v14M14 9.700h6.500M14 14.300h6.500" />,
  link: (
    <path
      d={
        'M10 14a4 4 0 0 0 5.700 0l3.300-3.300A4 4 0 0 0 13.300 5L11.500 6.800M14 10a4 4 0 0 0-5.700 0L5 ' +
        '13.300A4 4 0 0 0 10.700 19l1.800-1.800'
      }
    />
  ),
  list: <path d="M8.500 6h12M8.500 12h12M8.500 18h12M4 6h.01M4 12h.01M4 18h.01" />,
  lock: <path d="M5.500 11h13v9.500h-13zM8.500 11V7.500a3.500 3.500 0 0 1 7 0V11" />,
  unlock: <path d="M5.500 11h13v9.500h-13zM8.500 11V7.500a3.500 3.500 0 0 1 6.800-1.200" />,
  micAll: (
    <path
      d={
        'M9 14.500A3 3 0 0 0 12 11.500v-5a3 3 0 0 0-6 0v5a3 3 0 0 0 3 3ZM3.500 11.500a5.500 5.500 0 0 0 11 ' +
        '0M9 17v4M17 5.500v8M20.500 7.500v4'
      }
    />
  ),
  remove: (
    <path
      d={
        'M10 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM3 ' +
        '20c.4-3.800 3-6 7-6 1 0 2 .1 2.800.4M15 16l5 5M20 16l-5 5'
      }
    />
  ),
  settings: <path d="M4 7.500h8.500M16.500 7.500H20M14.500 5.500v4M4 16.500h3.500M11.500 16.500H20M9.500 14.500v4" />,
  sort: <path d="M8 4.500v15M4.500 8 8 4.500 11.500 8M16 19.500v-15M12.500 16l3.500 3.500L19.500 16" />,
  streams: <path d="M3.500 13h4l2.500-7 4 12 2.500-7h4" />,
  top: <path d="M5 4.500h14M12 20V9M7 13.500 12 8.500l5 5" />,
  undo: <path d="M8.500 5 4 9.500 8.500 14M4.500 9.500H14a5.500 5.500 0 0 1 0 11H9" />,
  warning: <path d="M12 4 2.500 20h19zM12 10v4.500M12 17.300h.01" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof drawings | RoomIconName;

/** Decoration only: what it means stands in the text of the control around it. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  if (!(name in drawings)) return <RoomIcon name={name as RoomIconName} size={size} />;
  return <Drawing size={size}>{drawings[name as keyof typeof drawings]}</Drawing>;
}
