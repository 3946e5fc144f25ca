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
  /** The complete state, after connecting or after many changes. */
  onState(state: ConferenceState): Obeyed;
  /** An event, the state after it and the state before it. Resolves when the event has been applied. */
  onEvent(event: ConferenceEvent, state: ConferenceState, before: ConferenceState): Obeyed | void;
  onWaiting(event: WaitingEvent): void;
  /** The subscription is live; a waiting terminal receives no snapshot. */
  onLive(): void;
  onLink(state: LinkState): void;
  /** The server rejected the token or the topic. */
  onRefused(): void;
}

/** Events for this terminal only. */
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
  'chatDeleted',
  'reaction',
  'callsChanged',
  'ended',
] satisfies ConferenceEvent['type'][];
const isWaitingEvent = (event: PushEvent): event is Exclude<WaitingEvent, { type: 'ended' }> =>
  WAITING_EVENTS.includes(event.type);
const isConferenceEvent = (event: PushEvent): event is ConferenceEvent => CONFERENCE_EVENTS.includes(event.type);

/** Follows the conference's state over one push socket until `close`. */
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
        // Terminals never receive a desk's state.
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
      // In the waiting room there is no state until the next snapshot.
      if (event.type === 'sentBack') this.#state = null;
      return this.#events.onWaiting(event);
    }
    // Events of other topics and desk events do not concern a terminal.
    if (!isConferenceEvent(event)) return undefined;
    const before = this.#state;
    // A waiting terminal has no state, but receives the end.
    if (before === null) return event.type === 'ended' ? this.#events.onWaiting(event) : undefined;
    this.#state = applyConferenceEvent(before, event);
    return this.#events.onEvent(event, this.#state, before);
  }
}
