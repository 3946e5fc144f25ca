import { once } from 'node:events';
import { createServer, isIPv4, isIPv6, type Server, type Socket } from 'node:net';
import type { Counters } from '../../counters.ts';
import { address, memory, reserve } from './arena.ts';
import { bindings } from './bindings.ts';
import { FrameReader, FrameWriter } from './framing.ts';
import type { PacketQueue } from './packet-queue.ts';
import type { Path } from './path.ts';
import { BlockPool, SLOT_BYTES } from './slots.ts';
import { AF_INET, AF_INET6, writeSocketAddress } from './socket-address.ts';

/** Connections in all, and those that have not sent an authentic check: in all, and of one address. */
const MOST = 4096;
const MOST_STRANGERS = 512;
const MOST_STRANGERS_PER_ADDRESS = 64;
/** An authentic check has to come within this time and within so many frames. */
const STRANGER_MS = 5000;
const STRANGER_FRAMES = 16;
/** ICE sends checks on every connection that it keeps; one that is silent for so long is left. */
const SILENT_MS = 60_000;
const SWEEP_MS = 1000;
/**
 * Bytes that may wait in this process: above, video is dropped, in whole packets, so that what follows is not late;
 * then everything else.
 */
const VIDEO_WAITS = 16_384;
const ALL_WAITS = 65_536;
/** Bytes that the kernel takes before the network does. */
const KERNEL_WAITS = 16_384;
const IPPROTO_TCP = 6;
const TCP_NOTSENT_LOWAT = 25;
const BATCH_BYTES = 65_536;

const names = new BlockPool(64, 64, MOST);
const slot = reserve(SLOT_BYTES);
const optionAt = reserve(64);
const batch = new FrameWriter(BATCH_BYTES);

/** What TCP connections use of their hub. */
interface TcpHub {
  readonly counters: Counters;
  /** One packet in the arena. Returns false if it is not authentic, or the path is unknown. */
  receive(at: number, length: number, path: Path): boolean;
  /** The connection is closed. */
  pathClosed(path: Path): void;
}

/** Lets the kernel take little more than the network does, where it can. */
function keepKernelShort(socket: Socket): void {
  // Node documents no way to the descriptor.
  const handle = Reflect.get(socket, '_handle') as { fd?: number } | null;
  const fd = handle?.fd ?? -1;
  if (fd < 0) return;
  memory.writeInt32LE(KERNEL_WAITS, optionAt);
  bindings().libc.setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, address(optionAt, 4), 4);
}

/** Writes the peer's address as the kernel gives it; IPv4 also where it is mapped. */
function writeName(at: number, { remoteAddress = '', remotePort = 0 }: Socket): void {
  const host = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (isIPv4(host)) writeSocketAddress(at, AF_INET, host, remotePort);
  else writeSocketAddress(at, AF_INET6, isIPv6(host) ? host : undefined, remotePort);
}

/** What a connection uses of the list that it is in. */
interface Owner {
  readonly hub: TcpHub;
  /** Milliseconds. */
  now(): number;
  /** An authentic check came over it. */
  known(path: TcpPath): void;
  forget(path: TcpPath): void;
}

/** A TCP connection of a peer (RFC 6544), with packets framed by RFC 4571. */
class TcpPath implements Path {
  readonly kind = 'tcp';
  readonly nameAt: number;
  readonly address: string;
  readonly createdAt: number;
  heardAt: number;
  readonly #socket: Socket;
  readonly #owner: Owner;
  readonly #reader: FrameReader;
  #isKnown = false;
  #frames = 0;
  #closed = false;

  constructor(socket: Socket, nameAt: number, owner: Owner) {
    this.#socket = socket;
    this.#owner = owner;
    this.nameAt = nameAt;
    this.address = socket.remoteAddress ?? '';
    this.createdAt = owner.now();
    this.heardAt = this.createdAt;
    this.#reader = new FrameReader(SLOT_BYTES, (bytes, at, length) => this.#receive(bytes, at, length));
    writeName(nameAt, socket);
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.destroy());
    socket.on('close', () => this.#gone());
  }

