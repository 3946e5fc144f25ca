import {
  NO_CONTROL,
  applyCommand,
  controlChanges,
  type ConferenceCommand,
  type ConferenceControl,
} from '@rmeet/conference';
import type { ConferenceEvent, ConferenceState, Terminal } from '@rmeet/contract';

export const MEET_ID = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';

export function terminalOf(termId: string, more: Partial<Terminal> = {}): Terminal {
  return {
    termId,
    name: termId,
    role: 'member',
    deviceType: 5,
    joinedAt: '2026-11-20T09:00:00.000Z',
    handRaisedAt: null,
    ...more,
  };
}

/** The control after these people have joined and the commands were executed. */
export function controlOf(people: readonly string[], ...commands: ConferenceCommand[]): ConferenceControl {
  const arrivals = people.map((termId): ConferenceCommand => ({
    verb: 'arrive',
    termId,
    name: termId,
    role: termId === 'chair' ? 'host' : 'member',
    previousTermId: null,
  }));
  return [...arrivals, ...commands].reduce(applyCommand, NO_CONTROL);
}

/** The event for a command of the chair; it concerns everyone inside. */
export function commanded(
  before: ConferenceControl,
  command: ConferenceCommand,
): { event: Extract<ConferenceEvent, { type: 'control' }>; control: ConferenceControl } {
  const control = applyCommand(before, command);
  const step = {
    commandId: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d20',
    version: control.version,
    verb: command.verb,
    by: { kind: 'terminal' as const, name: 'Chair', termId: 'chair' },
    at: '2026-11-20T09:00:00.000Z',
    changes: controlChanges(before, control),
    affected: Object.keys(control.terminals),
  };
  return { event: { type: 'control', step }, control };
}

const NOTHING_MORE = {
  end: false,
  admit: false,
  control: false,
  lock: false,
  handOverChair: false,
  share: true,
  record: false,
};

/** A running conference as `me` receives it. */
export function conferenceOf(me: string, terminals: Terminal[], more: Partial<ConferenceState> = {}): ConferenceState {
  return {
    meetId: MEET_ID,
    conferenceId: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d12',
    subject: 'Ward round',
    numericId: '482913057',
    startedAt: '2026-11-20T09:00:00.000Z',
    endsAt: null,
    me: { termId: me, role: 'member', name: me, can: { ...NOTHING_MORE, invite: true } },
    invitation: null,
    control: controlOf(terminals.map(({ termId }) => termId)),
    terminals,
    waiting: [],
    messages: [],
    ...more,
  };
}
