import type { Socket } from 'node:net';
import type { Counters } from '../../counters.ts';
import type { Log } from '../../options.ts';
import type { MediaPort, TransportHandler } from '../transport.ts';
import { AddressTable } from './address-table.ts';
import { memory, reserve } from './arena.ts';
import { BindingRequest } from './binding-request.ts';
import { DtlsContext } from './dtls.ts';
import { HoldTimer } from './hold-timer.ts';
import { TcpConnections } from './ice-tcp.ts';
import type { PacketQueue } from './packet-queue.ts';
import type { Path } from './path.ts';
import { PeerPath, UdpPath } from './peer-path.ts';
import { Peer, type PeerHub } from './peer.ts';
import { sendBatch } from './send-batch.ts';
import { SLOT_BYTES, slots } from './slots.ts';
import { StrangerLimits } from './stranger-limits.ts';
import { writeError, writeSuccess } from './stun.ts';
import { UdpSocket } from './udp.ts';

/** Video waits this long for more packets to the same peer, ms. */
const HOLD_MS = 2;
/** Packets that wait while the kernel's buffer is full: 2 MB of 1,200 bytes. */
const BLOCKED_PACKETS = 1700;
/** Packets without video that wait for one peer then. */
const BLOCKED_SOUND = 64;
const TICK_MS = 1000;
/** An address that something authentic came from within this time is in use, ticks of 10 ms. */
const IN_USE = 200;
/** Peers that may have sent a packet from an unknown address: looked at, and tried. */
const LOOKS = 256;
const TRIES = 16;

const request = new BindingRequest(memory);
const responseAt = reserve(256);
const attemptAt = reserve(SLOT_BYTES);

export interface HubOptions {
  /** 0 for any free one. */
  udpPort: number;
  bindAddress?: string;
  /** The first characters of every local user name fragment. */
  ufragPrefix?: string;
  counters: Counters;
  log: Log;
  /** Milliseconds of a clock that never goes back. */
  clock?: () => number;
}

const nothing = (): void => undefined;

/** The UDP port of an engine with all its peers: finds the peer of each datagram, and sends what waits for them. */
export class Hub implements MediaPort, PeerHub {
  readonly kind = 'native';
  readonly ufragPrefix: string;
  readonly counters: Counters;
  readonly log: Log;
  readonly #clock: () => number;
  readonly context = DtlsContext.create();
  readonly #socket: UdpSocket;
  readonly #tcp: TcpConnections;
  readonly #strangers = new StrangerLimits();
  readonly #peers = new Set<Peer>();
  readonly #byUfrag = new Map<string, Peer>();
  readonly #byAddress: AddressTable<PeerPath<Peer>>;
  /** TCP connections. */
  readonly #byPath = new Map<Path, PeerPath<Peer>>();
  readonly #bySource = new Map<number, Peer[]>();
  #nextCandidate = 0;
  /** Peers with packets that wait: the first `#waitingCount`. */
  readonly #waiting: (Peer | undefined)[] = [];
  #waitingCount = 0;
  #isBlocked = false;
  /** Packets that wait while the kernel's buffer is full. */
  #blockedPackets = 0;
  #isReading = false;
  #isFlushDue = false;
  #isUrgent = false;
  #isTurnDue = false;
  readonly #hold: HoldTimer;
  #isHolding = false;
  #now = 0;
  readonly #ticks: NodeJS.Timeout;
  #closed = false;

