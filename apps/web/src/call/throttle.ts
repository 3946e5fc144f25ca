/** Milliseconds of one picture on a screen: told more often, a page draws more than anybody sees. */
export const FRAME = 16;

/**
 * A function that has `run` called once, soon, however often it is called itself: with the task at hand, or after
 * `delay` ms.
 */
export function coalesced(run: () => void, delay?: number): () => void {
  let planned = false;
  const once = (): void => {
    planned = false;
    run();
  };
  return () => {
    if (planned) return;
    planned = true;
    if (delay === undefined) queueMicrotask(once);
    else setTimeout(once, delay);
  };
}
