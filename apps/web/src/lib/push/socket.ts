import { PUSH_PATH, type ACK_FAILURES, type PushMessage, type PushRequest, type TerminalReport } from '@rmeet/contract';

type EventMessage = Extract<PushMessage, { event: unknown }>;
type EventOf<M> = M extends { event: infer E } ? E : never;
type SnapshotOf<M> = M extends { snapshot: infer S } ? S : never;
export type PushEvent = EventOf<PushMessage>;
export type PushSnapshot = SnapshotOf<PushMessage>;

export type AckFailure = (typeof ACK_FAILURES)[number];

/**
 * Settles when the terminal has obeyed: null, the reason why it could not, or for how many ms its media was
 * interrupted.
 */
export type Obeyed = Promise<AckOutcome>;
export type AckOutcome = AckFailure | { gap?: number } | null;

/**
 * Handlers of a topic's subscriber, called once for each version and in order. If one returns a promise, the server is
 * notified when it settles.
 */
export interface TopicHandler {
  event?(event: PushEvent, version: number): Obeyed | void;
  /** The whole state; it includes all events before it. */
  snapshot?(snapshot: PushSnapshot, version: number): Obeyed | void;
  /** The topic is followed from here on: data fetched now misses no event. Called after each connection. */
  live?(): void;
  /** The newest reports of some terminals, by termId; for desks. */
  reports?(reports: Record<string, TerminalReport>): void;
  /** Events are, or may be, missing and no snapshot replaces them: fetch all data again that depends on the topic. */
  stale?(): void;
  /** The server refuses the topic, with an error code. */
  refused?(code: string): void;
}

/** `refused`: the server rejects the token; the socket stays closed. */
export type PushStatus = 'connecting' | 'open' | 'waiting' | 'refused' | 'closed';

export type PushAuth = { token: string } | { sessionToken: string } | { deskToken: string };

export interface PushOptions {
  auth: PushAuth;
  /** Default: this page's server. */
  url?: string;
  /** Milliseconds. */
  timing?: Partial<PushTiming>;
}

interface PushTiming {
  /** First delay before reconnecting; doubles up to `retryMax`, each randomly shortened by up to half. */
  retryMin: number;
  retryMax: number;
  /** Interval of pings to the server, and the maximum time to its response. */
  pingEvery: number;
  pongWithin: number;
}

const TIMING: PushTiming = { retryMin: 300, retryMax: 2_000, pingEvery: 15_000, pongWithin: 8_000 };

interface Topic {
  handlers: Set<TopicHandler>;
  /** Last version delivered; null before the first. */
  version: number | null;
  /** Subscribed again because events were missing; events of the old subscription are ignored. */
  resyncing: boolean;
  /** Settles when every request so far has been obeyed and acknowledged to the server. */
  obeyed: Promise<void>;
  /** Last acknowledged version; acknowledged again on a new connection. */
  acknowledged: number | null;
}

/**
 * The push socket of one token: subscribes with the last known versions, catches up after a reconnect, and reconnects
 * with growing delays until it is closed. Independent of React. Wire format: contract `push.ts`.
 */
export class PushSocket {
  readonly #auth: PushAuth;
  readonly #url: string;
  readonly #timing: PushTiming;
  readonly #topics = new Map<string, Topic>();
  readonly #statusListeners = new Set<(status: PushStatus) => void>();
  #status: PushStatus = 'connecting';
  #refusal: string | null = null;
  #socket: WebSocket | null = null;
  #failures = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #pingTimer: ReturnType<typeof setTimeout> | undefined;

  constructor({ auth, url, timing }: PushOptions) {
    this.#auth = auth;
    this.#url = url ?? `${location.origin.replace(/^http/, 'ws')}${PUSH_PATH}`;
    this.#timing = { ...TIMING, ...timing };
    globalThis.addEventListener?.('online', this.#retryNow);
    this.#connect();
  }

  get status(): PushStatus {
    return this.#status;
  }

  /** The error code with which the token was rejected. */
  get refusal(): string | null {
    return this.#refusal;
  }

  /** Reports every change of status; returns a function to unsubscribe. */
  onStatus(listener: (status: PushStatus) => void): () => void {
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  }

  /** Follows a topic until the returned function is called. */
  subscribe(name: string, handler: TopicHandler): () => void {
    const known = this.#topics.get(name);
    if (known) {
      known.handlers.add(handler);
      // A second handler has missed what the first one received.
      if (known.version !== null) {
        if (isMeeting(name)) this.#askForSnapshot(name, known);
        else handler.live?.();
      }
    } else {
      this.#topics.set(name, {
        handlers: new Set([handler]),
        version: null,
        resyncing: false,
        obeyed: Promise.resolve(),
        acknowledged: null,
      });
      if (this.#status === 'open') this.#send({ subscribe: [name] });
    }
    return () => this.#unsubscribe(name, handler);
  }

