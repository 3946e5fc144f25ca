import { defineIcons, ofEveryPage, type IconName } from './icons.tsx';

declare module './icons.tsx' {
  interface IconSets {
    menu: typeof ofMenus;
  }
}

/** Icons of menu entries, of the header and of files, which pages without a sidebar load when they need them. */
const ofMenus = {
  bell: (
    <path
      d={
        'M10 3a4.500 4.500 0 0 1 4.500 4.500c0 4 1.500 5 2 6H3.500c.5-1 2-2 2-6A4.500 4.500 0 0 1 10 3ZM8.300 ' +
        '16.200a1.800 1.800 0 0 0 3.400 0'
      }
    />
  ),
  stream: (
    <path
      d={
        'M10 12.500V4M6.800 7 10 3.800 13.200 7M4 12.500V15a1.500 1.500 0 0 0 1.500 ' +
        '1.500h9A1.500 1.500 0 0 0 16 15v-2.500'
      }
    />
  ),
  print: (
    <path
      d={
        'M6 7.500V3.500h8v4M6 14H4.500a1 1 0 0 1-1-1V8.500a1 1 0 0 ' +
        '1 1-1h11a1 1 0 0 1 1 1V13a1 1 0 0 1-1 1H14M6 12h8v4.500H6Z'
      }
    />
  ),
  staff: (
    <path
      d={
        'M10 9.500a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4 17c0-3.200 ' +
        '2.500-5 6-5s6 1.800 6 5M8.500 12.200 10 14.500l1.500-2.300'
      }
    />
  ),
  shield: (
    <path
      d={
        'M10 2.800 16 5v4.500c0 3.700-2.500 6.300-6 ' +
        '7.700-3.500-1.400-6-4-6-7.700V5l6-2.200ZM7.3 9.800l2 2 3.500-3.700'
      }
    />
  ),
  expand: <path d="M3 4.500h14M3 15.500h14M9 8.200h8M9 11.800h8M3 7.5 6 10l-3 2.5" />,
  collapse: <path d="M3 4.500h14M3 15.500h14M9 8.200h8M9 11.800h8M6 7.5 3 10l3 2.5" />,
  globe: (
    <path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM3 10h14M10 3c2.3 2 3 4.6 3 7s-.7 5-3 7c-2.3-2-3-4.6-3-7s.7-5 3-7Z" />
  ),
  bolt: <path d="M11 3 4.5 11.500H9.500L9 17l6.5-8.500H10.500L11 3Z" />,
  columns: (
    <path
      d={
        'M4 4.500h12a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 ' +
        '1-1-1v-9a1 1 0 0 1 1-1ZM7.700 4.500v11M12.300 4.500v11'
      }
    />
  ),
  tree: <path d="M3.500 4h5v3.500h-5ZM11.500 8.500h5V12h-5ZM11.500 14h5v3h-5ZM6 7.500v8h5.500M6 10.200h5.500" />,
  folder: <path d="M3.500 5.500h4.500l2 2h6.500v8.500h-13v-10.500Z" />,
  document: (
    <path
      d={
        'M5 2.500h6.500L15.500 6.500V17a.5.5 0 0 1-.5.5H5a.5.5 0 0 1-' +
        '.5-.5V3a.5.5 0 0 1 .5-.5ZM11 3v4h4M7 10.500h6M7 13.500h6'
      }
    />
  ),
  package: (
    <path
      d={
        'M10 2.800 16.500 6v8L10 17.200 3.500 14V6L10 2.800ZM3.500 6l6.500 ' +
        '3.200L16.500 6M10 9.200v8M6.800 4.400l6.500 3.200'
      }
    />
  ),
  assistant: (
    <path
      d={
        'M4 4h12a1.500 1.500 0 0 1 1.500 1.500v7a1.500 1.500 0 0 1-1.500 1.500h-5L7 17v-3H4a1.500 1.500 0 0 ' +
        '1-1.500-1.500v-7A1.500 1.500 0 0 1 4 4ZM7 9h.01M10 9h.01M13 9h.01'
      }
    />
  ),
  megaphone: (
    <path
      d={
        'M3.500 8.500v3a1 1 0 0 0 1 1H6.500L13.500 16V4L6.500 7.500H4.500a1 1 0 0 0-1 1ZM6.500 12.500l1 ' +
        '4h2.200l-.9-2.900M16 7.800a3.200 3.200 0 0 1 0 4.400'
      }
    />
  ),
  apps: <path d="M3.500 3.500h5v5h-5ZM11.500 3.500h5v5h-5ZM3.500 11.500h5v5h-5ZM11.500 11.500h5v5h-5Z" />,
  link: (
    <path
      d={
        'M8.500 11.500a3 3 0 0 0 4.300.200l2.700-2.700a3 3 0 0 0-4.300-4.300L10 5.900M11.500 8.500a3 3 0 0 ' +
        '0-4.300-.2L4.500 11a3 3 0 0 0 4.300 4.300L10 14.100'
      }
    />
  ),
  mail: <path d="M4 4.500h12a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1ZM3.500 6 10 11l6.500-5" />,
  chart: <path d="M3.500 3.500v13h13M7 13V9.500M10.500 13V6M14 13V8" />,
  news: (
    <path d="m10 3 1.700 4.300L16 9l-4.300 1.700L10 15l-1.700-4.300L4 9l4.300-1.700L10 3ZM15.500 13.500v3M14 15h3" />
  ),
};

defineIcons(ofMenus, 20);

const drawings = { ...ofEveryPage, ...ofMenus };

/** The icons available for menu entries. */
export const MENU_ICONS = [
  'calendar',
  'history',
  'video',
  'enter',
  'people',
  'staff',
  'building',
  'room',
  'terminal',
  'resource',
  'approval',
  'shield',
  'key',
  'tree',
  'menu',
  'log',
  'settings',
  'package',
  'live',
  'stream',
  'book',
  'globe',
  'bolt',
  'bell',
  'phone',
  'megaphone',
  'apps',
  'link',
  'mail',
  'chart',
  'assistant',
  'help',
  'document',
] as const satisfies readonly IconName[];

/** The icons that every page with the sidebar can show, by name. */
export const APP_ICONS = (Object.keys(drawings) as (keyof typeof drawings)[]).toSorted();

/** Whether the app has an icon of this name: menu entries may name any. */
export function isIcon(name: string): name is IconName {
  return Object.hasOwn(drawings, name);
}
