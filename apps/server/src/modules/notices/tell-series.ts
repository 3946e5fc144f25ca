import { asc, eq } from 'drizzle-orm';
import type { TenantTx } from '../../platform/db/index.ts';
import { meeting, meetingSeries, type MeetingRow, type MeetingSeriesRow } from '../meetings/tables.ts';
import type { Facts } from './facts.ts';
import { addEdition, latestEdition } from './repo.ts';
import type { NoticeEditionRow } from './tables.ts';
import { calledOff, factsOf, invitedTo, isNews, isOff, knownOf, tell, type Known, type Standing, type TellDeps } from './tell.ts';

interface Actor {
  actorId: string;
  origin: string;
}

const startByRule = ({ recurrenceId, startTime }: MeetingRow): string => (recurrenceId ?? startTime).toISOString();

/** What people know of one meeting of a series who were told of the whole. */
function occurrenceIn({ facts, passwordSealed }: Pick<NoticeEditionRow, 'facts' | 'passwordSealed'>, row: MeetingRow): { facts: Facts; passwordSealed: string | null } {
  const recurrenceId = startByRule(row);
  return { facts: { ...facts, recurrence: null, recurrenceId, startTime: recurrenceId }, passwordSealed };
}

/** How the series as a whole stands: as that of its meetings which follow the rule. */
async function wholeOf(tx: TenantTx, series: MeetingSeriesRow, rows: readonly MeetingRow[], pattern: MeetingRow, origin: string): Promise<Standing> {
  const starts = [...rows.map(startByRule), ...series.except].toSorted();
  const recurrence = { rule: series.rule, except: series.except, cancelled: rows.filter(isOff).map(startByRule) };
  const facts = { ...(await factsOf(tx, pattern, origin)), uid: series.id, recurrence, startTime: starts[0] ?? pattern.startTime.toISOString(), timeZone: series.timeZone };
  return { facts, passwordSealed: pattern.passwordSealed, invited: await invitedTo(tx, pattern) };
}

/** What is known of one meeting of a series: what was said of it alone, else of the whole. */
async function knownOfOne(tx: TenantTx, row: MeetingRow, whole: Known, wholeLatest: NonNullable<Known['latest']>): Promise<Known> {
  const own = await knownOf(tx, { meetingId: row.id });
  return { latest: own.latest ?? occurrenceIn(wholeLatest, row), earlier: own.earlier, inherited: whole.earlier, sequence: Math.max(own.sequence, whole.sequence) };
}

/**
 * Tells people of a series: of the whole by one event that recurs, and of what differs from it by events of their own with
 * its UID. A single meeting that is cancelled is told by itself; several at once, and other rules, as the whole.
 */
export async function tellSeries(deps: TellDeps, tx: TenantTx, { actorId, origin }: Actor, seriesId: string): Promise<void> {
  const series = await tx.findOne(meetingSeries, eq(meetingSeries.id, seriesId));
  const rows = await tx.find(meeting, eq(meeting.seriesId, seriesId), { orderBy: [asc(meeting.recurrenceId), asc(meeting.id)] });
  // Nobody is told of what may not take place; once all of it is decided on, everybody is.
  if (!series || rows.some((row) => row.approval === 'waiting' && !isOff(row))) return;
  const known = await knownOf(tx, { seriesId });
  const standingRows = rows.filter((row) => !isOff(row));
  const pattern = standingRows.findLast(({ detached }) => !detached) ?? standingRows.at(-1);
  const editions = new Map<string, NoticeEditionRow>();
  for (const row of rows.filter((one) => one.detached || isOff(one))) {
    const own = await latestEdition(tx, { meetingId: row.id });
    if (own) editions.set(row.id, own);
  }
  const goneBefore = new Set(known.latest?.facts.recurrence?.cancelled);
  const gone = rows.filter((row) => isOff(row) && !goneBefore.has(startByRule(row)) && !editions.get(row.id)?.facts.isCancelled);
  const isOver = !standingRows.some(({ endTime }) => endTime > deps.now());

  if (!pattern || (isOver && gone.length > 0)) {
    if (!known.latest || known.latest.facts.isCancelled) return;
    await tell(deps, tx, { seriesId }, actorId, known, calledOff(known.latest), true);
    // Those who were asked to single meetings alone.
    const toldOff = await knownOf(tx, { seriesId });
    for (const row of gone.filter(({ id }) => editions.has(id))) {
      const before = await knownOfOne(tx, row, toldOff, known.latest);
      await tell(deps, tx, { meetingId: row.id }, known.latest.facts.host.id, before, calledOff(before.latest ?? known.latest), false);
    }
    return;
  }
  const whole = await wholeOf(tx, series, rows, pattern, origin);
  const hasNews = isNews(deps.secrets, tx.tenantId, known.latest, whole) || gone.length > 1;
  await tell(deps, tx, { seriesId }, actorId, known, whole, hasNews);
  const toldWhole: Known = await knownOf(tx, { seriesId });
  if (!toldWhole.latest) return;
  for (const row of rows.filter((one) => one.endTime > deps.now() && ((one.detached && !isOff(one)) || (!hasNews && gone.includes(one))))) {
    const before = await knownOfOne(tx, row, toldWhole, known.latest ?? toldWhole.latest);
    const now: Standing = isOff(row) && before.latest ? calledOff(before.latest) : {
      facts: { ...(await factsOf(tx, row, origin)), uid: seriesId, recurrenceId: startByRule(row) }, passwordSealed: row.passwordSealed, invited: await invitedTo(tx, row),
    };
    await tell(deps, tx, { meetingId: row.id }, actorId, before, now, isNews(deps.secrets, tx.tenantId, before.latest, now));
  }
}

/** What people know of a meeting; of one that follows the rule of its series this is written down when it is first needed. */
export async function editionOf(tx: TenantTx, row: MeetingRow): Promise<NoticeEditionRow | undefined> {
  const own = await latestEdition(tx, { meetingId: row.id });
  if (own || row.seriesId === null) return own;
  const whole = await latestEdition(tx, { seriesId: row.seriesId });
  return whole && addEdition(tx, { meetingId: row.id }, { ...occurrenceIn(whole, row), sequence: whole.sequence, createdAt: whole.createdAt });
}
