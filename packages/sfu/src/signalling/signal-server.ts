import { once } from 'node:events';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type ServerOptions, type WebSocket } from 'ws';
import { limits } from '../limits.ts';
import type { Log } from '../options.ts';
import type { Grants } from './grants.ts';
import type { JoinRequest } from './join-request.ts';
import type { Rooms, Session } from '../rooms/rooms.ts';
import type { SignalSink } from './signal.ts';
import { TokenError, type AccessTokens } from './access-token.ts';
import { readJoinRequest, readQuery } from './join-params.ts';
import { JoinRate } from './join-rate.ts';

/** Clients ping every 5 s; a socket silent for this long is dead, whatever TCP says. */
const SILENCE_MS = 20_000;
/** Time for a client to close its half of a closed socket; a client that continues to send does not answer. */
const CLOSE_MS = 500;
const socketOptions: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  maxPayload: limits.signalMessageBytes,
  closeTimeout: CLOSE_MS,
};

/** A rejected connection attempt, with the HTTP status that LiveKit's clients evaluate. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Admission {
  grants: Grants;
  request: JoinRequest;
}

/** `/rtc` and `/rtc/v1`: admission of clients, and the WebSockets of admitted ones. */
export class SignalServer {
  readonly #tokens: AccessTokens;
  readonly #rooms: Rooms;
  readonly #disableV1: boolean;
  readonly #log: Log;
  readonly #joins = new JoinRate();
  readonly #server = new WebSocketServer(socketOptions);

  constructor(tokens: AccessTokens, rooms: Rooms, disableV1: boolean, log: Log) {
    this.#tokens = tokens;
    this.#rooms = rooms;
    this.#disableV1 = disableV1;
    this.#log = log;
  }

  /** GET `/rtc/validate` and `/rtc/v1/validate`: whether this connection would be admitted. */
  handleValidate(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const answer = (status: number, body: string) => {
      response.writeHead(status, { 'content-type': 'text/plain', 'access-control-allow-origin': '*' });
      response.end(body);
    };
    this.#admit(request, url, url.pathname.replace(/\/validate$/, '')).then(
      () => answer(200, 'success'),
      (error: unknown) => answer(...this.#refusal(error)),
    );
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, url: URL): void {
    socket.on('error', (error) => this.#log('debug', 'socket failed before the upgrade', { error: error.message }));
    const refuse = ([status, body]: [status: number, body: string]) => {
      const reason = STATUS_CODES[status] ?? 'Error';
      socket.end(
        `HTTP/1.1 ${status} ${reason}\r\nContent-Type: text/plain\r\nContent-Length: ` +
          `${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      );
    };
    this.#admit(request, url, url.pathname).then(
      ({ grants, request: join }) => {
        if (!this.#joins.allows(grants.room, grants.identity)) {
          // 503 makes LiveKit's clients try again later; any 4xx is final for them
          refuse([503, 'too many connections, try again later']);
          this.#log('warn', 'flood of connections', { room: grants.room, identity: grants.identity });
          return undefined;
        }
        // do not upgrade a socket that was closed meanwhile
        if (!socket.destroyed)
          this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#open(webSocket, grants, join));
        return undefined;
      },
      (error: unknown) => refuse(this.#refusal(error)),
    );
  }

  /** Closes every socket, after a moment by force. Requests that are still being admitted get 503. */
  async close(): Promise<void> {
    this.#server.close();
    const clients = [...this.#server.clients];
    const closed = Promise.all(clients.map((client) => once(client, 'close')));
    for (const client of clients) client.close(1001);
    const force = setTimeout(() => {
      for (const client of clients) client.terminate();
    }, CLOSE_MS);
    await closed;
    clearTimeout(force);
  }

  async #admit(request: IncomingMessage, url: URL, path: string): Promise<Admission> {
    const v1 = path === '/rtc/v1';
    if ((!v1 && path !== '/rtc') || (v1 && this.#disableV1)) throw new Refusal(404, 'not found');
    const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
    const token = url.searchParams.get('access_token') ?? bearer;
    if (token === undefined) throw new Refusal(401, 'no access token');
    const grants = await this.#tokens.verify(token);
    if (!grants.roomJoin) throw new Refusal(401, 'permissions denied');
    if (grants.identity === '') throw new Refusal(400, 'identity cannot be empty');
    if (grants.room === '') throw new Refusal(400, 'no room name');
    const join = readJoin(url.searchParams, v1);
    // a resume without its participant is told to reconnect, possibly to another process
    const refusal = join.reconnect ? undefined : this.#rooms.refusal(grants);
    if (refusal !== undefined) throw new Refusal(503, refusal);
    return { grants, request: join };
  }

  #refusal(error: unknown): [status: number, body: string] {
    if (error instanceof Refusal) return [error.status, error.message];
    if (error instanceof TokenError) return [401, error.message];
    this.#log('error', 'admission failed', { error: String(error) });
    return [500, 'internal error'];
  }

  #open(webSocket: WebSocket, grants: Grants, join: JoinRequest): void {
    const fields = { room: grants.room, identity: grants.identity };
    let session: Session | undefined;
    let silence: NodeJS.Timeout | undefined;
    const expectMessage = () => {
      clearTimeout(silence);
      silence = setTimeout(() => webSocket.terminate(), SILENCE_MS);
    };
    webSocket.on('message', (data: RawData, binary: boolean) => {
      expectMessage();
      if (binary) session?.handleMessage(bytesOf(data));
      else webSocket.close(1003, 'binary messages only');
    });
    webSocket.on('ping', () => session?.handlePing());
    webSocket.on('error', (error) => this.#log('debug', 'signalling failed', { ...fields, error: error.message }));
    webSocket.on('close', () => {
      clearTimeout(silence);
      session?.handleClosed();
    });
    expectMessage();
    session = this.#rooms.connect(
      grants,
      join,
      sinkOf(webSocket, () => this.#log('warn', 'signalling too slow', fields)),
    );
  }
}

/** @throws Refusal */
function readJoin(query: URLSearchParams, v1: boolean): JoinRequest {
  try {
    return v1 ? readJoinRequest(query) : readQuery(query);
  } catch (error) {
    throw new Refusal(400, `unreadable join request: ${error instanceof Error ? error.name : 'error'}`);
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}

function sinkOf(webSocket: WebSocket, onOverflow: () => void): SignalSink {
  return {
    send(bytes) {
      if (webSocket.readyState !== webSocket.OPEN) return;
      if (webSocket.bufferedAmount > limits.signalBacklogBytes) {
        onOverflow();
        webSocket.terminate();
        return;
      }
      webSocket.send(bytes);
    },
    close() {
      webSocket.close(1000);
    },
  };
}
