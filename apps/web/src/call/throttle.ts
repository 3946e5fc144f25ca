/** Milliseconds of one frame; more frequent updates would not be visible. */
export const FRAME = 16;

/** Returns a function that calls `run` at most once per microtask, or per `delay` ms, however often it is called. */
export function throttle(run: () => void, delay?: number): () => void {
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
