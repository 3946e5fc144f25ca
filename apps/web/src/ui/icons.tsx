import type { ReactNode } from 'react';

/** The product's own icons: 20 px, drawn with the text's colour. */
const drawings = {
  calendar: <path d="M4 5.5h12a1 1 0 0 1 1 1V16a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6.500a1 1 0 0 1 1-1ZM3 9h14M6.5 3v4M13.5 3v4" />,
  enter: <path d="M11 3.500h4.500a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H11M3 10h9M9 6.5 12.5 10 9 13.5" />,
  menu: <path d="M3 5.500h14M3 10h14M3 14.500h14" />,
  expand: <path d="M3 4.500h14M3 15.500h14M9 8.200h8M9 11.800h8M3 7.5 6 10l-3 2.5" />,
  collapse: <path d="M3 4.500h14M3 15.500h14M9 8.200h8M9 11.800h8M6 7.5 3 10l3 2.5" />,
  globe: <path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM3 10h14M10 3c2.3 2 3 4.6 3 7s-.7 5-3 7c-2.3-2-3-4.6-3-7s.7-5 3-7Z" />,
  eye: <path d="M2 10s3-5.5 8-5.500S18 10 18 10s-3 5.5-8 5.500S2 10 2 10ZM10 12.300a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.600Z" />,
  eyeOff: <path d="M2 10s3-5.5 8-5.500S18 10 18 10s-3 5.5-8 5.500S2 10 2 10ZM4 16 16 4" />,
  down: <path d="m6 8 4 4 4-4" />,
  copy: <path d="M7.5 7.500h8a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-8a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1ZM13.5 7.500v-3a1 1 0 0 0-1-1h-8a1 1 0 0 0-1 1v7a1 1 0 0 0 1 1h2" />,
  edit: <path d="m4 16 .8-3.300L13.5 4a1.4 1.4 0 0 1 2 0l.5.5a1.4 1.4 0 0 1 0 2L7.3 15.2 4 16ZM12 5.5 14.5 8" />,
  cancel: <path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM7.5 7.500l5 5M12.5 7.500l-5 5" />,
  play: <path d="M6.5 4.500v11l9-5.5-9-5.500Z" />,
  search: <path d="M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12ZM13.5 13.5 17 17" />,
  plus: <path d="M10 4v12M4 10h12" />,
  bolt: <path d="M11 3 4.5 11.500H9.500L9 17l6.5-8.500H10.500L11 3Z" />,
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
