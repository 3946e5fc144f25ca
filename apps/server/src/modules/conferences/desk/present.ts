import type { DeskInvitee, DeskState, DeskTerminal } from '@rmeet/contract';
import type { MeetingParticipantRow } from '../../meetings/tables.ts';
import type { AccountRow } from '../../accounts/users/tables.ts';
import type { ConferenceEngine } from '../control/engine.ts';
import type { CallRow, TerminalRow } from '../tables.ts';

export type DeskWaiting = DeskState['waiting'][number];
type Person = Pick<AccountRow, 'account' | 'name' | 'department'>;

/** @param isInvited whether its account is invited; not relevant for hosts */
export function presentDeskTerminal(
  row: TerminalRow,
  person: Person | undefined,
  isInvited: boolean,
  { cannotWith }: Pick<ConferenceEngine, 'cannotWith'>,
): DeskTerminal {
  return {
    termId: row.termId,
    name: row.name,
    role: row.role,
    deviceType: row.deviceType,
    userId: row.accountId,
    account: person?.account ?? null,
    department: person?.department ?? '',
    invited: isInvited || row.role === 'host',
    joinedAt: (row.admittedAt ?? row.createdAt).toISOString(),
    handRaisedAt: row.handRaisedAt?.toISOString() ?? null,
    cannot: cannotWith(row.deviceType),
  };
}

export function presentDeskWaiting({ termId, name, createdAt, message, deviceType }: TerminalRow): DeskWaiting {
  return { termId, name, since: createdAt.toISOString(), message, deviceType };
}

/** The state of the newest call: it rings until its time is over, it is declined or cancelled, or the person joins. */
function callStateOf(call: CallRow | undefined, now: Date): DeskInvitee['state'] {
  if (!call) return 'absent';
  if (call.declinedAt !== null) return 'declined';
  if (call.overAt === null) return call.until > now ? 'ringing' : 'missed';
  return call.overAt < call.until ? 'absent' : 'missed';
}

/** An expected person of the tenant, under the id that calls use. */
export function presentInvitee(
  accountId: string,
  person: Person | undefined,
  call: CallRow | undefined,
  now: Date,
): DeskInvitee {
  return {
    termId: `U${accountId}`,
    userId: accountId,
    name: person?.name ?? '',
    department: person?.department ?? '',
    state: callStateOf(call, now),
    calledAt: call?.calledAt.toISOString() ?? null,
    mail: call?.mail ?? 'none',
  };
}

/** A person invited by mail only; it is unknown whether they are one of the guests inside. */
export function presentMailInvitee(
  { id, email }: Pick<MeetingParticipantRow, 'id' | 'email'>,
  call: CallRow | undefined,
): DeskInvitee {
  return {
    termId: `M${id}`,
    userId: null,
    name: email ?? '',
    department: '',
    state: 'absent',
    calledAt: call?.calledAt.toISOString() ?? null,
    mail: call?.mail ?? 'none',
  };
}

/** A party invited by telephone number only. */
export function presentPhoneInvitee({
  id,
  phone,
  name,
}: Pick<MeetingParticipantRow, 'id' | 'phone' | 'name'>): DeskInvitee {
  return {
    termId: `P${id}`,
    userId: null,
    name: name || (phone ?? ''),
    department: '',
    state: 'absent',
    calledAt: null,
    mail: 'none',
  };
}

/** `c***@example.org`: enough to recognize an address, not enough to write to it. */
const masked = (email: string): string => email.replace(/^(.).*@/u, '$1***@');

/** A terminal for viewers without a right to contacts. */
export const withoutContacts = (terminal: DeskTerminal): DeskTerminal => ({ ...terminal, account: null });
export const inviteeWithoutContacts = (invitee: DeskInvitee): DeskInvitee =>
  invitee.userId === null ? { ...invitee, name: masked(invitee.name) } : invitee;
/** The message of a waiting person is only for those who may admit them. */
export const withoutMessage = <W extends { message: string | null }>(waiting: W): W => ({ ...waiting, message: null });
