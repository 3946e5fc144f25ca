import { asc, eq } from 'drizzle-orm';
import type { TenantTx } from '../../../platform/db/index.ts';
import { allStarts } from '../../meetings/index.ts';
import { meeting, meetingSeries, type MeetingRow, type MeetingSeriesRow } from '../../meetings/tables.ts';
import type { MeetingSnapshot } from './snapshot.ts';
import { addEdition, adoptEditions, latestEdition } from '../repo.ts';
import type { NoticeEditionRow } from '../tables.ts';
import {
  cancelledState,
  snapshotOf,
  invitedTo,
  isChanged,
  isCalledOff,
  knownOf,
  notify,
  type ChangeKind,
  type Known,
  type MeetingState,
  type NotifyDeps,
} from './notify.ts';

const startByRule = ({ recurrenceId, startTime }: MeetingRow): string => (recurrenceId ?? startTime).toISOString();

/** What was announced of one meeting of a series with the whole series. */
function occurrenceIn(
  { snapshot, passwordSealed }: Pick<NoticeEditionRow, 'snapshot' | 'passwordSealed'>,
  row: MeetingRow,
): { snapshot: MeetingSnapshot; passwordSealed: string | null } {
  const recurrenceId = startByRule(row);
  return { snapshot: { ...snapshot, recurrence: null, recurrenceId, startTime: recurrenceId }, passwordSealed };
}

/** The current state of the series as a whole, taken from a meeting that follows the rule. */
async function wholeOf(
  tx: TenantTx,
  series: MeetingSeriesRow,
  rows: readonly MeetingRow[],
  pattern: MeetingRow,
): Promise<MeetingState> {
  // Calendars count from the first start of the rule; starts of an earlier rule are not part of it.
  const starts = allStarts(series).map((start) => start.toISOString());
  const isByRule = new Set(starts);
  const recurrence = {
    rule: series.rule,
    except: series.except,
    cancelled: rows
      .filter(isCalledOff)
      .map(startByRule)
      .filter((start) => isByRule.has(start)),
  };
  const snapshot = {
    ...(await snapshotOf(tx, pattern)),
    uid: series.id,
    recurrence,
    startTime: starts[0] ?? pattern.startTime.toISOString(),
    timeZone: series.timeZone,
  };
  return { snapshot, passwordSealed: pattern.passwordSealed, invited: await invitedTo(tx, pattern) };
}

/** What was announced of one meeting of a series: by itself, else with the whole. */
async function knownOfOne(tx: TenantTx, row: MeetingRow, whole: Known, wholeLatest: Known['latest']): Promise<Known> {
  const own = await knownOf(tx, { meetingId: row.id });
  return {
    latest: own.latest ?? (wholeLatest && occurrenceIn(wholeLatest, row)),
    earlier: own.earlier,
    inherited: whole.earlier,
    sequence: Math.max(own.sequence, whole.sequence),
  };
}

const isWaiting = (row: MeetingRow): boolean => row.approval === 'waiting' && !isCalledOff(row);

/** The announced starts of a series. */
function knownStarts(latest: Known['latest']): Set<string> {
  if (!latest?.snapshot.recurrence || latest.snapshot.isCancelled) return new Set();
  const {
    startTime,
    timeZone,
    recurrence: { rule, except, cancelled },
  } = latest.snapshot;
  const out = new Set([...except, ...cancelled].map((time) => Date.parse(time)));
  return new Set(
    allStarts({ startTime: new Date(startTime), timeZone, rule })
      .filter((start) => !out.has(start.getTime()))
      .map((start) => start.toISOString()),
  );
}

/** Whether a meeting lapsed without approval after the series had been moved away from its announced starts. */
function hasLapsedElsewhere({ knownBefore, rows, gone }: SeriesView, now: Date): boolean {
  const starts = new Set(rows.map(startByRule));
  const hasLapsed = gone.some(
    ({ approval, cancelledAt, detached }) => approval === 'waiting' && cancelledAt === null && !detached,
  );
  return hasLapsed && [...knownBefore].some((start) => Date.parse(start) > now.getTime() && !starts.has(start));
}

