/** The comparable form of a field's value. */
export type Compared<T> = (value: T, key: keyof T) => unknown;

/** The keys in which two values of the same shape differ; lists and objects are compared by content. */
export function changedKeys<T extends object>(
  a: T,
  b: T,
  compared: Compared<T> = (value, key) => value[key],
): (keyof T)[] {
  return (Object.keys(a) as (keyof T)[]).filter(
    (key) => JSON.stringify(compared(a, key)) !== JSON.stringify(compared(b, key)),
  );
}

/**
 * Merges an edit with another one that was saved in the meantime: fields edited here (different from `base`) stay, all
 * others take the newest value. `theirs` lists the fields that the other edit changed.
 */
export function rebase<T extends object>(
  base: T,
  mine: T,
  newest: T,
  compared?: Compared<T>,
): { draft: T; theirs: (keyof T)[] } {
  const typed = Object.fromEntries(changedKeys(base, mine, compared).map((key) => [key, mine[key]])) as Partial<T>;
  return { draft: { ...newest, ...typed }, theirs: changedKeys(base, newest, compared) };
}
