/** Captions that are offered again, newest first. */
const MOST_RECENT = 6;

const keyOf = (meetId: string): string => `deskCaptions:${meetId}`;

/** The texts with one that was just used in front. */
export function withRecent(texts: readonly string[], text: string): string[] {
  const used = text.trim();
  return [used, ...texts.filter((each) => each !== used)].slice(0, MOST_RECENT);
}

/** Captions this browser has sent in a meeting. What is not readable counts as none. */
export function recentTexts(storage: Pick<Storage, 'getItem'>, meetId: string): string[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(keyOf(meetId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string').slice(0, MOST_RECENT) : [];
  } catch {
    return [];
  }
}

/** Keeps them; a browser that keeps nothing offers nothing. */
export function keepRecent(storage: Pick<Storage, 'setItem'>, meetId: string, texts: readonly string[]): void {
  try {
    storage.setItem(keyOf(meetId), JSON.stringify(texts));
  } catch {
    // A full or forbidden storage.
  }
}
