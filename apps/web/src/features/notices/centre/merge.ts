import type { Notice } from '@rmeet/contract';

/**
 * The unread and the read notices of two answers, either of which may be the older one: those to "only unread ones" and
 * to "all". Each notice is in one list, and once. Nothing makes a read one unread, so it is read if one answer says so;
 * what only one answer has as unread is shown until both are of the same time.
 */
export function merge(
  onlyUnread: readonly Notice[],
  all: readonly Notice[],
): { unread: readonly Notice[]; read: readonly Notice[] } {
  const read = once(all.filter(({ readAt }) => readAt !== null));
  const areRead = new Set(read.map(({ id }) => id));
  const unread = once([...onlyUnread, ...all].filter(({ id }) => !areRead.has(id)));
  return { unread: unread.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt)), read };
}

function once(notices: readonly Notice[]): Notice[] {
  return [...new Map(notices.map((notice) => [notice.id, notice])).values()];
}
