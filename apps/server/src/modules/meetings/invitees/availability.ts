import { and, asc, eq, gt, inArray, isNull, lt, ne } from 'drizzle-orm';
import { LIMITS } from '@rmeet/contract';
import type { Scoped, TenantTx } from '../../../platform/db/index.ts';
import { meeting, meetingParticipant, type MeetingRow } from '../tables.ts';

const MINUTE = 60_000;
/** Maximum number of meetings read; more do not change the answer. */
const MOST = 2_000;

interface Interval {
  from: Date;
  until: Date;
  /** A meeting to ignore. */
  except?: string | undefined;
}

/** Active meetings that overlap an interval. Meetings that ended early are over by their status. */
function overlapping(of: Scoped<typeof meeting>, { from, until, except }: Interval) {
  // No meeting is longer than a day, so the index by start can exclude meetings that ended long ago.
  const overlaps = and(
    gt(of.startTime, new Date(from.getTime() - LIMITS.durationMax * MINUTE)),
    lt(of.startTime, until),
    gt(of.endTime, from),
  );
  return and(
    overlaps,
    isNull(of.cancelledAt),
    ne(of.status, 'OFFLINE'),
    ne(of.approval, 'refused'),
    except === undefined ? undefined : ne(of.id, except),
  );
}

/**
 * The meetings that each of the people hosts or is invited to in an interval, in the order of their times; the first
 * 2,000.
 */
export async function meetingsOfPeople(
  tx: TenantTx,
  userIds: readonly string[],
  interval: Interval,
): Promise<Map<string, MeetingRow[]>> {
  if (userIds.length === 0) return new Map();
  const [meetings, participants] = [tx.scoped(meeting), tx.scoped(meetingParticipant)];
  const hosted = await tx
    .select({ meetingId: meetings.id, accountId: meetings.hostId })
    .from(meetings)
    .where(and(overlapping(meetings, interval), inArray(meetings.hostId, [...userIds])))
    .orderBy(asc(meetings.startTime))
    .limit(MOST);
  const invited = await tx
    .select({ meetingId: participants.meetingId, accountId: participants.accountId })
    .from(meetings)
    .innerJoin(participants, eq(participants.meetingId, meetings.id))
    .where(and(overlapping(meetings, interval), inArray(participants.accountId, [...userIds])))
    .orderBy(asc(meetings.startTime))
    .limit(MOST);
  const pairs = [...hosted, ...invited];
  if (pairs.length === 0) return new Map();
  const ids = new Set(pairs.map(({ meetingId }) => meetingId));
  const rows = await tx.find(meeting, inArray(meeting.id, [...ids]), {
    orderBy: [asc(meeting.startTime), asc(meeting.id)],
  });
  const people = new Map(
    [...Map.groupBy(pairs, ({ meetingId }) => meetingId)].map(([id, list]) => [
      id,
      new Set(list.flatMap(({ accountId }) => accountId ?? [])),
    ]),
  );
  const found = new Map<string, MeetingRow[]>();
  for (const row of rows) {
    for (const userId of people.get(row.id) ?? []) found.set(userId, [...(found.get(userId) ?? []), row]);
  }
  return found;
}
