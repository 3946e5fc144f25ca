import { and, eq, gt, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { LIMITS, type contract, type Data, type Input } from '@rmeet/contract';
import { inBatches } from '../../../platform/db/batches.ts';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Context, UserCaller } from '../../../platform/http/index.ts';
import { findAccounts } from '../../accounts/users/index.ts';
import { obstaclesOf } from '../../rooms/index.ts';
import { manageMeeting, mustBeChangeable } from '../access/access.ts';
import { endTimeOf } from '../status.ts';
import { meeting, meetingParticipant, meetingSeries, type MeetingRow } from '../tables.ts';
import { expand } from './expand.ts';
import { refuseOverlaps } from './meetings.ts';
import { allStarts } from './plan.ts';
import { meetingsOfSeries } from './repo.ts';
import { beginning, chosenBy, planFrom } from './scope.ts';

type UserContext = Context<UserCaller>;
type PreviewBody = Input<typeof contract.series.preview>['body'];
type Times = Pick<MeetingRow, 'startTime' | 'endTime'>;

const MINUTE = 60_000;

/** For each interval, how many of these people have another meeting. */
async function countBusy(
  tx: TenantTx,
  userIds: readonly string[],
  times: readonly Times[],
  exceptMeetings: ReadonlySet<string>,
): Promise<number[]> {
  const [first, last] = [times[0], times.at(-1)];
  const ids = [...new Set(userIds)];
  if (ids.length === 0 || !first || !last) return times.map(() => 0);
  // No meeting is longer than a day, so the index by start can exclude meetings that ended long ago.
  const near = and(
    gt(meeting.startTime, new Date(first.startTime.getTime() - LIMITS.durationMax * MINUTE)),
    lt(meeting.startTime, last.endTime),
    gt(meeting.endTime, first.startTime),
  );
  const standing = and(isNull(meeting.cancelledAt), ne(meeting.status, 'OFFLINE'), ne(meeting.approval, 'refused'));
  const invited = sql`${meeting.id} in (select ${meetingParticipant.meetingId} from ${meetingParticipant} where
    ${inArray(meetingParticipant.accountId, ids)})`;
  const rows = (await tx.find(meeting, and(near, standing, or(inArray(meeting.hostId, ids), invited)))).filter(
    ({ id }) => !exceptMeetings.has(id),
  );
  const people = new Map(rows.map((row) => [row.id, new Set(ids.includes(row.hostId) ? [row.hostId] : [])]));
  for (const batch of inBatches(rows)) {
    const of = and(
      inArray(meetingParticipant.accountId, ids),
      inArray(
        meetingParticipant.meetingId,
        batch.map(({ id }) => id),
      ),
    );
    for (const { meetingId, accountId } of await tx.find(meetingParticipant, of))
      if (accountId !== null) people.get(meetingId)?.add(accountId);
  }
  return times.map(({ startTime, endTime }) => {
    const busy = new Set<string>();
    for (const row of rows)
      if (row.startTime < endTime && row.endTime > startTime) for (const id of people.get(row.id) ?? []) busy.add(id);
    return busy.size;
  });
}

/** The effect of a rule on existing meetings. */
interface Outcome {
  starts: Date[];
  /** Meetings that are changed, and so do not conflict. */
  own: MeetingRow[];
  /** Those that remain, by their new start. */
  kept: Map<number, MeetingRow>;
  dropped: MeetingRow[];
  stayOut: Date[];
  left: number | null;
}

const inOrder = (times: readonly Date[]): Date[] => times.toSorted((one, other) => one.getTime() - other.getTime());

/** The effect on a single meeting, which becomes the first of the series; without one, on none. */
function outcomeOfNew(starts: Date[], first: MeetingRow | undefined): Outcome {
  const kept = new Map(first && starts[0] ? [[starts[0].getTime(), first] as const] : []);
  return { starts, own: first ? [first] : [], kept, dropped: [], stayOut: [], left: null };
}

