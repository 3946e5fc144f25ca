/** Rows with the same values of these columns as one: sums of the numbers among the others, of `peak` the maximum. */
export function together<T extends object>(
  rows: readonly T[],
  keys: readonly (keyof T & string)[],
  set: Partial<T>,
): T[] {
  const found = new Map<string, Record<string, unknown>>();
  for (const row of rows) {
    const values: Record<string, unknown> = { ...row, ...set };
    const key = JSON.stringify(keys.map((name) => values[name]));
    const known = found.get(key);
    if (!known) found.set(key, values);
    else
      for (const [name, value] of Object.entries(row))
        addTo(known, name, value, keys.includes(name as never) || name in set);
  }
  return [...found.values()] as T[];
}

function addTo(sums: Record<string, unknown>, name: string, value: unknown, isKey: boolean): void {
  if (isKey || typeof value !== 'number') return;
  const known = sums[name];
  const before = typeof known === 'number' ? known : 0;
  sums[name] = name === 'peak' ? Math.max(before, value) : before + value;
}
