/** An object of asynchronous methods. */
type Methods<K extends string> = Record<K, (...args: never[]) => Promise<unknown>>;

/**
 * The named methods of an object that is loaded at the first call of one of them, so that what a server does not use
 * takes neither time nor memory at its start. A load that failed is tried again at the next call.
 */
export function lazily<K extends string, T extends Methods<K>>(
  names: readonly K[],
  load: () => Promise<T>,
): Pick<T, K> {
  let loaded: Promise<T> | undefined;
  const get = (): Promise<T> =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
  const methods = names.map((name) => [name, async (...args: never[]) => (await get())[name](...args)]);
  return Object.fromEntries(methods) as Pick<T, K>;
}
