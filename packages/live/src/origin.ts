import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { frameOf, type Frame } from './frames.ts';
import type { LiveWindow } from './window.ts';

/** A relay that is behind by so many bytes is cut; it may begin again. */
const MOST_QUEUED = 8 * 2 ** 20;
const BEAT_EVERY = 1_000;
const HANDLED = /^\/([a-z]{1,20})(?:\/|$)/;
const PATH = /^\/live\/([\w.-]{1,64})$/;

export interface LiveOriginOptions {
  /** Whether a token gives access to a recording. */
  check: (recordingId: string, token: string) => boolean;
  mostQueued?: number;
}

/** Answers a request of a server. */
export type OriginHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Header of requests to handlers: the token for the handler's name. */
export const ACCESS_HEADER = 'x-rmeet-access';

/** The path of a recording. */
export const originPath = (recordingId: string): string => `/live/${recordingId}`;

/** Gives the windows of recordings to relays, each as one response that lasts. */
export class LiveOrigin {
  #options: LiveOriginOptions;
  #windows = new Map<string, LiveWindow>();
  #handlers = new Map<string, OriginHandler>();
  #server: Server;
  #relays = new Map<ServerResponse, string>();
  #timer: NodeJS.Timeout;

  constructor(options: LiveOriginOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => this.#serve(request, response));
    this.#timer = setInterval(() => this.#beat(), BEAT_EVERY);
    this.#timer.unref();
  }

  /** Listens. Returns the port. @throws Error if it is in use */
  async listen(port: number, host?: string): Promise<number> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  get relays(): number {
    return this.#relays.size;
  }

  add(recordingId: string, window: LiveWindow): void {
    this.#windows.set(recordingId, window);
  }

  /** Requests of servers to `/<name>` and below go to the handler. */
  handle(name: string, handler: OriginHandler): void {
    this.#handlers.set(name, handler);
  }

  /** Ends its relays, too. */
  remove(recordingId: string): void {
    this.#windows.delete(recordingId);
    for (const [response, id] of this.#relays) if (id === recordingId) response.end();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#server.close();
    this.#server.closeAllConnections();
    if (this.#server.listening) await once(this.#server, 'close');
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const [, name = ''] = HANDLED.exec(request.url ?? '') ?? [];
    const handler = this.#handlers.get(name);
    if (handler) {
      if (this.#options.check(name, String(request.headers[ACCESS_HEADER]))) handler(request, response);
      else response.writeHead(403).end();
      return;
    }
    const [, recordingId = ''] = PATH.exec(request.url ?? '') ?? [];
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const isAllowed = this.#options.check(recordingId, token);
    const window = isAllowed ? this.#windows.get(recordingId) : undefined;
    if (window) this.#relay(recordingId, window, response);
    else response.writeHead(isAllowed ? 404 : 403).end();
  }

  #relay(recordingId: string, window: LiveWindow, response: ServerResponse): void {
    const { mostQueued = MOST_QUEUED } = this.#options;
    const { startsAt } = window;
    const [first] = window.segments;
    // What the window has does not count: it need not fit.
    let limit = Number.POSITIVE_INFINITY;
    const send = (frame: Frame): void => {
      if (response.destroyed || response.writableEnded) return;
      for (const bytes of frameOf(frame)) response.write(bytes);
      if (response.writableLength > limit) response.destroy();
    };
    response.socket?.setNoDelay(true);
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' });
    response.cork();
    send({ type: 'hello', startsAt, gaps: first?.gaps ?? window.gaps });
    const stop = window.pipe({
      takeInit: (number, data) => send({ type: 'init', number, data }),
      takePart: (part) => send({ type: 'part', part }),
      end: () => {
        send({ type: 'end' });
        response.end();
      },
    });
    send({ type: 'sync' });
    response.uncork();
    limit = response.writableLength + mostQueued;
    response.once('drain', () => {
      limit = mostQueued;
    });
    this.#relays.set(response, recordingId);
    response.once('close', () => {
      stop();
      this.#relays.delete(response);
    });
  }

  #beat(): void {
    const [beat] = frameOf({ type: 'beat' });
    for (const response of this.#relays.keys()) if (!response.writableEnded) response.write(beat);
  }
}
