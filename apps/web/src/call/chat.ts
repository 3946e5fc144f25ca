import type { ChatMessage, ConferenceState } from '@rmeet/contract';
import type { CallPorts, CallSnapshot, OutgoingMessage } from './call-types.ts';
import type { SealedMessages } from './sealed-messages.ts';
import type { Store } from './store.ts';

/** How a message is sent; one that failed is sent again with its `id`. */
export interface SayOptions {
  id?: string;
  to?: ChatMessage['to'];
  replyTo?: string | undefined;
}

/** The chat of a call: outgoing messages and the unread count. */
export class Chat {
  readonly #store: Store<CallSnapshot>;
  readonly #api: Pick<CallPorts['api'], 'chat'>;
  readonly #meetId: string;
  readonly #termId: string;
  /** In an end-to-end encrypted conference. */
  readonly #sealed: SealedMessages | null;
  #open = false;

  constructor(
    store: Store<CallSnapshot>,
    api: Pick<CallPorts['api'], 'chat'>,
    { meetId, termId }: { meetId: string; termId: string },
    sealed: SealedMessages | null,
  ) {
    this.#store = store;
    this.#api = api;
    this.#meetId = meetId;
    this.#termId = termId;
    this.#sealed = sealed;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Rejects if the message is not delivered; it then stays in `outgoing` as failed. */
  async say(text: string, { id = crypto.randomUUID(), to, replyTo }: SayOptions = {}): Promise<void> {
    const message: OutgoingMessage = { id, text, to, replyTo, state: 'sending' };
    const others = this.#store.getSnapshot().outgoing.filter((each) => each.id !== id);
    this.#store.set({ outgoing: [...others, message] });
    try {
      const said = await this.#api.chat({
        params: { meetId: this.#meetId },
        body: {
          id,
          text: this.#sealed === null ? text : await this.#sealed.seal(text, { id, termId: this.#termId }),
          ...(to && { to: to.termId }),
          ...(replyTo !== undefined && { replyTo }),
        },
      });
      const { conference, outgoing } = this.#store.getSnapshot();
      this.#store.set({ outgoing: outgoing.filter((each) => each.id !== id) });
      if (conference !== null && !conference.messages.some((each) => each.id === id)) {
        this.#store.set({ conference: { ...conference, messages: [...conference.messages, { ...said, text }] } });
      }
    } catch (error) {
      const { outgoing } = this.#store.getSnapshot();
      const failed: OutgoingMessage = { ...message, state: 'failed' };
      this.#store.set({ outgoing: outgoing.map((each) => (each.id === id ? failed : each)) });
      throw error;
    }
  }

  /** While open, no message counts as unread. */
  setOpen(open: boolean): void {
    this.#open = open;
    if (open) this.#store.set({ unread: 0 });
  }

  /** Counts new messages and removes confirmed ones from `outgoing`. */
  follow({ messages }: ConferenceState, before: ConferenceState | null): void {
    if (messages === before?.messages) return;
    const { outgoing, unread } = this.#store.getSnapshot();
    const known = new Set(before?.messages.map(({ id }) => id));
    const fresh =
      before === null ? 0 : messages.filter(({ id, termId }) => !known.has(id) && termId !== this.#termId).length;
    const confirmed = new Set(messages.map(({ id }) => id));
    this.#store.set({
      unread: this.#open ? 0 : unread + fresh,
      outgoing: outgoing.some(({ id }) => confirmed.has(id))
        ? outgoing.filter(({ id }) => !confirmed.has(id))
        : outgoing,
    });
  }
}
