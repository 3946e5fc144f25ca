import type { ManagedEntry } from '@rmeet/contract';

/** Whether an entry can be chosen for granting: it has an effect, or is granted already and could be taken back. */
export function isOffered({ id, inUse }: Pick<ManagedEntry, 'id' | 'inUse'>, granted: readonly string[]): boolean {
  return inUse || granted.includes(id);
}
