import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import { isUnfinished } from '../control/leases.ts';
import { recording } from '../tables.ts';

/** In the spool folder of a recording: which process of this machine holds it, and by which lease. */
const HOLDER_FILE = 'holder.json';
/** A holder has the form of a UUID, but no version of one (`holderOf`). */
const holderFile = z.object({ pid: z.number().int(), holder: z.guid() });

/** Notes that this process holds a recording. */
export async function noteHolder(folder: string, holder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, HOLDER_FILE), JSON.stringify({ pid: process.pid, holder }), { mode: 0o600 });
}

/** Whether a process of this machine runs; an earlier one with the own number does not. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** What a process noted in the spool folder of a recording. */
export async function holderIn(folder: string): Promise<z.infer<typeof holderFile> | undefined> {
  try {
    return holderFile.parse(JSON.parse(await readFile(join(folder, HOLDER_FILE), 'utf8')));
  } catch {
    // Missing, or cut off by the death of its process: the lease runs out by itself.
    return undefined;
  }
}

/**
 * Ends the leases of processes on this machine that are dead, so that they need not run out first. Called when a
 * process starts, before it takes recordings.
 */
export async function freeFromDead(db: Db, spool: string, now: () => Date): Promise<void> {
  for (const entry of await readdir(spool, { withFileTypes: true })) {
    const found = entry.isDirectory() ? await holderIn(join(spool, entry.name)) : undefined;
    if (!found || isRunning(found.pid)) continue;
    const { holder } = found;
    await db.platform((tx) =>
      tx.update(recording, { leaseUntil: now() }, and(eq(recording.leaseHolder, holder), isUnfinished)),
    );
  }
}
