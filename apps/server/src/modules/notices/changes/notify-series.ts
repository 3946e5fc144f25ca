import { asc, eq } from 'drizzle-orm';
import type { TenantTx } from '../../../platform/db/index.ts';
import { allStarts } from '../../meetings/index.ts';
import { meeting, meetingSeries, type MeetingRow, type MeetingSeriesRow } from '../../meetings/tables.ts';
import type { Facts } from './snapshot.ts';
import { addEdition, handOver, latestEdition } from '../repo.ts';
import type { NoticeEditionRow } from '../tables.ts';
import {
  calledOff,
  factsOf,
  invitedTo,
  isNews,
  isOff,
  knownOf,
  tell,
  type ChangeKind,
  type Known,
  type Standing,
  type TellDeps,
} from './notify.ts';

interface Actor {
  actorId: string;
  change?: ChangeKind;
}

const startByRule = ({ recurrenceId, startTime }: MeetingRow): string => (recurrenceId ?? startTime).toISOString();

/** What people know of one meeting of a series who were told of the whole. */
function occurrenceIn(
  { facts, passwordSealed }: Pick<NoticeEditionRow, 'facts' | 'passwordSealed'>,
  row: MeetingRow,
): { facts: Facts; passwordSealed: string | null } {
  const recurrenceId = startByRule(row);
  return { facts: { ...facts, recurrence: null, recurrenceId, startTime: recurrenceId }, passwordSealed };
}

/** How the series as a whole stands: as that of its meetings which follow the rule. */
async function wholeOf(
  tx: TenantTx,
  series: MeetingSeriesRow,
  rows: readonly MeetingRow[],
  pattern: MeetingRow,
): Promise<Standing> {
  // Calendars count from the first start of the rule; what an earlier rule had is not in it.
  const starts = allStarts(series).map((start) => start.toISOString());
  const isByRule = new Set(starts);
  const recurrence = {
    rule: series.rule,
    except: series.except,
    cancelled: rows
      .filter(isOff)
      .map(startByRule)
      .filter((start) => isByRule.has(start)),
  };
  const facts = {
    ...(await factsOf(tx, pattern)),
    uid: series.id,
    recurrence,
    startTime: starts[0] ?? pattern.startTime.toISOString(),
    timeZone: series.timeZone,
  };
  return { facts, passwordSealed: pattern.passwordSealed, invited: await invitedTo(tx, pattern) };
}

/** What is known of one meeting of a series: what was said of it alone, else of the whole. */
async function knownOfOne(tx: TenantTx, row: MeetingRow, whole: Known, wholeLatest: Known['latest']): Promise<Known> {
  const own = await knownOf(tx, { meetingId: row.id });
  return {
    latest: own.latest ?? (wholeLatest && occurrenceIn(wholeLatest, row)),
    earlier: own.earlier,
    inherited: whole.earlier,
    sequence: Math.max(own.sequence, whole.sequence),
  };
}

const isWaiting = (row: MeetingRow): boolean => row.approval === 'waiting' && !isOff(row);

/** The starts that people know of a series. */
function knownStarts(latest: Known['latest']): Set<string> {
  if (!latest?.facts.recurrence || latest.facts.isCancelled) return new Set();
  const {
    startTime,
    timeZone,
    recurrence: { rule, except, cancelled },
  } = latest.facts;
  const out = new Set([...except, ...cancelled].map((time) => Date.parse(time)));
  return new Set(
    allStarts({ startTime: new Date(startTime), timeZone, rule })
      .filter((start) => !out.has(start.getTime()))
      .map((start) => start.toISOString()),
  );
}

/** Whether one was not decided on in time, after the series had been moved from where people know it. */
function hasLapsedElsewhere(
  known: ReadonlySet<string>,
  rows: readonly MeetingRow[],
  gone: readonly MeetingRow[],
  now: Date,
): boolean {
  const starts = new Set(rows.map(startByRule));
  const hasLapsed = gone.some(
    ({ approval, cancelledAt, detached }) => approval === 'waiting' && cancelledAt === null && !detached,
  );
  return hasLapsed && [...known].some((start) => Date.parse(start) > now.getTime() && !starts.has(start));
}

/** Tells people that all of a series is off, and those who were asked to single meetings alone. */
async function callOff(
  deps: TellDeps,
  tx: TenantTx,
  actorId: string,
  seriesId: string,
  known: Known,
  singles: readonly MeetingRow[],
): Promise<void> {
  if (known.latest && !known.latest.facts.isCancelled)
    await tell(deps, tx, { seriesId }, actorId, known, calledOff(known.latest), true);
  const toldOff = await knownOf(tx, { seriesId });
  for (const row of singles) {
    const before = await knownOfOne(tx, row, toldOff, known.latest);
    if (before.latest)
      await tell(deps, tx, { meetingId: row.id }, before.latest.facts.host.id, before, calledOff(before.latest), false);
  }
}

