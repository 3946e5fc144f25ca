import { randomUUID } from 'node:crypto';
import {
  DOCUMENT_CLOSE,
  documentHello,
  documentMove,
  DOCUMENTS_PATH,
  type DocumentCursor,
  type DocumentHello,
  type DocumentMessage,
  type DocumentRight,
  type ErrorCode,
} from '@rmeet/contract';
import { DOCUMENT_LIMITS } from '@rmeet/documents';
import { WebSocketServer, type ServerOptions, type WebSocket } from 'ws';
import { AppError, type Authenticate, type Bypass, type UserCaller } from '../../platform/http/index.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Editor, Room } from './room.ts';
import type { Rooms } from './rooms.ts';

/** RFC 6455, section 7.4.1. */
const CLOSE = { goingAway: 1001, badMessage: 1008, failed: 1011, tooLate: 4408 } as const;
/** Milliseconds that a socket has to send its first message. */
const HELLO_WITHIN = 5_000;
/** How often a socket must answer a ping, and its session and right are read again. */
const HEARTBEAT = 30_000;
const CLOSE_WITHIN = 3_000;
/** A client with this many unread bytes is disconnected. */
const MAX_BUFFERED = 4 * DOCUMENT_LIMITS.bytes;
const MESSAGES = { max: 5_000, every: 10_000 };
/** Bytes of the number before a change. */
const NUMBER = 4;

interface SocketDeps {
  rooms: Rooms;
  authenticate: Authenticate;
  log: Log;
  signedIn: (caller: UserCaller) => void;
}

/** One socket of an editor. Its messages are handled one after another. */
class DocumentSocket implements Editor {
  caller!: UserCaller;
  right: DocumentRight = 'read';
  readonly key = randomUUID();
  cursor: DocumentCursor | null = null;
  readonly #socket: WebSocket;
  readonly #deps: SocketDeps;
  readonly #timers: NodeJS.Timeout[];
  #token = '';
  #room: Room | undefined;
  #isOpen = true;
  #isAlive = true;
  #messages = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, deps: SocketDeps) {
    this.#socket = socket;
    this.#deps = deps;
    this.#timers = [
      setTimeout(() => {
        if (!this.#room) socket.close(CLOSE.tooLate, 'no token');
      }, HELLO_WITHIN),
      setInterval(() => this.#beat(), HEARTBEAT),
      setInterval(() => {
        this.#messages = 0;
      }, MESSAGES.every),
    ];
    socket.on('message', (data: Buffer, isBinary) => this.#receive(data, isBinary));
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    socket.on('error', (error) => deps.log.debug({ error }, 'A document socket failed'));
    socket.on('close', () => this.#ended());
  }

  tell(message: DocumentMessage): void {
    this.#send(JSON.stringify(message));
  }

  pass(update: Uint8Array): void {
    this.#send(update);
  }

  refuse(code: ErrorCode): void {
    this.tell({ error: code });
    this.#leave();
    this.#socket.close(DOCUMENT_CLOSE.refused, code);
  }

  resync(): void {
    this.#leave();
    this.#socket.close(DOCUMENT_CLOSE.resync, 'changes are missing');
  }

  async identify(): Promise<UserCaller | ErrorCode> {
    const caller = await this.#deps.authenticate(this.#token, 'account');
    if (typeof caller === 'string') return caller;
    return caller.kind === 'user' && !caller.client ? caller : 'FORBIDDEN';
  }

  #send(data: string | Uint8Array): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MAX_BUFFERED) this.#socket.terminate();
    else this.#socket.send(data);
  }

  #leave(): void {
    if (this.#room) this.#deps.rooms.leave(this, this.#room);
    this.#room = undefined;
  }

  #ended(): void {
    this.#isOpen = false;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#leave();
  }

  #beat(): void {
    if (!this.#isAlive) return this.#socket.terminate();
    this.#isAlive = false;
    this.#socket.ping();
    void this.#inTurn(async () => {
      if (this.#room) await this.#deps.rooms.beat(this, this.#room);
    });
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#messages += 1;
    if (this.#messages > MESSAGES.max) return this.#socket.close(CLOSE.badMessage, 'too many messages');
    void this.#inTurn(() => (isBinary ? this.#change(data) : this.#told(data)));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(work).catch((error: unknown) => {
      if (error instanceof AppError) return this.refuse(error.code);
      this.#deps.log.error({ error }, 'A message on a document socket failed');
      this.#socket.close(CLOSE.failed, 'server error');
    });
    return this.#turn;
  }

  async #told(data: Buffer): Promise<void> {
    const message = parsed(data);
    const hello = documentHello.safeParse(message).data;
    const move = documentMove.safeParse(message).data;
    if (hello && !this.#room) await this.#hello(hello);
    else if (move && this.#room) this.#deps.rooms.move(this, this.#room, move.cursor);
    else this.#socket.close(CLOSE.badMessage, 'unexpected message');
  }

  async #hello(hello: DocumentHello): Promise<void> {
    this.#token = hello.token;
    const caller = await this.identify();
    if (typeof caller === 'string') return this.refuse(caller);
    if (!this.#isOpen) return;
    this.caller = caller;
    this.#deps.signedIn(caller);
    let has: Uint8Array | undefined;
    if (hello.has !== '') has = new Uint8Array(Buffer.from(hello.has, 'base64'));
    let room: Room;
    try {
      room = await this.#deps.rooms.join(this, hello.documentId, has);
    } catch (error) {
      throw has && !(error instanceof AppError) ? new AppError('INVALID_INPUT') : error;
    }
    this.#room = room;
    if (!this.#isOpen) this.#leave();
  }

  async #change(data: Buffer): Promise<void> {
    if (!this.#room || data.length <= NUMBER) return this.#socket.close(CLOSE.badMessage, 'unexpected message');
    if (data.length > DOCUMENT_LIMITS.updateBytes + NUMBER) return this.refuse('DOCUMENT_FULL');
    const update = new Uint8Array(data.subarray(NUMBER));
    await this.#deps.rooms.submit(this, this.#room, data.readUInt32BE(0), update);
  }
}

function parsed(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString('utf8'));
  } catch {
    return undefined; // not JSON: the caller closes the socket
  }
}

/** Handles the WebSockets at /api/documents. */
export function documentSockets({
  rooms,
  authenticate,
  log,
  nameOf,
}: Omit<SocketDeps, 'signedIn'> & { nameOf: (caller: UserCaller) => string }): Bypass {
  const options: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    // Above the limit of a change, so that its sender learns why.
    maxPayload: 2 * DOCUMENT_LIMITS.updateBytes,
    perMessageDeflate: false,
    clientTracking: true,
    closeTimeout: CLOSE_WITHIN,
  };
  const server = new WebSocketServer(options);
  return {
    upgrade(request, socket, head, connection) {
      const [path] = (request.url ?? '').split('?', 1);
      if (path !== DOCUMENTS_PATH) return false;
      server.handleUpgrade(request, socket, head, (webSocket) => {
        // eslint-disable-next-line no-new -- it lives as long as its socket
        new DocumentSocket(webSocket, {
          rooms,
          authenticate,
          log,
          signedIn: (caller) => connection.signedIn(nameOf(caller)),
        });
      });
      return true;
    },
    close() {
      for (const webSocket of server.clients) webSocket.close(CLOSE.goingAway, 'server restarts');
    },
  };
}
