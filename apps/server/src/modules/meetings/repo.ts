import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, lte, ne, sql } from 'drizzle-orm';
import { allOf } from '../../platform/db/conditions.ts';
import { newId, type PlatformTx, type TenantTx } from '../../platform/db/index.ts';
import { guestToken } from '../guests/tables.ts';
import { prolongResource } from '../resources/index.ts';
import { prolongBookings } from '../rooms/index.ts';
import { moveReservations } from './reservations.ts';
import { endTimeOf, guestLinksUntil, HELD_STATUSES, openBy, transition, type MeetingMove } from './status.ts';
import { meeting, meetingParticipant, type MeetingParticipantRow, type MeetingRow } from './tables.ts';

/** A participant to invite: an account of the tenant, a mail address, or a party with a telephone number. */
export type Invitation = { accountId: string } | { email: string } | { phone: string; name: string };

const isNotCancelled = isNull(meeting.cancelledAt);
const isHeld = inArray(meeting.status, [...HELD_STATUSES]);

/** A meeting that was not cancelled. */
export function findMeeting(tx: TenantTx, id: string, lock = false): Promise<MeetingRow | undefined> {
  return tx.findOne(meeting, and(eq(meeting.id, id), isNotCancelled), lock ? { lock: 'update' } : {});
}

/**
 * The meeting a number currently refers to, over all tenants: the running one, else the next that is not over, else the
 * last, including cancelled ones. A meeting that has ended may still be opened for a while, but not instead of the next
 * one of its series; one opened before its time gives way to one of its series whose time has come.
 *
 * @param id the meeting with this number, if known
 */
export function findMeetingByNumber(
  tx: Pick<TenantTx, 'findOne'>,
  number: string,
  now: Date,
  id?: string,
): Promise<MeetingRow | undefined> {
  const isNext = and(eq(meeting.status, 'SCHEDULE'), gt(meeting.endTime, now));
  const isOpen = lte(meeting.startTime, openBy(now));
  return tx.findOne(meeting, and(eq(meeting.number, number), id === undefined ? undefined : eq(meeting.id, id)), {
    orderBy: [
      sql`case when ${isHeld} and ${isOpen} then 0 when ${isNext} and ${isOpen} then 1 when ${isHeld} then 2 when
        ${isNext} then 3 when ${meeting.status} = 'SCHEDULE' then 4 else 5 end`,
      sql`case when ${isNext} then ${meeting.startTime} end`,
      desc(meeting.startTime),
    ],
  });
}

export function findParticipants(tx: TenantTx, meetingIds: readonly string[]): Promise<MeetingParticipantRow[]> {
  if (meetingIds.length === 0) return Promise.resolve([]);
  return tx.find(meetingParticipant, inArray(meetingParticipant.meetingId, [...meetingIds]), {
    orderBy: [asc(meetingParticipant.position)],
  });
}

export async function isInvited(tx: Pick<TenantTx, 'findOne'>, meetingId: string, accountId: string): Promise<boolean> {
  return (
    (await tx.findOne(
      meetingParticipant,
      and(eq(meetingParticipant.meetingId, meetingId), eq(meetingParticipant.accountId, accountId)),
    )) !== undefined
  );
}

/** Those of the meetings that an account is invited to. */
export async function invitedOf(tx: TenantTx, meetingIds: readonly string[], accountId: string): Promise<Set<string>> {
  if (meetingIds.length === 0) return new Set();
  const rows = await tx.find(
    meetingParticipant,
    and(inArray(meetingParticipant.meetingId, [...meetingIds]), eq(meetingParticipant.accountId, accountId)),
  );
  return new Set(rows.map(({ meetingId }) => meetingId));
}

export async function insertMeeting(
  tx: TenantTx,
  values: Omit<typeof meeting.$inferInsert, 'tenantId'>,
): Promise<MeetingRow> {
  const [row] = await tx.insert(meeting, values);
  if (!row) throw new Error('The meeting was not stored.');
  return row;
}

