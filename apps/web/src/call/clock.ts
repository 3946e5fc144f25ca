/**
 * Estimates how far the server's clock is ahead of ours, ms, from an event of server time `at` received at `now`. Each
 * event gives a lower bound, reduced by its latency; the largest bound counts, so late events do no harm.
 */
export function clockAhead(before: number | null, at: string, now: number): number {
  return Math.max(before ?? -Infinity, Date.parse(at) - now);
}
