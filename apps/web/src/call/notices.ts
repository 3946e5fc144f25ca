import type { ChatMessage, ConferenceEvent, ConferenceState, ControlStep, Terminal } from '@rmeet/contract';
import type { CallNotice } from './call-types.ts';

type Unnumbered<N> = N extends unknown ? Omit<N, 'id'> : never;
export type NewNotice = Unnumbered<CallNotice>;

/** The notice that terminal `me` sees for an event; null for none. `before` is the state before the event. */
export function noticeOf(event: ConferenceEvent, before: ConferenceState, me: string): NewNotice | null {
  switch (event.type) {
    case 'terminalJoined':
      return event.terminal.termId === me ? null : { kind: 'joined', name: event.terminal.name };
    case 'terminalLeft': {
      const left = before.terminals.find(({ termId }) => termId === event.termId);
      return left === undefined || left.termId === me ? null : { kind: 'left', name: left.name };
    }
    case 'terminalChanged':
      return handNotice(event.terminal, before, me);
    case 'waitingAdded':
      return { kind: 'waiting', name: event.terminal.name };
    case 'chat':
      return chatNotice(event.message, me);
    case 'control':
      return asked(event.step, before, me);
    case 'waitingRemoved':
    case 'chatDeleted':
    case 'reaction':
    case 'callsChanged':
    case 'ended':
      return null;
  }
}

/** The notice of a chat message; null for an own one. */
export function chatNotice({ termId, name, text, file, to }: ChatMessage, me: string): NewNotice | null {
  const isFile = text === '' && file !== undefined;
  return termId === me
    ? null
    : { kind: 'chat', name, text: isFile ? file.name : text, isFile, isPrivate: to !== undefined };
}

function handNotice({ termId, name, handRaisedAt }: Terminal, before: ConferenceState, me: string): NewNotice | null {
  const wasRaised = before.terminals.some((each) => each.termId === termId && each.handRaisedAt !== null);
  return handRaisedAt === null || wasRaised || termId === me ? null : { kind: 'handRaised', name };
}

/** What the chair asks terminal `me` by a step. A repeated request changes no state, but is shown again. */
function asked({ verb, affected, changes }: ControlStep, { control }: ConferenceState, me: string): NewNotice | null {
  if (!affected.includes(me)) return null;
  if (verb === 'askUnmute') return { kind: 'unmuteAsked' };
  if (verb !== 'dualStream') return null;
  const change = changes.find(({ termId, field }) => termId === me && field === 'contentAsked');
  return (change?.after ?? control.terminals[me]?.contentAsked) === true ? { kind: 'contentAsked' } : null;
}
