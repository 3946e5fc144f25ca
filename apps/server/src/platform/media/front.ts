import { once } from 'node:events';
import { Agent, createServer, request as call, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { endSoon, type ClientConnection } from '../http/server/connections.ts';
import type { Bypass } from '../http/server/server.ts';
import type { Log } from '../log/log.ts';
import { mergeMetrics } from './metrics.ts';
import { MediaProcesses, type MediaProcess } from './processes.ts';
import { roomOfCall, roomOfConnection, type Destination, type Entrance } from './room-of.ts';

const CONNECT_TIMEOUT = 5_000;
const ANSWER_WITHIN = 2_000;
/**
 * A media process that was killed listens again in about a second; who is told 503 instead backs off for longer than
 * that.
 */
const PATIENCE = 2_000;
const RETRY_EVERY = 50;
/** A doorkeeper that takes longer is not waited for: a call goes on while the database is away. */
const DOOR_WITHIN = 2_000;
/**
 * As the engine answers a token that it refuses; final for LiveKit's clients, which then ask this server for a new one.
 */
const NOT_LET_IN = 'this token opens the room no more';
/** The engine takes no more either. */
const BODY_BYTES = 256 * 1024;
/**
 * LiveKit's signalling and server API (docs.livekit.io), and the embedded engine's own call, which this server alone
 * makes.
 */
const SIGNALLING = new Set(['/rtc', '/rtc/v1']);
const VALIDATION = new Set(['/rtc/validate', '/rtc/v1/validate']);
const SERVER_CALL = /^\/twirp\/livekit\.RoomService\/([A-Za-z]+)$/;
const OWN_CALL = /^\/twirp\/rmeet\.RoomService\/([A-Za-z]+)$/;

export interface FrontOptions {
  /** Loopback ports of the media processes. */
  ports: readonly number[];
  /** The API secret of the engine, which signs access tokens. */
  apiSecret: string;
  log: Log;
}

/** Whether somebody may be in a room now, whatever their access token says. */
export type Doorkeeper = (room: string, identity: string) => Promise<boolean>;

/** All media processes as one LiveKit server. */
export interface MediaFront extends Bypass {
  /**
   * From now on nobody comes in, not even to resume, whom the doorkeeper does not know. One that fails lets in: the
   * reconciler removes strangers.
   */
  keepDoor(doorkeeper: Doorkeeper): void;
  /** The same server for this process' own calls, on loopback: `http://127.0.0.1:<port>`. */
  url: string;
  /** The metrics of all that answer, marked by process. */
  metrics(): Promise<string>;
  /** Which media processes there are, which has a room, and which is to have one. */
  processes: Pick<MediaProcesses, 'statuses' | 'find' | 'choose'>;
  close(): void;
}

/** What a media process is asked: a path of the lists above, as it stands there, and the query. */
interface Target {
  path: string;
  /** With its question mark; empty without one. */
  query: string;
  /** Of the server API's RoomService. */
  method?: string | undefined;
}

/**
 * Undefined where the request is none for the engine: whatever else a media process answers is for this server alone.
 */
function targetOf({ url = '' }: IncomingMessage, isOwn: boolean): Target | undefined {
  const end = url.indexOf('?');
  const [path, query] = end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end)];
  if (SIGNALLING.has(path) || VALIDATION.has(path)) return { path, query };
  const method = SERVER_CALL.exec(path)?.[1];
  return method !== undefined || (isOwn && OWN_CALL.test(path)) ? { path, query, method } : undefined;
}

/** A client's socket that is to be joined to a media process. */
interface Joining {
  client: Duplex;
  /** What came after its request. */
  head: Buffer;
  connection: ClientConnection;
}

/** Hop-by-hop headers are this connection's own (RFC 9110, section 7.6.1); the body is framed anew. */
const NOT_PASSED_ON = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'expect',
]);

function passedOn(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.has(name)));
}

const isRefused = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';

/** The whole body, undefined when it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Holding a hundred terminals takes a hundred calls: they share connections. Each is framed anew, so that none can hide
 * another.
 */
const connections = new Agent({ keepAlive: true });

/** Asks one process what the front was asked. */
async function forward(
  process: MediaProcess,
  target: Target,
  incoming: IncomingMessage,
  body: Buffer,
  signal?: AbortSignal,
  agent: Agent | false = connections,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { method, headers } = incoming;
  const framed = { ...passedOn(headers), 'content-length': body.length };
  const sent = call(
    {
      host: '127.0.0.1',
      port: process.port,
      agent,
      method,
      path: `${target.path}${target.query}`,
      headers: framed,
      ...(signal ? { signal } : {}),
    },
    resolve,
  );
  sent.on('error', (error: NodeJS.ErrnoException) => {
    // A connection that stood idle may have been closed from the other side just now (nodejs.org:
    // request.reusedSocket).
    if (sent.reusedSocket && error.code === 'ECONNRESET')
      resolve(forward(process, target, incoming, body, signal, false));
    else reject(error);
  });
  sent.end(body);
  return promise;
}

