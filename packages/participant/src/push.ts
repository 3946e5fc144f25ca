import { EventEmitter } from 'node:events';
import {
  applyConferenceEvent,
  applyDeskEvent,
  conferenceEvent,
  deskEvent,
  PUSH_PATH,
  pushMessage,
} from '@rmeet/contract';
import type {
  ConferenceEvent,
  ConferenceState,
  DeskEvent,
  DeskState,
  PushMessage,
  PushRequest,
  TerminalReport,
} from '@rmeet/contract';
import { WebSocket } from 'ws';

export type PushEvent = Extract<PushMessage, { event: unknown }>;

/**
 * Why an event could not be obeyed, as a word; undefined if it was obeyed. With `gap`, the ms without media during a
 * move.
 */
export type AckOutcome = string | undefined | { gap?: number; failed?: string };

export interface PushOptions {
  /** The server's address, such as `http://127.0.0.1:3000`. */
  url: string;
  /** The token of an account, of a terminal for its conference, or of a desk for its meeting. */
  credentials: { token: string } | { sessionToken: string } | { deskToken: string };
  /** Topics to follow from the start. */
  topics?: readonly string[];
  /** Acknowledge each event as obeyed, or with the reason why not, as a word of ACK_FAILURES; default: terminals do. */
  acknowledge?: boolean | ((message: PushEvent) => AckOutcome | Promise<AckOutcome>);
  /** Reconnect after a broken connection and catch up; default false. */
  reconnect?: boolean;
  insecure?: boolean;
}

interface PushEvents {
  event: [PushEvent];
  snapshot: [topic: string, ConferenceState | DeskState];
  /** Media reports of terminals, for desks. */
  reports: [topic: string, Record<string, TerminalReport>];
  /** The server refuses: the code of the error table, and the topic if it is about one. */
  refused: [code: string, topic: string | undefined];
  closed: [];
}

const RETRY_MS = 300;
const OPEN_TIMEOUT_MS = 10_000;
const OF_CONFERENCES: ReadonlySet<string> = new Set(conferenceEvent.options.map(({ shape }) => shape.type.value));
const OF_DESKS: ReadonlySet<string> = new Set([
  ...OF_CONFERENCES,
  ...deskEvent.options.map(({ shape }) => shape.type.value),
]);

/**
 * A push socket of a terminal, account or desk: receives events, acknowledges them and keeps each conference's state.
 */
export class PushConnection extends EventEmitter<PushEvents> {
  /** The last received version of each topic. */
  readonly versions = new Map<string, number>();
  /** The conference state of each `meeting:` topic, with events applied. */
  readonly states = new Map<string, ConferenceState>();
  /** The same for desks. */
  readonly desks = new Map<string, DeskState>();
  /** The latest report of each terminal, as sent to a desk. */
  readonly reports = new Map<string, TerminalReport>();
  /** Every event in order of arrival. */
  readonly events: PushEvent[] = [];
  #options: PushOptions;
  #topics: Set<string>;
  #socket: WebSocket | undefined;
  #closed = false;
  /** Settles when all received commands are obeyed; undefined if none is pending. */
  #obeying: Promise<void> | undefined;

  private constructor(options: PushOptions) {
    super();
    this.#options = options;
    this.#topics = new Set(options.topics);
  }

  /** Opens the connection and sends the token. @throws Error if the server refuses it or cannot be reached. */
  static async open(options: PushOptions): Promise<PushConnection> {
    const push = new PushConnection(options);
    await push.#connect();
    return push;
  }

  async #connect(): Promise<void> {
    const socket = new WebSocket(new URL(PUSH_PATH, this.#options.url.replace(/^http/, 'ws')), {
      rejectUnauthorized: !this.#options.insecure,
      handshakeTimeout: OPEN_TIMEOUT_MS,
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
    const since = Object.fromEntries(
      topics.flatMap((topic) => (this.versions.has(topic) ? [[topic, this.versions.get(topic)!]] : [])),
    );
    this.#send({ subscribe: topics, since });
  }

  /** Sends a report on the terminal's media. */
  report(topic: string, report: TerminalReport): void {
    this.#send({ report: { topic, report } });
  }

  /** Breaks the connection without a close message. */
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
      if ('desk' in message.snapshot) this.desks.set(message.topic, message.snapshot);
      else this.states.set(message.topic, message.snapshot);
      this.emit('snapshot', message.topic, message.snapshot);
    } else if ('subscribed' in message) this.#onSubscribed(message.subscribed, message.version);
    else if ('reports' in message) {
      for (const [termId, report] of Object.entries(message.reports)) this.reports.set(termId, report);
      this.emit('reports', message.topic, message.reports);
    } else if ('error' in message) this.emit('refused', message.error, message.topic);
  }

  /**
   * Events missed since the known version follow; only a topic that is new here, or that starts again, is taken at its
   * current version.
   */
  #onSubscribed(topic: string, version: number): void {
    const had = this.versions.get(topic);
    if (had === undefined || had > version) this.versions.set(topic, version);
  }

  #onEvent(message: PushEvent): void {
    const { topic, version, previous, event } = message;
    const had = this.versions.get(topic);
    // Events were missed: request all since then.
    if (had !== undefined && previous > had) {
      this.#subscribe([topic]);
      return;
    }
    if (had !== undefined && version <= had) return;
    this.versions.set(topic, version);
    const state = this.states.get(topic);
    if (state && OF_CONFERENCES.has(event.type))
      this.states.set(topic, applyConferenceEvent(state, event as ConferenceEvent));
    const desk = this.desks.get(topic);
    if (desk && OF_DESKS.has(event.type))
      this.desks.set(topic, applyDeskEvent(desk, event as ConferenceEvent | DeskEvent));
    this.events.push(message);
    this.#acknowledge(message);
    this.emit('event', message);
  }

  #acknowledge(message: PushEvent): void {
    const { acknowledge = 'sessionToken' in this.#options.credentials } = this.#options;
    if (acknowledge === false) return;
    const outcome = acknowledge === true ? undefined : acknowledge(message);
    if (!(outcome instanceof Promise) && this.#obeying === undefined) this.#sendAck(message, outcome);
    else {
      // A version includes all earlier ones.
      const earlier = this.#obeying;
      const obeying = Promise.all([outcome, earlier])
        .then(
          ([done]) => this.#sendAck(message, done),
          () => this.#sendAck(message, 'failed'),
        )
        .finally(() => {
          if (this.#obeying === obeying) this.#obeying = undefined;
        });
      this.#obeying = obeying;
    }
  }

  #sendAck({ topic, version }: PushEvent, outcome: AckOutcome): void {
    const said = typeof outcome === 'object' ? outcome : outcome === undefined ? {} : { failed: outcome };
    this.#send({ ack: { topic, version, ...said } });
  }

  #onClose(): void {
    this.emit('closed');
    if (this.#closed || !this.#options.reconnect) return;
    setTimeout(() => {
      if (this.#closed) return;
      // A failed attempt is handled like a broken connection: it is retried.
      this.#connect().catch(() => this.#onClose());
    }, RETRY_MS);
  }
}