  /** Reads what came over the connection. */
  read(chunk: Buffer): void {
    if (this.#closed) return;
    this.heardAt = this.#owner.now();
    if (!this.#reader.read(chunk)) this.close();
  }

  sendNow(at: number, length: number): boolean {
    if (this.#closed || this.#socket.writableLength > ALL_WAITS) {
      this.#owner.hub.counters.packetsUnsent += 1;
      return false;
    }
    const frame = Buffer.allocUnsafe(2 + length);
    frame.writeUInt16BE(length, 0);
    memory.copy(frame, 2, at, at + length);
    this.#socket.write(frame);
    return true;
  }

  sendMany(queue: PacketQueue): void {
    const { counters } = this.#owner.hub;
    const waiting = this.#socket.writableLength;
    for (let index = 0; index < queue.sealed; index += 1) {
      // A burst is offered to the kernel first: only what it left before is an obstacle to video.
      const isSent =
        !this.#closed &&
        waiting + batch.length <= ALL_WAITS &&
        (waiting <= VIDEO_WAITS || !queue.isVideo(index)) &&
        batch.append(memory, queue.slots[index]!, queue.lengthOf(index));
      if (!isSent) counters.packetsUnsent += 1;
    }
    queue.done = queue.sealed;
    if (batch.length > 0) this.#socket.write(batch.take());
  }

  close(): void {
    this.#socket.destroy();
    this.#gone();
  }

  #receive(bytes: Buffer, at: number, length: number): boolean {
    bytes.copy(memory, slot, at, at + length);
    const isAuthentic = this.#owner.hub.receive(slot, length, this);
    if (this.#isKnown) return !this.#closed;
    this.#frames += 1;
    this.#isKnown = isAuthentic;
    if (isAuthentic) this.#owner.known(this);
    return !this.#closed && (isAuthentic || this.#frames < STRANGER_FRAMES);
  }

  #gone(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#owner.hub.pathClosed(this);
    this.#owner.forget(this);
    names.give(this.nameAt);
  }
}

/** The TCP connections of a hub, also those that another process accepted. Their number is bounded. */
export class TcpConnections {
  readonly hub: TcpHub;
  readonly #clock: () => number;
  readonly #paths = new Set<TcpPath>();
  /** Those without an authentic check. */
  readonly #strangers = new Set<TcpPath>();
  readonly #timer: NodeJS.Timeout;
  #server: Server | undefined;
  #closed = false;

  /** @param clock milliseconds of a clock that never goes back */
  constructor(hub: TcpHub, clock: () => number = () => performance.now()) {
    this.hub = hub;
    this.#clock = clock;
    this.#timer = setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  get count(): number {
    return this.#paths.size;
  }

  now(): number {
    return Math.floor(this.#clock());
  }

  /**
   * Listens on a port; without an address, on all of both families. Returns the port.
   *
   * @throws Error with the code EADDRINUSE, EACCES or EADDRNOTAVAIL
   */
  async listen(port: number, host?: string): Promise<number> {
    const server = createServer({ noDelay: true }, (socket) => this.accept(socket));
    server.listen({ port, ...(host === undefined ? {} : { host }) });
    await once(server, 'listening');
    // e.g. EMFILE: the connection is lost, and the peer tries another way
    server.on('error', () => undefined);
    this.#server = server;
    const bound = server.address();
    return typeof bound === 'object' && bound ? bound.port : port;
  }

  /** Takes over a connection, of which `head` has been read. One that is above the limits is closed. */
  accept(socket: Socket, head?: Buffer): void {
    const nameAt = this.#mayAccept(socket) ? names.take() : 0;
    if (nameAt === 0) {
      this.hub.counters.tcpRefused += 1;
      socket.on('error', () => undefined).destroy();
      return;
    }
    this.hub.counters.tcpConnections += 1;
    socket.setNoDelay(true);
    keepKernelShort(socket);
    const path = new TcpPath(socket, nameAt, this);
    this.#paths.add(path);
    this.#strangers.add(path);
    if (head) path.read(head);
    socket.resume();
  }

  known(path: TcpPath): void {
    this.#strangers.delete(path);
  }

  forget(path: TcpPath): void {
    this.#paths.delete(path);
    this.#strangers.delete(path);
  }

  /** Closes connections without an authentic check, and silent ones. */
  sweep(): void {
    const now = this.now();
    for (const path of this.#paths) {
      const isLate = this.#strangers.has(path) && now - path.createdAt >= STRANGER_MS;
      if (isLate) this.hub.counters.tcpRefused += 1;
      if (isLate || now - path.heardAt >= SILENT_MS) path.close();
    }
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#server?.close();
    for (const path of this.#paths) path.close();
  }

  #mayAccept({ remoteAddress }: Socket): boolean {
    if (this.#closed || remoteAddress === undefined || this.#paths.size >= MOST) return false;
    let own = 0;
    for (const path of this.#strangers) if (path.address === remoteAddress) own += 1;
    // A proxy on this machine has one address for all.
    const isLocal = /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress);
    return this.#strangers.size < MOST_STRANGERS && (isLocal || own < MOST_STRANGERS_PER_ADDRESS);
  }
}
