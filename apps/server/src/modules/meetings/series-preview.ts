import { and, eq, gt, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { LIMITS, type contract, type Data, type Input } from '@rmeet/contract';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import type { Context, UserCaller } from '../../platform/http/index.ts';
import { findAccounts } from '../users/index.ts';
import { manageMeeting } from './access.ts';
import { expand } from './series-expand.ts';
import { refuseOverlaps } from './series-meetings.ts';
import { inParts } from './series-repo.ts';
import { obstaclesOf } from './series-rooms.ts';
import { endTimeOf } from './status.ts';
import { meeting, meetingParticipant, type MeetingRow } from './tables.ts';

type UserContext = Context & { caller: UserCaller };
type PreviewBody = Input<typeof contract.series.preview>['body'];
type Times = Pick<MeetingRow, 'startTime' | 'endTime'>;

const MINUTE = 60_000;

/** For each of some times, how many of these people have another meeting then. */
async function countBusy(tx: TenantTx, userIds: readonly string[], times: readonly Times[], exceptMeetings: ReadonlySet<string>): Promise<number[]> {
  const [first, last] = [times[0], times.at(-1)];
  const ids = [...new Set(userIds)];
  if (ids.length === 0 || !first || !last) return times.map(() => 0);
  // No meeting is longer than a day, so that the index by start leaves out what is long over.
  const near = and(gt(meeting.startTime, new Date(first.startTime.getTime() - LIMITS.durationMax * MINUTE)), lt(meeting.startTime, last.endTime), gt(meeting.endTime, first.startTime));
  const standing = and(isNull(meeting.cancelledAt), ne(meeting.status, 'OFFLINE'), ne(meeting.approval, 'refused'));
  const invited = sql`${meeting.id} in (select ${meetingParticipant.meetingId} from ${meetingParticipant} where ${inArray(meetingParticipant.accountId, ids)})`;
  const rows = (await tx.find(meeting, and(near, standing, or(inArray(meeting.hostId, ids), invited)))).filter(({ id }) => !exceptMeetings.has(id));
  const people = new Map(rows.map((row) => [row.id, new Set(ids.includes(row.hostId) ? [row.hostId] : [])]));
  for (const part of inParts(rows)) {
    const of = and(inArray(meetingParticipant.accountId, ids), inArray(meetingParticipant.meetingId, part.map(({ id }) => id)));
    for (const { meetingId, accountId } of await tx.find(meetingParticipant, of)) if (accountId !== null) people.get(meetingId)?.add(accountId);
  }
  return times.map(({ startTime, endTime }) => {
    const busy = new Set<string>();
    for (const row of rows) if (row.startTime < endTime && row.endTime > startTime) for (const id of people.get(row.id) ?? []) busy.add(id);
    return busy.size;
  });
}

/** Meetings of the series that a meeting belongs to, which are in nobody's way while it is being changed. */
async function ownMeetingsOf(tx: TenantTx, meetingId: string, { caller }: UserContext): Promise<Set<string>> {
  const { seriesId } = await manageMeeting(tx, meetingId, caller, { lock: false });
  const rows = seriesId === null ? [] : await tx.find(meeting, and(eq(meeting.seriesId, seriesId), eq(meeting.status, 'SCHEDULE')));
  return new Set([meetingId, ...rows.map(({ id }) => id)]);
}

export function createSeriesPreview({ db }: { db: Db }) {
  return {
    /**
     * What a rule would make.
     *
     * @throws AppError what booking it would be refused with; rooms that are taken are told instead
     */
    preview: (context: UserContext, { startTime, duration, timeZone, recurrence: { rule, except }, roomIds, userIds, meetingId }: PreviewBody): Promise<Data<typeof contract.series.preview>> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const starts = expand({ start: new Date(startTime), timeZone, rule, except: except.map((time) => new Date(time)) });
        refuseOverlaps(starts, duration);
        const times = starts.map((start) => ({ startTime: start, endTime: endTimeOf(start, duration) }));
        const own = meetingId === undefined ? new Set<string>() : await ownMeetingsOf(tx, meetingId, context);
        const obstacles = await obstaclesOf(tx, roomIds, times, own);
        const busy = await countBusy(tx, userIds, times, own);
        const takenBy = [...new Set(obstacles.flatMap(({ taken }) => taken.map((one) => one.meetingId)))];
        const others = takenBy.length === 0 ? [] : await tx.find(meeting, inArray(meeting.id, takenBy));
        const names = new Map((await findAccounts(tx, [...new Set(others.map(({ hostId }) => hostId))])).map(({ id, name }) => [id, name]));
        const hosts = new Map(others.map(({ id, hostId }) => [id, names.get(hostId) ?? '']));
        const occurrences = times.map((one, at) => ({
          startTime: one.startTime.toISOString(), endTime: one.endTime.toISOString(),
          roomsTaken: (obstacles[at]?.taken ?? []).map(({ room, meetingId: by }) => ({ roomId: room.id, name: room.name, host: hosts.get(by) ?? '' })),
          roomsClosed: (obstacles[at]?.closed ?? []).map(({ id, name }) => ({ roomId: id, name })), busyCount: busy[at] ?? 0,
        }));
        return { occurrences, total: occurrences.length };
      }),
  };
}

export type SeriesPreview = ReturnType<typeof createSeriesPreview>;
