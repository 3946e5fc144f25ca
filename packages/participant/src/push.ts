import { EventEmitter } from 'node:events';
import { applyConferenceEvent, PUSH_PATH, pushMessage } from '@rmeet/contract';
import type { ConferenceEvent, ConferenceState, PushMessage, PushRequest } from '@rmeet/contract';
import { WebSocket } from 'ws';

export type PushEvent = Extract<PushMessage, { event: unknown }>;

export interface PushOptions {
  /** The server's address, as `http://127.0.0.1:3000`. */
  url: string;
  /** An account's token, or a terminal's for its one conference. */
  credentials: { token: string } | { sessionToken: string };
  /** Topics taken from the start. */
  topics?: readonly string[];
  /** Say of each event that it came; default true. */
  acknowledge?: boolean;
  /** Come back after a broken connection and catch up; default false. */
  reconnect?: boolean;
  insecure?: boolean;
}

interface PushEvents {
  event: [PushEvent];
  snapshot: [topic: string, ConferenceState];
  /** The server refuses: the code of the error table, and the topic when it is about one. */
  refused: [code: string, topic: string | undefined];
  closed: [];
}

const RETRY_MS = 300;
const OPEN_TIMEOUT_MS = 10_000;
const WAITING_EVENTS: ReadonlySet<string> = new Set(['admitted', 'refused']);

/** A terminal's or account's push socket: takes events, acknowledges them and keeps each conference's state. */
export class PushConnection extends EventEmitter<PushEvents> {
  /** The last version had of each topic. */
  readonly versions = new Map<string, number>();
  /** The conference state of each `meeting:` topic, events applied. */
  readonly states = new Map<string, ConferenceState>();
  /** Every event in the order it came. */
  readonly events: PushEvent[] = [];
  #options: PushOptions;
  #topics: Set<string>;
  #socket: WebSocket | undefined;
  #closed = false;

  private constructor(options: PushOptions) {
    super();
    this.#options = options;
    this.#topics = new Set(options.topics);
  }

  /** Opens and shows its token. @throws Error when the server refuses it or cannot be reached. */
  static async open(options: PushOptions): Promise<PushConnection> {
    const push = new PushConnection(options);
    await push.#connect();
    return push;
  }

  async #connect(): Promise<void> {
    const socket = new WebSocket(new URL(PUSH_PATH, this.#options.url.replace(/^http/, 'ws')), {
      rejectUnauthorized: !this.#options.insecure, handshakeTimeout: OPEN_TIMEOUT_MS,
    });
    this.#socket = socket;
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => this.#send(this.#options.credentials));
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('the push socket was closed before it was ready')));
      socket.on('message', (bytes: Uint8Array) => {
        const message = pushMessage.parse(JSON.parse(Buffer.from(bytes).toString()));
        if ('ready' in message) resolve();
        else if ('error' in message && message.topic === undefined) reject(new Error(message.error));
        this.#onMessage(message);
      });
    });
    socket.on('close', () => this.#onClose());
    if (this.#topics.size > 0) this.#subscribe([...this.#topics]);
  }

  subscribe(...topics: string[]): void {
    for (const topic of topics) this.#topics.add(topic);
    this.#subscribe(topics);
  }

  unsubscribe(...topics: string[]): void {
    for (const topic of topics) this.#topics.delete(topic);
    this.#send({ unsubscribe: topics });
  }

  #subscribe(topics: string[]): void {
    const since = Object.fromEntries(topics.flatMap((topic) => (this.versions.has(topic) ? [[topic, this.versions.get(topic)!]] : [])));
    this.#send({ subscribe: topics, since });
  }

  /** Breaks the connection without a word. */
  drop(): void {
    this.#socket?.terminate();
  }

  close(): void {
    this.#closed = true;
    this.#socket?.close();
  }

  #send(message: PushRequest): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #onMessage(message: PushMessage): void {
    if ('event' in message) this.#onEvent(message);
    else if ('snapshot' in message) {
      this.versions.set(message.topic, message.version);
      this.states.set(message.topic, message.snapshot);
      this.emit('snapshot', message.topic, message.snapshot);
    } else if ('subscribed' in message) this.versions.set(message.subscribed, Math.max(message.version, this.versions.get(message.subscribed) ?? 0));
    else if ('error' in message) this.emit('refused', message.error, message.topic);
  }

  #onEvent(message: PushEvent): void {
    const { topic, version, previous, event } = message;
    const had = this.versions.get(topic);
    // Something was missed on the way: ask for all since.
    if (had !== undefined && previous > had) {
      this.#subscribe([topic]);
      return;
    }
    if (had !== undefined && version <= had) return;
    this.versions.set(topic, version);
    const state = this.states.get(topic);
    if (state && !WAITING_EVENTS.has(event.type)) this.states.set(topic, applyConferenceEvent(state, event as ConferenceEvent));
    this.events.push(message);
    if (this.#options.acknowledge ?? true) this.#send({ ack: { topic, version } });
    this.emit('event', message);
  }

  #onClose(): void {
    this.emit('closed');
    if (this.#closed || !this.#options.reconnect) return;
    setTimeout(() => {
      if (this.#closed) return;
      // A failed try ends like a broken connection: tried again.
      this.#connect().catch(() => this.#onClose());
    }, RETRY_MS);
  }
}