/**
 * Tells people of a series: of the whole by one event that recurs, and of what differs from it by events of their own
 * with its UID. A single meeting that is cancelled is told by itself; several at once, and other rules, as the whole.
 * Of what waits for approval people know what they knew: the whole is told once all that follows its rule is decided
 * on.
 */
export async function tellSeries(
  deps: TellDeps,
  tx: TenantTx,
  { actorId, change }: Actor,
  seriesId: string,
): Promise<void> {
  const series = await tx.findOne(meetingSeries, eq(meetingSeries.id, seriesId));
  const found = await tx.find(meeting, eq(meeting.seriesId, seriesId), {
    orderBy: [asc(meeting.recurrenceId), asc(meeting.id)],
  });
  // Where a rule was changed and changed back, there is a new meeting in place of one that was given up.
  const held = new Set(found.filter((row) => !isOff(row)).map(startByRule));
  const rows = found.filter((row) => !isOff(row) || !held.has(startByRule(row)));
  if (!series) return;
  await handOver(tx, seriesId);
  const known = await knownOf(tx, { seriesId });
  const standingRows = rows.filter((row) => !isOff(row));
  const alike = standingRows.filter(({ detached }) => !detached);
  const pattern = alike.some(isWaiting) ? undefined : (alike.at(-1) ?? standingRows.findLast((row) => !isWaiting(row)));
  const editions = new Map<string, NoticeEditionRow>();
  for (const row of rows.filter((one) => one.detached || isOff(one))) {
    const own = await latestEdition(tx, { meetingId: row.id });
    if (own) editions.set(row.id, own);
  }
  const goneBefore = new Set(known.latest?.facts.recurrence?.cancelled);
  const gone = rows.filter(
    (row) => isOff(row) && !goneBefore.has(startByRule(row)) && !editions.get(row.id)?.facts.isCancelled,
  );
  const knownBefore = knownStarts(known.latest);
  const isOver = !standingRows.some(({ endTime }) => endTime > deps.now());

  if (
    standingRows.length === 0 ||
    (isOver && gone.length > 0) ||
    (!pattern && hasLapsedElsewhere(knownBefore, rows, gone, deps.now()))
  ) {
    await callOff(
      deps,
      tx,
      actorId,
      seriesId,
      known,
      gone.filter(({ id }) => editions.has(id)),
    );
    return;
  }
  const whole = pattern && (await wholeOf(tx, series, rows, pattern));
  // One that waits by itself stays where people know it; where they know none, it is left out for now.
  if (whole?.facts.recurrence && (!known.latest || known.latest.facts.isCancelled))
    whole.facts.recurrence.cancelled.push(...standingRows.filter(isWaiting).map(startByRule));
  const hasNews = whole !== undefined && (isNews(deps.secrets, tx.tenantId, known.latest, whole) || gone.length > 1);
  if (whole) await tell(deps, tx, { seriesId }, actorId, known, whole, hasNews);
  const toldWhole: Known = await knownOf(tx, { seriesId });
  const leftOut = new Set(toldWhole.latest?.facts.recurrence?.cancelled);
  const isToldByItself = (one: MeetingRow): boolean => {
    if (one.endTime <= deps.now() || isWaiting(one)) return false;
    return isOff(one)
      ? gone.includes(one) && (editions.has(one.id) || (whole ? !hasNews : knownBefore.has(startByRule(one))))
      : one.detached;
  };
  for (const row of rows.filter(isToldByItself)) {
    const before = await knownOfOne(tx, row, toldWhole, known.latest ?? toldWhole.latest);
    if (isOff(row) && !before.latest) continue;
    // One that was left out is news however alike it is.
    const isLeftOut = !isOff(row) && !editions.has(row.id) && leftOut.has(startByRule(row));
    const now: Standing =
      isOff(row) && before.latest
        ? calledOff(before.latest)
        : {
            facts: { ...(await factsOf(tx, row)), uid: seriesId, recurrenceId: startByRule(row) },
            passwordSealed: row.passwordSealed,
            invited: await invitedTo(tx, row),
          };
    await tell(
      deps,
      tx,
      { meetingId: row.id },
      actorId,
      before,
      now,
      isLeftOut || isNews(deps.secrets, tx.tenantId, before.latest, now),
      change,
    );
  }
}

/**
 * What people know of a meeting; of one that follows the rule of its series this is written down when it is first
 * needed.
 */
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