/**
 * Makes the media processes one LiveKit server: signalling goes by the room in its access token, calls of the server
 * API by the room they name, a list of rooms to all. WebSockets are joined as raw sockets once the request line and
 * headers are written again; nothing of them is logged, since access tokens travel in their query.
 */
export async function startFront({ ports, apiSecret, log }: FrontOptions): Promise<MediaFront> {
  const processes = new MediaProcesses(ports, log);
  const open = new Set<Duplex>();
  let askDoor: Doorkeeper = () => Promise.resolve(true);

  /** A token that is not the engine's is for the engine to refuse. */
  async function isLetIn({ room, identity }: Entrance): Promise<boolean> {
    if (room === undefined) return true;
    const late = new AbortController();
    try {
      return await Promise.race([askDoor(room, identity), delay(DOOR_WITHIN, true, { signal: late.signal })]);
    } catch (error) {
      log.debug({ error }, 'Nobody can say who may come in');
      return true;
    } finally {
      late.abort();
    }
  }

  function request(incoming: IncomingMessage, response: ServerResponse, isOwn = false): boolean {
    const target = targetOf(incoming, isOwn);
    if (!target) return false;
    answer(target, incoming, response).catch((error: unknown) => {
      log.debug({ error }, 'The media engine does not answer');
      if (response.headersSent) response.destroy();
      else response.writeHead(503, { 'content-type': 'text/plain' }).end('media unavailable');
    });
    return true;
  }

  async function answer(target: Target, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming);
    if (!body) {
      response.writeHead(413, { 'content-type': 'text/plain', connection: 'close' }).end('too large');
      return;
    }
    const { method } = target;
    const isJson = !(incoming.headers['content-type'] ?? '').startsWith('application/protobuf');
    if (method === 'ListRooms' && processes.count > 1) {
      await list(target, incoming, body, isJson, response);
      return;
    }
    const { authorization } = incoming.headers;
    const entrance = roomOfConnection(target.query, authorization, apiSecret, false);
    if (VALIDATION.has(target.path) && !(await isLetIn(entrance))) {
      response.writeHead(401, { 'content-type': 'text/plain', 'access-control-allow-origin': '*' }).end(NOT_LET_IN);
      return;
    }
    const destination = method === undefined ? entrance : roomOfCall(method, authorization, isJson, body, apiSecret);
    const reply = await ask(destination, target, incoming, body);
    if (method === 'DeleteRoom' && reply.statusCode === 200 && destination.room !== undefined)
      processes.forget(destination.room);
    response.writeHead(reply.statusCode ?? 502, passedOn(reply.headers));
    await pipeline(reply, response);
  }

  /** The answer of the process that has the room; of the next one where that is away. */
  async function ask(
    { room, mayPlace }: Destination,
    target: Target,
    incoming: IncomingMessage,
    body: Buffer,
  ): Promise<IncomingMessage> {
    for (let left = processes.count; ; left -= 1) {
      const process = await processes.locate(room, mayPlace);
      if (!process) throw new Error('no media process can take the call');
      try {
        return await forward(process, target, incoming, body);
      } catch (error) {
        if (!isRefused(error) || left <= 1) throw error;
        processes.isAway(process);
      }
    }
  }

  /** The rooms of all processes. Those that cannot be reached have none; a refusal of one is a refusal of all. */
  async function list(
    target: Target,
    incoming: IncomingMessage,
    body: Buffer,
    isJson: boolean,
    response: ServerResponse,
  ): Promise<void> {
    const asked = (await processes.answering()).map(async (process) => {
      try {
        const reply = await forward(process, target, incoming, body, AbortSignal.timeout(ANSWER_WITHIN));
        return {
          status: reply.statusCode ?? 502,
          type: reply.headers['content-type'] ?? '',
          body: await buffer(reply),
        };
      } catch (error) {
        log.debug({ error, process: process.index }, 'A media process does not answer');
        if (isRefused(error)) processes.isAway(process);
        return undefined;
      }
    });
    const replies = (await Promise.all(asked)).filter((reply) => reply !== undefined);
    const told = replies.find(({ status }) => status !== 200) ?? replies[0];
    if (!told) throw new Error('no media process answers');
    response.writeHead(told.status, { 'content-type': told.type });
    if (told.status !== 200) response.end(told.body);
    else if (isJson)
      response.end(
        JSON.stringify({
          rooms: replies.flatMap(
            ({ body: text }) => (JSON.parse(text.toString()) as { rooms?: unknown[] }).rooms ?? [],
          ),
        }),
      );
    // messages after each other are one message with all their repeated fields (protobuf encoding, "Last One Wins")
    else response.end(Buffer.concat(replies.map(({ body: bytes }) => bytes)));
  }

  function upgrade(incoming: IncomingMessage, client: Duplex, head: Buffer, connection: ClientConnection): boolean {
    const target = targetOf(incoming, false);
    if (!target || !SIGNALLING.has(target.path)) return false;
    open.add(client);
    client.on('error', (error) => log.debug({ error }, 'A media connection broke off'));
    client.on('close', () => open.delete(client));
    connection.takes(1);
    join(target, incoming, { client, head, connection }).catch((error: unknown) => {
      log.debug({ error }, 'A media connection could not be made');
      if (!client.destroyed)
        endSoon(client, 'HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    });
    return true;
  }

  /** Joins a client's socket to the process of its room, waiting a moment for one that just starts. */
  async function join(target: Target, incoming: IncomingMessage, joining: Joining): Promise<void> {
    const patientUntil = performance.now() + PATIENCE;
    const entrance = roomOfConnection(target.query, incoming.headers.authorization, apiSecret, true);
    if (!(await isLetIn(entrance))) {
      endSoon(
        joining.client,
        `HTTP/1.1 401 Unauthorized\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ` +
          `${NOT_LET_IN.length}\r\n\r\n${NOT_LET_IN}`,
      );
      return;
    }
    const { room, mayPlace } = entrance;
    for (;;) {
      const process = await processes.locate(room, mayPlace);
      if (joining.client.destroyed) return;
      try {
        if (!process) throw new Error('no media process can take the connection');
        const engine = await connected(process);
        pass(target, incoming, joining, engine);
        return;
      } catch (error) {
        if (process && isRefused(error)) processes.isAway(process);
        if ((process && !isRefused(error)) || performance.now() > patientUntil) throw error;
      }
      await delay(RETRY_EVERY);
    }
  }

  async function connected({ port }: MediaProcess): Promise<Socket> {
    const engine = connect({ host: '127.0.0.1', port, noDelay: true });
    try {
      await once(engine, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT) });
      return engine;
    } catch (error) {
      engine.destroy();
      throw error;
    }
  }

  function pass(
    { path, query }: Target,
    incoming: IncomingMessage,
    { client, head, connection }: Joining,
    engine: Socket,
  ): void {
    const late = setTimeout(() => engine.destroy(), CONNECT_TIMEOUT);
    engine.on('error', (error) => log.debug({ error }, 'A media connection broke off'));
    engine.on('close', () => {
      clearTimeout(late);
      client.destroy();
    });
    client.on('close', () => engine.destroy());
    if (client.destroyed) {
      engine.destroy();
      return;
    }
    const lines = [`${incoming.method ?? 'GET'} ${path}${query} HTTP/1.1`];
    for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2)
      lines.push(`${incoming.rawHeaders[i]}: ${incoming.rawHeaders[i + 1]}`);
    engine.write(`${lines.join('\r\n')}\r\n\r\n`);
    if (head.length > 0) engine.write(head);
    engine.once('data', (firstBytes: Buffer) => {
      clearTimeout(late);
      // The engine lets in who has a token, and each once.
      if (firstBytes.toString('latin1').startsWith('HTTP/1.1 101 ')) connection.signedIn();
    });
    engine.pipe(client);
    client.pipe(engine);
  }

  async function metrics(): Promise<string> {
    const texts = await Promise.all(
      (await processes.answering()).map(async ({ index, port }): Promise<[string, string] | undefined> => {
        try {
          const told = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(ANSWER_WITHIN) });
          return told.ok ? [String(index), await told.text()] : undefined;
        } catch {
          return undefined; // rmeet_media_up says that the engine is away
        }
      }),
    );
    return mergeMetrics(new Map(texts.filter((text) => text !== undefined)));
  }

  const own = createServer((incoming, response) => {
    if (!request(incoming, response, true)) response.writeHead(404).end();
  });
  own.listen(0, '127.0.0.1');
  await once(own, 'listening');

  return {
    url: `http://127.0.0.1:${(own.address() as AddressInfo).port}`,
    request: (incoming, response) => request(incoming, response),
    upgrade,
    keepDoor(doorkeeper) {
      askDoor = doorkeeper;
    },
    metrics,
    processes,
    close() {
      processes.close();
      connections.destroy();
      open.forEach((client) => client.destroy());
      own.close();
      own.closeAllConnections();
    },
  };
}
