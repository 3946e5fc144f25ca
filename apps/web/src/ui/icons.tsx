import type { ReactNode } from 'react';

/** Icons of every page, on a grid of 20 by 20. Pages with further icons add them with `defineIcons`. */
export const ofEveryPage = {
  calendar: (
    <path d="M4 5.5h12a1 1 0 0 1 1 1V16a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6.500a1 1 0 0 1 1-1ZM3 9h14M6.5 3v4M13.5 3v4" />
  ),
  enter: <path d="M11 3.500h4.500a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H11M3 10h9M9 6.5 12.5 10 9 13.5" />,
  menu: <path d="M3 5.500h14M3 10h14M3 14.500h14" />,
  eye: (
    <path
      d={
        'M2 10s3-5.5 8-5.500S18 10 18 10s-3 5.5-8 5.500S2 10 2 ' +
        '10ZM10 12.300a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.600Z'
      }
    />
  ),
  eyeOff: <path d="M2 10s3-5.5 8-5.500S18 10 18 10s-3 5.5-8 5.500S2 10 2 10ZM4 16 16 4" />,
  help: <path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM8 8a2 2 0 1 1 2.800 1.800c-.6.3-.8.7-.8 1.400M10 13.700v.01" />,
  down: <path d="m6 8 4 4 4-4" />,
  copy: (
    <path
      d={
        'M7.5 7.500h8a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-8a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1ZM13.5 7.500v-3a1 1 0 0 ' +
        '0-1-1h-8a1 1 0 0 0-1 1v7a1 1 0 0 0 1 1h2'
      }
    />
  ),
  edit: <path d="m4 16 .8-3.300L13.5 4a1.4 1.4 0 0 1 2 0l.5.5a1.4 1.4 0 0 1 0 2L7.3 15.2 4 16ZM12 5.5 14.5 8" />,
  cancel: <path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM7.5 7.500l5 5M12.5 7.500l-5 5" />,
  play: <path d="M6.5 4.500v11l9-5.5-9-5.500Z" />,
  /** The control desk. */
  desk: <path d="M5 3.500v13M10 3.500v13M15 3.500v13M3 12.500h4M8 7h4M13 14h4" />,
  search: <path d="M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12ZM13.5 13.5 17 17" />,
  plus: <path d="M10 4v12M4 10h12" />,
  more: <path d="M5 10h.01M10 10h.01M15 10h.01" strokeWidth="2.5" />,
  download: <path d="M10 3v9.500M6 9l4 4 4-4M3.500 16.500h13" />,
  upload: <path d="M10 13V3.500M6 7l4-4 4 4M3.500 16.500h13" />,
  filePicture: (
    <path
      d={
        'M4.500 4h11a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1ZM3.500 ' +
        '13.500 7.500 9.500l3.500 3.500 2-2 3.500 3M12.500 7.500h.01'
      }
    />
  ),
  fileArchive: (
    <path d="M5 3h10a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1ZM9 5h2M9 7.500h2M9 10h2v3H9z" />
  ),
  fileOther: <path d="M5 3h7.500L16 6.500V16a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1ZM12 3v4h4" />,
  check: <path d="m4.5 10.5 3.5 3.5 7.500-8" />,
  close: <path d="m5 5 10 10M15 5 5 15" />,
  people: (
    <path
      d={
        'M7.5 9.500a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 16.500c0-3 2.2-4.800 5.500-4.800s5.500 1.800 5.500 ' +
        '4.800M13 3.900a3 3 0 0 1 0 5.200M14.500 12c2.200.5 3.500 2.100 3.500 4.500'
      }
    />
  ),
  building: (
    <path
      d={
        'M4 17V4a1 1 0 0 1 1-1h7a1 1 0 0 1 1 1v13M13 8h2.500a1 1 ' +
        '0 0 1 1 1v8M2.500 17h15M7 6.500h3M7 9.500h3M7 12.500h3'
      }
    />
  ),
  key: <path d="M6.500 14a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM10 10.500h7.500M14.500 10.500V13M17 10.500v2" />,
  history: <path d="M3.500 10a6.500 6.500 0 1 0 2-4.700L3.500 7.200M3.500 3.500v3.700h3.700M10 6.500V10l2.500 2" />,
  log: (
    <path d="M5 3h7.500L16 6.500V16a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1ZM12 3v4h4M7 10.500h6M7 13.500h4" />
  ),
  settings: (
    <path
      d={
        'M10 12.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM10 2.800v2M10 15.200v2M2.800 10h2M15.200 10h2M4.900 ' +
        '4.900l1.400 1.400M13.700 13.700l1.400 1.400M15.100 4.900l-1.400 1.400M6.300 13.700l-1.400 1.400'
      }
    />
  ),
  video: (
    <path
      d={
        'M3.500 5.500h8a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-8a1 1 0 ' +
        '0 1-1-1v-7a1 1 0 0 1 1-1ZM12.500 9l5-2.500v7l-5-2.500'
      }
    />
  ),
  live: (
    <path
      d={
        'M10 11.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3ZM6.800 13.200a4.500 4.500 0 0 1 ' +
        '0-6.400M13.200 6.800a4.500 4.500 0 0 1 0 6.400M4.300 15.700a8 8 0 0 1 0-11.400M15.700 4.300a8 8 0 0 1 0 11.400'
      }
    />
  ),
  room: <path d="M4 17V4.500a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1V17M2.500 17h15M7.500 17V7h5v10M10.8 12v.01" />,
  terminal: <path d="M4 4h12a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1ZM7 17h6M10 14v3" />,
  resource: (
    <path
      d={
        'M4 3.500h12a1 1 0 0 1 1 1V8a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V4.500a1 1 0 0 1 1-1ZM4 11h12a1 1 0 0 1 1 ' +
        '1v3.500a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V12a1 1 0 0 1 1-1ZM6.200 ' +
        '6.200v.01M6.200 13.700v.01M9.500 6.200h4.500M9.500 13.700h4.500'
      }
    />
  ),
  approval: (
    <path
      d={
        'M7 4H5a1 1 0 0 0-1 1v11a1 1 0 0 0 1 1h10a1 1 0 0 0 1-1V5a1 1 0 0 0-1-1h-2M7.500 ' +
        '2.800h5v2.700h-5ZM7.200 11.200l2 2 3.800-4'
      }
    />
  ),
  book: (
    <path
      d={
        'M10 5.500C8.500 4.200 6.500 3.500 3 3.500v11.500c3.500 0 5.500.7 7 2 1.500-1.300 3.500-2 ' +
        '7-2V3.500c-3.500 0-5.500.7-7 2ZM10 5.500V17'
      }
    />
  ),
  phone: (
    <path
      d={
        'M6.500 3.500 8 7 6.300 8.300a9 9 0 0 0 5.400 5.400L13 12l3.500 ' +
        '1.500v2.500a1 1 0 0 1-1 1C9 17 3 11 3 4.500a1 1 0 0 1 1-1h2.500Z'
      }
    />
  ),
} satisfies Record<string, ReactNode>;

