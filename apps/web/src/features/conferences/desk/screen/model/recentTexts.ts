/** Number of recent captions offered, newest first. */
const MOST_RECENT = 6;

const keyOf = (meetId: string): string => `deskCaptions:${meetId}`;

/** The texts with the one just used in front. */
export function withRecent(texts: readonly string[], text: string): string[] {
  const used = text.trim();
  return [used, ...texts.filter((each) => each !== used)].slice(0, MOST_RECENT);
}

/** Captions this browser has sent in a meeting. Unreadable data is ignored. */
export function recentTexts(storage: Pick<Storage, 'getItem'>, meetId: string): string[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(keyOf(meetId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string').slice(0, MOST_RECENT) : [];
  } catch {
    return [];
  }
}

/** Stores the texts; if storage fails, none are offered later. */
export function keepRecent(storage: Pick<Storage, 'setItem'>, meetId: string, texts: readonly string[]): void {
  try {
    storage.setItem(keyOf(meetId), JSON.stringify(texts));
  } catch {
    // The storage is full or not allowed.
  }
}
