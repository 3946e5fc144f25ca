import { ENTRY_TYPES } from '@rmeet/contract';
import type { PermissionRow } from './tables.ts';

type Placed = Pick<PermissionRow, 'id' | 'pid' | 'type' | 'isAdmin' | 'sort'>;

/** Entries of the users' system first, then in the administrators' order; ids are in order of creation. */
function inOrder(a: Placed, b: Placed): number {
  return Number(a.isAdmin) - Number(b.isAdmin) || a.sort - b.sort || (a.id < b.id ? -1 : 1);
}

/** The entries with parents before children, siblings in order. Those whose parent is not included are at the end. */
export function treeOrder<E extends Placed>(entries: readonly E[]): E[] {
  const byParent = Map.groupBy([...entries].sort(inOrder), (entry) => entry.pid);
  const ids = new Set(entries.map((entry) => entry.id));
  const ordered: E[] = [];
  const visit = (entry: E): void => {
    ordered.push(entry);
    byParent.get(entry.id)?.forEach(visit);
  };
  byParent.get(null)?.forEach(visit);
  for (const [pid, orphans] of byParent) if (pid !== null && !ids.has(pid)) orphans.forEach(visit);
  return ordered;
}

/** The other children of a parent, in order; at the top level those of the entry's system. */
export function siblingsOf<E extends Placed>(
  entries: readonly E[],
  { id, isAdmin }: Pick<Placed, 'id' | 'isAdmin'>,
  pid: string | null,
): E[] {
  return entries.filter((entry) => entry.pid === pid && entry.id !== id && entry.isAdmin === isAdmin).sort(inOrder);
}

/**
 * Whether an entry may be below a parent: in its own system, not below itself, menus below menus or at the top, pages
 * below menus, permissions anywhere.
 */
export function fitsUnder(
  entries: readonly Placed[],
  entry: Pick<Placed, 'id' | 'type' | 'isAdmin'>,
  pid: string | null,
): boolean {
  if (pid === null) return entry.type !== ENTRY_TYPES.page;
  const byId = new Map(entries.map((other) => [other.id, other]));
  const parent = byId.get(pid);
  if (!parent || parent.isAdmin !== entry.isAdmin) return false;
  if (entry.type !== ENTRY_TYPES.permission && parent.type !== ENTRY_TYPES.menu) return false;
  for (let above: Placed | undefined = parent; above; above = byId.get(above.pid ?? ''))
    if (above.id === entry.id) return false;
  return true;
}