/** The drawings of each set; modules that define a set declare it here. */
export interface IconSets {
  app: typeof ofEveryPage;
}

export type IconName = { [Set in keyof IconSets]: keyof IconSets[Set] }[keyof IconSets];

/** Stroke width, by the size of the icon's grid. */
const STROKE_WIDTHS = { 20: 1.5, 24: 1.6 } as const;
type GridSize = keyof typeof STROKE_WIDTHS;

const defined = new Map<string, { drawing: ReactNode; grid: GridSize }>();

/** Adds a set of icons, which is only loaded by pages that import its module. */
export function defineIcons(set: Readonly<Record<string, ReactNode>>, grid: GridSize): void {
  for (const [name, drawing] of Object.entries(set)) defined.set(name, { drawing, grid });
}

defineIcons(ofEveryPage, 20);

/** The names of all icons whose sets are loaded, in alphabetical order. */
export function loadedIcons(): IconName[] {
  return ([...defined.keys()] as IconName[]).toSorted();
}

/** An icon in the text's colour. Decorative: the label of the surrounding control carries the meaning. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  const { drawing = null, grid = 20 } = defined.get(name) ?? {};
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${grid} ${grid}`}
      fill="none"
      stroke="currentColor"
      strokeWidth={STROKE_WIDTHS[grid]}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {drawing}
    </svg>
  );
}