  /** Reports this terminal's media; dropped while there is no connection, because the next report follows soon. */
  report(topic: string, report: TerminalReport): void {
    if (this.#status === 'open') this.#send({ report: { topic, report } });
  }

  /** Closes the socket permanently. */
  close(): void {
    globalThis.removeEventListener?.('online', this.#retryNow);
    this.#stop('closed');
  }

  #unsubscribe(name: string, handler: TopicHandler): void {
    const topic = this.#topics.get(name);
    if (!topic?.handlers.delete(handler) || topic.handlers.size > 0) return;
    this.#topics.delete(name);
    if (this.#status === 'open') this.#send({ unsubscribe: [name] });
  }

  #connect(): void {
    this.#setStatus('connecting');
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    const mine = (handle: (data: string) => void) => (event: Event) => {
      if (this.#socket === socket) handle(event instanceof MessageEvent ? String(event.data) : '');
    };
    socket.addEventListener(
      'open',
      mine(() => this.#send(this.#auth)),
    );
    socket.addEventListener(
      'message',
      mine((data) => this.#receive(JSON.parse(data) as PushMessage)),
    );
    // A failed connection also ends in `close`, so `error` needs no handler.
    socket.addEventListener(
      'close',
      mine(() => this.#lost()),
    );
  }

  #receive(message: PushMessage): void {
    this.#expectSignOfLife();
    if ('ready' in message) this.#opened();
    else if ('subscribed' in message) this.#subscribed(message.subscribed, message.version);
    else if ('snapshot' in message) this.#snapshot(message.topic, message.version, message.snapshot);
    else if ('event' in message) this.#event(message);
    else if ('reports' in message)
      for (const handler of this.#topics.get(message.topic)?.handlers ?? []) handler.reports?.(message.reports);
    else if ('error' in message) this.#refused(message.error, message.topic);
  }

  #opened(): void {
    this.#failures = 0;
    this.#setStatus('open');
    const names = [...this.#topics.keys()];
    if (names.length === 0) return;
    const known = [...this.#topics].flatMap(([name, topic]) =>
      topic.version === null ? [] : [[name, topic.version] as const],
    );
    this.#send({ subscribe: names, ...(known.length > 0 ? { since: Object.fromEntries(known) } : {}) });
  }

  /**
   * `version` is the topic's current version; the events up to it, or a snapshot, arrive by themselves if they still
   * exist.
   */
  #subscribed(name: string, version: number): void {
    const topic = this.#topics.get(name);
    if (!topic) return;
    if (isMeeting(name)) {
      // The snapshot comes next, except for terminals in the waiting room, which only get events.
      topic.resyncing = false;
      if (topic.acknowledged !== null) this.#send({ ack: { topic: name, version: topic.acknowledged } });
    }
    for (const handler of topic.handlers) handler.live?.();
    if (isMeeting(name)) return;
    if (topic.version === null) topic.version = version;
    else if (version !== topic.version) {
      this.#missed(name, topic);
      // Lower than the version known here: the server was reset, and continues counting from there.
      topic.version = Math.min(topic.version, version);
    }
  }

  #snapshot(name: string, version: number, snapshot: PushSnapshot): void {
    const topic = this.#topics.get(name);
    if (!topic) return;
    if (topic.resyncing) return;
    topic.version = version;
    this.#acknowledge(
      name,
      topic,
      version,
      [...topic.handlers].map((handler) => handler.snapshot?.(snapshot, version)),
    );
  }

  #event({ topic: name, version, previous, event }: EventMessage): void {
    const topic = this.#topics.get(name);
    if (!topic || topic.resyncing || (topic.version !== null && version <= topic.version)) return;
    if (topic.version !== null && previous > topic.version) {
      this.#missed(name, topic);
      if (topic.resyncing) return;
    }
    topic.version = version;
    this.#acknowledge(
      name,
      topic,
      version,
      [...topic.handlers].map((handler) => handler.event?.(event, version)),
    );
  }

