import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import type { Broadcast as Shown, BroadcastDetail } from '@rmeet/contract';
import type { TenantTx } from '../../platform/db/index.ts';
import type { Context, UserCaller } from '../../platform/http/index.ts';
import { findAccounts } from '../accounts/users/index.ts';
import { grantedOf, isHeld, watchLink } from '../meetings/index.ts';
import type { Broadcast, Seen } from './access.ts';
import { ingestsOf, isArriving } from './manual/arrivals.ts';
import { settingOf } from './settings.ts';
import { isOutside } from './source.ts';
import { broadcastAllowed, broadcastViewer } from './tables.ts';

/** A viewer whose page has not called for so long is away, ms. */
const PRESENT_FOR = 20_000;

/** How many people watch each of the broadcasts now. */
export async function viewersOf(tx: TenantTx, ids: readonly string[], now: Date): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const views = tx.scoped(broadcastViewer);
  const since = new Date(now.getTime() - PRESENT_FOR);
  const rows = await tx
    .select({
      id: views.broadcastId,
      viewers: sql<number>`count(distinct coalesce(${views.accountId}, ${views.id}))::int`.as('viewers'),
    })
    .from(views)
    .where(and(inArray(views.broadcastId, [...ids]), gt(views.lastSeenAt, since), isNull(views.leftAt)))
    .groupBy(views.broadcastId);
  return new Map(rows.map(({ id, viewers }) => [id, viewers]));
}

/** Broadcasts as the contract shows them to a caller. */
export async function presentBroadcasts(
  tx: TenantTx,
  { caller, origin }: Pick<Context<UserCaller>, 'caller' | 'origin'>,
  found: readonly Broadcast[],
  now: Date,
): Promise<Shown[]> {
  const ids = found.map(({ row }) => row.id);
  const open = found.filter(({ row }) => row.state !== 'scheduled').map(({ row }) => row.id);
  const viewers = await viewersOf(tx, open, now);
  const hosts = await findAccounts(tx, [...new Set(found.map(({ meeting }) => meeting.hostId))]);
  const names = new Map(hosts.map(({ id, name }) => [id, name]));
  const outside = found.filter(({ row }) => isOutside(row)).map(({ row }) => row.id);
  const ingests = await ingestsOf(tx, outside);
  const granted = await grantedOf(tx, ids, caller.userId);
  return found.map(({ row, meeting }) => {
    const manage = caller.isTenantAdmin || meeting.hostId === caller.userId || granted.has(row.id);
    return {
      id: row.id,
      meetId: meeting.id,
      numericId: meeting.number,
      subject: meeting.subject,
      host: { userId: meeting.hostId, name: names.get(meeting.hostId) ?? '' },
      startTime: meeting.startTime.toISOString(),
      duration: meeting.duration,
      state: row.state,
      source: row.source,
      isReady: isOutside(row) ? isArriving(ingests.get(row.id), now) : isHeld(meeting),
      setting: settingOf(row),
      hasPassword: row.passwordHash !== null,
      startedAt: row.startedAt?.toISOString() ?? null,
      endedAt: row.endedAt?.toISOString() ?? null,
      viewers: viewers.get(row.id) ?? 0,
      peak: row.peak,
      likes: row.likes,
      recordingId: row.recordingId,
      link: watchLink(origin, row.id),
      can: { manage, run: manage && caller.permissions.includes('sys:liveStreaming') },
    };
  });
}

/** One broadcast with its white list, which only those see who manage it. */
export async function presentDetail(
  tx: TenantTx,
  context: Context<UserCaller>,
  seen: Seen,
  now: Date,
): Promise<BroadcastDetail> {
  const [shown] = await presentBroadcasts(tx, context, [seen], now);
  if (!shown) throw new Error('A broadcast was lost while it was presented.');
  const named = seen.manages ? await tx.find(broadcastAllowed, eq(broadcastAllowed.broadcastId, seen.row.id)) : [];
  const people = await findAccounts(
    tx,
    named.map(({ accountId }) => accountId),
  );
  const whiteList = people.map(({ id, name }) => ({ userId: id, name }));
  return { ...shown, whiteList: whiteList.toSorted((a, b) => a.name.localeCompare(b.name)) };
}
