import type { ConferenceState, Terminal } from '@rmeet/contract';
import type { MeetingRelation } from '../meetings/index.ts';

export type ConferenceRole = Terminal['role'];

interface Rights {
  /** End the conference for everybody. */
  end: boolean;
  /** See the waiting room, let people in, refuse them. */
  admit: boolean;
  /** See the invitation with its password. */
  invite: boolean;
  /** Chat, raise a hand. */
  speak: boolean;
  /** See what was said before coming in. */
  readBack: boolean;
}

/** Who may do what in a conference; everything else that asks looks here. */
const rights: Record<ConferenceRole | 'waiting', Rights> = {
  host: { end: true, admit: true, invite: true, speak: true, readBack: true },
  member: { end: false, admit: false, invite: true, speak: true, readBack: true },
  guest: { end: false, admit: false, invite: false, speak: true, readBack: false },
  waiting: { end: false, admit: false, invite: false, speak: false, readBack: false },
};

export function rightsOf(terminal: { role: ConferenceRole; state: string }): Rights {
  return rights[terminal.state === 'waiting' ? 'waiting' : terminal.role];
}

export function conferenceCan(terminal: { role: ConferenceRole; state: string }): ConferenceState['me']['can'] {
  const { end, admit, invite } = rightsOf(terminal);
  return { end, admit, invite };
}

/** The role somebody comes in with. A tenant admin comes in as host; people who were not invited are guests, colleagues too. */
export function roleOf(relation: MeetingRelation): ConferenceRole {
  if (relation === 'host' || relation === 'admin') return 'host';
  return relation === 'invited' ? 'member' : 'guest';
}

/** Whether somebody with this role has to be let in. */
export function mustWait(role: ConferenceRole, meeting: { waitingRoom: boolean; passwordSealed: string | null }): boolean {
  return role === 'guest' && (meeting.waitingRoom || meeting.passwordSealed === null);
}
