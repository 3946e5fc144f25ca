import {
  CLIENT_PACKAGE_TYPES,
  DOWNLOADS_PAGE_TYPES,
  type ClientPackageName,
  type OfferedPackage,
} from '@rmeet/contract';
import { isWindowsContext } from '../../../lib/clientShell.ts';
import type { ClientInfo } from './storedList.ts';
import type { Viewer } from './viewer.ts';

/** Packages that the menu navigates to, in its order (product document, section 2). */
const MENU_TYPES = ['windows', 'mac', 'rooms', 'roomsAndroid', 'kylinArm', 'kylinX86', 'uosArm'] as const;

/** The packages by what they run on. */
export const GROUPS = {
  phone: ['android', 'ios', 'harmony'],
  computer: ['windows', 'mac', 'kylinArm', 'kylinX86', 'uosArm'],
  room: ['rooms', 'roomsAndroid', 'maxhubAndroid', 'maxhubIos'],
} as const satisfies Record<string, readonly ClientPackageName[]>;
export const GROUP_NAMES = Object.keys(GROUPS) as (keyof typeof GROUPS)[];

/** Packages of devices with cameras, which scan codes. */
const SCANNED: ReadonlySet<ClientPackageName> = new Set([
  'android',
  'ios',
  'harmony',
  'roomsAndroid',
  'maxhubAndroid',
  'maxhubIos',
]);
export const isScanned = (name: ClientPackageName): boolean => SCANNED.has(name);

/** The package of a type in a list. */
export const packageIn = <P extends { type: number }>(list: readonly P[], name: ClientPackageName): P | undefined =>
  list.find(({ type }) => type === CLIENT_PACKAGE_TYPES[name]);

/** The entries of the menu that navigate to a package: those that are offered, and none in the client for Windows. */
export function menuEntriesOf(
  list: readonly ClientInfo[],
  { userAgent, platform }: Viewer,
): { name: (typeof MENU_TYPES)[number]; url: string }[] {
  if (isWindowsContext(userAgent, platform)) return [];
  return MENU_TYPES.flatMap((name) => {
    const found = packageIn(list, name);
    return found ? [{ name, url: found.url }] : [];
  });
}

/** The longest landing address with the package URL in it: a longer one makes a code that cameras cannot read. */
const LONGEST = 500;

/** What a code for a package encodes: for Android the page /downloads, which names the package; else the package. */
export function codeOf({ type, url, version }: ClientInfo, origin: string): string {
  if (type !== CLIENT_PACKAGE_TYPES.android) return url;
  const page = new URL('/downloads/', origin);
  page.searchParams.set('type', '1');
  page.searchParams.set('version', version);
  const short = page.href;
  page.searchParams.set('url', url);
  return page.href.length > LONGEST ? short : page.href;
}

/** The package for a device, by its user agent; undefined for an unknown one. */
export function packageFor(userAgent: string): ClientPackageName | undefined {
  if (/HarmonyOS|OpenHarmony/i.test(userAgent)) return 'harmony';
  if (/Android/i.test(userAgent)) return 'android';
  if (/iPhone|iPad|iPod/i.test(userAgent)) return 'ios';
  if (/Windows/i.test(userAgent)) return 'windows';
  if (/Macintosh|Mac OS X/i.test(userAgent)) return 'mac';
  return undefined;
}

/** WeChat's browser downloads no packages. */
export const isWeChat = (userAgent: string): boolean => /MicroMessenger/i.test(userAgent);

/** What the page /downloads is asked for. */
export interface Asked {
  name: ClientPackageName | undefined;
  /** The marker of the version that was scanned. */
  version: string;
  url: string;
}

/** The parameters `type` (1 to 6, 9, 10), `version` and `url` of the page /downloads. */
export function askedOf(search: string): Asked {
  const params = new URLSearchParams(search);
  const types = new Map<string, ClientPackageName>(Object.entries(DOWNLOADS_PAGE_TYPES));
  return {
    name: types.get(params.get('type') ?? ''),
    version: (params.get('version') ?? '').slice(0, 30),
    url: (params.get('url') ?? '').slice(0, 1_200),
  };
}

/** The first package that the page /downloads offers, and all others. */
export function landingOf(
  list: readonly OfferedPackage[],
  wanted: ClientPackageName | undefined,
): { first: OfferedPackage | undefined; others: readonly OfferedPackage[] } {
  const first = wanted && packageIn(list, wanted);
  return { first, others: list.filter((one) => one !== first) };
}