/** The effect on a meeting's series, by the scope of the change. */
async function outcomeOf(
  tx: TenantTx,
  context: UserContext,
  meetingId: string,
  {
    startTime,
    timeZone,
    recurrence,
    scope,
    now,
  }: Pick<PreviewBody, 'startTime' | 'timeZone' | 'recurrence' | 'scope'> & { now: Date },
  expanded: () => Date[],
): Promise<Outcome> {
  const found = await manageMeeting(tx, meetingId, context.caller, { lock: false });
  const series =
    found.seriesId === null ? undefined : await tx.findOne(meetingSeries, eq(meetingSeries.id, found.seriesId));
  if (!series) {
    mustBeChangeable(found, now);
    return outcomeOfNew(expanded(), found);
  }
  const chosen = chosenBy(series, await meetingsOfSeries(tx, series.id), meetingId, scope, now);
  const from = beginning(chosen, scope);
  const { starts, added, dropped, stayOut } = planFrom(chosen, from, {
    startTime: new Date(startTime),
    timeZone,
    recurrence,
  });
  const kept = new Map(
    chosen.targets.flatMap((row) => {
      const start = starts.get(row.id);
      return start ? [[start.getTime(), row] as const] : [];
    }),
  );
  return {
    starts: inOrder([...starts.values(), ...added]),
    own: chosen.targets,
    kept,
    dropped: chosen.targets.filter(({ id }) => dropped.includes(id)),
    stayOut: inOrder(stayOut),
    left: allStarts(series).filter((start) => from === null || start >= from).length,
  };
}

export function createSeriesPreview({ db, now }: { db: Db; now: () => Date }) {
  return {
    /**
     * The meetings that a rule would create.
     *
     * @throws AppError the errors of booking it, except that taken rooms are listed instead
     */
    preview: (
      context: UserContext,
      { duration, roomIds, userIds, meetingId, ...wish }: PreviewBody,
    ): Promise<Data<typeof contract.series.preview>> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const {
          startTime,
          timeZone,
          recurrence: { rule, except },
        } = wish;
        const expanded = (): Date[] =>
          expand({ start: new Date(startTime), timeZone, rule, except: except.map((time) => new Date(time)) });
        const { starts, own, kept, dropped, stayOut, left } =
          meetingId === undefined
            ? outcomeOfNew(expanded(), undefined)
            : await outcomeOf(tx, context, meetingId, { ...wish, now: now() }, expanded);
        refuseOverlaps(starts, duration);
        const times = starts.map((start) => ({ startTime: start, endTime: endTimeOf(start, duration) }));
        const ownIds = new Set(own.map(({ id }) => id));
        const obstacles = await obstaclesOf(tx, roomIds, times, ownIds);
        const busy = await countBusy(tx, userIds, times, ownIds);
        const takenBy = [...new Set(obstacles.flatMap(({ taken }) => taken.map((one) => one.meetingId)))];
        const others = takenBy.length === 0 ? [] : await tx.find(meeting, inArray(meeting.id, takenBy));
        const names = new Map(
          (await findAccounts(tx, [...new Set(others.map(({ hostId }) => hostId))])).map(({ id, name }) => [id, name]),
        );
        const hosts = new Map(others.map(({ id, hostId }) => [id, names.get(hostId) ?? '']));
        const known = (row: MeetingRow) => ({
          meetId: row.id,
          startTime: row.startTime.toISOString(),
          detached: row.detached,
        });
        const occurrences = times.map((one, at) => {
          const row = kept.get(one.startTime.getTime());
          return {
            startTime: one.startTime.toISOString(),
            endTime: one.endTime.toISOString(),
            roomsTaken: (obstacles[at]?.taken ?? []).map(({ room, meetingId: by }) => ({
              roomId: room.id,
              name: room.name,
              host: hosts.get(by) ?? '',
            })),
            roomsClosed: (obstacles[at]?.closed ?? []).map(({ id, name }) => ({ roomId: id, name })),
            busyCount: busy[at] ?? 0,
            meeting: row ? { ...known(row), duration: row.duration } : null,
          };
        });
        return {
          occurrences,
          total: occurrences.length,
          dropped: dropped.map(known),
          stayOut: stayOut.map((time) => time.toISOString()),
          left,
        };
      }),
  };
}

export type SeriesPreview = ReturnType<typeof createSeriesPreview>;
