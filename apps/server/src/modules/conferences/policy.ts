import {
  conferenceRight,
  VERB_RIGHTS,
  type ConferenceControl,
  type ConferencePart,
  type ConferenceRight,
  type ConferenceRole,
  type ConferenceVerb,
} from '@rmeet/conference';
import type { ConferenceState } from '@rmeet/contract';
import type { MeetingRelation } from '../meetings/index.ts';

/** Somebody with something to do with a conference: a terminal, an account from outside, or a desk opened by a link. */
export type Somebody =
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
 * Everything somebody is to a conference now; nothing when it is none of theirs. Whoever waits is that and nothing
 * more.
 */
export function partsOf(who: Somebody, control: Chairs): ConferencePart[] {
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

/**
 * Whether any of these parts has a right, by the table of the contract; rights under a condition are not among those
 * asked for here.
 */
export function mayDo(parts: readonly ConferencePart[], right: ConferenceRight): boolean {
  return parts.some((part) => conferenceRight(part, right) === true);
}

/** Whether these parts may give a command; never the server's own. */
export function mayCommand(parts: readonly ConferencePart[], verb: ConferenceVerb): boolean {
  const right = VERB_RIGHTS[verb];
  return right !== null && mayDo(parts, right);
}

/** The commands these parts may give. */
export function verbsOf(parts: readonly ConferencePart[]): ConferenceVerb[] {
  return (Object.keys(VERB_RIGHTS) as ConferenceVerb[]).filter((verb) => mayCommand(parts, verb));
}

const rankOf = (parts: readonly ConferencePart[]): number => {
  if (parts.includes('host') || parts.includes('tenantAdmin')) return 3;
  if (parts.includes('chair') || parts.includes('deskChair')) return 2;
  return parts.includes('coChair') ? 1 : 0;
};

/**
 * Whether somebody may put another out, or back to the waiting room: nobody who stands above them. So hosts are put out
 * by hosts and the tenant's administrators alone, and the chair not by a co-chair. Muting knows no ranks.
 */
export function mayPutOut(parts: readonly ConferencePart[], others: readonly ConferencePart[]): boolean {
  return rankOf(parts) >= rankOf(others);
}

export function conferenceCan(parts: readonly ConferencePart[]): ConferenceState['me']['can'] {
  return {
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
 * Somebody on the way in: `belongs` to the meeting who hosts it, is invited or on its white list, and needs no
 * password.
 */
export interface Comer {
  role: ConferenceRole;
  belongs: boolean;
}

/** Whether somebody has to be let in: as the chair says while the conference runs, else as the meeting was booked. */
export function mustWait(
  { role, belongs }: Comer,
  meeting: { waitingRoom: boolean; passwordSealed: string | null },
  waitingRoom: boolean | null,
): boolean {
  if (waitingRoom === true) return role !== 'host';
  return !belongs && ((waitingRoom ?? meeting.waitingRoom) || meeting.passwordSealed === null);
}
