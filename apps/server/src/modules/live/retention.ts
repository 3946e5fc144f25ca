import { and, asc, gt, isNotNull, lt, eq, sql, type SQL } from 'drizzle-orm';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { broadcast, broadcastMessage, broadcastViewer } from './tables.ts';

/** Broadcasts that are looked for at once. */
const BATCH = 200;
const DAY = 24 * 3_600_000;
/** In the place of the hash of a token, before the id, which makes it unique. */
const NAMELESS = 'nameless ';

/** Views that name their viewers still. */
export const isNamed = (): SQL => sql`${broadcastViewer.tokenHash} not like ${`${NAMELESS}%`}`;

interface RetentionDeps {
  db: Db;
  now: () => Date;
  /** How long names of viewers and what they wrote are kept. */
  viewerDays: number;
}

/**
 * Forgets who watched broadcasts and what they wrote, after a while. A row without name, account and token remains of
 * each viewer, so that the figures of the broadcast stay as they are. Returns how many broadcasts were changed.
 */
export async function forgetViewers({ db, now, viewerDays }: RetentionDeps): Promise<number> {
  const until = new Date(now().getTime() - viewerDays * DAY);
  const ofThis = eq(broadcastViewer.broadcastId, broadcast.id);
  const views = sql`exists (select 1 from ${broadcastViewer} where ${and(ofThis, isOld(until), isNamed())})`;
  const messages = sql`exists (select 1 from ${broadcastMessage} where ${broadcastMessage.broadcastId} =
    ${broadcast.id} and ${lt(broadcastMessage.at, until)})`;
  let changed = 0;
  for (let last: string | undefined, isMore = true; isMore;) {
    const after = last === undefined ? undefined : gt(broadcast.id, last);
    const where = and(after, sql`(${views} or ${messages})`);
    const rows = await db.platform((tx) => tx.find(broadcast, where, { orderBy: asc(broadcast.id), limit: BATCH }));
    for (const { id, tenantId } of rows) await db.tenant(tenantId, (tx) => forgetIn(tx, id, until));
    changed += rows.length;
    last = rows.at(-1)?.id;
    isMore = rows.length === BATCH;
  }
  return changed;
}

const isOld = (until: Date): SQL => lt(broadcastViewer.lastSeenAt, until);

async function forgetIn(tx: TenantTx, id: string, until: Date): Promise<void> {
  await tx.delete(broadcastMessage, and(eq(broadcastMessage.broadcastId, id), lt(broadcastMessage.at, until)));
  // Who came back later counts once, so all views of an account are forgotten together.
  const cameBack = sql`exists (select 1 from ${broadcastViewer} later where later.broadcast_id = ${id} and
    later.account_id = ${broadcastViewer.accountId} and later.last_seen_at >= ${until})`;
  const where = and(eq(broadcastViewer.broadcastId, id), isOld(until), isNamed(), sql`not ${cameBack}`);
  await mergeAccounts(tx, where);
  const tokenHash = sql`${NAMELESS} || ${broadcastViewer.id}`;
  await tx.update(broadcastViewer, { name: '', accountId: null, tokenHash, mutedAt: null }, where);
}

/** Leaves one view of each account, because an account counts once. */
async function mergeAccounts(tx: TenantTx, where: SQL | undefined): Promise<void> {
  const views = await tx.find(broadcastViewer, and(where, isNotNull(broadcastViewer.accountId)), {
    orderBy: asc(broadcastViewer.openedAt),
  });
  for (const [first, ...others] of Map.groupBy(views, ({ accountId }) => accountId).values()) {
    if (!first || others.length === 0) continue;
    const watched = others.reduce((sum, view) => sum + view.watched, first.watched);
    await tx.update(broadcastViewer, { watched }, eq(broadcastViewer.id, first.id));
    for (const view of others) await tx.delete(broadcastViewer, eq(broadcastViewer.id, view.id));
  }
}