  /** Events of the topic are, or may be, lost. */
  #missed(name: string, topic: Topic): void {
    if (isMeeting(name)) this.#askForSnapshot(name, topic);
    else for (const handler of topic.handlers) handler.stale?.();
  }

  #askForSnapshot(name: string, topic: Topic): void {
    if (!isMeeting(name)) return;
    topic.version = null;
    topic.acknowledged = null;
    topic.resyncing = true;
    if (this.#status === 'open') this.#send({ subscribe: [name] });
  }

  /** Acknowledges completed versions to the server, in order: a version includes all before it. */
  #acknowledge(name: string, topic: Topic, version: number, handled: readonly (Obeyed | void)[]): void {
    const asked = handled.filter((each) => each !== undefined);
    if (asked.length === 0) return;
    topic.obeyed = this.#acknowledgeAfter(topic.obeyed, Promise.all(asked).catch(failedBy), name, topic, version);
  }

  async #acknowledgeAfter(
    earlier: Promise<void>,
    asked: Promise<AckOutcome[]>,
    name: string,
    topic: Topic,
    version: number,
  ): Promise<void> {
    const [outcomes] = await Promise.all([asked, earlier]);
    const failed = outcomes.find((outcome) => typeof outcome === 'string');
    const gaps = outcomes.flatMap((outcome) => (typeof outcome === 'object' ? (outcome?.gap ?? []) : []));
    topic.acknowledged = version;
    this.#send({
      ack: {
        topic: name,
        version,
        ...(failed === undefined ? {} : { failed }),
        ...(gaps.length === 0 ? {} : { gap: Math.max(...gaps) }),
      },
    });
  }

  #refused(code: string, name: string | undefined): void {
    if (name === undefined) {
      // Without a topic, the code means that the server rejects the token.
      this.#refusal = code;
      this.#stop('refused');
      return;
    }
    const handlers = this.#topics.get(name)?.handlers ?? [];
    this.#topics.delete(name);
    for (const handler of handlers) handler.refused?.(code);
  }

  #lost(): void {
    clearTimeout(this.#pingTimer);
    this.#socket = null;
    const wait = Math.min(this.#timing.retryMin * 2 ** this.#failures, this.#timing.retryMax);
    this.#failures += 1;
    this.#setStatus('waiting');
    this.#retryTimer = setTimeout(() => this.#connect(), wait * (1 - Math.random() / 2));
  }

  readonly #retryNow = (): void => {
    if (this.#status !== 'waiting') return;
    clearTimeout(this.#retryTimer);
    this.#connect();
  };

  /** A ping without a response reveals a connection that was lost silently. */
  #expectSignOfLife(): void {
    clearTimeout(this.#pingTimer);
    this.#pingTimer = setTimeout(() => {
      this.#send({ ping: Date.now() });
      this.#pingTimer = setTimeout(() => this.#drop(), this.#timing.pongWithin);
    }, this.#timing.pingEvery);
  }

  #drop(): void {
    const socket = this.#socket;
    this.#lost();
    socket?.close();
  }

  #stop(status: 'refused' | 'closed'): void {
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#pingTimer);
    const socket = this.#socket;
    this.#socket = null;
    this.#setStatus(status);
    socket?.close();
  }

  #send(request: PushRequest): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(request));
  }

  #setStatus(status: PushStatus): void {
    if (this.#status === status) return;
    this.#status = status;
    for (const listener of this.#statusListeners) listener(status);
  }
}

/** A defect in the page: the server learns that the command was not obeyed, the console shows why. */
function failedBy(error: unknown): AckFailure[] {
  queueMicrotask(() => {
    throw error;
  });
  return ['failed'];
}

/** Only topics of meetings have a state that a snapshot can contain. */
function isMeeting(topic: string): boolean {
  return topic.startsWith('meeting:');
}