interface Actor {
  actorId: string;
  change?: ChangeKind;
}

/** A series and what was announced of it. */
interface SeriesView {
  series: MeetingSeriesRow;
  /** Its meetings, without those that a new meeting has replaced. */
  rows: MeetingRow[];
  /** Those that are not called off. */
  active: MeetingRow[];
  /** The meeting that represents all that follow the rule; undefined while one of them waits for approval. */
  pattern: MeetingRow | undefined;
  known: Known;
  /** The starts that were announced. */
  knownBefore: ReadonlySet<string>;
  /** Editions of single meetings, by meeting id. */
  editions: ReadonlyMap<string, NoticeEditionRow>;
  /** Called-off meetings whose cancellation was not announced. */
  gone: MeetingRow[];
}

async function viewOf(tx: TenantTx, series: MeetingSeriesRow, found: readonly MeetingRow[]): Promise<SeriesView> {
  // If a rule was changed and changed back, a new meeting has replaced a called-off one.
  const heldStarts = new Set(found.filter((row) => !isCalledOff(row)).map(startByRule));
  const rows = found.filter((row) => !isCalledOff(row) || !heldStarts.has(startByRule(row)));
  await adoptEditions(tx, series.id);
  const known = await knownOf(tx, { seriesId: series.id });
  const active = rows.filter((row) => !isCalledOff(row));
  const alike = active.filter(({ detached }) => !detached);
  const pattern = alike.some(isWaiting) ? undefined : (alike.at(-1) ?? active.findLast((row) => !isWaiting(row)));
  const editions = new Map<string, NoticeEditionRow>();
  for (const row of rows.filter((one) => one.detached || isCalledOff(one))) {
    const own = await latestEdition(tx, { meetingId: row.id });
    if (own) editions.set(row.id, own);
  }
  const goneBefore = new Set(known.latest?.snapshot.recurrence?.cancelled);
  const gone = rows.filter(
    (row) => isCalledOff(row) && !goneBefore.has(startByRule(row)) && !editions.get(row.id)?.snapshot.isCancelled,
  );
  return { series, rows, active, pattern, known, knownBefore: knownStarts(known.latest), editions, gone };
}

/** Whether the whole series is called off. */
function isAllCalledOff(view: SeriesView, now: Date): boolean {
  const { active, pattern, gone } = view;
  const isOver = !active.some(({ endTime }) => endTime > now);
  return active.length === 0 || (isOver && gone.length > 0) || (!pattern && hasLapsedElsewhere(view, now));
}

/** Cancels the whole series, and single meetings for those who were invited to them alone. */
async function cancelAll(deps: NotifyDeps, tx: TenantTx, actorId: string, view: SeriesView): Promise<void> {
  const { series, known, gone, editions } = view;
  const topic = { seriesId: series.id };
  if (known.latest && !known.latest.snapshot.isCancelled)
    await notify(deps, tx, topic, actorId, known, cancelledState(known.latest), true);
  const announced = await knownOf(tx, topic);
  for (const row of gone.filter(({ id }) => editions.has(id))) {
    const before = await knownOfOne(tx, row, announced, known.latest);
    if (!before.latest) continue;
    const hostId = before.latest.snapshot.host.id;
    await notify(deps, tx, { meetingId: row.id }, hostId, before, cancelledState(before.latest), false);
  }
}

/** Notifies of the series as a whole. Undefined while it waits for approval. */
async function notifyWhole(
  deps: NotifyDeps,
  tx: TenantTx,
  actorId: string,
  { series, rows, active, pattern, known, gone }: SeriesView,
): Promise<{ hasNews: boolean } | undefined> {
  const whole = pattern && (await wholeOf(tx, series, rows, pattern));
  if (!whole) return undefined;
  // A meeting that waits by itself keeps its announced state; if none was announced, it is left out for now.
  if (whole.snapshot.recurrence && (!known.latest || known.latest.snapshot.isCancelled))
    whole.snapshot.recurrence.cancelled.push(...active.filter(isWaiting).map(startByRule));
  const hasNews = isChanged(deps.secrets, tx.tenantId, known.latest, whole) || gone.length > 1;
  await notify(deps, tx, { seriesId: series.id }, actorId, known, whole, hasNews);
  return { hasNews };
}

