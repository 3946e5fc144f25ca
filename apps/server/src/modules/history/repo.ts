import { and, asc, countDistinct, desc, eq, gte, inArray, isNotNull, lt, sql, type SQL } from 'drizzle-orm';
import { SEARCH_COUNT_LIMIT, TOTAL_COUNT_LIMIT, type contract, type Input } from '@rmeet/contract';
import { pageOfKeyword, pageOfParts, type PageOptions, type TenantTx } from '../../platform/db/index.ts';
import {
  conference,
  conferenceCommand,
  terminalSession,
  type ConferenceRow,
  type TerminalRow,
} from '../conferences/tables.ts';
import { meetingContains, ownMeetings, searchMeetings } from '../meetings/index.ts';
import { meeting, type MeetingRow } from '../meetings/tables.ts';
import { PROCEEDINGS } from './proceedings.ts';
import { MOVES, type Move } from './stays.ts';
import { terminalQuality, type TerminalQualityRow } from './tables.ts';

export type HistoryQuery = Input<typeof contract.history.list>['query'];
type Range = { from: Date | undefined; until: Date | undefined };

/** Identifies the person of a session: by the account, else the browser, else the guest link. */
export const personOf = ({
  accountId,
  deviceMark,
  guestTokenId,
  termId,
}: Pick<TerminalRow, 'accountId' | 'deviceMark' | 'guestTokenId' | 'termId'>): string =>
  accountId ?? deviceMark ?? guestTokenId ?? termId;

/**
 * Conferences of a person's meetings, and those the person took part in. Both lists have no outer references and are
 * read once, each by its own index; the conferences are then found by their own, for any number of other conferences.
 */
function ownOf(accountId: string): SQL {
  const inside = sql`array(select ${terminalSession.conferenceId} from ${terminalSession} where
    ${terminalSession.accountId} = ${accountId} and ${terminalSession.firstInsideAt} is not null)`;
  return sql`(${conference.meetingId} = any(${ownMeetings(accountId)}) or ${conference.id} = any(${inside}))`;
}

const between = ({ from, until }: Range): SQL | undefined =>
  and(from ? gte(conference.startedAt, from) : undefined, until ? lt(conference.startedAt, until) : undefined);

const ofMeeting = (condition: SQL): SQL =>
  sql`exists (select 1 from ${meeting} where ${meeting.id} = ${conference.meetingId} and ${condition})`;
/** The same, for conferences that are read one after another: then their meetings are never all read for it. */
const whetherMeeting = (condition: SQL): SQL =>
  sql`(select ${condition} from ${meeting} where ${meeting.id} = ${conference.meetingId})`;

/** `total` counts to one past `limit`. */
type Listed = { rows: ConferenceRow[]; total: number; limit: number };

const durationOf = sql`(${conference.endedAt} - ${conference.startedAt})`;

