import {
  applyConferenceEvent,
  type ConferenceEvent,
  type ConferenceState,
  type TerminalReport,
  type WaitingEvent,
} from '@rmeet/contract';
import type { Obeyed, PushEvent } from '../lib/push/index.ts';
import type { LinkState, PushConnection } from './call-types.ts';

export interface ConferenceLinkEvents {
  /** The state as a whole, after a connection or because much has changed. */
  onState(state: ConferenceState): Obeyed;
  /** An event and the state after it; `before` is the state it met. Resolves when what it asks is done. */
  onEvent(event: ConferenceEvent, state: ConferenceState, before: ConferenceState): Obeyed | void;
  onWaiting(event: WaitingEvent): void;
  /** Followed from here on; somebody who waits is sent no state that tells what was missed before. */
  onLive(): void;
  onLink(state: LinkState): void;
  /** The server does not take the token, or does not give the topic. */
  onRefused(): void;
}

/** Told to this terminal alone. */
const WAITING_EVENTS: readonly PushEvent['type'][] = [
  'admitted',
  'refused',
  'removed',
  'sentBack',
  'waitChanged',
] satisfies Exclude<WaitingEvent['type'], 'ended'>[];
const CONFERENCE_EVENTS: readonly PushEvent['type'][] = [
  'terminalJoined',
  'terminalLeft',
  'control',
  'terminalChanged',
  'waitingAdded',
  'waitingRemoved',
  'chat',
  'ended',
] satisfies ConferenceEvent['type'][];
const isWaitingEvent = (event: PushEvent): event is Exclude<WaitingEvent, { type: 'ended' }> =>
  WAITING_EVENTS.includes(event.type);
const isConferenceEvent = (event: PushEvent): event is ConferenceEvent => CONFERENCE_EVENTS.includes(event.type);

/** The conference's state, followed over one push socket until `close`. */
export class ConferenceLink {
  readonly #push: PushConnection;
  readonly #topic: string;
  readonly #events: ConferenceLinkEvents;
  #state: ConferenceState | null = null;
  #wasOpen = false;

  constructor(push: PushConnection, meetId: string, events: ConferenceLinkEvents) {
    this.#push = push;
    this.#topic = `meeting:${meetId}`;
    this.#events = events;
    push.onStatus((status) => {
      if (status === 'open') {
        this.#wasOpen = true;
        events.onLink('connected');
      } else if (status === 'refused') {
        events.onRefused();
      } else if (status !== 'closed') {
        events.onLink(this.#wasOpen ? 'reconnecting' : 'connecting');
      }
    });
    push.subscribe(this.#topic, {
      snapshot: (state) => {
        // A terminal is never sent a desk's state.
        if ('desk' in state) return undefined;
        this.#state = state;
        return events.onState(state);
      },
      event: (event) => this.#apply(event),
      live: () => events.onLive(),
      refused: () => events.onRefused(),
    });
  }

  report(report: TerminalReport): void {
    this.#push.report(this.#topic, report);
  }

  close(): void {
    this.#push.close();
  }

  #apply(event: PushEvent): Obeyed | void {
    if (isWaitingEvent(event)) {
      // Back in the waiting room there is no state until the next snapshot.
      if (event.type === 'sentBack') this.#state = null;
      return this.#events.onWaiting(event);
    }
    // Events of other topics, and those for desks, are not for a terminal.
    if (!isConferenceEvent(event)) return undefined;
    const before = this.#state;
    // Somebody who waits has no state, but is told of the end.
    if (before === null) return event.type === 'ended' ? this.#events.onWaiting(event) : undefined;
    this.#state = applyConferenceEvent(before, event);
    return this.#events.onEvent(event, this.#state, before);
  }
}
