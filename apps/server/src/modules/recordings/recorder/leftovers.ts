import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { and, inArray } from 'drizzle-orm';
import type { Db } from '../../../platform/db/index.ts';
import { isUnfinished } from '../control/leases.ts';
import { recording } from '../tables.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Deletes what is in the spool of recordings that another machine has completed. */
export async function dropLeftovers(db: Db, spool: string): Promise<void> {
  const ids = (await readdir(spool)).filter((name) => UUID.test(name));
  if (ids.length === 0) return;
  const unfinished = await db.platform((tx) => tx.find(recording, and(inArray(recording.id, ids), isUnfinished)));
  const kept = new Set(unfinished.map(({ id }) => id));
  for (const id of ids) if (!kept.has(id)) await rm(join(spool, id), { recursive: true, force: true });
}