/** Notifies of single meetings that differ from the series. */
async function notifySingles(
  deps: NotifyDeps,
  tx: TenantTx,
  { actorId, change }: Actor,
  { series, rows, known, knownBefore, editions, gone }: SeriesView,
  whole: { hasNews: boolean } | undefined,
): Promise<void> {
  const announced = await knownOf(tx, { seriesId: series.id });
  const leftOut = new Set(announced.latest?.snapshot.recurrence?.cancelled);
  const isAnnouncedAlone = (one: MeetingRow): boolean => {
    if (one.endTime <= deps.now() || isWaiting(one)) return false;
    if (!isCalledOff(one)) return one.detached;
    return gone.includes(one) && (editions.has(one.id) || (whole ? !whole.hasNews : knownBefore.has(startByRule(one))));
  };
  for (const row of rows.filter(isAnnouncedAlone)) {
    const before = await knownOfOne(tx, row, announced, known.latest ?? announced.latest);
    if (isCalledOff(row) && !before.latest) continue;
    // A meeting that was left out of the series is always new.
    const isLeftOut = !isCalledOff(row) && !editions.has(row.id) && leftOut.has(startByRule(row));
    const state = await stateOfOne(tx, row, series.id, before.latest);
    const hasNews = isLeftOut || isChanged(deps.secrets, tx.tenantId, before.latest, state);
    await notify(deps, tx, { meetingId: row.id }, actorId, before, state, hasNews, change);
  }
}

/** The current state of one meeting of a series. */
async function stateOfOne(
  tx: TenantTx,
  row: MeetingRow,
  seriesId: string,
  latest: Known['latest'],
): Promise<MeetingState> {
  if (isCalledOff(row) && latest) return cancelledState(latest);
  return {
    snapshot: { ...(await snapshotOf(tx, row)), uid: seriesId, recurrenceId: startByRule(row) },
    passwordSealed: row.passwordSealed,
    invited: await invitedTo(tx, row),
  };
}

/**
 * Notifies people of a series: of the whole by one recurring event, and of meetings that differ from it by separate
 * events with the same UID. A single cancelled meeting is announced separately; several at once, and a new rule, with
 * the whole. Meetings that wait for approval keep their announced state: the whole is announced once all meetings that
 * follow the rule are decided.
 */
export async function notifySeries(deps: NotifyDeps, tx: TenantTx, actor: Actor, seriesId: string): Promise<void> {
  const series = await tx.findOne(meetingSeries, eq(meetingSeries.id, seriesId));
  const found = await tx.find(meeting, eq(meeting.seriesId, seriesId), {
    orderBy: [asc(meeting.recurrenceId), asc(meeting.id)],
  });
  if (!series) return;
  const view = await viewOf(tx, series, found);
  if (isAllCalledOff(view, deps.now())) {
    await cancelAll(deps, tx, actor.actorId, view);
    return;
  }
  await notifySingles(deps, tx, actor, view, await notifyWhole(deps, tx, actor.actorId, view));
}

/** The newest edition of a meeting; created when first needed for one that follows the rule of its series. */
export async function editionOf(tx: TenantTx, row: MeetingRow): Promise<NoticeEditionRow | undefined> {
  const own = await latestEdition(tx, { meetingId: row.id });
  if (own || row.seriesId === null) return own;
  const whole = await latestEdition(tx, { seriesId: row.seriesId });
  return (
    whole &&
    addEdition(
      tx,
      { meetingId: row.id },
      { ...occurrenceIn(whole, row), sequence: whole.sequence, createdAt: whole.createdAt },
    )
  );
}
