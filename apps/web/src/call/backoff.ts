/**
 * Milliseconds to wait before the next attempt after `failures` failures: 0, 250, 500, 1 s, then 2 s, with 20 % jitter.
 */
export function backoffDelay(failures: number, random: () => number = Math.random): number {
  if (failures <= 0) return 0;
  const base = Math.min(2_000, 250 * 2 ** (failures - 1));
  return Math.round(base * (0.8 + 0.4 * random()));
}

/** Resolves after `ms`, or at once when `signal` is aborted; the caller checks the signal. */
export function pause(ms: number, signal: AbortSignal = new AbortController().signal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish);
  });
}
