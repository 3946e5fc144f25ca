/** A function that has `run` called once, soon, however often it is called itself. */
export function coalesced(run: () => void): () => void {
  let planned = false;
  return () => {
    if (planned) return;
    planned = true;
    queueMicrotask(() => {
      planned = false;
      run();
    });
  };
}
