import type { ReactNode } from 'react';

/** The shell's own icons: 20 px, drawn with the text's colour. */
const drawings = {
  calendar: <path d="M4 5.5h12a1 1 0 0 1 1 1V16a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6.500a1 1 0 0 1 1-1ZM3 9h14M6.500 3v4M13.500 3v4" />,
  enter: <path d="M11 3.500h4.500a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H11M3 10h9M9 6.500 12.500 10 9 13.500" />,
  menu: <path d="M3 5.500h14M3 10h14M3 14.500h14" />,
  expand: <path d="M3 4.500h14M3 15.500h14M9 8.200h8M9 11.800h8M3 7.500 6 10l-3 2.500" />,
  collapse: <path d="M3 4.500h14M3 15.500h14M9 8.200h8M9 11.800h8M6 7.500 3 10l3 2.500" />,
  globe: <path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM3 10h14M10 3c2.300 2 3 4.600 3 7s-.7 5-3 7c-2.300-2-3-4.600-3-7s.7-5 3-7Z" />,
  eye: <path d="M2 10s3-5.500 8-5.500S18 10 18 10s-3 5.500-8 5.500S2 10 2 10ZM10 12.300a2.300 2.300 0 1 0 0-4.600 2.300 2.300 0 0 0 0 4.600Z" />,
  eyeOff: <path d="M2 10s3-5.500 8-5.500S18 10 18 10s-3 5.500-8 5.500S2 10 2 10ZM4 16 16 4" />,
  down: <path d="m6 8 4 4 4-4" />,
  close: <path d="m5 5 10 10M15 5 5 15" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof drawings;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true">
      {drawings[name]}
    </svg>
  );
}
