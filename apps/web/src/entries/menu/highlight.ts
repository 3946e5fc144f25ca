import type { MenuItem } from './menu.ts';

/** Where the record of one held meeting is; its id follows. */
export const RECORD = '/meeting-record-details';

/** Pages without an entry of their own, and the entries that stand for them: the first that the menu has. */
const STANDS_FOR = [{ below: `${RECORD}/`, urls: ['/record-meeting', '/meetingHistory'] }];

/**
 * The path of the entry to highlight for a page that has none; undefined where the page has one, or nothing stands for
 * it.
 */
export function highlightOf(items: readonly MenuItem[], pathname: string): string | undefined {
  const urls = STANDS_FOR.find(({ below }) => pathname.startsWith(below))?.urls ?? [];
  return urls.find((url) => items.some((item) => item.url === url && !item.hidden));
}
