import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from '../../log/log.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { clientAddresses, networkOf, type ClientAddresses } from './network.ts';

/** A client's connection, for code that took it over from HTTP. */
export interface ClientConnection {
  /** The caller is authenticated. Without a name, other code limits the caller's connections. */
  signedIn(caller?: string): void;
  /** It takes this many further file handles, for a socket to another process. */
  takes(handles: number): void;
}

interface Entry {
  socket: Socket;
  /** Undefined for a trusted proxy's connection, until a request names the client. */
  address: string | undefined;
  handles: number;
  /** Requests in progress. */
  requests: number;
  state: 'anonymous' | 'signedIn' | 'closed';
  caller: string | undefined;
}

/**
 * If there are too many, the connection to close is one of this many that have been idle longest: that of the address
 * with the most connections.
 */
const LOOK_AT = 16;
const CLOSE_WITHIN = 2_000;
const TELL_EVERY = 60_000;

/** Sends a last message and closes, even if the other side neither reads it nor closes its half. */
export function endSoon(socket: Duplex, lastWord: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(lastWord);
  const timer = setTimeout(() => socket.destroy(), CLOSE_WITHIN).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** One TCP connection, before TLS and after. */
const peerOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`;

/**
 * All connections of the server, so that unauthenticated ones never take the file handles of authenticated ones:
 * anonymous ones have their own share, and within it the longest idle is closed first. See
 * docs/decisions/connection-limits.md.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #clients: ClientAddresses;
  readonly #log: Log;
  readonly #entries = new WeakMap<Duplex, Entry>();
  /** The longest idle first. */
  readonly #anonymous = new Set<Entry>();
  readonly #byAddress = new Map<string, Set<Entry>>();
  readonly #byCaller = new Map<string, number>();
  readonly #handles = { anonymous: 0, signedIn: 0 };
  #closed = 0;
  #told = { at: -Infinity, closed: 0 };

  constructor(limits: ConnectionLimits, trustedProxies: readonly string[], log: Log) {
    this.#limits = limits;
    this.#clients = clientAddresses(trustedProxies);
    this.#log = log;
  }

  /** Connections by group, in file handles, and how many were closed to free handles. */
  get counts(): { anonymous: number; signedIn: number; closed: number } {
    return { ...this.#handles, closed: this.#closed };
  }

  /**
   * Counts the connections of a server; one without traffic for `stalled` milliseconds is closed, unless its request is
   * in progress.
   */
  watch(server: Server, stalled: number): void {
    const beforeTls = new Map<string, Entry>();
    server.on('connection', (socket: Socket) => {
      const entry = this.#add(socket);
      const peer = peerOf(socket);
      beforeTls.set(peer, entry);
      socket.once('close', () => {
        if (beforeTls.get(peer) === entry) beforeTls.delete(peer);
      });
    });
    server.on('secureConnection', (socket: Socket) => {
      const entry = beforeTls.get(peerOf(socket));
      if (entry) this.#entries.set(socket, entry);
    });
    server.timeout = stalled;
    server.on('timeout', (socket: Socket) => {
      const isWorking = (this.#entries.get(socket)?.requests ?? 0) > 0;
      if (!isWorking || socket.writableLength > 0) socket.destroy();
    });
  }

  /** The head of a request has arrived. */
  asked(request: IncomingMessage, response?: ServerResponse): ClientConnection {
    const { socket } = request;
    const entry = this.#entries.get(socket);
    if (entry) {
      if (response) {
        entry.requests += 1;
        response.once('close', () => {
          entry.requests -= 1;
        });
      }
      if (entry.state === 'anonymous')
        this.#change(entry, () => {
          entry.address = networkOf(this.#clients.of(request));
        });
    }
    return { signedIn: (caller) => this.signedIn(socket, caller), takes: (handles) => this.#takes(socket, handles) };
  }

  /** The caller is authenticated. Above the limit of one caller or of all, the connection stays anonymous. */
  signedIn(socket: Duplex, caller: string | undefined): void {
    const entry = this.#entries.get(socket);
    if (entry?.state !== 'anonymous' || this.#handles.signedIn + entry.handles > this.#limits.signedIn) return;
    if (caller !== undefined) {
      const has = this.#byCaller.get(caller) ?? 0;
      if (has >= this.#limits.perCaller) return;
      this.#byCaller.set(caller, has + 1);
    }
    this.#leave(entry);
    entry.state = 'signedIn';
    entry.caller = caller;
    this.#handles.signedIn += entry.handles;
  }

  /**
   * Closes anonymous connections without a request in progress: nothing is lost, and the server closes without waiting
   * for them.
   */
  close(): void {
    for (const entry of this.#anonymous) if (entry.requests === 0) this.#end(entry);
  }

  #add(socket: Socket): Entry {
    const { remoteAddress } = socket;
    const address =
      remoteAddress === undefined || this.#clients.isProxy(remoteAddress) ? undefined : networkOf(remoteAddress);
    const entry: Entry = { socket, address, handles: 1, requests: 0, state: 'anonymous', caller: undefined };
    this.#entries.set(socket, entry);
    socket.once('close', () => this.#forget(entry));
    this.#enter(entry);
    return entry;
  }

  #takes(socket: Duplex, handles: number): void {
    const entry = this.#entries.get(socket);
    if (entry?.state === 'anonymous')
      this.#change(entry, () => {
        entry.handles += handles;
      });
    else if (entry?.state === 'signedIn') {
      entry.handles += handles;
      this.#handles.signedIn += handles;
    }
  }

  /** Changes an anonymous connection, which then counts as the most recently active. */
  #change(entry: Entry, change: () => void): void {
    this.#leave(entry);
    change();
    this.#enter(entry);
  }

  #enter(entry: Entry): void {
    this.#anonymous.add(entry);
    this.#handles.anonymous += entry.handles;
    if (entry.address !== undefined) {
      const own = this.#byAddress.get(entry.address) ?? new Set();
      this.#byAddress.set(entry.address, own.add(entry));
      const [oldest] = own;
      if (own.size > this.#limits.perAddress && oldest) this.#makeRoom(oldest);
    }
    while (this.#handles.anonymous > this.#limits.anonymous) this.#makeRoom(this.#leastMissed() ?? entry);
  }

  #leave(entry: Entry): void {
    if (!this.#anonymous.delete(entry)) return;
    this.#handles.anonymous -= entry.handles;
    if (entry.address === undefined) return;
    const own = this.#byAddress.get(entry.address);
    own?.delete(entry);
    if (own?.size === 0) this.#byAddress.delete(entry.address);
  }

  #leastMissed(): Entry | undefined {
    let [found] = this.#anonymous;
    const weight = ({ address }: Entry): number =>
      address === undefined ? 0 : (this.#byAddress.get(address)?.size ?? 0);
    for (const entry of this.#anonymous.values().take(LOOK_AT))
      if (found && weight(entry) > weight(found)) found = entry;
    return found;
  }

  #makeRoom(entry: Entry): void {
    this.#closed += 1;
    this.#end(entry);
    const now = performance.now();
    if (now - this.#told.at < TELL_EVERY) return;
    this.#log.warn(
      { closed: this.#closed - this.#told.closed, ...this.#handles },
      'There are too many connections nobody has signed in on: the longest idle are closed',
    );
    this.#told = { at: now, closed: this.#closed };
  }

  #end(entry: Entry): void {
    this.#forget(entry);
    entry.socket.destroy();
  }

  #forget(entry: Entry): void {
    if (entry.state === 'anonymous') this.#leave(entry);
    else if (entry.state === 'signedIn') {
      this.#handles.signedIn -= entry.handles;
      const { caller } = entry;
      const left = caller === undefined ? 0 : (this.#byCaller.get(caller) ?? 0) - 1;
      if (caller !== undefined) {
        if (left > 0) this.#byCaller.set(caller, left);
        else this.#byCaller.delete(caller);
      }
    }
    entry.state = 'closed';
  }
}
