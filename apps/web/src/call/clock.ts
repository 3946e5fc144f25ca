/**
 * How far the server's clock is ahead of ours, ms, after something it did at `at` was heard of at `now`. What was heard
 * says how far at least, less its way here; the best of all counts, so that what comes late, as after a lost
 * connection, misleads nobody.
 */
export function clockAhead(before: number | null, at: string, now: number): number {
  return Math.max(before ?? -Infinity, Date.parse(at) - now);
}
