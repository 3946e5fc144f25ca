import { gt } from 'drizzle-orm';
import type { Db } from '../../../platform/db/index.ts';
import { ingestHost, type IngestHostRow } from './tables.ts';

/** A process that takes streams and has not been seen for so long is gone, ms. */
const SEEN_FOR = 10_000;

/** The processes that take outside streams now, the one seen last first. */
export async function ingestHosts({ db, now }: { db: Db; now: () => Date }): Promise<IngestHostRow[]> {
  const isSeen = gt(ingestHost.seenAt, new Date(now().getTime() - SEEN_FOR));
  const rows = await db.platform((tx) => tx.find(ingestHost, isSeen));
  return rows.toSorted((a, b) => b.seenAt.getTime() - a.seenAt.getTime());
}
