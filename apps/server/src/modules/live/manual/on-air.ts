import { eq } from 'drizzle-orm';
import { newId, type TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import { findMeeting, isApproved, moveMeeting } from '../../meetings/index.ts';
import { findBroadcast, type Broadcast } from '../access.ts';
import { broadcastIngest } from '../ingest/tables.ts';
import { isOutside } from '../source.ts';
import { broadcast, broadcastSpan, type BroadcastRow } from '../tables.ts';
import { isArriving } from './arrivals.ts';

const MINUTE = 60_000;
/** How long before its start a broadcast goes on air by itself, ms. */
const STARTS_BEFORE = 30 * MINUTE;

async function goOnAir(tx: TenantTx, row: BroadcastRow, at: Date): Promise<BroadcastRow> {
  await tx.insert(broadcastSpan, { id: newId(), broadcastId: row.id, recordingId: row.id, from: at });
  const values = { state: 'onAir' as const, startedAt: row.startedAt ?? at, version: row.version + 1 };
  const [after] = await tx.update(broadcast, values, eq(broadcast.id, row.id));
  if (!after) throw new Error('A broadcast was lost while it was changed.');
  await moveMeeting(tx, row.id, 'begin', at);
  return after;
}

/**
 * Puts an outside stream on air, or continues it; a paused one also while nothing arrives. The meeting and the
 * broadcast are locked.
 *
 * @throws AppError MEETING_NOT_APPROVED, INGEST_WAITING
 */
export async function startOutside(tx: TenantTx, { row, meeting }: Broadcast, at: Date): Promise<BroadcastRow> {
  if (!isApproved(meeting)) throw new AppError('MEETING_NOT_APPROVED');
  const ingest = await tx.findOne(broadcastIngest, eq(broadcastIngest.broadcastId, row.id));
  if (row.state === 'scheduled' && !isArriving(ingest, at)) throw new AppError('INGEST_WAITING');
  return goOnAir(tx, row, at);
}

/**
 * The stream of a broadcast has begun to arrive: it goes on air if it starts itself, from half an hour before its
 * start. Returns whether it did. Lists of meetings are then outdated, and what servers remember of the broadcast for
 * two seconds.
 */
export async function streamArrived(tx: TenantTx, broadcastId: string, at: Date): Promise<boolean> {
  // Meetings are always locked before their broadcasts.
  await findMeeting(tx, broadcastId, true);
  const found = await findBroadcast(tx, broadcastId, true);
  if (!found || !isOutside(found.row) || found.row.state !== 'scheduled') return false;
  const { meeting, row } = found;
  const isTime = at.getTime() >= meeting.startTime.getTime() - STARTS_BEFORE;
  if (!isTime || meeting.status !== 'SCHEDULE' || !isApproved(meeting)) return false;
  const ingest = await tx.findOne(broadcastIngest, eq(broadcastIngest.broadcastId, broadcastId));
  if (!ingest?.startsItself) return false;
  await goOnAir(tx, row, at);
  return true;
}
