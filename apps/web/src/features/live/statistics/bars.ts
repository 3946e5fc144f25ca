/** Ms. */
export const MINUTE = 60_000;
/** More bars than this are too thin for a phone. */
const MOST = 60;

interface ViewersAt {
  at: string;
  viewers: number;
}

/**
 * Viewers over time as at most 60 bars of the same length of time, each the highest number in it. Minutes without a
 * number had no viewers.
 */
export function barsOf(minutes: readonly ViewersAt[]): ViewersAt[] {
  const [first, last] = [minutes[0], minutes.at(-1)];
  if (!first || !last) return [];
  const start = Date.parse(first.at);
  const count = Math.round((Date.parse(last.at) - start) / MINUTE) + 1;
  const each = Math.ceil(count / MOST);
  const bars = Array.from({ length: Math.ceil(count / each) }, (_, n) => ({
    at: new Date(start + n * each * MINUTE).toISOString(),
    viewers: 0,
  }));
  for (const { at, viewers } of minutes) {
    const bar = bars[Math.floor((Date.parse(at) - start) / MINUTE / each)];
    if (bar) bar.viewers = Math.max(bar.viewers, viewers);
  }
  return bars;
}
