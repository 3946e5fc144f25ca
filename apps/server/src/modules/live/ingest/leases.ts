import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import { isApproved } from '../../meetings/index.ts';
import { findBroadcast } from '../access.ts';
import { meeting } from '../../meetings/tables.ts';
import { broadcast } from '../tables.ts';
import { broadcastIngest, type BroadcastIngestRow } from './tables.ts';

/** A process that does not renew its lease within this time loses the stream, ms. */
export const LEASE = 3_000;
/** A lease that ends later than this was given before the clock was set back. */
const LONGEST = 2 * LEASE;
/** How long before its start a stream is taken, ms: people try their encoders. */
const TAKEN_BEFORE = 12 * 3_600_000;
/** How long before its start a stream is taken from an address, ms. */
const PLAYED_BEFORE = 30 * 60_000;

const isFree = (now: Date): SQL =>
  sql`(${or(
    isNull(broadcastIngest.leaseUntil),
    lte(broadcastIngest.leaseUntil, now),
    gt(broadcastIngest.leaseUntil, new Date(now.getTime() + LONGEST)),
  )})`;

/** The stream that a key belongs to, whether it may be sent now or not. */
export const findByKey = (tx: PlatformTx, keyHash: string): Promise<BroadcastIngestRow | undefined> =>
  tx.findOne(broadcastIngest, eq(broadcastIngest.keyHash, keyHash));

/** Streams that are to be taken from an address now and that no process has, those that begin first. */
export async function findPlayed(tx: PlatformTx, now: Date): Promise<BroadcastIngestRow[]> {
  const isOpen = sql`exists (select 1 from ${broadcast} where ${broadcast.id} = ${broadcastIngest.broadcastId} and
    ${broadcast.state} <> 'ended')`;
  const until = new Date(now.getTime() + PLAYED_BEFORE);
  const isTime = sql`exists (select 1 from ${meeting} where ${meeting.id} = ${broadcastIngest.broadcastId} and
    ${meeting.cancelledAt} is null and ${lte(meeting.startTime, until)})`;
  return tx.find(broadcastIngest, and(isNotNull(broadcastIngest.playSealed), isFree(now), isOpen, isTime), {
    orderBy: asc(broadcastIngest.broadcastId),
    limit: 100,
  });
}

/** Which of these streams another process has taken meanwhile. */
export async function takenByOthers(
  tx: PlatformTx,
  ids: readonly string[],
  origin: string,
  now: Date,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const isElsewhere = and(gt(broadcastIngest.leaseUntil, now), ne(broadcastIngest.origin, origin));
  const rows = await tx.find(broadcastIngest, and(inArray(broadcastIngest.broadcastId, [...ids]), isElsewhere));
  return rows.map(({ broadcastId }) => broadcastId);
}

/**
 * Takes a stream for a connection: undefined if it may not come now, or comes already. `holder` names the connection.
 */
export async function claim(
  tx: TenantTx,
  { broadcastId, playSealed }: BroadcastIngestRow,
  holder: string,
  { now, origin }: { now: Date; origin: string },
): Promise<BroadcastIngestRow | undefined> {
  const found = await findBroadcast(tx, broadcastId);
  if (!found || found.row.state === 'ended' || !isApproved(found.meeting)) return undefined;
  const before = playSealed === null ? TAKEN_BEFORE : PLAYED_BEFORE;
  if (now.getTime() < found.meeting.startTime.getTime() - before) return undefined;
  const [row] = await tx.update(
    broadcastIngest,
    { leaseHolder: holder, leaseUntil: new Date(now.getTime() + LEASE), origin, state: 'waiting', reason: '' },
    allOf(eq(broadcastIngest.broadcastId, broadcastId), isFree(now)),
  );
  return row;
}

/** What a holder stores each second. */
export type Arrival = Partial<
  Pick<
    BroadcastIngestRow,
    | 'state'
    | 'reason'
    | 'since'
    | 'way'
    | 'width'
    | 'height'
    | 'hasSound'
    | 'bitrate'
    | 'startsAt'
    | 'nextSegment'
    | 'nextInit'
    | 'arrivedAt'
  >
>;

const heldBy = (broadcastId: string, holder: string): SQL =>
  allOf(eq(broadcastIngest.broadcastId, broadcastId), eq(broadcastIngest.leaseHolder, holder));

/** Renews a lease; undefined if another process has the stream, or its broadcast is over. */
export async function renew(
  tx: TenantTx,
  broadcastId: string,
  holder: string,
  arrival: Arrival,
  now: Date,
): Promise<BroadcastIngestRow | undefined> {
  const leaseUntil = new Date(now.getTime() + LEASE);
  const [row] = await tx.update(broadcastIngest, { ...arrival, leaseUntil }, heldBy(broadcastId, holder));
  const found = row && (await findBroadcast(tx, broadcastId));
  return found && found.row.state !== 'ended' ? row : undefined;
}

/** Gives a stream back: nothing arrives any more. */
export async function release(tx: TenantTx, broadcastId: string, holder: string, arrival: Arrival): Promise<void> {
  const nothing = { since: null, way: null, width: null, height: null, hasSound: false, bitrate: 0 };
  await tx.update(
    broadcastIngest,
    { ...arrival, ...nothing, leaseHolder: null, leaseUntil: null, origin: null },
    heldBy(broadcastId, holder),
  );
}

/** Which of these broadcasts are over. */
export async function endedOf(tx: PlatformTx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx.find(broadcast, inArray(broadcast.id, [...ids]));
  const open = new Set(rows.filter(({ state }) => state !== 'ended').map(({ id }) => id));
  return ids.filter((id) => !open.has(id));
}

/** Whether a stream may come now: then a process has to take it. */
export async function isIngestNeeded(tx: PlatformTx, now: Date): Promise<boolean> {
  const until = new Date(now.getTime() + TAKEN_BEFORE);
  const isOpen = and(
    inArray(broadcast.source, ['push', 'play']),
    inArray(broadcast.state, ['scheduled', 'onAir', 'paused']),
    sql`exists (select 1 from ${meeting} where ${meeting.id} = ${broadcast.id} and ${meeting.cancelledAt} is null and
      ${lte(meeting.startTime, until)})`,
  );
  return (await tx.findOne(broadcast, isOpen)) !== undefined;
}
