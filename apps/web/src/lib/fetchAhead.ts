/** How long prefetching waits after a page was shown, so that the page has the network to itself; ms. */
const QUIET = 1_000;
/** Events that show that the user is about to act. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const;

/**
 * Prefetches what the user will probably open next, so that it opens immediately: when the page has been shown for a
 * moment and the browser is idle, or at the first pointer movement or key press. Returns a function that cancels it.
 * Errors are not reported here: the code that needs the part requests it again, and reports them.
 */
export function fetchAhead(load: () => Promise<unknown>): () => void {
  const start = (): void => {
    stop();
    load().catch(() => undefined);
  };
  const timer = setTimeout(() => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(start, { timeout: QUIET });
    else start();
  }, QUIET);
  const stop = (): void => {
    clearTimeout(timer);
    for (const sign of SIGNS) removeEventListener(sign, start);
  };
  for (const sign of SIGNS) addEventListener(sign, start, { once: true, passive: true });
  return stop;
}