async function inOrder(tx: TenantTx, ids: readonly string[]): Promise<ConferenceRow[]> {
  if (ids.length === 0) return [];
  const rows = new Map((await tx.find(conference, inArray(conference.id, [...ids]))).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** One page of conferences in an order, and their number. `accountId` limits it to that person's. */
export async function listHistory(tx: TenantTx, query: HistoryQuery, accountId: string | null): Promise<Listed> {
  const { keyword, type, size, current } = query;
  const range = {
    from: query.from ? new Date(query.from) : undefined,
    until: query.until ? new Date(query.until) : undefined,
  };
  const where = and(
    accountId === null ? undefined : ownOf(accountId),
    between(range),
    type ? eq(conference.type, type) : undefined,
  );
  const page: PageOptions = {
    sort: query.sort === 'startedAt' ? conference.startedAt : durationOf,
    order: query.order,
    limit: size,
    offset: (current - 1) * size,
  };
  if (keyword && accountId === null) {
    const { match, sought } = await searchMeetings(tx, keyword);
    const { ids, total } = await pageOfKeyword(
      tx,
      {
        table: conference,
        where,
        match: whetherMeeting(match),
        sought,
        via: conference.meetingId,
        time: conference.startedAt,
      },
      page,
    );
    return { rows: await inOrder(tx, ids), total, limit: SEARCH_COUNT_LIMIT };
  }
  const condition = and(where, keyword ? ofMeeting(meetingContains(keyword)) : undefined);
  const rows = await inOrder(tx, await pageOfParts(tx, conference, [condition], page));
  // A page that is not full is the last one.
  const isLast = rows.length < size && (rows.length > 0 || current === 1);
  return {
    rows,
    total: isLast ? (current - 1) * size + rows.length : await tx.count(conference, condition, TOTAL_COUNT_LIMIT + 1),
    limit: TOTAL_COUNT_LIMIT,
  };
}

/** The newest conferences of a period, at most `limit`. */
export function findBetween(
  tx: TenantTx,
  range: Range,
  type: MeetingRow['type'] | undefined,
  accountId: string | null,
  limit: number,
): Promise<ConferenceRow[]> {
  const where = and(
    accountId === null ? undefined : ownOf(accountId),
    between(range),
    type ? eq(conference.type, type) : undefined,
  );
  return tx.find(conference, where, { orderBy: [desc(conference.startedAt), desc(conference.id)], limit });
}

export function findMeetings(tx: TenantTx, ids: readonly string[]): Promise<MeetingRow[]> {
  return tx.find(meeting, inArray(meeting.id, [...ids]));
}

export function findHeld(tx: TenantTx, id: string): Promise<ConferenceRow | undefined> {
  return tx.findOne(conference, eq(conference.id, id));
}

/** How many people took part in each of these conferences; empty conferences are left out. */
export async function countPeople(tx: TenantTx, conferenceIds: readonly string[]): Promise<Map<string, number>> {
  if (conferenceIds.length === 0) return new Map();
  const sessions = tx.scoped(terminalSession);
  const person = sql`coalesce(${sessions.accountId}::text, ${sessions.deviceMark},
    ${sessions.guestTokenId}::text, ${sessions.termId})`;
  const rows = await tx
    .select({ id: sessions.conferenceId, people: countDistinct(person) })
    .from(sessions)
    .where(and(inArray(sessions.conferenceId, [...conferenceIds]), isNotNull(sessions.firstInsideAt)))
    .groupBy(sessions.conferenceId);
  return new Map(rows.map(({ id, people }) => [id, people]));
}

/** Whether a person took part in a conference. */
export async function wasInside(tx: TenantTx, conferenceId: string, accountId: string): Promise<boolean> {
  const where = and(
    eq(terminalSession.conferenceId, conferenceId),
    eq(terminalSession.accountId, accountId),
    isNotNull(terminalSession.firstInsideAt),
  );
  return (await tx.findOne(terminalSession, where)) !== undefined;
}

/** The terminals with which a person took part in a conference. */
export async function terminalsOf(tx: TenantTx, conferenceId: string, accountId: string): Promise<string[]> {
  const where = and(eq(terminalSession.conferenceId, conferenceId), eq(terminalSession.accountId, accountId));
  return (await tx.find(terminalSession, where)).map(({ termId }) => termId);
}

/** Every presence in a conference, in order of arrival. */
export function findSessions(tx: TenantTx, conferenceId: string): Promise<TerminalRow[]> {
  return tx.find(terminalSession, eq(terminalSession.conferenceId, conferenceId), {
    orderBy: [asc(terminalSession.createdAt), asc(terminalSession.termId)],
  });
}

/** The commands that admit and remove terminals, oldest first. */
export function findMoves(tx: TenantTx, conferenceId: string): Promise<Move[]> {
  const commands = tx.scoped(conferenceCommand);
  return tx
    .select({ command: commands.command, createdAt: commands.createdAt })
    .from(commands)
    .where(and(eq(commands.conferenceId, conferenceId), inArray(commands.verb, [...MOVES])))
    .orderBy(asc(commands.version));
}

/** The commands of roll calls, votes and the floor, oldest first. */
export function findProceedings(tx: TenantTx, conferenceId: string): Promise<Move[]> {
  const commands = tx.scoped(conferenceCommand);
  return tx
    .select({ command: commands.command, createdAt: commands.createdAt })
    .from(commands)
    .where(and(eq(commands.conferenceId, conferenceId), inArray(commands.verb, [...PROCEEDINGS])))
    .orderBy(asc(commands.version));
}

export function findQuality(tx: TenantTx, conferenceId: string): Promise<TerminalQualityRow[]> {
  return tx.find(terminalQuality, eq(terminalQuality.conferenceId, conferenceId));
}
