import type { ConferenceState, Terminal } from '@rmeet/contract';

export const MEET_ID = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';

export function terminalOf(termId: string, more: Partial<Terminal> = {}): Terminal {
  return { termId, name: termId, role: 'member', deviceType: 5, joinedAt: '2026-11-20T09:00:00.000Z', handRaisedAt: null, ...more };
}

/** A running conference as `me` gets it. */
export function conferenceOf(me: string, terminals: Terminal[], more: Partial<ConferenceState> = {}): ConferenceState {
  return {
    meetId: MEET_ID,
    conferenceId: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d12',
    subject: 'Ward round',
    numericId: '482913057',
    startedAt: '2026-11-20T09:00:00.000Z',
    me: { termId: me, role: 'member', name: me, can: { end: false, admit: false, invite: true } },
    invitation: null,
    terminals,
    waiting: [],
    messages: [],
    ...more,
  };
}
