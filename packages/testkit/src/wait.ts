/**
 * Waits until `probe` returns a truthy value and returns it. Checks every `every` ms; after `within` ms throws with
 * `what` and the last value, so that a failing test shows its progress.
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  { within = 15_000, every = 50 }: { within?: number; every?: number } = {},
): Promise<NonNullable<T>> {
  const deadline = Date.now() + within;
  let last: unknown;
  for (;;) {
    try {
      last = await probe();
    } catch (error) {
      last = error;
    }
    if (last && !(last instanceof Error)) return last as NonNullable<T>;
    if (Date.now() > deadline) throw new Error(`not within ${within} ms: ${what}; last seen: ${describe(last)}`);
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}

function describe(value: unknown): string {
  return value instanceof Error ? value.message : (JSON.stringify(value) ?? String(value));
}
