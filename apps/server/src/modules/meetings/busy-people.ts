import { and, asc, gt, inArray, isNull, lt, ne } from 'drizzle-orm';
import { LIMITS } from '@rmeet/contract';
import type { TenantTx } from '../../platform/db/index.ts';
import { meeting, meetingParticipant, type MeetingRow } from './tables.ts';

const MINUTE = 60_000;

/** Meetings that stand and lie at least in part between two times, by who hosts or is invited to them, in the order of their times. */
export async function meetingsOfPeople(
  tx: TenantTx, userIds: readonly string[], { from, until, except }: { from: Date; until: Date; except?: string | undefined },
): Promise<Map<string, MeetingRow[]>> {
  if (userIds.length === 0) return new Map();
  const asked = new Set(userIds);
  // No meeting is longer than a day, so that the index by start leaves out what is long over. What ended early is over by its status.
  const overlaps = and(gt(meeting.startTime, new Date(from.getTime() - LIMITS.durationMax * MINUTE)), lt(meeting.startTime, until), gt(meeting.endTime, from));
  const standing = and(isNull(meeting.cancelledAt), ne(meeting.status, 'OFFLINE'), ne(meeting.approval, 'refused'), except === undefined ? undefined : ne(meeting.id, except));
  const rows = await tx.find(meeting, and(overlaps, standing), { orderBy: [asc(meeting.startTime), asc(meeting.id)] });
  if (rows.length === 0) return new Map();
  const invited = await tx.find(meetingParticipant, and(inArray(meetingParticipant.accountId, [...asked]), inArray(meetingParticipant.meetingId, rows.map(({ id }) => id))));
  const people = Map.groupBy(invited, ({ meetingId }) => meetingId);
  const found = new Map<string, MeetingRow[]>();
  for (const row of rows) {
    for (const userId of new Set([row.hostId, ...(people.get(row.id) ?? []).flatMap(({ accountId }) => accountId ?? [])])) {
      if (asked.has(userId)) found.set(userId, [...(found.get(userId) ?? []), row]);
    }
  }
  return found;
}
