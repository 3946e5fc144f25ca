/** The keys in which two values of one shape differ; lists and objects are compared by content. */
export function changedKeys<T extends object>(a: T, b: T): (keyof T)[] {
  return (Object.keys(a) as (keyof T)[]).filter((key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]));
}

/**
 * After somebody else's edit: what was typed here (differs from `base`) stays, every other field takes the newest
 * value.
 * `theirs` lists the fields the other edit changed.
 */
export function rebase<T extends object>(base: T, mine: T, newest: T): { draft: T; theirs: (keyof T)[] } {
  const typed = Object.fromEntries(changedKeys(base, mine).map((key) => [key, mine[key]])) as Partial<T>;
  return { draft: { ...newest, ...typed }, theirs: changedKeys(base, newest) };
}
