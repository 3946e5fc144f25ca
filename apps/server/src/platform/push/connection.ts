import { pushRequest, type ErrorCode, type PushMessage, type PushRequest } from '@rmeet/contract';
import type { WebSocket } from 'ws';
import type { Authenticate } from '../http/calls/context.ts';
import type { Log } from '../log/log.ts';
import type { Feed, Subscriber } from './feed.ts';
import type { Hub } from './hub.ts';
import type { PushCaller, PushSocket } from './types.ts';

/** Milliseconds that a socket has to send its token. */
const AUTHENTICATE_WITHIN = 5_000;
/** How often a socket must answer a ping and its caller is authenticated again. */
const HEARTBEAT = 30_000;
/** A slow client with this many unread bytes is disconnected. */
const MAX_BUFFERED = 1024 * 1024;
/** With this many unread bytes it does not get messages that will be repeated. */
const BUSY_BUFFERED = 128 * 1024;
const MAX_TOPICS = 50;
const MESSAGES = { max: 300, every: 10_000 };

/** Why a socket was closed, after RFC 6455 section 7.4; clients connect again after all but `refused`. */
const CLOSE = { badMessage: 1008, failed: 1011, refused: 4401, tooLate: 4408 } as const;

export interface ConnectionOptions {
  hub: Hub;
  authenticate: Authenticate;
  log: Log;
  /** Called when the socket was authenticated. */
  signedIn: (caller: PushCaller) => void;
}

/** A request that needs a caller. */
type AuthenticatedRequest = Extract<
  PushRequest,
  { subscribe: unknown } | { unsubscribe: unknown } | { ack: unknown } | { report: unknown }
>;
type Credentials = { token: string } | { sessionToken: string } | { deskToken: string };

/** One push socket: sends a token, then subscribes to topics. Its messages are handled one after another. */
export class Connection implements Subscriber, PushSocket {
  readonly #socket: WebSocket;
  readonly #hub: Hub;
  readonly #authenticate: Authenticate;
  readonly #log: Log;
  readonly #signedIn: ConnectionOptions['signedIn'];
  readonly #feeds = new Map<string, Feed>();
  readonly #timers: NodeJS.Timeout[];
  #caller: PushCaller | undefined;
  #credentials: Credentials | undefined;
  #turn: Promise<void> = Promise.resolve();
  #isAlive = true;
  #messages = 0;

  constructor(socket: WebSocket, { hub, authenticate, log, signedIn }: ConnectionOptions) {
    this.#socket = socket;
    this.#hub = hub;
    this.#authenticate = authenticate;
    this.#log = log;
    this.#signedIn = signedIn;
    this.#timers = [
      setTimeout(() => {
        if (!this.#caller) socket.close(CLOSE.tooLate, 'no token');
      }, AUTHENTICATE_WITHIN),
      setInterval(() => this.#beat(), HEARTBEAT),
      setInterval(() => {
        this.#messages = 0;
      }, MESSAGES.every),
    ];
    socket.on('message', (data: Buffer, isBinary) => this.#receive(data, isBinary));
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    socket.on('error', (error) => log.debug({ error }, 'A push socket failed'));
    socket.on('close', () => this.#ended());
  }

  /** Undefined until the token was received. */
  get caller(): PushCaller {
    return this.#caller as PushCaller;
  }

  send(message: PushMessage): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MAX_BUFFERED) {
      // A close frame would wait behind what is not read.
      this.#log.info({ buffered: this.#socket.bufferedAmount }, 'A push client does not read and is disconnected');
      this.#socket.terminate();
      return;
    }
    this.#socket.send(JSON.stringify(message));
  }

  offer(message: PushMessage): void {
    if (this.#socket.bufferedAmount <= BUSY_BUFFERED) this.send(message);
  }

  /** The same as refuse(), after everything published until now, which may contain details. */
  async dismiss(code: ErrorCode): Promise<void> {
    await this.#caughtUp();
    this.refuse(code);
  }

  /** Sends the reason and closes for good. */
  refuse(code: ErrorCode): void {
    this.send({ error: code });
    this.#socket.close(CLOSE.refused, code);
  }

  #beat(): void {
    if (!this.#isAlive) {
      this.#socket.terminate();
      return;
    }
    this.#isAlive = false;
    this.#socket.ping();
    void this.refresh(false);
  }

  #ended(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const topic of this.#feeds.keys()) this.#unsubscribe(topic);
    this.#hub.closed(this);
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#messages += 1;
    const request = isBinary || this.#messages > MESSAGES.max ? undefined : parse(data);
    if (!request) {
      this.#socket.close(CLOSE.badMessage, 'unexpected message');
      return;
    }
    void this.#inTurn(() => this.#handle(request));
  }

