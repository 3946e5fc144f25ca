import { inArray } from 'drizzle-orm';
import type { contract, Input, SeriesScope } from '@rmeet/contract';
import { newId, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { Storage } from '../../../platform/storage/index.ts';
import { holdRooms } from '../../rooms/index.ts';
import { manageMeeting } from '../access/access.ts';
import type { FileChange, MeetingWriter } from '../booking/writer.ts';
import { addFiles, keepFiles, removeFiles, type BookedFile } from '../files/files.ts';
import { findMeeting } from '../repo.ts';
import { isHeld } from '../status.ts';
import { meetingFile, type MeetingRow, type MeetingSeriesRow } from '../tables.ts';
import { changeMeetings, changesOf, countEdit } from './changes.ts';
import { insertMeetings, refuseOverlaps } from './meetings.ts';
import type { Plan, SeriesMeeting } from './plan.ts';
import { cancelMeetings, insertSeries, lockMeetings, lockSeries, updateSeries } from './repo.ts';
import { withEnd } from './rule.ts';
import { beginning, chosenBy, planFrom, type Chosen } from './scope.ts';

type UserContext = Context<UserCaller>;
type UpdateBody = Input<typeof contract.meetings.update>['body'];

/** Start times this far in the past still count as now, as with one meeting. */
const START_TOLERANCE = 5 * 60_000;

/**
 * What a change affects: one meeting of each series, for notices, and the meeting that replaces the edited one in the
 * response.
 */
export interface Touched {
  meetingIds: string[];
  row: MeetingRow;
}

export interface SeriesEditDeps {
  writer: MeetingWriter;
  secrets: SecretBox;
  storage: Storage;
  now: () => Date;
}

const idsOf = (rows: readonly MeetingRow[]): string[] => rows.map(({ id }) => id);

/**
 * The series to be changed, locked to the end of the transaction; undefined for a single meeting.
 *
 * @throws AppError FORBIDDEN, NOT_FOUND, MEETING_CONFLICT, MEETING_RUNNING, MEETING_ENDED
 */
async function hold(
  tx: TenantTx,
  { caller }: UserContext,
  id: string,
  { scope, version, now }: { scope: SeriesScope; version?: number; now: Date },
): Promise<Chosen | undefined> {
  const found = await manageMeeting(tx, id, caller, { lock: false });
  // The series before its meetings: all changes of several meetings lock in this order.
  const series = found.seriesId === null ? undefined : await lockSeries(tx, found.seriesId);
  if (!series) return undefined;
  const chosen = chosenBy(series, await lockMeetings(tx, series.id), id, scope, now);
  if (version !== undefined && chosen.edited.version !== version) throw new AppError('MEETING_CONFLICT');
  return chosen;
}

/** Ends a series before one of its starts. */
const endBefore = (tx: TenantTx, { id, rule }: MeetingSeriesRow, start: Date): Promise<void> =>
  updateSeries(tx, id, { rule: withEnd(rule, { until: new Date(start.getTime() - 1_000) }) });

/** The series that goes on by the plan: the same, or where some of it stays as it was a new one under its number. */
async function goOn(
  tx: TenantTx,
  { series, others }: Chosen,
  plan: Plan,
  from: Date | null,
  subject: string,
  now: Date,
): Promise<MeetingSeriesRow> {
  const { startTime, timeZone, rule, except } = plan;
  const values = { startTime, timeZone, rule, except, subject };
  if (from === null || !others.some(({ cancelledAt, recurrenceId }) => cancelledAt === null && recurrenceId < from)) {
    await updateSeries(tx, series.id, values);
    return { ...series, ...values };
  }
  await endBefore(tx, series, from);
  return insertSeries(tx, { id: newId(), number: series.number, hostId: series.hostId, createdAt: now, ...values });
}

/**
 * Removes the files that the edited meeting does not keep from all meetings, and adds new ones. @returns the files of
 * each meeting afterwards
 */
async function changeFiles(
  tx: TenantTx,
  { storage, now }: Pick<SeriesEditDeps, 'storage' | 'now'>,
  edited: MeetingRow,
  rows: readonly MeetingRow[],
  { received, keepFileIds }: FileChange,
): Promise<BookedFile[]> {
  const ofAll =
    rows.length === 0
      ? []
      : await tx.find(meetingFile, inArray(meetingFile.meetingId, [...new Set([...idsOf(rows), edited.id])]));
  const own = ofAll.filter(({ meetingId }) => meetingId === edited.id);
  if (keepFileIds?.some((id) => !own.some((file) => file.id === id))) throw new AppError('FILE_UNKNOWN');
  const gone = new Set(
    keepFileIds ? own.filter(({ id }) => !keepFileIds.includes(id)).map(({ storageKey }) => storageKey) : [],
  );
  for (const row of gone.size > 0 ? rows : []) {
    await keepFiles(
      tx,
      storage,
      row.id,
      ofAll.filter(({ meetingId, storageKey }) => meetingId === row.id && !gone.has(storageKey)).map(({ id }) => id),
    );
  }
  for (const row of received.length > 0 ? rows : []) await addFiles(tx, row.id, received, now());
  return [
    ...own
      .filter(({ storageKey }) => !gone.has(storageKey))
      .map(({ name, size, storageKey }) => ({ name, size, key: storageKey })),
    ...received,
  ];
}

function refusePast(plan: Plan, targets: readonly SeriesMeeting[], now: Date): void {
  const earliest = now.getTime() - START_TOLERANCE;
  const moved = targets
    .flatMap(({ id }) => plan.starts.get(id) ?? [])
    .filter((start) => !targets.some((row) => row.startTime.getTime() === start.getTime()));
  if ([...moved, ...plan.added].some((start) => start.getTime() < earliest)) throw new AppError('MEETING_IN_PAST');
}

/** How an edit of one meeting changes the times of its series. */
interface TimeChange {
  /** Whether starts or the rule change. */
  isRetimed: boolean;
  /** From which start on the series changes; null for all of it. */
  from: Date | null;
  /** Undefined if neither the times change nor a part of the series becomes one of its own. */
  plan: Plan | undefined;
  /** The meetings that remain, and when each of them starts. */
  kept: SeriesMeeting[];
  starts: Map<string, Date>;
}

function timeChangeOf(
  chosen: Chosen,
  { scope, recurrence, timeZone, ...body }: Pick<UpdateBody, 'scope' | 'recurrence' | 'startTime' | 'timeZone'>,
): TimeChange {
  const { edited, targets } = chosen;
  const startTime = new Date(body.startTime);
  const isRetimed =
    recurrence !== null || startTime.getTime() !== edited.startTime.getTime() || timeZone !== edited.timeZone;
  // A change of times, or from one meeting on, splits the following meetings off as a separate series.
  const from = isRetimed || scope === 'following' ? beginning(chosen, scope) : null;
  const plan =
    isRetimed || from !== null
      ? planFrom(chosen, from, { startTime: isRetimed ? startTime : edited.recurrenceId, timeZone, recurrence })
      : undefined;
  const kept = plan ? targets.filter((row) => plan.starts.has(row.id)) : targets;
  const starts = new Map(kept.map((row) => [row.id, (isRetimed && plan?.starts.get(row.id)) || row.startTime]));
  return { isRetimed, from, plan, kept, starts };
}

/** @throws AppError MEETING_IN_PAST, SERIES_OVERLAPS */
function checkTimes(
  { isRetimed, plan, starts }: TimeChange,
  { targets }: Chosen,
  { duration, isNewDuration, now }: { duration: number; isNewDuration: boolean; now: Date },
): void {
  if (plan && isRetimed) refusePast(plan, targets, now);
  if (!isRetimed && !isNewDuration) return;
  const all = [...starts.values(), ...(plan?.added ?? [])];
  refuseOverlaps(
    all.toSorted((a, b) => a.getTime() - b.getTime()),
    duration,
  );
}

/**
 * Stores the series as it continues, and cancels the meetings that its new rule drops.
 *
 * @throws AppError MEETING_RUNNING for a dropped meeting that was entered before its time
 */
async function changeSeries(
  tx: TenantTx,
  chosen: Chosen,
  { plan, from }: TimeChange,
  { subject, isNewSubject, now }: { subject: string; isNewSubject: boolean; now: Date },
): Promise<MeetingSeriesRow> {
  const { series, targets } = chosen;
  if (!plan) {
    if (isNewSubject) await updateSeries(tx, series.id, { subject });
    return series;
  }
  const next = await goOn(tx, chosen, plan, from, subject, now);
  if (targets.some((row) => isHeld(row) && plan.dropped.includes(row.id))) throw new AppError('MEETING_RUNNING');
  await cancelMeetings(tx, plan.dropped, now);
  return next;
}

/** The meeting shown instead of the edited one, which the edit may have dropped. @throws AppError SERIES_EMPTY */
async function standIn(
  tx: TenantTx,
  id: string,
  kept: readonly MeetingRow[],
  added: readonly MeetingRow[],
): Promise<MeetingRow> {
  const row = await findMeeting(tx, kept.some((one) => one.id === id) ? id : ((kept[0] ?? added[0])?.id ?? id));
  if (!row) throw new AppError('SERIES_EMPTY');
  return row;
}

/** Changes and cancels several meetings of a series. Those that run or have begun stay unchanged. */
export function createSeriesEdit({ writer, secrets, storage, now }: SeriesEditDeps) {
  return {
    /**
     * Changes the edited meeting and others of its series, in the fields that the edit changes.
     *
     * @returns undefined for a single meeting
     * @throws AppError whatever its route declares
     */
    async change(
      tx: TenantTx,
      context: UserContext,
      id: string,
      { scope, recurrence, version, ...body }: UpdateBody,
      { received, keepFileIds }: FileChange = { received: [] },
    ): Promise<Touched | undefined> {
      const held = await hold(tx, context, id, { scope, version, now: now() });
      if (!held) return undefined;
      const { series, edited, targets } = held;
      const invitations = await writer.check(tx, context, edited, body, edited);
      const changes = await changesOf(tx, secrets, edited, body, invitations);
      const times = timeChangeOf(held, { scope, recurrence, startTime: body.startTime, timeZone: body.timeZone });
      const { plan, kept, starts } = times;
      const isNewDuration = changes.columns.duration !== undefined;
      checkTimes(times, held, { duration: body.duration, isNewDuration, now: now() });
      await holdRooms(tx, idsOf(targets), body.roomIds);
      const isNewSubject = changes.columns.subject !== undefined;
      const next = await changeSeries(tx, held, times, { subject: body.subject, isNewSubject, now: now() });

      const recurrenceIds = new Map(kept.map((row) => [row.id, plan?.starts.get(row.id) ?? row.recurrenceId]));
      const at = { secrets, now: now(), locale: context.locale, timeZone: next.timeZone };
      await changeMeetings(tx, at, kept, changes, { seriesId: next.id, recurrenceIds, starts });
      const files = await changeFiles(tx, { storage, now }, edited, kept, { received, keepFileIds });
      const pattern = { type: edited.type, body, invitations, files };
      const added = await insertMeetings(tx, context, { writer, now: now() }, next, pattern, plan?.added ?? []);
      await countEdit(tx, series.id, idsOf(kept));

      const row = await standIn(tx, id, kept, added);
      const ofOld = next.id === series.id ? undefined : held.others[0]?.id;
      return { meetingIds: [...(ofOld === undefined ? [] : [ofOld]), row.id], row };
    },

    /**
     * Cancels meetings of a series.
     *
     * @returns undefined for a single meeting
     * @throws AppError MEETING_RUNNING, MEETING_ENDED, MEETING_CONFLICT
     */
    async cancel(
      tx: TenantTx,
      context: UserContext,
      id: string,
      scope: SeriesScope,
      { withFiles }: { withFiles: boolean },
    ): Promise<Touched | undefined> {
      const held = await hold(tx, context, id, { scope, now: now() });
      if (!held) return undefined;
      const { series, targets, edited } = held;
      // A meeting was entered again after its terminals were removed.
      if (targets.some(isHeld)) throw new AppError('MEETING_RUNNING');
      const from = beginning(held, scope);
      if (from !== null) await endBefore(tx, series, from);
      await cancelMeetings(tx, idsOf(targets), now());
      if (withFiles) await removeFiles(tx, storage, idsOf(targets));
      await countEdit(tx, series.id, []);
      return { meetingIds: [id], row: edited };
    },
  };
}

export type SeriesEdit = ReturnType<typeof createSeriesEdit>;
