import { and, asc, eq, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { inBatches } from '../../../platform/db/batches.ts';
import { allOf } from '../../../platform/db/conditions.ts';
import { newId, type TenantTx } from '../../../platform/db/index.ts';
import { giveResourcesBack } from '../../resources/index.ts';
import { giveRoomsBack } from '../../rooms/index.ts';
import { roomBooking } from '../../rooms/tables.ts';
import type { Invitation } from '../repo.ts';
import { meeting, meetingParticipant, meetingSeries, type MeetingRow, type MeetingSeriesRow } from '../tables.ts';

export async function insertSeries(
  tx: TenantTx,
  values: Omit<MeetingSeriesRow, 'tenantId'>,
): Promise<MeetingSeriesRow> {
  const [row] = await tx.insert(meetingSeries, values);
  if (!row) throw new Error('The series was not stored.');
  return row;
}

export async function updateSeries(
  tx: TenantTx,
  id: string,
  values: Partial<Pick<MeetingSeriesRow, 'startTime' | 'timeZone' | 'rule' | 'except' | 'subject'>>,
): Promise<void> {
  await tx.update(meetingSeries, values, eq(meetingSeries.id, id));
}

/** A series, locked to the end of the transaction: changes of it run one after the other. */
export function lockSeries(tx: TenantTx, id: string): Promise<MeetingSeriesRow | undefined> {
  return tx.findOne(meetingSeries, eq(meetingSeries.id, id), { lock: 'update' });
}

/** The series of meetings, by id. */
export async function seriesOfMeetings(
  tx: TenantTx,
  meetings: readonly Pick<MeetingRow, 'seriesId'>[],
): Promise<Map<string, MeetingSeriesRow>> {
  const ids = [...new Set(meetings.flatMap(({ seriesId }) => seriesId ?? []))];
  const rows = ids.length === 0 ? [] : await tx.find(meetingSeries, inArray(meetingSeries.id, ids));
  return new Map(rows.map((row) => [row.id, row]));
}

/** All meetings of a series, including cancelled ones, in the order of the rule. */
export function meetingsOfSeries(tx: TenantTx, seriesId: string): Promise<MeetingRow[]> {
  return tx.find(meeting, eq(meeting.seriesId, seriesId), { orderBy: [asc(meeting.recurrenceId), asc(meeting.id)] });
}

/** The same; meetings that are not over are locked to the end of the transaction. */
export async function lockMeetings(tx: TenantTx, seriesId: string): Promise<MeetingRow[]> {
  await tx.find(meeting, and(eq(meeting.seriesId, seriesId), ne(meeting.status, 'OFFLINE')), {
    orderBy: [asc(meeting.id)],
    lock: 'update',
  });
  return meetingsOfSeries(tx, seriesId);
}

/** A different value for each of several rows, in one statement. */
export function byRow<T>(id: PgColumn, values: ReadonlyMap<string, T>, toSql: (value: T) => SQL): SQL {
  return sql`case ${id} ${sql.join(
    [...values].map(([key, value]) => sql`when ${key}::uuid then ${toSql(value)}`),
    sql` `,
  )} end`;
}

/** Invites the same people to several meetings that have no participants yet. */
export async function inviteToAll(
  tx: TenantTx,
  meetingIds: readonly string[],
  invitations: readonly Invitation[],
): Promise<void> {
  const rows = meetingIds.flatMap((meetingId) =>
    invitations.map((invitation, position) => ({ id: newId(), meetingId, position, ...invitation })),
  );
  for (const batch of inBatches(rows)) await tx.insert(meetingParticipant, batch);
}

export async function uninviteFromAll(tx: TenantTx, meetingIds: readonly string[]): Promise<void> {
  await tx.delete(meetingParticipant, inArray(meetingParticipant.meetingId, [...meetingIds]));
}

/** Cancels meetings that have not begun, like `moveMeeting` for one. */
export async function cancelMeetings(tx: TenantTx, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const waiting = allOf(inArray(meeting.id, [...ids]), eq(meeting.status, 'SCHEDULE'), isNull(meeting.cancelledAt));
  const rows = await tx.update(meeting, { status: 'OFFLINE', cancelledAt: now, updatedAt: now }, waiting);
  const cancelled = rows.map(({ id }) => id);
  if (cancelled.length === 0) return;
  await giveRoomsBack(tx, inArray(roomBooking.meetingId, cancelled), now);
  await giveResourcesBack(tx, cancelled, now);
}
