import { EventEmitter } from 'node:events';
import { DisconnectReason, SignalRequest, SignalResponse } from '@livekit/protocol';
import type { PartialMessage } from '@bufbuild/protobuf';
import { WebSocket } from 'ws';

export type Response = Exclude<SignalResponse['message'], { case: undefined }>;
type ValueOf<C extends Response['case']> = Extract<Response, { case: C }>['value'];
type Request = NonNullable<PartialMessage<SignalRequest>['message']>;

/** The signalling connection was refused. `status` is the HTTP status, 0 if the server could not be reached. */
export class SignalError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'SignalError';
    this.status = status;
  }
}

interface SignalEvents {
  message: [Response];
  closed: [];
}

/** The version of LiveKit's protocol used; livekit-client 2.x. */
const PROTOCOL = 16;

export interface SignalOptions {
  url: string;
  token: string;
  autoSubscribe: boolean;
  /** The participant's sid, if its session is resumed. */
  resume?: string;
  /** Accepts self-signed certificates, for servers on a test machine. */
  insecure?: boolean;
}

/** LiveKit signalling over /rtc: protobuf messages on a WebSocket (livekit.SignalRequest, livekit.SignalResponse). */
export class Signal extends EventEmitter<SignalEvents> {
  #socket: WebSocket;
  #ping: NodeJS.Timeout | undefined;
  #rtt = 0n;

  private constructor(socket: WebSocket) {
    super();
    // One for each awaited answer.
    this.setMaxListeners(100);
    this.#socket = socket;
    socket.on('message', (bytes: Uint8Array) => {
      const { message } = SignalResponse.fromBinary(bytes);
      if (message.case !== undefined) this.emit('message', message);
    });
    // A socket error is always followed by close, which is the event that is handled.
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      clearInterval(this.#ping);
      this.emit('closed');
    });
  }

  /** @throws SignalError if refused or unreachable. */
  static async open(options: SignalOptions): Promise<Signal> {
    const url = new URL(options.url.replace(/^http/, 'ws'));
    url.pathname = `${url.pathname.replace(/\/$/, '')}/rtc`;
    url.search = new URLSearchParams({
      access_token: options.token,
      auto_subscribe: options.autoSubscribe ? '1' : '0',
      sdk: 'node',
      version: '1.0.0',
      protocol: String(PROTOCOL),
      adaptive_stream: '0',
      ...(options.resume ? { reconnect: '1', sid: options.resume } : {}),
    }).toString();
    // Each message in its own task: code that waits for one runs before the next arrives.
    const socket = new WebSocket(url, {
      rejectUnauthorized: !options.insecure,
      perMessageDeflate: false,
      handshakeTimeout: 10_000,
      allowSynchronousEvents: false,
    });
    const signal = new Signal(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('unexpected-response', (_request, response) => {
        reject(new SignalError(response.statusCode ?? 0, `signalling refused with status ${response.statusCode}`));
        socket.terminate();
      });
      socket.once('error', (error) => reject(new SignalError(0, error.message)));
    });
    return signal;
  }

  /** The next message of one kind. @throws Error if it does not arrive within `timeout` ms or the connection closes. */
  next<C extends Response['case']>(
    kind: C,
    accept: (value: ValueOf<C>) => boolean = () => true,
    timeout = 10_000,
  ): Promise<Awaited<ValueOf<C>>> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(late);
        this.off('message', onMessage);
        this.off('closed', onClosed);
      };
      const fail = (why: string): void => {
        done();
        reject(new Error(why));
      };
      const onMessage = (message: Response): void => {
        if (message.case === 'leave')
          fail(`told to leave (${DisconnectReason[message.value.reason]}) while waiting for ${kind}`);
        if (message.case !== kind) return;
        const value = message.value as ValueOf<C>;
        if (!accept(value)) return;
        done();
        resolve(value as Awaited<ValueOf<C>>);
      };
      const onClosed = (): void => fail(`signalling closed while waiting for ${kind}`);
      const late = setTimeout(() => fail(`no ${kind} from the server within ${timeout} ms`), timeout);
      this.on('message', onMessage);
      this.on('closed', onClosed);
    });
  }

  /** Keeps the connection alive. `interval` in seconds, as in the join response. */
  startPing(interval: number): void {
    clearInterval(this.#ping);
    this.on('message', (message) => {
      if (message.case === 'pongResp') this.#rtt = BigInt(Date.now()) - message.value.lastPingTimestamp;
    });
    this.#ping = setInterval(() => this.#sendPing(), (interval > 0 ? interval : 5) * 1000);
    this.#ping.unref();
  }

  /**
   * Resolves when the server has read everything sent before, because it answers in order. If the server does not
   * answer, the wait is given up.
   */
  async roundTrip(): Promise<void> {
    const answered = this.next('pongResp');
    this.#sendPing();
    try {
      await answered;
    } catch (error) {
      this.kill();
      throw error;
    }
  }

  #sendPing(): void {
    const timestamp = BigInt(Date.now());
    this.send({ case: 'ping', value: timestamp });
    this.send({ case: 'pingReq', value: { timestamp, rtt: this.#rtt } });
  }

  get open(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Dropped while the connection is not open: a resumption sends the state again. */
  send(message: Request): void {
    if (this.open) this.#socket.send(new SignalRequest({ message }).toBinary());
  }

  close(): void {
    this.#socket.close();
  }

  /** Drops the connection without a close message, as in a crash. */
  kill(): void {
    this.#socket.terminate();
  }
}
