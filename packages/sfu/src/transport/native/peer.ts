import type { TransportParameters } from '@rmeet/rtp/sdp';
import type { Counters } from '../../counters.ts';
import type { Log } from '../../options.ts';
import type { Transport, TransportHandler } from '../transport.ts';
import { memory } from './arena.ts';
import { DataChannels, type DataHandler } from './data-channels.ts';
import { type DtlsContext, DtlsSession, type SrtpKeying } from './dtls.ts';
import { IceSession, newCredentials } from './ice.ts';
import { PacketQueue, type Sealer } from './packet-queue.ts';
import { packetView } from './packet-view.ts';
import { padEqually } from './padding.ts';
import type { Path } from './path.ts';
import { PeerPath } from './peer-path.ts';
import { SealedPackets } from './sealed-packets.ts';
import { PACKET_BYTES } from './slots.ts';
import { SrtpSession } from './srtp.ts';

/** Addresses of a peer that are remembered. */
const PATHS = 16;
/** Times in ticks of 10 ms. A selected path that was silent for this long may have been left. */
const SILENT = 15;
/** Nominations of other paths within this time are those of an agent that nominates all (aggressively). */
const RENOMINATED = 300;
/** A path that only media came from has to be verified by a check within this time. */
const UNVERIFIED = 500;
/** Consent to send expires (RFC 7675). */
const EXPIRED = 3000;
const SOURCES = 16;
/** Sources of a peer that the hub finds it by. */
const KNOWN_SOURCES = 256;

/** What a peer uses of its hub. */
export interface PeerHub {
  readonly ufragPrefix: string;
  readonly context: DtlsContext;
  readonly counters: Counters;
  readonly log: Log;
  /** Ticks of 10 ms. */
  now(): number;
  addPeer(peer: Peer): void;
  /** Removes the peer and what finds it, after sending what waits for it. */
  removePeer(peer: Peer, ufrags: readonly string[], sources: readonly number[]): void;
  /** Finds the peer by a user name fragment of ours from now on. */
  addUfrag(ufrag: string, peer: Peer): void;
  removeUfrag(ufrag: string): void;
  /** The peer uses this source from now on. */
  addSource(ssrc: number, peer: Peer): void;
  /** Closes a path. */
  forgetPath(path: PeerPath<Peer>): void;
  /** A slot for one packet of this queue; 0 if there is none. */
  takeSlot(queue: PacketQueue): number;
  /** The peer has packets in its queue; urgent ones are not held. */
  wait(peer: Peer, isUrgent: boolean): void;
  /** A handler may use promises: microtasks have to run soon. */
  needsTurn(): void;
}

/** Whether a packet of SRTP in the arena is RTCP (RFC 5761 section 4). */
function isRtcpAt(at: number): boolean {
  const type = memory[at + 1]! & 0x7f;
  return type >= 64 && type <= 95;
}

/** The transport of one peer: ICE-lite, DTLS, SRTP and data channels over the hub's socket. */
export class Peer implements Transport, Sealer {
  readonly queue = new PacketQueue();
  readonly #name: string;
  readonly #hub: PeerHub;
  readonly #handler: TransportHandler;
  readonly #ice: IceSession;
  readonly #paths: PeerPath<Peer>[] = [];
  #selected: PeerPath<Peer> | undefined;
  readonly #data: DataChannels;
  #dtls: DtlsSession | undefined;
  #isServer = true;
  #fingerprint = '';
  #outgoing: SrtpSession | undefined;
  /** Only for peers that lost sound. */
  #repeatable: SealedPackets | undefined;
  #incoming: SrtpSession | undefined;
  /** Sources seen lately, by their last bits, so that new ones are noticed. */
  readonly #recent = new Int32Array(SOURCES);
  readonly #sources: number[] = [];
  #heardAt: number;
  #used = false;
  #offers = false;
  #closed = false;

  constructor(name: string, hub: PeerHub, handler: TransportHandler) {
    this.#name = name;
    this.#hub = hub;
    this.#handler = handler;
    this.#ice = new IceSession(newCredentials(hub.ufragPrefix));
    this.#heardAt = hub.now();
    this.#data = new DataChannels(this.#dataHandler());
  }

