import { ENTRY_TYPES, type ManagedEntry } from '@rmeet/contract';

/** The fields of an entry that decide where it may be placed. */
export type Placed = Pick<ManagedEntry, 'id' | 'pid' | 'type' | 'isAdmin'>;

/** A parent (null for the top level), and the index among its children without the moved entry, from 0. */
export interface Place {
  pid: string | null;
  index: number;
}

export type Direction = 'up' | 'down' | 'in' | 'out';

/** The children of a parent; at the top level, those of one system. */
const childrenOf = <Entry extends Placed>(entries: readonly Entry[], pid: string | null, isAdmin: 0 | 1): Entry[] =>
  entries.filter((entry) => entry.pid === pid && entry.isAdmin === isAdmin);

/** Whether `id` is `above` or one of its descendants. */
export function isWithin(entries: readonly Placed[], id: string | null, above: string): boolean {
  for (let at = id; at !== null; at = entries.find((entry) => entry.id === at)?.pid ?? null)
    if (at === above) return true;
  return false;
}

/**
 * Whether an entry may be placed under a parent, by the server's rules: in its own system, not under itself, menus
 * under menus or at the top level, pages under menus, permissions anywhere.
 */
export function fitsUnder(entries: readonly Placed[], entry: Placed, pid: string | null): boolean {
  if (pid === null) return entry.type !== ENTRY_TYPES.page;
  const parent = entries.find(({ id }) => id === pid);
  if (!parent || parent.isAdmin !== entry.isAdmin || isWithin(entries, pid, entry.id)) return false;
  return entry.type === ENTRY_TYPES.permission || parent.type === ENTRY_TYPES.menu;
}

/** The place after a keyboard step; null if the step is not possible. */
export function stepTo(entries: readonly Placed[], id: string, direction: Direction): Place | null {
  const entry = entries.find((one) => one.id === id);
  if (!entry) return null;
  const siblings = childrenOf(entries, entry.pid, entry.isAdmin);
  const index = siblings.findIndex((one) => one.id === id);
  switch (direction) {
    case 'up':
      return index > 0 ? { pid: entry.pid, index: index - 1 } : null;
    case 'down':
      return index < siblings.length - 1 ? { pid: entry.pid, index: index + 1 } : null;
    case 'in': {
      const into = siblings.slice(0, index).findLast((one) => fitsUnder(entries, entry, one.id));
      return into ? { pid: into.id, index: childrenOf(entries, into.id, entry.isAdmin).length } : null;
    }
    case 'out': {
      const parent = entries.find((one) => one.id === entry.pid);
      if (!parent || !fitsUnder(entries, entry, parent.pid)) return null;
      return { pid: parent.pid, index: childrenOf(entries, parent.pid, parent.isAdmin).indexOf(parent) + 1 };
    }
  }
}

/** The place of a drop: before, after or (as the first child) into `target`; null if the entry may not be there. */
export function dropAt(
  entries: readonly Placed[],
  id: string,
  target: string,
  where: 'before' | 'after' | 'into',
): Place | null {
  const entry = entries.find((one) => one.id === id);
  const onto = entries.find((one) => one.id === target);
  if (!entry || !onto || id === target || entry.isAdmin !== onto.isAdmin) return null;
  const pid = where === 'into' ? onto.id : onto.pid;
  if (!fitsUnder(entries, entry, pid)) return null;
  if (where === 'into') return { pid, index: 0 };
  const others = childrenOf(entries, pid, entry.isAdmin).filter((one) => one.id !== id);
  return { pid, index: others.indexOf(onto) + (where === 'after' ? 1 : 0) };
}

/** The position of an entry for announcements, from 1. */
export function positionOf(
  entries: readonly Placed[],
  id: string,
): { position: number; count: number; pid: string | null } | null {
  const entry = entries.find((one) => one.id === id);
  if (!entry) return null;
  const siblings = childrenOf(entries, entry.pid, entry.isAdmin);
  return { position: siblings.indexOf(entry) + 1, count: siblings.length, pid: entry.pid };
}
