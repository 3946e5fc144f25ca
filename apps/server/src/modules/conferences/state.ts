import type { ChatMessage, ConferenceState, Terminal, WaitingTerminal } from '@rmeet/contract';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import type { TerminalCaller } from '../../platform/http/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { findMeeting, linksOf, passwordOf } from '../meetings/index.ts';
import type { MeetingRow } from '../meetings/tables.ts';
import { findAccount } from '../accounts/users/index.ts';
import { findFiles, presentFile } from '../files/index.ts';
import type { StoredFileRow } from '../files/tables.ts';
import { roomsOfMeetings } from '../rooms/index.ts';
import { findTenant } from '../accounts/tenants/index.ts';
import type { TenantRow } from '../accounts/tenants/tables.ts';
import { chatFileRulesOf } from './chat/file-rules.ts';
import { ownTerminals } from './chat/parties.ts';
import { endsAt } from './joining/capacity.ts';
import { conferenceCan, mayDo, mayRecord, partsOf } from './policy.ts';
import { findConference, findMessages, findPresent, findTerminal } from './repo.ts';
import type { ChatMessageRow, ConferenceRow, TerminalRow } from './tables.ts';

export function presentTerminal(row: TerminalRow): Terminal {
  return {
    termId: row.termId,
    name: row.name,
    role: row.role,
    deviceType: row.deviceType,
    joinedAt: (row.admittedAt ?? row.createdAt).toISOString(),
    handRaisedAt: row.handRaisedAt?.toISOString() ?? null,
  };
}

export function presentWaiting(row: TerminalRow): WaitingTerminal {
  return { termId: row.termId, name: row.name, since: row.createdAt.toISOString(), message: row.message };
}

export function presentMessage(row: ChatMessageRow, file: StoredFileRow | undefined): ChatMessage {
  const { id, termId, name, text, sentAt, toTermId, toName, replyTo, deletedAt } = row;
  return {
    id,
    termId,
    name,
    text,
    ...(file === undefined ? {} : { file: presentFile(file) }),
    sentAt: sentAt.toISOString(),
    ...(toTermId === null ? {} : { to: { termId: toTermId, name: toName ?? '' } }),
    ...(replyTo === null ? {} : { replyTo }),
    ...(deletedAt === null ? {} : { deleted: true }),
  };
}

/** Messages with their files. */
export async function presentMessages(tx: TenantTx, rows: readonly ChatMessageRow[]): Promise<ChatMessage[]> {
  const files = await findFiles(
    tx,
    rows.flatMap(({ fileId }) => fileId ?? []),
  );
  return rows.map((row) => presentMessage(row, files.get(row.fileId ?? '')));
}

/** All that a mail says about a meeting. */
async function invitationTo(
  tx: TenantTx,
  meeting: MeetingRow,
  password: string,
  origin: string,
): Promise<ConferenceState['invitation']> {
  const rooms = (await roomsOfMeetings(tx, [meeting])).get(meeting.id) ?? [];
  return {
    ...linksOf(origin, meeting.number, password),
    password,
    startTime: meeting.startTime.toISOString(),
    duration: meeting.duration,
    hostName: (await findAccount(tx, meeting.hostId))?.name ?? '',
    timeZone: meeting.timeZone,
    agenda: meeting.agenda,
    rooms: rooms.map(({ name, building }) => `${name}, ${building}`),
  };
}

/** What the organisation sets for its conferences. */
function limitsOf(
  conference: ConferenceRow,
  tenant: TenantRow | undefined,
): Pick<ConferenceState, 'endsAt' | 'chatFiles'> {
  if (!tenant) return { endsAt: null };
  return {
    endsAt: endsAt(conference, tenant)?.toISOString() ?? null,
    chatFiles: chatFileRulesOf(tenant, conference.control),
  };
}

interface StateDeps {
  db: Db;
  secrets: SecretBox;
  publicUrl: () => string | null;
}

/**
 * The state of a running conference as one admitted terminal sees it; undefined if it is no longer present. Its links
 * are relative while the server does not know its own address: an address reported by a terminal is not trusted.
 */
export async function stateFor(
  { db, secrets, publicUrl }: StateDeps,
  caller: TerminalCaller,
): Promise<ConferenceState | undefined> {
  return db.tenant(caller.tenantId, async (tx) => {
    const me = await findTerminal(tx, caller.termId);
    const conference = await findConference(tx, caller.conferenceId);
    const meeting = await findMeeting(tx, caller.meetId);
    if (!me || me.state !== 'admitted' || !conference || conference.endedAt || !meeting) return undefined;

    const parts = partsOf(me, conference.control);
    const present = await findPresent(tx, [conference.id]);
    const messages = await findMessages(
      tx,
      conference.id,
      mayDo(parts, 'readBack') ? null : me.admittedAt,
      await ownTerminals(tx, me),
    );
    const password = passwordOf(secrets, meeting);
    const tenant = await findTenant(tx, caller.tenantId);
    const recordable = tenant !== undefined && mayRecord(parts, tenant, conference.control);
    return {
      meetId: meeting.id,
      conferenceId: conference.id,
      subject: meeting.subject,
      numericId: meeting.number,
      startedAt: conference.startedAt.toISOString(),
      ...limitsOf(conference, tenant),
      me: { termId: me.termId, role: me.role, name: me.name, can: conferenceCan(parts, recordable) },
      invitation: mayDo(parts, 'invite') ? await invitationTo(tx, meeting, password, publicUrl() ?? '') : null,
      control: conference.control,
      terminals: present.filter((row) => row.state === 'admitted').map(presentTerminal),
      waiting: mayDo(parts, 'admit') ? present.filter((row) => row.state === 'waiting').map(presentWaiting) : [],
      messages: await presentMessages(tx, messages),
    };
  });
}