  get connected(): boolean {
    return this.#outgoing !== undefined;
  }

  /** Where queued packets go; undefined before the first check. */
  get target(): Path | undefined {
    return this.#selected?.path;
  }

  accept(peer: TransportParameters): TransportParameters {
    this.#open(false);
    // this side waits for the client's first flight, unless the client wants to wait
    this.#isServer = peer.setup !== 'passive';
    this.#fingerprint = peer.fingerprint;
    this.#ice.setRemote(peer.iceUfrag);
    return this.#parameters(this.#isServer ? 'passive' : 'active');
  }

  offer(): TransportParameters {
    this.#open(true);
    return this.#parameters('actpass');
  }

  complete(peer: TransportParameters): void {
    if (this.#closed || !this.#used) return;
    if (!this.#dtls) {
      this.#isServer = peer.setup !== 'passive';
      this.#fingerprint = peer.fingerprint;
      this.#heardAt = this.#hub.now();
    }
    this.#ice.setRemote(peer.iceUfrag);
  }

  restart(peer?: TransportParameters): TransportParameters {
    const local = newCredentials(this.#hub.ufragPrefix);
    const dropped = this.#ice.restart(local, peer?.iceUfrag);
    if (dropped !== undefined) this.#hub.removeUfrag(dropped);
    if (!this.#closed) this.#hub.addUfrag(local.iceUfrag, this);
    return this.#parameters(this.#isServer ? 'passive' : 'active');
  }

  send(packet: Buffer, isVideo = false): boolean {
    if (!this.#outgoing || packet.length > PACKET_BYTES || packet.length < 8) return false;
    const slot = this.#hub.takeSlot(this.queue);
    if (slot === 0) return false;
    memory.set(packet, slot);
    this.queue.push(slot, packet.length, isVideo);
    this.#hub.wait(this, !isVideo);
    return true;
  }

  sendData(label: string, message: Uint8Array): 'sent' | 'dropped' | 'overflow' {
    return this.#data.send(label, message);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#release();
  }

  /** Pads and encrypts what waits. */
  prepare(): void {
    if (!this.#outgoing) return this.queue.clear();
    padEqually(this.queue);
    this.queue.seal(this);
  }

  seal(at: number, length: number): number {
    const outgoing = this.#outgoing!;
    if (isRtcpAt(at)) return outgoing.protectRtcp(at, length);
    const sealed = outgoing.protectRtp(at, length);
    if (sealed === 0) return this.#repeat(at);
    this.#repeatable?.keep(at, sealed);
    return sealed;
  }

  /** A packet whose number was used before: the same bytes again, if they are kept. They are from the first one on. */
  #repeat(at: number): number {
    this.#repeatable ??= new SealedPackets();
    return this.#repeatable.recall(at);
  }

  /** The password for a check, see IceSession. */
  passwordFor(localUfrag: string, remoteUfrag: string): string | undefined {
    return this.#closed ? undefined : this.#ice.passwordFor(localUfrag, remoteUfrag);
  }

  /** Whether another path may be added; the one that was silent longest makes room. */
  makeRoom(): boolean {
    if (this.#paths.length < PATHS) return true;
    let oldest: PeerPath<Peer> | undefined;
    for (const path of this.#paths)
      if (path !== this.#selected && (!oldest || path.heardAt < oldest.heardAt)) oldest = path;
    if (oldest) this.removePath(oldest);
    return oldest !== undefined;
  }

  addPath(path: PeerPath<Peer>): void {
    this.#paths.push(path);
  }

  removePath(path: PeerPath<Peer>): void {
    const index = this.#paths.indexOf(path);
    if (index < 0) return;
    this.#paths.splice(index, 1);
    this.#hub.forgetPath(path);
    if (path !== this.#selected) return;
    this.#selected = undefined;
    const verified = this.#paths.filter(({ isVerified }) => isVerified);
    const latest = verified.toSorted((a, b) => b.heardAt - a.heardAt)[0];
    if (latest) this.#select(latest, true);
  }

  /** An authentic check came by this path. */
  handleCheck(path: PeerPath<Peer>, localUfrag: string, nominates: boolean, priority: number): void {
    const now = this.#hub.now();
    const dropped = this.#ice.confirm(localUfrag);
    if (dropped !== undefined) this.#hub.removeUfrag(dropped);
    const selected = this.#selected;
    const isSilent = selected === undefined || now - selected.heardAt >= SILENT;
    // A first check from a new address shows that the old one was left. Later ones may keep a spare pair alive.
    if (path !== selected && ((isSilent && !path.isVerified) || (nominates && this.#outranks(path, priority, now))))
      this.#select(path, isSilent);
    path.isVerified = true;
    path.priority = priority;
    path.heardAt = now;
    this.#heardAt = now;
    if (nominates) path.nominatedAt = now;
    this.#startDtls();
  }

  /**
   * Whether a nominated pair replaces the selected one. It does at once, unless the peer nominates every pair by every
   * check (aggressive nomination of RFC 5245) and so means the pair of the highest priority.
   */
  #outranks(path: PeerPath<Peer>, priority: number, now: number): boolean {
    const selected = this.#selected!;
    if (selected.nominatedAt < 0 || priority >= selected.priority) return true;
    return path.nominatedAt > selected.nominatedAt || now - selected.nominatedAt > RENOMINATED;
  }

  /** A datagram that is not STUN, by a known path. */
  receive(at: number, length: number, path: PeerPath<Peer>): void {
    const first = memory[at]!;
    if (first >= 128 && first < 192) this.#receiveMedia(at, length, path);
    else if (first >= 20 && first < 64) {
      if (!this.#dtls) return;
      this.#hub.needsTurn();
      this.#dtls.receive(at, length);
    } else this.#hub.counters.packetsRefused += 1;
  }

  /** Whether nothing has come from the selected address lately. */
  get mayHaveMoved(): boolean {
    const selected = this.#selected;
    return this.#incoming !== undefined && selected !== undefined && this.#hub.now() - selected.heardAt >= SILENT;
  }

  /**
   * Media from an address that is not known: it is this peer's, whose address changed, if the packet is authentic. If
   * not, its bytes are spoilt. Returns whether it is.
   */
  receiveForeign(at: number, length: number, makePath: () => PeerPath<Peer> | undefined): boolean {
    if (!this.#incoming) return false;
    const isReport = isRtcpAt(at);
    const plain = isReport ? this.#incoming.unprotectRtcp(at, length) : this.#incoming.unprotectRtp(at, length);
    if (plain === 0) return false;
    const path = makePath();
    if (path) this.#select(path, true);
    this.#deliver(at, plain, isReport);
    return true;
  }

  /** Every second. */
  tick(now: number): void {
    if (this.#closed || !this.#used) return;
    const unverified = this.#paths.filter((path) => !path.isVerified && now - path.createdAt > UNVERIFIED);
    for (const path of unverified) this.removePath(path);
    if (this.#fingerprint !== '' && now - this.#heardAt > EXPIRED) this.#end('the peer is silent');
  }

  #receiveMedia(at: number, length: number, path: PeerPath<Peer>): void {
    if (!this.#incoming || length < 12) return;
    const isReport = isRtcpAt(at);
    const plain = isReport ? this.#incoming.unprotectRtcp(at, length) : this.#incoming.unprotectRtp(at, length);
    if (plain === 0) {
      this.#hub.counters.packetsRefused += 1;
      return;
    }
    const now = this.#hub.now();
    const selected = this.#selected;
    if (path !== selected && (selected === undefined || now - selected.heardAt >= SILENT)) this.#select(path, true);
    path.heardAt = now;
    this.#heardAt = now;
    this.#deliver(at, plain, isReport);
  }

  #deliver(at: number, length: number, isReport: boolean): void {
    this.#noteSource(memory.readInt32BE(at + (isReport ? 4 : 8)));
    const packet = packetView(at, length);
    try {
      if (isReport) this.#handler.handleRtcp(packet);
      else this.#handler.handleRtp(packet);
    } catch (error) {
      this.#failed('packet', error);
    }
  }

  #noteSource(ssrc: number): void {
    if (this.#recent[ssrc & (SOURCES - 1)] === ssrc) return;
    this.#recent[ssrc & (SOURCES - 1)] = ssrc;
    if (this.#sources.length >= KNOWN_SOURCES || this.#closed) return;
    if (this.#sources.includes(ssrc)) return;
    this.#hub.addSource(ssrc, this);
    this.#sources.push(ssrc);
  }

  #open(offers: boolean): void {
    if (this.#used || this.#closed) throw new Error('a transport connects once');
    this.#used = true;
    this.#hub.addPeer(this);
    this.#hub.addUfrag(this.#ice.local.iceUfrag, this);
    this.#offers = offers;
  }

  #dataHandler(): DataHandler {
    return {
      message: (label, message) => {
        if (this.#closed) return;
        try {
          this.#handler.handleData(label, message);
        } catch (error) {
          this.#failed('data message', error);
        }
      },
      write: (packet) => this.#dtls?.write(packet) ?? false,
      closed: (reason, wasConnected) => {
        this.#hub.log('debug', 'data channels ended', { transport: this.#name, reason });
        // its client would stay without data for good, and joins again instead; a client may have none at all
        if (wasConnected) this.#end('the data channels ended');
      },
    };
  }

  #parameters(setup: TransportParameters['setup']): TransportParameters {
    return { ...this.#ice.local, fingerprint: this.#hub.context.fingerprint, setup, iceLite: true };
  }

  /** @param wasSilent the path before was: what was sent there lately is lost */
  #select(path: PeerPath<Peer>, wasSilent: boolean): void {
    const before = this.#selected;
    this.#selected = path;
    if (!this.#outgoing || (before === undefined && !wasSilent)) return;
    const fields = { transport: this.#name, kind: path.path.kind, isVerified: path.isVerified };
    this.#hub.log('debug', 'the peer has a new address', fields);
    if (!wasSilent) return;
    try {
      this.#handler.handleMoved?.();
    } catch (error) {
      this.#failed('change of address', error);
    }
  }

  #startDtls(): void {
    if (this.#dtls || this.#fingerprint === '' || this.#closed) return;
    const options = { isServer: this.#isServer, fingerprint: this.#fingerprint };
    this.#dtls = new DtlsSession(this.#hub.context, options, {
      send: (at, length) => this.#selected?.path.sendNow(at, length),
      connected: (keying) => this.#connected(keying),
      data: (packet) => this.#data.receive(packet),
      closed: (reason) => this.#end(reason),
    });
    this.#dtls.start();
  }

  #connected({ profile, localKey, localSalt, remoteKey, remoteSalt }: SrtpKeying): void {
    if (this.#closed) return;
    this.#outgoing = new SrtpSession(profile, localKey, localSalt);
    this.#incoming = new SrtpSession(profile, remoteKey, remoteSalt);
    this.#data.start(!this.#isServer, this.#offers);
    try {
      this.#handler.handleConnected();
    } catch (error) {
      this.#failed('change of state', error);
    }
  }

  #end(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#hub.log('debug', 'transport closed', { transport: this.#name, reason });
    this.#release();
    try {
      this.#handler.handleClosed();
    } catch (error) {
      this.#failed('change of state', error);
    }
  }

  #release(): void {
    // the ends of data channels and DTLS are sent before their path is forgotten
    this.#data.close();
    this.#dtls?.close();
    this.#dtls = undefined;
    this.#hub.removePeer(this, this.#ice.ufrags, this.#sources);
    this.#selected = undefined;
    for (const path of this.#paths.splice(0)) this.#hub.forgetPath(path);
    this.queue.clear();
    this.#outgoing?.free();
    this.#incoming?.free();
    this.#outgoing = undefined;
    this.#incoming = undefined;
  }

  /** Logs an exception in a handler: a fault of this program, not of the peer. */
  #failed(what: string, error: unknown): void {
    const stack = error instanceof Error ? error.stack : String(error);
    this.#hub.log('error', `${what} could not be handled`, { transport: this.#name, error: stack });
  }
}
