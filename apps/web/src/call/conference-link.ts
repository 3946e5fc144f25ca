import { applyConferenceEvent, type ConferenceEvent, type ConferenceState, type WaitingEvent } from '@rmeet/contract';
import type { PushEvent } from '../lib/push/index.ts';
import type { LinkState, PushConnection } from './call-types.ts';

export interface ConferenceLinkEvents {
  onState(state: ConferenceState): void;
  /** An event that has just been applied; `before` is the state it met. */
  onEvent(event: ConferenceEvent, before: ConferenceState): void;
  onWaiting(event: WaitingEvent): void;
  onLink(state: LinkState): void;
  /** The server does not take the token, or does not give the topic. */
  onRefused(): void;
}

/** The conference's state, followed over one push socket until `close`. */
export class ConferenceLink {
  readonly #push: PushConnection;
  readonly #events: ConferenceLinkEvents;
  #state: ConferenceState | null = null;
  #wasOpen = false;

  constructor(push: PushConnection, meetId: string, events: ConferenceLinkEvents) {
    this.#push = push;
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
    push.subscribe(`meeting:${meetId}`, {
      snapshot: (state) => {
        this.#state = state;
        events.onState(state);
      },
      event: (event) => this.#apply(event),
      refused: () => events.onRefused(),
    });
  }

  close(): void {
    this.#push.close();
  }

  #apply(event: PushEvent): void {
    if (event.type === 'admitted' || event.type === 'refused') {
      this.#events.onWaiting(event);
      return;
    }
    // Events of other topics do not come here.
    if (event.type === 'sessionEnded' || event.type === 'meetingsChanged') return;
    const before = this.#state;
    if (before === null) {
      // Somebody who waits has no state, but is told of the end.
      if (event.type === 'ended') this.#events.onWaiting(event);
      return;
    }
    this.#state = applyConferenceEvent(before, event);
    this.#events.onState(this.#state);
    this.#events.onEvent(event, before);
  }
}