/** Changes a meeting and counts the edit; undefined if `version` is no longer the newest. */
export async function updateMeeting(
  tx: TenantTx,
  id: string,
  version: number,
  values: Partial<MeetingRow>,
): Promise<MeetingRow | undefined> {
  const [row] = await tx.update(
    meeting,
    { ...values, version: version + 1 },
    allOf(eq(meeting.id, id), eq(meeting.version, version)),
  );
  return row;
}

/**
 * Gives a meeting another length and returns its new end; its rooms and guest links follow. Does not count as an edit.
 */
export async function prolongMeeting(
  tx: TenantTx,
  { id, startTime }: Pick<MeetingRow, 'id' | 'startTime'>,
  duration: number,
  now: Date,
): Promise<Date> {
  const endTime = endTimeOf(startTime, duration);
  await tx.update(meeting, { duration, endTime, updatedAt: now }, eq(meeting.id, id));
  await prolongBookings(tx, id, endTime);
  await prolongResource(tx, id, endTime);
  await moveGuestLinks(tx, id, guestLinksUntil(endTime));
  return endTime;
}

/** Which of these people host a meeting that begins after this one's booked end and before `until`, and is not over. */
export async function hostsBusy(
  tx: TenantTx,
  accountIds: readonly string[],
  after: Pick<MeetingRow, 'id' | 'endTime'>,
  until: Date,
  now: Date,
): Promise<string[]> {
  const follows = and(
    gte(meeting.startTime, after.endTime),
    lt(meeting.startTime, until),
    gt(meeting.endTime, now),
    ne(meeting.status, 'OFFLINE'),
    ne(meeting.id, after.id),
  );
  const rows = await tx.find(meeting, and(isNotCancelled, inArray(meeting.hostId, [...accountIds]), follows));
  return [...new Set(rows.map(({ hostId }) => hostId))];
}

/** Guest links follow the time of their meeting. */
export async function moveGuestLinks(tx: TenantTx, meetingId: string, expiresAt: Date): Promise<void> {
  await tx.update(guestToken, { expiresAt }, eq(guestToken.meetingId, meetingId));
}

/**
 * Moves the status by the table in status.ts, with rooms and resource; undefined if the meeting is not in a state where
 * the move starts. Does not count as an edit.
 */
export async function moveMeeting(
  tx: TenantTx,
  id: string,
  move: MeetingMove,
  now: Date,
): Promise<MeetingRow | undefined> {
  const { from, to } = transition(move);
  const values = { status: to, updatedAt: now, ...(move === 'cancel' ? { cancelledAt: now } : {}) };
  const [row] = await tx.update(meeting, values, allOf(eq(meeting.id, id), inArray(meeting.status, [...from])));
  if (row) await moveReservations(tx, id, move, now);
  return row;
}

export async function replaceParticipants(
  tx: TenantTx,
  meetingId: string,
  invitations: readonly Invitation[],
): Promise<void> {
  await tx.delete(meetingParticipant, eq(meetingParticipant.meetingId, meetingId));
  await addParticipants(tx, meetingId, invitations, 0);
}

/** Adds participants, in this order from a position on. */
export async function addParticipants(
  tx: TenantTx,
  meetingId: string,
  invitations: readonly Invitation[],
  from: number,
): Promise<void> {
  if (invitations.length === 0) return;
  await tx.insert(
    meetingParticipant,
    invitations.map((invitation, at) => ({ id: newId(), meetingId, position: from + at, ...invitation })),
  );
}

/** Meetings that were not opened in time. */
export function findLapsed(tx: PlatformTx, endedBefore: Date, limit: number): Promise<MeetingRow[]> {
  return tx.find(meeting, and(eq(meeting.status, 'SCHEDULE'), lte(meeting.endTime, endedBefore)), {
    orderBy: [asc(meeting.endTime)],
    limit,
  });
}
