import { DOCUMENTS, RECORD, RECORDING, RECORDINGS } from '../../lib/paths.ts';
import type { MenuItem } from './menu.ts';

/** Pages without an entry of their own, and the entries that represent them: the first that the menu contains. */
const STANDS_FOR = [
  { below: `${RECORD}/`, urls: [RECORDINGS, '/meetingHistory'] },
  { below: `${RECORDING}/`, urls: [RECORDINGS] },
  { below: `${DOCUMENTS}/`, urls: [DOCUMENTS] },
];

/**
 * The path of the entry to highlight for a page without its own entry; undefined if the page has one, or none
 * represents it.
 */
export function highlightOf(items: readonly MenuItem[], pathname: string): string | undefined {
  const urls = STANDS_FOR.find(({ below }) => pathname.startsWith(below))?.urls ?? [];
  return urls.find((url) => items.some((item) => item.url === url && !item.hidden));
}
