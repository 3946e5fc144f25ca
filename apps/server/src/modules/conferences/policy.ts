import {
  conferenceRight,
  isBeingRecorded,
  VERB_RIGHTS,
  type ConferenceControl,
  type ConferencePart,
  type ConferenceRight,
  type ConferenceRole,
  type ConferenceVerb,
} from '@rmeet/conference';
import type { ConferenceState } from '@rmeet/contract';
import type { TenantRow } from '../accounts/tenants/tables.ts';
import type { MeetingRelation } from '../meetings/index.ts';

/** A terminal, an account that acts from outside the conference, or a desk opened by a link. */
export type Actor =
  | { termId: string; role: ConferenceRole; state: string }
  | { relation: MeetingRelation }
  | { part: 'deskChair' | 'deskViewer' };

type Chairs = Pick<ConferenceControl, 'chairId' | 'coChairIds' | 'speakerId' | 'mode'>;

const OF_RELATION: Record<MeetingRelation, ConferencePart[]> = {
  host: ['host'],
  granted: ['host'],
  admin: ['tenantAdmin'],
  invited: ['member'],
  none: [],
};

/**
 * All roles of an actor in a conference now; none if it is not visible to them. A waiting terminal has no other
 * role.
 */
export function partsOf(who: Actor, control: Chairs): ConferencePart[] {
  if ('relation' in who) return OF_RELATION[who.relation];
  if ('part' in who) return [who.part];
  if (who.state === 'waiting') return ['waiting'];
  const { termId, role } = who;
  return [
    role,
    ...(control.chairId === termId ? ['chair' as const] : []),
    ...(control.coChairIds.includes(termId) ? ['coChair' as const] : []),
    ...((control.mode === 'SPEAKER' || control.mode === 'LECTURE') && control.speakerId === termId
      ? ['speaker' as const]
      : []),
  ];
}

/** Whether any of these parts has a right, by the table of the contract. Conditional rights are checked elsewhere. */
export function mayDo(parts: readonly ConferencePart[], right: ConferenceRight): boolean {
  return parts.some((part) => conferenceRight(part, right) === true);
}

/** Whether any of these parts has a right, always or under a condition, which the caller checks. */
export function mayDoIfAllowed(parts: readonly ConferencePart[], right: ConferenceRight): boolean {
  return parts.some((part) => conferenceRight(part, right) !== false);
}

/** Whether these roles may give a command; never one that only the server gives. */
export function mayCommand(parts: readonly ConferencePart[], verb: ConferenceVerb): boolean {
  const right = VERB_RIGHTS[verb];
  return right !== null && mayDo(parts, right);
}

/** The commands that these roles may give. */
export function verbsOf(parts: readonly ConferencePart[]): ConferenceVerb[] {
  return (Object.keys(VERB_RIGHTS) as ConferenceVerb[]).filter((verb) => mayCommand(parts, verb));
}

const rankOf = (parts: readonly ConferencePart[]): number => {
  if (parts.includes('host') || parts.includes('tenantAdmin')) return 3;
  if (parts.includes('chair') || parts.includes('deskChair')) return 2;
  return parts.includes('coChair') ? 1 : 0;
};

/**
 * Whether an actor may remove another terminal or send it back to the waiting room: not if it ranks higher. So only
 * hosts and the tenant's administrators remove hosts, and a co-chair cannot remove the chair. Muting ignores ranks.
 */
export function mayRemove(parts: readonly ConferencePart[], others: readonly ConferencePart[]): boolean {
  return rankOf(parts) >= rankOf(others);
}

/** What an organisation sets about who records. */
export type RecordingRules = Pick<TenantRow, 'recordings' | 'recordingStartedBy'>;

/**
 * Whether these roles may record: an organisation can leave it to hosts and its administrators, or turn recordings off.
 * A recording that runs can still be stopped.
 */
export function mayRecord(
  parts: readonly ConferencePart[],
  { recordings, recordingStartedBy }: RecordingRules,
  control: ConferenceControl,
): boolean {
  if (!mayDo(parts, 'record') || (!recordings && !isBeingRecorded(control))) return false;
  return isLetRecord(parts, { recordingStartedBy });
}

/** Whether the organisation lets these roles record, and does not leave it to hosts and administrators. */
export function isLetRecord(
  parts: readonly ConferencePart[],
  { recordingStartedBy }: Pick<RecordingRules, 'recordingStartedBy'>,
): boolean {
  return recordingStartedBy === 'chairs' || parts.includes('host') || parts.includes('tenantAdmin');
}

/** @param record what {@link mayRecord} says */
export function conferenceCan(parts: readonly ConferencePart[], record = false): ConferenceState['me']['can'] {
  return {
    record,
    end: mayDo(parts, 'end'),
    admit: mayDo(parts, 'admit'),
    invite: mayDo(parts, 'invite'),
    control: mayDo(parts, 'control'),
    lock: mayDo(parts, 'lock'),
    handOverChair: mayDo(parts, 'handOverChair'),
    share: mayDo(parts, 'share'),
  };
}

/**
 * The role of a person who joins. Tenant admins and users granted the meeting join as host; guests are from outside the
 * organisation.
 */
export function roleOf(relation: MeetingRelation, isColleague: boolean): ConferenceRole {
  if (relation === 'host' || relation === 'granted' || relation === 'admin') return 'host';
  return isColleague ? 'member' : 'guest';
}

/**
 * The rights with which a person joins. A person `belongs` to the meeting as its host, by an invitation or by its white
 * list, and then needs no password.
 */
export interface EntryRights {
  role: ConferenceRole;
  belongs: boolean;
}

/** Whether a person has to be admitted: as the chair decides during the conference, else as booked. */
export function mustWait(
  { role, belongs }: EntryRights,
  meeting: { waitingRoom: boolean; passwordSealed: string | null },
  waitingRoom: boolean | null,
): boolean {
  if (waitingRoom === true) return role !== 'host';
  return !belongs && ((waitingRoom ?? meeting.waitingRoom) || meeting.passwordSealed === null);
}

/** Whether a host has been inside. From then on, others may join without one. */
function hostHasArrived({ terminals }: Pick<ConferenceControl, 'terminals'>): boolean {
  return Object.values(terminals).some(({ role }) => role === 'host');
}

/** Whether a person with this role has to wait for a host. */
export function awaitsHost(
  role: ConferenceRole,
  { joinBeforeHost }: { joinBeforeHost: boolean },
  control: Pick<ConferenceControl, 'terminals'>,
): boolean {
  return !joinBeforeHost && role !== 'host' && !hostHasArrived(control);
}
