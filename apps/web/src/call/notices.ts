import type { ConferenceEvent, ConferenceState, ControlStep } from '@rmeet/contract';
import type { CallNotice } from './call-types.ts';

type Unnumbered<N> = N extends unknown ? Omit<N, 'id'> : never;
export type Told = Unnumbered<CallNotice>;

/** What an event is worth telling to terminal `me`; null for nothing. `before` is the state it met. */
export function noticeOf(event: ConferenceEvent, before: ConferenceState, me: string): Told | null {
  switch (event.type) {
    case 'terminalJoined':
      return event.terminal.termId === me ? null : { kind: 'joined', name: event.terminal.name };
    case 'terminalLeft': {
      const left = before.terminals.find(({ termId }) => termId === event.termId);
      return left === undefined || left.termId === me ? null : { kind: 'left', name: left.name };
    }
    case 'terminalChanged': {
      const { termId, name, handRaisedAt } = event.terminal;
      const wasRaised = before.terminals.some((each) => each.termId === termId && each.handRaisedAt !== null);
      return handRaisedAt === null || wasRaised || termId === me ? null : { kind: 'handRaised', name };
    }
    case 'waitingAdded':
      return { kind: 'waiting', name: event.terminal.name };
    case 'chat':
      return event.message.termId === me ? null : { kind: 'chat', name: event.message.name, text: event.message.text };
    case 'control':
      return asked(event.step, before, me);
    case 'waitingRemoved':
    case 'ended':
      return null;
  }
}

/** What the chair asks of terminal `me` by a step. Asking again changes nothing, and is asked all the same. */
function asked({ verb, concerned, changes }: ControlStep, { control }: ConferenceState, me: string): Told | null {
  if (!concerned.includes(me)) return null;
  if (verb === 'askUnmute') return { kind: 'unmuteAsked' };
  if (verb !== 'dualStream') return null;
  const change = changes.find(({ termId, field }) => termId === me && field === 'contentAsked');
  return (change?.after ?? control.terminals[me]?.contentAsked) === true ? { kind: 'contentAsked' } : null;
}
