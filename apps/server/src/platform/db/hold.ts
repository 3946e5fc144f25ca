import { sql } from 'drizzle-orm';
import { drizzleOf } from './scope.ts';
import type { Tx } from './types.ts';

/**
 * Makes other transactions that hold the same key wait until this one ends: used if no row exists yet that could be
 * locked.
 */
export async function holdKey(tx: Tx, key: string): Promise<void> {
  await drizzleOf(tx).execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
}
