import type { AuditEntry } from '@rmeet/contract';

type Fields = AuditEntry['before'];

/** One row of the comparison: a field by its path, and its value before and after; undefined if absent. */
export interface Difference {
  path: readonly string[];
  before: unknown;
  after: unknown;
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}

/** The values of a record by their paths; nested objects are flattened, lists stay whole. */
function leaves(
  fields: Record<string, unknown>,
  above: readonly string[] = [],
): { path: readonly string[]; value: unknown }[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    isNested(value) ? leaves(value, [...above, name]) : [{ path: [...above, name], value }],
  );
}

/**
 * Before and after, field by field, in the order of the new record. Fields that an edit did not change are left out;
 * secrets stay, because both values are `***`.
 */
export function compare(before: Fields, after: Fields): Difference[] {
  const was = new Map(leaves(before ?? {}).map(({ path, value }) => [path.join('.'), { path, value }]));
  const is = new Map(leaves(after ?? {}).map(({ path, value }) => [path.join('.'), { path, value }]));
  return [...new Set([...is.keys(), ...was.keys()])].flatMap((key) => {
    const [old, now] = [was.get(key), is.get(key)];
    const difference = { path: (now ?? old)?.path ?? [], before: old?.value, after: now?.value };
    const isSame = old !== undefined && now !== undefined && JSON.stringify(old.value) === JSON.stringify(now.value);
    return isSame && now.value !== SECRET ? [] : [difference];
  });
}

/** Replaces passwords and other secrets. */
const SECRET = '***';
