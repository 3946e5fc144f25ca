import { and, asc, count, desc, eq, gte, inArray, isNotNull, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import { allOf } from '../../platform/db/conditions.ts';
import type { PlatformTx, TenantTx } from '../../platform/db/index.ts';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';
import {
  chatMessage,
  conference,
  terminalSession,
  type ChatMessageRow,
  type ConferenceRow,
  type TerminalRow,
} from './tables.ts';

/** The newest messages in a state. */
const CHAT_WINDOW = 500;

type Reader = Pick<TenantTx, 'find' | 'findOne'>;

/**
 * The running conference of a meeting. `lock` locks it to the end of the transaction: all changes to one conference are
 * sequential.
 */
export function findRunning(tx: Reader, meetingId: string, lock = false): Promise<ConferenceRow | undefined> {
  return tx.findOne(
    conference,
    and(eq(conference.meetingId, meetingId), isNull(conference.endedAt)),
    lock ? { lock: 'update' } : {},
  );
}

export function findConference(tx: Reader, id: string): Promise<ConferenceRow | undefined> {
  return tx.findOne(conference, eq(conference.id, id));
}

export function findAllRunning(tx: PlatformTx): Promise<ConferenceRow[]> {
  return tx.find(conference, isNull(conference.endedAt), { orderBy: [asc(conference.startedAt)] });
}

export function findEnded(tx: PlatformTx, ids: readonly string[]): Promise<ConferenceRow[]> {
  return tx.find(conference, and(inArray(conference.id, [...ids]), sql`${conference.endedAt} is not null`));
}

/** Undefined if the meeting's conference is already running. */
export async function insertConference(
  tx: TenantTx,
  values: Pick<ConferenceRow, 'id' | 'meetingId' | 'type' | 'startedAt' | 'control'>,
): Promise<ConferenceRow | undefined> {
  const [row] = await tx.insert(conference, { ...values, emptySince: values.startedAt }, 'nothing');
  return row;
}

export async function endConference(
  tx: TenantTx,
  id: string,
  endedAt: Date,
  endReason: 'ended' | 'empty',
): Promise<ConferenceRow | undefined> {
  const [row] = await tx.update(
    conference,
    { endedAt, endReason },
    allOf(eq(conference.id, id), isNull(conference.endedAt)),
  );
  return row;
}

export async function setEmptySince(tx: TenantTx, id: string, emptySince: Date | null): Promise<void> {
  await tx.update(conference, { emptySince }, allOf(eq(conference.id, id), isNull(conference.endedAt)));
}

export function findTerminalByToken(tx: Reader, tokenHash: string): Promise<TerminalRow | undefined> {
  return tx.findOne(terminalSession, eq(terminalSession.tokenHash, tokenHash));
}

export function findTerminal(tx: Reader, termId: string): Promise<TerminalRow | undefined> {
  return tx.findOne(terminalSession, eq(terminalSession.termId, termId));
}

export function findTerminals(tx: Reader, termIds: readonly string[]): Promise<TerminalRow[]> {
  return tx.find(terminalSession, inArray(terminalSession.termId, [...termIds]));
}

/** The fields that identify a person in a conference. */
type Marks = Pick<TerminalRow, 'conferenceId' | 'accountId' | 'deviceMark' | 'guestTokenId'>;

/**
 * Presences of the same person in the conference: by account, or by the mark of the browser. All guests of a meeting
 * share its guest link, so it identifies only guests without a mark, which browsers always send.
 */
function isSamePerson({ conferenceId, accountId, deviceMark, guestTokenId }: Marks): SQL {
  const same = or(
    accountId === null ? undefined : eq(terminalSession.accountId, accountId),
    deviceMark === null ? undefined : eq(terminalSession.deviceMark, deviceMark),
    guestTokenId === null || deviceMark !== null ? undefined : eq(terminalSession.guestTokenId, guestTokenId),
  );
  return allOf(eq(terminalSession.conferenceId, conferenceId), same ?? sql`false`);
}

/** termId of the newest earlier presence of the same person that was admitted. */
export async function findPreviousSession(
  tx: Reader,
  row: Marks & Pick<TerminalRow, 'termId'>,
): Promise<string | null> {
  const where = and(isSamePerson(row), ne(terminalSession.termId, row.termId), isNotNull(terminalSession.admittedAt));
  return (await tx.findOne(terminalSession, where, { orderBy: desc(terminalSession.admittedAt) }))?.termId ?? null;
}

/** Whether a person was banned from this conference. */
export async function isBarred(tx: Reader, marks: Marks): Promise<boolean> {
  return (await tx.findOne(terminalSession, and(isSamePerson(marks), eq(terminalSession.banned, true)))) !== undefined;
}

/** Every presence of these accounts in a conference. */
export function findOfAccounts(
  tx: Reader,
  conferenceId: string,
  accountIds: readonly string[],
): Promise<TerminalRow[]> {
  if (accountIds.length === 0) return Promise.resolve([]);
  return tx.find(
    terminalSession,
    and(eq(terminalSession.conferenceId, conferenceId), inArray(terminalSession.accountId, [...accountIds])),
  );
}

/** Present and waiting terminals of these conferences. */
export function findPresent(tx: Reader, conferenceIds: readonly string[]): Promise<TerminalRow[]> {
  if (conferenceIds.length === 0) return Promise.resolve([]);
  return tx.find(
    terminalSession,
    and(
      inArray(terminalSession.conferenceId, [...conferenceIds]),
      inArray(terminalSession.state, ['waiting', 'admitted']),
    ),
    {
      orderBy: [asc(terminalSession.createdAt)],
    },
  );
}

/** Present terminals whose account or tenant was disabled. */
export function findDisabled(tx: PlatformTx, conferenceIds: readonly string[]): Promise<TerminalRow[]> {
  if (conferenceIds.length === 0) return Promise.resolve([]);
  const byAccount = sql`exists (select 1 from ${account} where ${account.id} = ${terminalSession.accountId} and
    not ${account.enabled})`;
  const byTenant = sql`exists (select 1 from ${tenant} where ${tenant.tenantId} = ${terminalSession.tenantId} and
    not ${tenant.enabled})`;
  const isPresent = inArray(terminalSession.state, ['waiting', 'admitted']);
  return tx.find(
    terminalSession,
    and(inArray(terminalSession.conferenceId, [...conferenceIds]), isPresent, or(byAccount, byTenant)),
  );
}

/** Running conferences that have lasted as long as their tenant allows. */
export function findOverdue(tx: PlatformTx, now: Date): Promise<ConferenceRow[]> {
  const limit = sql`${conference.startedAt} + ${tenant.maxMeetingMinutes} * interval '1 minute'`;
  const isOverdue = sql`exists (select 1 from ${tenant} where ${tenant.tenantId} = ${conference.tenantId} and
    ${limit} <= ${now.toISOString()}::timestamptz)`;
  return tx.find(conference, and(isNull(conference.endedAt), isOverdue));
}

/** The running conferences of the transaction's tenant. */
export function findRunningOfTenant(tx: TenantTx): Promise<ConferenceRow[]> {
  return tx.find(conference, isNull(conference.endedAt));
}

export async function insertTerminal(
  tx: TenantTx,
  values: Omit<typeof terminalSession.$inferInsert, 'tenantId'>,
): Promise<TerminalRow> {
  const [row] = await tx.insert(terminalSession, values);
  if (!row) throw new Error('The terminal was not stored.');
  return row;
}

export type TerminalChange = { [K in keyof TerminalRow]?: TerminalRow[K] | SQL };

/** For terminals that are admitted now; those sent back earlier keep their first time. */
export const firstInside = (at: Date): SQL =>
  sql`coalesce(${terminalSession.firstInsideAt}, ${at.toISOString()}::timestamptz)`;

/** Changes terminals that are in one of the states `from`; returns the changed ones. */
export function updateTerminals(
  tx: TenantTx,
  termIds: readonly string[],
  from: readonly TerminalRow['state'][],
  set: TerminalChange,
): Promise<TerminalRow[]> {
  if (termIds.length === 0) return Promise.resolve([]);
  return tx.update(
    terminalSession,
    set,
    allOf(inArray(terminalSession.termId, [...termIds]), inArray(terminalSession.state, [...from])),
  );
}

export async function touchWaiting(tx: PlatformTx, termIds: readonly string[], now: Date): Promise<void> {
  await tx.update(
    terminalSession,
    { lastSeenAt: now },
    allOf(inArray(terminalSession.termId, [...termIds]), eq(terminalSession.state, 'waiting')),
  );
}

export function countAdmitted(tx: TenantTx, conferenceId: string): Promise<number> {
  return tx.count(
    terminalSession,
    and(eq(terminalSession.conferenceId, conferenceId), eq(terminalSession.state, 'admitted')),
  );
}

/** Ids of the admitted terminals of the transaction's tenant. */
export async function findAdmittedOfTenant(tx: TenantTx): Promise<string[]> {
  return (await tx.find(terminalSession, eq(terminalSession.state, 'admitted'))).map((row) => row.termId);
}

/** Admitted terminals of all running conferences of the transaction's tenant. */
export function countAdmittedOfTenant(tx: TenantTx): Promise<number> {
  return tx.count(terminalSession, eq(terminalSession.state, 'admitted'));
}

/** Admitted terminals per meeting, in running conferences. */
export async function countByMeeting(tx: TenantTx, meetingIds: readonly string[]): Promise<Map<string, number>> {
  const terminals = tx.scoped(terminalSession);
  const rows = await tx
    .select({ meetingId: terminals.meetingId, n: count() })
    .from(terminals)
    .where(and(inArray(terminals.meetingId, [...meetingIds]), eq(terminals.state, 'admitted')))
    .groupBy(terminals.meetingId);
  return new Map(rows.map((row) => [row.meetingId, row.n]));
}

/**
 * The newest messages since a time, oldest first; of private ones only those from or to the `reader`'s terminals. At
 * most `limit`.
 */
export async function findMessages(
  tx: TenantTx,
  conferenceId: string,
  since: Date | null,
  reader: readonly string[],
  limit = CHAT_WINDOW,
): Promise<ChatMessageRow[]> {
  const where = and(
    eq(chatMessage.conferenceId, conferenceId),
    since ? gte(chatMessage.sentAt, since) : undefined,
    or(
      isNull(chatMessage.toTermId),
      inArray(chatMessage.toTermId, [...reader]),
      inArray(chatMessage.termId, [...reader]),
    ),
  );
  return (
    await tx.find(chatMessage, where, { orderBy: [desc(chatMessage.sentAt), desc(chatMessage.id)], limit })
  ).toReversed();
}

export function findMessage(tx: TenantTx, conferenceId: string, id: string): Promise<ChatMessageRow | undefined> {
  return tx.findOne(chatMessage, and(eq(chatMessage.conferenceId, conferenceId), eq(chatMessage.id, id)));
}

export function findMessageOfFile(
  tx: TenantTx,
  conferenceId: string,
  fileId: string,
): Promise<ChatMessageRow | undefined> {
  return tx.findOne(chatMessage, and(eq(chatMessage.conferenceId, conferenceId), eq(chatMessage.fileId, fileId)));
}

/** Deletes what a message says, and its reference to a file; that there was a message remains. */
export async function emptyMessage(tx: TenantTx, conferenceId: string, id: string, deletedAt: Date): Promise<void> {
  const where = allOf(eq(chatMessage.conferenceId, conferenceId), eq(chatMessage.id, id));
  await tx.update(chatMessage, { text: '', fileId: null, deletedAt }, where);
}

/** Stores a message unless its id was already used in this conference; `isNew` shows which. */
export async function insertMessage(
  tx: TenantTx,
  values: Omit<ChatMessageRow, 'tenantId'>,
): Promise<{ row: ChatMessageRow; isNew: boolean }> {
  const [row] = await tx.insert(chatMessage, values, 'nothing');
  if (row) return { row, isNew: true };
  const earlier = await findMessage(tx, values.conferenceId, values.id);
  if (!earlier) throw new Error('The message was not stored.');
  return { row: earlier, isNew: false };
}