  /** Runs after earlier requests, so that responses keep their order. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(work).catch((error: unknown) => {
      this.#log.error({ error }, 'A push request failed');
      this.#socket.close(CLOSE.failed, 'server error');
    });
    return this.#turn;
  }

  async #handle(request: PushRequest): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if ('ping' in request) this.send({ pong: request.ping });
    else if ('token' in request || 'sessionToken' in request || 'deskToken' in request)
      await this.#authenticateWith(request);
    else if (!this.#caller) this.refuse('UNAUTHORIZED');
    else await this.#handleAuthenticated(this.#caller, request);
  }

  async #handleAuthenticated(caller: PushCaller, request: AuthenticatedRequest): Promise<void> {
    if ('subscribe' in request) {
      if (!(await this.#reauthenticate())) return;
      for (const topic of new Set(request.subscribe)) await this.#subscribe(topic, request.since?.[topic]);
    } else if ('unsubscribe' in request) request.unsubscribe.forEach((topic) => this.#unsubscribe(topic));
    else if ('ack' in request) await this.#acknowledge(caller, request.ack);
    else if (this.#feeds.has(request.report.topic)) {
      const { topic, report } = request.report;
      await this.#hub.rulesOf(topic)?.reported?.(caller, topic, report);
    }
  }

  async #acknowledge(
    caller: PushCaller,
    { topic, version, failed, gap }: Extract<PushRequest, { ack: unknown }>['ack'],
  ): Promise<void> {
    if (!this.#feeds.has(topic)) return;
    const outcome = { ...(failed === undefined ? {} : { failed }), ...(gap === undefined ? {} : { gap }) };
    await this.#hub.rulesOf(topic)?.acknowledged?.(caller, topic, version, outcome);
  }

  async #authenticateWith(credentials: Credentials): Promise<void> {
    if (this.#caller) return this.refuse('INVALID_INPUT');
    this.#credentials = credentials;
    const caller = await this.#identify();
    if (typeof caller === 'string') return this.refuse(caller);
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#caller = caller;
    this.#signedIn(caller);
    this.#hub.opened(this, caller);
    this.send({ ready: true });
  }

  async #identify(): Promise<PushCaller | ErrorCode> {
    const shown = this.#credentials;
    if (!shown) return 'UNAUTHORIZED';
    if ('token' in shown) return this.#authenticate(shown.token, 'account');
    return 'deskToken' in shown
      ? this.#authenticate(shown.deskToken, 'deskSocket')
      : this.#authenticate(shown.sessionToken, 'terminal');
  }

  /** Authenticates again; if that fails, refuses the socket. */
  async #reauthenticate(): Promise<boolean> {
    const caller = await this.#identify();
    if (typeof caller === 'string') {
      this.refuse(caller);
      return false;
    }
    this.#caller = caller;
    return true;
  }

  async #caughtUp(): Promise<void> {
    await Promise.all(this.#feeds.values().map((feed) => feed.caughtUp()));
  }

  /** Authenticates again and drops topics that the caller may no longer follow; `again` also sends all snapshots. */
  refresh(again: boolean): Promise<void> {
    return this.#inTurn(async () => {
      // What was published before is for the caller's former rights.
      if (again) await this.#caughtUp();
      if (!this.#caller || this.#socket.readyState !== this.#socket.OPEN || !(await this.#reauthenticate())) return;
      for (const topic of this.#feeds.keys()) {
        if (again) await this.#subscribe(topic, undefined);
        else if (!(await this.#mayFollow(topic))) this.#drop(topic);
      }
    });
  }

  async #mayFollow(topic: string): Promise<boolean> {
    return (await this.#hub.rulesOf(topic)?.authorize(this.caller, topic)) ?? false;
  }

  #drop(topic: string): void {
    this.#unsubscribe(topic);
    this.send({ error: 'FORBIDDEN', topic });
  }

  async #subscribe(topic: string, since: number | undefined): Promise<void> {
    const rules = this.#hub.rulesOf(topic);
    if (!rules || (this.#feeds.size >= MAX_TOPICS && !this.#feeds.has(topic)) || !(await this.#mayFollow(topic)))
      return this.#drop(topic);
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const feed = this.#hub.feed(this.caller.tenantId, topic, rules);
    this.#feeds.set(topic, feed);
    await feed.start(this, since);
  }

  #unsubscribe(topic: string): void {
    const feed = this.#feeds.get(topic);
    if (!feed) return;
    this.#feeds.delete(topic);
    feed.stop(this);
    this.#hub.release(feed);
  }
}

function parse(data: Buffer): PushRequest | undefined {
  try {
    return pushRequest.safeParse(JSON.parse(data.toString('utf8'))).data;
  } catch {
    return undefined; // not JSON: the caller closes the socket
  }
}
