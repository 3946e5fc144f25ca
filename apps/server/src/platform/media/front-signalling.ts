import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { endSoon, type ClientConnection } from '../http/server/connections.ts';
import type { Log } from '../log/log.ts';
import { NOT_ADMITTED, type Admission } from './front-admission.ts';
import { isRefused, SIGNALLING, targetOf, type Target } from './forward.ts';
import type { MediaProcess, MediaProcesses } from './processes.ts';
import { roomOfConnection } from './room-of.ts';

const CONNECT_TIMEOUT = 5_000;
/** A media process that was killed listens again in about a second; clients that get a 503 back off for longer. */
const PATIENCE = 2_000;
const RETRY_EVERY = 50;

/** A client's socket that is to be connected to a media process. */
interface Joining {
  client: Duplex;
  /** What followed its request. */
  head: Buffer;
  connection: ClientConnection;
}

/**
 * Connects WebSockets to the process that hosts their room, as raw sockets after the request line and headers were
 * written again. Nothing of them is logged, because access tokens travel in their query.
 */
export class FrontSignalling {
  readonly #processes: MediaProcesses;
  readonly #admission: Admission;
  readonly #apiSecret: string;
  readonly #log: Log;
  readonly #open = new Set<Duplex>();

  constructor(processes: MediaProcesses, admission: Admission, apiSecret: string, log: Log) {
    this.#processes = processes;
    this.#admission = admission;
    this.#apiSecret = apiSecret;
    this.#log = log;
  }

  /** False if the request is not for the engine's signalling. */
  upgrade(incoming: IncomingMessage, client: Duplex, head: Buffer, connection: ClientConnection): boolean {
    const target = targetOf(incoming, false);
    if (!target || !SIGNALLING.has(target.path)) return false;
    this.#open.add(client);
    client.on('error', (error) => this.#log.debug({ error }, 'A media connection failed'));
    client.on('close', () => this.#open.delete(client));
    connection.takes(1);
    this.#join(target, incoming, { client, head, connection }).catch((error: unknown) => {
      this.#log.debug({ error }, 'A media connection could not be made');
      if (!client.destroyed)
        endSoon(client, 'HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    });
    return true;
  }

  close(): void {
    this.#open.forEach((client) => client.destroy());
  }

  /** Connects a client's socket to the process of its room, waiting a moment for one that is starting. */
  async #join(target: Target, incoming: IncomingMessage, joining: Joining): Promise<void> {
    const patientUntil = performance.now() + PATIENCE;
    const entrance = roomOfConnection(target.query, incoming.headers.authorization, this.#apiSecret, true);
    if (!(await this.#admission.isAdmitted(entrance))) {
      endSoon(
        joining.client,
        `HTTP/1.1 401 Unauthorized\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ` +
          `${NOT_ADMITTED.length}\r\n\r\n${NOT_ADMITTED}`,
      );
      return;
    }
    const { room, mayPlace } = entrance;
    for (;;) {
      const process = await this.#processes.locate(room, mayPlace);
      if (joining.client.destroyed) return;
      try {
        if (!process) throw new Error('no media process can take the connection');
        this.#pipe(target, incoming, joining, await connectTo(process));
        return;
      } catch (error) {
        if (process && isRefused(error)) this.#processes.isAway(process);
        if ((process && !isRefused(error)) || performance.now() > patientUntil) throw error;
      }
      await delay(RETRY_EVERY);
    }
  }

  #pipe(
    { path, query }: Target,
    incoming: IncomingMessage,
    { client, head, connection }: Joining,
    engine: Socket,
  ): void {
    const late = setTimeout(() => engine.destroy(), CONNECT_TIMEOUT);
    engine.on('error', (error) => this.#log.debug({ error }, 'A media connection failed'));
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
      // The engine accepts each valid token once.
      if (firstBytes.toString('latin1').startsWith('HTTP/1.1 101 ')) connection.signedIn();
    });
    engine.pipe(client);
    client.pipe(engine);
  }
}

async function connectTo({ port }: MediaProcess): Promise<Socket> {
  const engine = connect({ host: '127.0.0.1', port, noDelay: true });
  try {
    await once(engine, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT) });
    return engine;
  } catch (error) {
    engine.destroy();
    throw error;
  }
}
