import type { ChatMessage, ConferenceState } from '@rmeet/contract';
import { isApiError, sentenceOf } from '../lib/api/error.ts';
import type { CallPorts, CallSnapshot, OutgoingMessage } from './call-types.ts';
import type { SealedMessages } from './sealed-messages.ts';
import type { Store } from './store.ts';

/** Errors of a file that stay the same however often it is sent. */
const FINAL = ['FILE_KIND_REFUSED', 'FILE_TOO_LARGE', 'FILE_EMPTY', 'CHAT_FILES_BARRED'] as const;

/** How a message is sent; one that failed is sent again with its `id`. */
export interface SayOptions {
  id?: string;
  to?: ChatMessage['to'];
  replyTo?: string | undefined;
  /** A file that comes with it. */
  file?: File | undefined;
}

type Ports = { api: Pick<CallPorts['api'], 'chat'>; files: Pick<CallPorts['files'], 'send'> };

/** The chat of a call: outgoing messages and the unread count. */
export class Chat {
  readonly #store: Store<CallSnapshot>;
  readonly #ports: Ports;
  readonly #meetId: string;
  readonly #termId: string;
  /** In an end-to-end encrypted conference. */
  readonly #sealed: SealedMessages | null;
  #open = false;
  /** Files that are being sent, or wait for it, by the ids of their messages. */
  readonly #uploads = new Map<string, AbortController>();
  /** Settles when all files up to now are sent; they are sent one after the other. */
  #lastUpload: Promise<unknown> = Promise.resolve();

  constructor(
    store: Store<CallSnapshot>,
    ports: Ports,
    { meetId, termId }: { meetId: string; termId: string },
    sealed: SealedMessages | null,
  ) {
    this.#store = store;
    this.#ports = ports;
    this.#meetId = meetId;
    this.#termId = termId;
    this.#sealed = sealed;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /**
   * Rejects if the message is not delivered; it then stays in `outgoing` as failed. One that was taken back resolves.
   */
  async say(text: string, { id = crypto.randomUUID(), to, replyTo, file }: SayOptions = {}): Promise<void> {
    const attached = file && { file: { content: file, progress: 0 } };
    const message: OutgoingMessage = { id, text, to, replyTo, ...attached, state: 'sending' };
    const { outgoing } = this.#store.getSnapshot();
    // A message that is sent again keeps its place.
    const isAgain = outgoing.some((each) => each.id === id);
    this.#store.set({
      outgoing: isAgain ? outgoing.map((each) => (each.id === id ? message : each)) : [...outgoing, message],
    });
    try {
      const said = await (file ? this.#upload(message, file) : this.#ports.api.chat(await this.#callOf(message)));
      if (said !== null) this.#confirm(this.#sealed === null ? said : { ...said, text });
    } catch (error) {
      this.#change(id, { state: 'failed', why: sentenceOf(error), isFinal: isApiError(error, ...FINAL) });
      throw error;
    }
  }

  /** Gives up a message that is being sent, or has failed. */
  takeBack(id: string): void {
    this.#uploads.get(id)?.abort();
    this.#drop(id);
  }

  /** Gives up all files that are being sent. */
  stop(): void {
    for (const upload of this.#uploads.values()) upload.abort();
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

  async #callOf({ id, text: plain, to, replyTo }: OutgoingMessage) {
    const text = this.#sealed === null ? plain : await this.#sealed.seal(plain, { id, termId: this.#termId });
    return {
      params: { meetId: this.#meetId },
      body: { id, text, ...(to && { to: to.termId }), ...(replyTo !== undefined && { replyTo }) },
    };
  }

  /** Sends a message with its file, once the files before it are sent; null if it was taken back. */
  async #upload(message: OutgoingMessage, file: File): Promise<ChatMessage | null> {
    const { id } = message;
    const upload = new AbortController();
    this.#uploads.set(id, upload);
    const send = async (): Promise<ChatMessage | null> => {
      if (upload.signal.aborted) return null;
      try {
        return await this.#ports.files.send(
          { ...(await this.#callOf(message)), files: [file] },
          {
            onProgress: (progress) => this.#change(id, { file: { content: file, progress } }),
            signal: upload.signal,
          },
        );
      } catch (error) {
        if (upload.signal.aborted) return null;
        throw error;
      }
    };
    const sent = this.#lastUpload.then(send);
    this.#lastUpload = sent.catch(() => undefined);
    try {
      return await sent;
    } finally {
      if (this.#uploads.get(id) === upload) this.#uploads.delete(id);
    }
  }

  #confirm(said: ChatMessage): void {
    this.#drop(said.id);
    const { conference } = this.#store.getSnapshot();
    if (conference !== null && !conference.messages.some(({ id }) => id === said.id))
      this.#store.set({ conference: { ...conference, messages: [...conference.messages, said] } });
  }

  #change(id: string, changed: Partial<OutgoingMessage>): void {
    const { outgoing } = this.#store.getSnapshot();
    const at = outgoing.findIndex((each) => each.id === id);
    const message = outgoing[at];
    if (message) this.#store.set({ outgoing: outgoing.with(at, { ...message, ...changed }) });
  }

  #drop(id: string): void {
    const { outgoing } = this.#store.getSnapshot();
    if (outgoing.some((each) => each.id === id))
      this.#store.set({ outgoing: outgoing.filter((each) => each.id !== id) });
  }
}
