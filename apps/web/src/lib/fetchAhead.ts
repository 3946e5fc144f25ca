/** Milliseconds in which a page that has come up has the network to itself. */
const QUIET = 1_000;
/** The user is about to do something. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const;

/**
 * Fetches what the user will probably open next, so that it opens at once: when the page has been there for a moment
 * and the browser is idle, or with the first move of the pointer or the first key. Returns what calls it off.
 * A failure is not reported here: what needs the part asks for it again, and reports it.
 */
export function fetchAhead(load: () => Promise<unknown>): () => void {
  const start = (): void => {
    stop();
    load().catch(() => undefined);
  };
  const timer = setTimeout(() => {
    // Safari has no idle callbacks.
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