  /** @throws Error with the code EADDRINUSE, EACCES or EADDRNOTAVAIL, like binding */
  constructor({ udpPort, bindAddress, ufragPrefix = '', counters, log, clock }: HubOptions) {
    this.#clock = clock ?? (() => performance.now());
    this.ufragPrefix = ufragPrefix;
    this.counters = counters;
    this.log = log;
    this.#socket = new UdpSocket(udpPort, bindAddress, {
      datagram: (at, length, nameAt) => {
        try {
          this.#receive(at, length, nameAt);
        } catch (error) {
          this.#failed(error);
        }
      },
      batchEnd: () => this.#batchEnd(),
      writable: () => this.#writable(),
    });
    this.#byAddress = new AddressTable(this.#socket.nameBytes);
    this.#tcp = new TcpConnections(this, this.#clock);
    this.#hold = new HoldTimer(() => this.#holdOver());
    this.#ticks = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  get udpPort(): number {
    return this.#socket.port;
  }

  /** Ticks of 10 ms, which fit a small integer for 124 days; read once for datagrams that come together. */
  now(): number {
    if (!this.#isReading) this.#now = Math.floor(this.#clock() / 10);
    return this.#now;
  }

  create(name: string, handler: TransportHandler): Peer {
    return new Peer(name, this, handler);
  }

  release(): void {
    if (this.#closed) return;
    for (const peer of this.#peers) peer.close();
    this.#closed = true;
    clearInterval(this.#ticks);
    this.#hold.close();
    this.#tcp.close();
    this.#socket.close();
    this.context.free();
  }

  acceptTcp(socket: Socket, head: Buffer): void {
    this.#tcp.accept(socket, head);
  }

  async listenTcp(port: number, host?: string): Promise<number> {
    return await this.#tcp.listen(port, host);
  }

  addPeer(peer: Peer): void {
    this.#peers.add(peer);
  }

  addUfrag(ufrag: string, peer: Peer): void {
    this.#byUfrag.set(ufrag, peer);
  }

  removeUfrag(ufrag: string): void {
    this.#byUfrag.delete(ufrag);
  }

  /** The peer uses this source from now on. Several may: browsers that only receive report as source 1. */
  addSource(ssrc: number, peer: Peer): void {
    const peers = this.#bySource.get(ssrc);
    if (peers) peers.push(peer);
    else this.#bySource.set(ssrc, [peer]);
  }

  removePeer(peer: Peer, ufrags: readonly string[], sources: readonly number[]): void {
    this.#peers.delete(peer);
    for (const ufrag of ufrags) this.#byUfrag.delete(ufrag);
    for (const ssrc of sources) this.#removeSource(ssrc, peer);
    if (!peer.queue.isWaiting) return;
    this.#flushAll();
    const index = this.#waiting.indexOf(peer);
    if (index < 0) return;
    this.#blockedPackets -= peer.queue.count;
    this.#waitingCount -= 1;
    this.#waiting[index] = this.#waiting[this.#waitingCount];
    this.#waiting[this.#waitingCount] = undefined;
    peer.queue.isWaiting = false;
  }

  forgetPath(path: PeerPath<Peer>): void {
    if (path.path.kind === 'udp') this.#byAddress.remove(path);
    else this.#byPath.delete(path.path);
    path.path.close();
  }

  /** A TCP connection was closed by the other side. */
  pathClosed(path: Path): void {
    const known = this.#byPath.get(path);
    if (known) known.peer.removePath(known);
  }

  /** A slot for one packet of this queue; 0 if there is none. While the kernel's buffer is full, old video goes. */
  takeSlot(queue: PacketQueue): number {
    if (this.#isBlocked && this.#blockedPackets >= BLOCKED_PACKETS) {
      if (queue.dropVideo()) {
        this.#blockedPackets -= 1;
        this.counters.packetsUnsent += 1;
      } else if (queue.count >= BLOCKED_SOUND) {
        this.counters.packetsUnsent += 1;
        return 0;
      }
    }
    const slot = slots.take();
    if (slot === 0) this.counters.packetsUnsent += 1;
    else if (this.#isBlocked) this.#blockedPackets += 1;
    return slot;
  }

  /** The peer has packets in its queue. */
  wait(peer: Peer, isUrgent: boolean): void {
    const { queue } = peer;
    if (!queue.isWaiting) {
      queue.isWaiting = true;
      this.#waiting[this.#waitingCount] = peer;
      this.#waitingCount += 1;
    }
    if (isUrgent) {
      queue.isUrgent = true;
      this.#isUrgent = true;
      if (this.#isReading || this.#isFlushDue) return;
      this.#isFlushDue = true;
      setImmediate(this.#flushDue);
    } else if (!this.#isHolding) {
      this.#isHolding = true;
      this.#hold.start(HOLD_MS);
    }
  }

  /**
   * JavaScript that libuv calls through FFI has no microtasks after it: has them run soon, for handlers that use
   * promises.
   */
  needsTurn(): void {
    this.#isTurnDue = true;
  }

  /**
   * One datagram that came by TCP, in the arena. Returns false if the connection carries nothing that belongs here.
   *
   * @param path its `nameAt` is the address of the peer
   */
  receive(at: number, length: number, path: Path): boolean {
    if (this.#closed || length < 1) return false;
    const known = this.#byPath.get(path);
    if (memory[at]! < 4) return this.#check(at, length, path.nameAt, known, () => path);
    if (!known) {
      this.counters.packetsForeign += 1;
      return false;
    }
    known.peer.receive(at, length, known);
    return true;
  }

  readonly #flushDue = (): void => {
    this.#isFlushDue = false;
    this.#flush(true);
  };

  #holdOver(): void {
    this.#isHolding = false;
    this.#flushAll();
  }

  #receive(at: number, length: number, nameAt: number): void {
    if (!this.#isReading) {
      this.#now = Math.floor(this.#clock() / 10);
      this.#isReading = true;
    }
    if (length < 1 || this.#closed) return;
    const known = this.#byAddress.find(nameAt);
    if (memory[at]! < 4) {
      if (!known && !this.#strangers.allows(nameAt, this.#now * 10)) {
        this.counters.packetsThrottled += 1;
        return;
      }
      this.#check(at, length, nameAt, known, () => new UdpPath(this.#socket, nameAt));
    } else if (known) known.peer.receive(at, length, known);
    else this.#receiveForeign(at, length, nameAt);
  }

  /** Answers a binding request. Returns whether it was authentic. */
  #check(at: number, length: number, nameAt: number, known: PeerPath<Peer> | undefined, makePath: () => Path): boolean {
    if (!request.read(at, length)) {
      this.counters.packetsRefused += 1;
      return false;
    }
    const { localUfrag } = request;
    const peer = this.#byUfrag.get(localUfrag);
    const password = peer?.passwordFor(localUfrag, request.remoteUfrag);
    if (!peer || password === undefined || !request.verify(password)) {
      if (known) this.counters.packetsRefused += 1;
      else this.counters.packetsForeign += 1;
      return false;
    }
    const code = request.unknownType === 0 ? request.isControlled && 487 : 420;
    const path = known?.peer === peer ? known : this.#addPath(peer, known, makePath);
    if (!path) return false;
    const answer = code === false ? 0 : writeError(responseAt, request, code, password);
    path.path.sendNow(responseAt, answer === 0 ? writeSuccess(responseAt, request, nameAt, password) : answer);
    if (code === false) peer.handleCheck(path, localUfrag, request.nominates, request.priority);
    return true;
  }

  #addPath(peer: Peer, known: PeerPath<Peer> | undefined, makePath: () => Path): PeerPath<Peer> | undefined {
    // An address belongs to the peer that used it last: its ports are reused. One in use is not given up, or a
    // participant could take another's by checks with a forged sender.
    if (known && (known.path.kind === 'tcp' || this.now() - known.heardAt < IN_USE)) return undefined;
    known?.peer.removePath(known);
    if (!peer.makeRoom()) return undefined;
    const path = makePath();
    const isUdp = path.kind === 'udp';
    const added = new PeerPath(path, peer, isUdp ? this.#byAddress.hash(path.nameAt) : 0, this.now());
    if (isUdp) this.#byAddress.add(added);
    else this.#byPath.set(path, added);
    peer.addPath(added);
    return added;
  }

  #removeSource(ssrc: number, peer: Peer): void {
    const peers = this.#bySource.get(ssrc);
    const index = peers?.indexOf(peer) ?? -1;
    if (index >= 0) peers!.splice(index, 1);
    if (peers?.length === 0) this.#bySource.delete(ssrc);
  }

  /** Media from an unknown address may come from a peer whose address changed, which its source names. */
  #receiveForeign(at: number, length: number, nameAt: number): void {
    const first = memory[at]!;
    if (first < 128 || first > 191 || length < 20 || length > SLOT_BYTES) this.counters.packetsForeign += 1;
    else if (!this.#strangers.allows(nameAt, this.#now * 10)) this.counters.packetsThrottled += 1;
    else if (!this.#follow(at, length, nameAt)) this.counters.packetsForeign += 1;
  }

  /** Tries the packet with the silent peers of its source, a bounded number at a time: the next packets try others. */
  #follow(at: number, length: number, nameAt: number): boolean {
    const type = memory[at + 1]! & 0x7f;
    const peers = this.#bySource.get(memory.readInt32BE(at + (type >= 64 && type <= 95 ? 4 : 8)));
    if (!peers) return false;
    let tries = 0;
    for (let looked = 0; looked < peers.length && looked < LOOKS && tries < TRIES; looked += 1) {
      this.#nextCandidate = (this.#nextCandidate + 1) % peers.length;
      const peer = peers[this.#nextCandidate]!;
      if (!peer.mayHaveMoved) continue;
      tries += 1;
      // an attempt that fails spoils the packet
      memory.copyWithin(attemptAt, at, at + length);
      const makePath = (): PeerPath<Peer> | undefined =>
        this.#addPath(peer, undefined, () => new UdpPath(this.#socket, nameAt));
      if (!peer.receiveForeign(attemptAt, length, makePath)) continue;
      this.#nextCandidate -= 1;
      return true;
    }
    return false;
  }

  /** Logs an exception: a fault of this program. It must not end the process, nor what was received with it. */
  #failed(error: unknown): void {
    const stack = error instanceof Error ? error.stack : String(error);
    this.log('error', 'a datagram could not be handled', { error: stack });
  }

  #batchEnd(): void {
    this.#isReading = false;
    if (this.#isUrgent) this.#flush(true);
    if (!this.#isTurnDue) return;
    this.#isTurnDue = false;
    setImmediate(nothing);
  }

  #writable(): void {
    this.#isBlocked = false;
    this.#flushAll();
  }

  #flushAll(): void {
    this.#flush(false);
  }

  /** Sends what waits, of all peers or of those with something that must not wait. */
  #flush(onlyUrgent: boolean): void {
    if (this.#isBlocked || this.#closed) return;
    this.#isUrgent = false;
    const count = this.#waitingCount;
    const batch = sendBatch();
    batch.begin(this.#socket);
    for (let index = 0; index < count; index += 1) {
      const peer = this.#waiting[index]!;
      if (onlyUrgent && !peer.queue.isUrgent) continue;
      peer.prepare();
      const path = peer.target;
      if (path instanceof UdpPath) batch.add(peer.queue, path);
      else if (path?.sendMany) path.sendMany(peer.queue);
      else peer.queue.done = peer.queue.count;
    }
    batch.end();
    this.counters.packetsUnsent += batch.unsent;
    this.#isBlocked = batch.isBlocked;
    this.#removeSent(count);
    if (this.#isBlocked) this.#blocked();
  }

  #blocked(): void {
    this.#socket.awaitWritable();
    this.#blockedPackets = 0;
    for (let index = 0; index < this.#waitingCount; index += 1)
      this.#blockedPackets += this.#waiting[index]!.queue.count;
  }

  /** Keeps the peers that still have packets waiting. */
  #removeSent(count: number): void {
    let kept = 0;
    for (let index = 0; index < count; index += 1) {
      const peer = this.#waiting[index]!;
      const { queue } = peer;
      queue.removeDone();
      if (queue.count > 0) {
        this.#waiting[kept] = peer;
        kept += 1;
      } else {
        queue.isWaiting = false;
        queue.isUrgent = false;
      }
    }
    for (let index = count; index < this.#waitingCount; index += 1) {
      this.#waiting[kept] = this.#waiting[index];
      kept += 1;
    }
    this.#waiting.fill(undefined, kept, this.#waitingCount);
    this.#waitingCount = kept;
  }

  #tick(): void {
    const now = this.now();
    for (const peer of this.#peers) peer.tick(now);
  }
}
