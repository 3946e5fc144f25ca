import { and, asc, countDistinct, desc, eq, gte, inArray, isNotNull, lt, sql, type SQL } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type contract, type Input } from '@rmeet/contract';
import { often, pageOfFound, pageOfParts, type PageOptions, type TenantTx } from '../../platform/db/index.ts';
import { conference, conferenceCommand, terminalSession, type ConferenceRow, type TerminalRow } from '../conferences/tables.ts';
import { meetingContains, ownMeetings, searchMeetings } from '../meetings/index.ts';
import { meeting, type MeetingRow } from '../meetings/tables.ts';
import { MOVES, type Move } from './stays.ts';
import { terminalQuality, type TerminalQualityRow } from './tables.ts';

export type HistoryQuery = Input<typeof contract.history.list>['query'];
type Range = { from: Date | undefined; until: Date | undefined };

/** Whose presence a session is: the account's, else the browser's, else that of the guest link it came by. */
export const personOf = ({ accountId, deviceMark, guestTokenId, termId }: Pick<TerminalRow, 'accountId' | 'deviceMark' | 'guestTokenId' | 'termId'>): string =>
  accountId ?? deviceMark ?? guestTokenId ?? termId;

/**
 * Conferences of meetings that are somebody's, and those they were inside of. Both lists depend on nothing outside and are read
 * once, by their own indexes; so the conferences are found by theirs, however many others there are.
 */
function ownOf(accountId: string): SQL {
  const inside = sql`array(select ${terminalSession.conferenceId} from ${terminalSession} where ${terminalSession.accountId} = ${accountId} and ${terminalSession.firstInsideAt} is not null)`;
  return sql`(${conference.meetingId} = any(${ownMeetings(accountId)}) or ${conference.id} = any(${inside}))`;
}

const between = ({ from, until }: Range): SQL | undefined => and(from ? gte(conference.startedAt, from) : undefined, until ? lt(conference.startedAt, until) : undefined);

const ofMeeting = (condition: SQL): SQL => sql`exists (select 1 from ${meeting} where ${meeting.id} = ${conference.meetingId} and ${condition})`;
/** The same, where the conference is one of many: its meeting is looked up when the list comes to it. */
const alongList = (condition: SQL): SQL => often(ofMeeting(condition));

type Listed = { rows: ConferenceRow[]; total: number };
/** So many meetings of a keyword are looked at one by one; of more, when hardly any of those was held, `MANY`. */
const FEW = 15_000;
const MANY = 150_000;
const SELDOM = 0.1;

const durationOf = sql`(${conference.endedAt} - ${conference.startedAt})`;

async function inOrder(tx: TenantTx, ids: readonly string[]): Promise<ConferenceRow[]> {
  if (ids.length === 0) return [];
  const rows = new Map((await tx.find(conference, inArray(conference.id, [...ids]))).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** Of the conferences of an order, one page, and how many there are up to one past the counting limit. `accountId` limits it to that person's. */
export async function listHistory(tx: TenantTx, query: HistoryQuery, accountId: string | null): Promise<Listed> {
  const range = { from: query.from ? new Date(query.from) : undefined, until: query.until ? new Date(query.until) : undefined };
  const where = and(accountId === null ? undefined : ownOf(accountId), between(range), query.type ? eq(conference.type, query.type) : undefined);
  const page: PageOptions = { sort: query.sort === 'startedAt' ? conference.startedAt : durationOf, order: query.order, limit: query.size, offset: (query.current - 1) * query.size };
  const walk = async (condition: SQL | undefined, least = 0): Promise<Listed> => {
    const rows = await inOrder(tx, await pageOfParts(tx, conference, [condition], page));
    // A page that is not full is the last one.
    const isLast = rows.length < query.size && (rows.length > 0 || query.current === 1);
    if (isLast) return { rows, total: (query.current - 1) * query.size + rows.length };
    return { rows, total: least > TOTAL_COUNT_LIMIT ? least : await tx.count(conference, condition, TOTAL_COUNT_LIMIT + 1) };
  };
  if (!query.keyword) return walk(where);
  if (accountId !== null) return walk(and(where, ofMeeting(meetingContains(query.keyword))));
  const search = await searchMeetings(tx, query.keyword);
  const look = (atMost: number) => (search.sought ? pageOfFound(tx, search.sought, where, page, atMost, conference.meetingId) : undefined);
  let found = await look(FEW);
  if (found && !found.isComplete && found.total < found.looked * SELDOM) found = await look(MANY);
  if (found?.isComplete) return { rows: await inOrder(tx, found.ids), total: found.total };
  return walk(and(where, alongList(search.alongList)), found?.total);
}

/** The newest conferences of a time, `limit` at most. */
export function findBetween(tx: TenantTx, range: Range, type: MeetingRow['type'] | undefined, accountId: string | null, limit: number): Promise<ConferenceRow[]> {
  const where = and(accountId === null ? undefined : ownOf(accountId), between(range), type ? eq(conference.type, type) : undefined);
  return tx.find(conference, where, { orderBy: [desc(conference.startedAt), desc(conference.id)], limit });
}

export function findMeetings(tx: TenantTx, ids: readonly string[]): Promise<MeetingRow[]> {
  return tx.find(meeting, inArray(meeting.id, [...ids]));
}

export function findHeld(tx: TenantTx, id: string): Promise<ConferenceRow | undefined> {
  return tx.findOne(conference, eq(conference.id, id));
}

/** How many people were inside of each of these conferences; those nobody came to are missing. */
export async function countPeople(tx: TenantTx, conferenceIds: readonly string[]): Promise<Map<string, number>> {
  if (conferenceIds.length === 0) return new Map();
  const sessions = tx.scoped(terminalSession);
  const person = sql`coalesce(${sessions.accountId}::text, ${sessions.deviceMark}, ${sessions.guestTokenId}::text, ${sessions.termId})`;
  const rows = await tx
    .select({ id: sessions.conferenceId, people: countDistinct(person) })
    .from(sessions)
    .where(and(inArray(sessions.conferenceId, [...conferenceIds]), isNotNull(sessions.firstInsideAt)))
    .groupBy(sessions.conferenceId);
  return new Map(rows.map(({ id, people }) => [id, people]));
}

/** Whether somebody was inside of a conference. */
export async function wasInside(tx: TenantTx, conferenceId: string, accountId: string): Promise<boolean> {
  const where = and(eq(terminalSession.conferenceId, conferenceId), eq(terminalSession.accountId, accountId), isNotNull(terminalSession.firstInsideAt));
  return (await tx.findOne(terminalSession, where)) !== undefined;
}

/** Every presence in a conference, in the order they came. */
export function findSessions(tx: TenantTx, conferenceId: string): Promise<TerminalRow[]> {
  return tx.find(terminalSession, eq(terminalSession.conferenceId, conferenceId), { orderBy: [asc(terminalSession.createdAt), asc(terminalSession.termId)] });
}

/** The commands that let terminals in and put them out, oldest first. */
export function findMoves(tx: TenantTx, conferenceId: string): Promise<Move[]> {
  const commands = tx.scoped(conferenceCommand);
  return tx
    .select({ command: commands.command, createdAt: commands.createdAt })
    .from(commands)
    .where(and(eq(commands.conferenceId, conferenceId), inArray(commands.verb, [...MOVES])))
    .orderBy(asc(commands.version));
}

export function findQuality(tx: TenantTx, conferenceId: string): Promise<TerminalQualityRow[]> {
  return tx.find(terminalQuality, eq(terminalQuality.conferenceId, conferenceId));
}
