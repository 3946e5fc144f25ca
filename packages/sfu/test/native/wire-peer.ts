import { createHmac, randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { memory, reserve } from '../../src/transport/native/arena.ts';
import { DtlsSession } from '../../src/transport/native/dtls.ts';
import type { Hub } from '../../src/transport/native/hub.ts';
import { SrtpSession } from '../../src/transport/native/srtp.ts';
import { SctpAssociation } from '../../src/transport/sctp/association.ts';
import type { SctpChannel } from '../../src/transport/sctp/options.ts';
import type { Transport } from '../../src/transport/transport.ts';
import { sharedContext } from './dtls-link.ts';

const at = reserve(2048);
const KEPT = 64;
/** Checks keep the consent of the other side (RFC 7675). */
const CHECK_EVERY_MS = 300;

/** A binding request of a controlling agent that nominates; `extra` are further attributes before the signature. */
export function bindingRequest(username: string, password: string, extra: Uint8Array = Buffer.alloc(0)): Buffer {
  const attribute = (type: number, value: Uint8Array): Buffer => {
    const head = Buffer.alloc(4);
    head.writeUInt16BE(type, 0);
    head.writeUInt16BE(value.length, 2);
    return Buffer.concat([head, value, Buffer.alloc(-value.length & 3)]);
  };
  const header = Buffer.concat([Buffer.from([0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42]), randomBytes(12)]);
  const signed = Buffer.concat([
    header,
    attribute(0x0006, Buffer.from(username)),
    attribute(0x0024, Buffer.from([0x6e, 0, 1, 0xff])),
    attribute(0x802a, randomBytes(8)),
    attribute(0x0025, Buffer.alloc(0)),
    extra,
  ]);
  signed.writeUInt16BE(signed.length - 20 + 24, 2);
  const whole = Buffer.concat([signed, attribute(0x0008, createHmac('sha1', password).update(signed).digest())]);
  whole.writeUInt16BE(whole.length - 20 + 8, 2);
  const check = Buffer.alloc(4);
  check.writeUInt32BE((crc32(whole) ^ 0x5354_554e) >>> 0);
  return Buffer.concat([whole, attribute(0x8028, check)]);
}

/** Datagrams of one kind as they went over the wire, the last ones. */
class Recording {
  readonly datagrams: Buffer[] = [];
  #next = 0;

  add(datagram: Buffer): void {
    this.datagrams[this.#next++ % KEPT] = datagram;
  }
}

/**
 * A genuine peer of a hub over a UDP socket: ICE, DTLS, SRTP and SCTP. It knows all that it sent, and counts what the
 * hub's handler got that it did not send, or got twice.
 */
export class WirePeer {
  readonly socket: Socket;
  readonly transport: Transport;
  /** What the handler got and must not have: forged, foreign or replayed. */
  readonly wrong: string[] = [];
  readonly recordings = {
    stun: new Recording(),
    dtls: new Recording(),
    srtp: new Recording(),
    srtcp: new Recording(),
    sctp: new Recording(),
  };
  sent = 0;
  delivered = 0;
  messages = 0;
  /** Authentic RTP packets that came back from the hub. */
  returned = 0;
  isClosed = false;
  /** Whether the hub has ended the connection: `handleClosed` was called. */
  isEnded = false;
  username = '';
  password = '';
  /** Runs before each DTLS datagram leaves. */
  beforeDtls: ((datagram: Buffer) => void) | undefined;
  readonly #port: number;
  readonly #expected = new Map<number, Buffer>();
  readonly #expectedMessages: Buffer[] = [];
  readonly #ssrc = randomBytes(4).readUInt32BE();
  #dtls: DtlsSession | undefined;
  #outgoing: SrtpSession | undefined;
  #incoming: SrtpSession | undefined;
  #sctp: SctpAssociation | undefined;
  #channel: SctpChannel | undefined;
  #checks: NodeJS.Timeout | undefined;
  #seq = 1000;
  #returnSeq = 0;

  private constructor(hub: Hub, name: string, socket: Socket) {
    this.socket = socket;
    this.#port = hub.udpPort;
    this.transport = hub.create(name, {
      handleConnected: () => undefined,
      handleClosed: () => {
        this.isClosed = true;
        this.isEnded = true;
      },
      handleRtp: (packet) => this.#got('RTP', packet, 12),
      handleRtcp: (packet) => this.#got('RTCP', packet, 8),
      handleData: (label, message) => this.#gotMessage(label, message),
    });
  }

  /** Joins; false in `isConnected` if it took longer than `withinMs`. */
  static async join(
    hub: Hub,
    name: string,
    {
      withinMs = 5000,
      beforeDtls,
    }: { withinMs?: number; beforeDtls?: (peer: WirePeer, datagram: Buffer) => void } = {},
  ): Promise<WirePeer> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const peer = new WirePeer(hub, name, socket);
    if (beforeDtls) peer.beforeDtls = (datagram) => beforeDtls(peer, datagram);
    peer.#connect();
    const end = performance.now() + withinMs;
    while (!peer.isConnected && !peer.isClosed && performance.now() < end) await turn();
    return peer;
  }

  get isConnected(): boolean {
    return !this.isClosed && this.#channel?.isOpen === true && this.transport.connected;
  }

  /** Packets that were sent and did not arrive. */
  get missing(): number {
    return this.#expected.size + this.#expectedMessages.length;
  }

  send(datagram: Uint8Array): void {
    this.socket.send(datagram, this.#port, '127.0.0.1');
  }

  sendRtp(): void {
    const packet = Buffer.alloc(12);
    packet.writeUInt16BE(0x8060, 0);
    packet.writeUInt16BE(this.#seq++ & 0xffff, 2);
    packet.writeUInt32BE(this.#ssrc, 8);
    this.#sendMedia('srtp', packet);
  }

  sendRtcp(): void {
    const packet = Buffer.alloc(8);
    packet.writeUInt16BE(0x80cc, 0);
    packet.writeUInt32BE(this.#ssrc, 4);
    this.#sendMedia('srtcp', packet);
  }

  sendMessage(bytes: number): void {
    const message = randomBytes(bytes);
    if (this.#sctp?.send(this.#channel!, message, true) === true) this.#expectedMessages.push(message);
  }

  /** An SCTP packet in a genuine DTLS record. */
  sendSctp(packet: Uint8Array): void {
    this.#dtls?.write(packet);
  }

  /** Ends the association by an ABORT; DTLS stays. */
  abortSctp(): void {
    this.#sctp?.close();
  }

  /** A packet the other way; it comes back into `returned`. */
  sendBack(): void {
    const packet = Buffer.alloc(200);
    packet.writeUInt16BE(0x8061, 0);
    packet.writeUInt16BE(this.#returnSeq++ & 0xffff, 2);
    packet.writeUInt32BE(77, 8);
    this.transport.send(packet);
  }

  /** Waits until all that was sent has arrived, at most half a second. */
  async settled(): Promise<void> {
    const end = performance.now() + 500;
    while (this.missing > 0 && performance.now() < end) await turn();
  }

  async close(): Promise<void> {
    clearInterval(this.#checks);
    this.#sctp?.close();
    this.#dtls?.close();
    this.#outgoing?.free();
    this.#incoming?.free();
    this.transport.close();
    this.socket.close();
    await once(this.socket, 'close');
  }

  #connect(): void {
    const own = { iceUfrag: randomBytes(4).toString('hex'), icePwd: randomBytes(12).toString('hex') };
    const { fingerprint } = sharedContext();
    const remote = this.transport.accept({ ...own, fingerprint, setup: 'active' });
    this.username = `${remote.iceUfrag}:${own.iceUfrag}`;
    this.password = remote.icePwd;
    this.socket.on('message', (datagram) => this.#receive(datagram));
    const check = (): void => {
      const request = bindingRequest(this.username, this.password);
      this.recordings.stun.add(request);
      this.send(request);
    };
    this.#checks = setInterval(check, CHECK_EVERY_MS);
    check();
  }

  #receive(datagram: Buffer): void {
    const first = datagram[0]!;
    if (datagram.readUInt16BE(0) === 0x0101) this.#startDtls();
    if (first >= 20 && first < 64) {
      memory.set(datagram, at);
      this.#dtls?.receive(at, datagram.length);
    } else if (first >= 128 && this.#incoming) {
      memory.set(datagram, at);
      if ((datagram[1]! & 0x7f) === 0x61 && this.#incoming.unprotectRtp(at, datagram.length) > 0) this.returned++;
    }
  }

  #startDtls(): void {
    if (this.#dtls) return;
    this.#dtls = new DtlsSession(
      sharedContext(),
      { isServer: false, fingerprint: sharedContext().fingerprint },
      {
        send: (from, length) => {
          const datagram = Buffer.from(memory.subarray(from, from + length));
          this.recordings.dtls.add(datagram);
          this.beforeDtls?.(datagram);
          this.send(datagram);
        },
        connected: ({ profile, localKey, localSalt, remoteKey, remoteSalt }) => {
          this.#outgoing = new SrtpSession(profile, localKey, localSalt);
          this.#incoming = new SrtpSession(profile, remoteKey, remoteSalt);
          this.#startSctp();
        },
        data: (packet) => this.#sctp?.receive(packet),
        closed: () => {
          this.isClosed = true;
        },
      },
    );
    this.#dtls.start();
  }

  #startSctp(): void {
    this.#sctp = new SctpAssociation(
      { isDtlsClient: true, maxMessageBytes: 65_536 },
      {
        send: (packet) => {
          this.recordings.sctp.add(Buffer.from(packet));
          return this.#dtls?.write(packet) ?? false;
        },
        connected: () => undefined,
        channelOpen: () => undefined,
        channelClosed: () => undefined,
        message: () => undefined,
        closed: () => undefined,
      },
    );
    this.#sctp.start();
    this.#channel = this.#sctp.openChannel('_reliable', { ordered: true });
  }

  /** Adds a number that no other packet has, and random bytes. */
  #sendMedia(kind: 'srtp' | 'srtcp', header: Buffer): void {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(++this.sent);
    const plain = Buffer.concat([header, number, randomBytes(4 * (1 + (this.sent % 100)))]);
    if (kind === 'srtcp') plain.writeUInt16BE(plain.length / 4 - 1, 2);
    memory.set(plain, at);
    const outgoing = this.#outgoing!;
    const { length } = plain;
    const sealed = kind === 'srtp' ? outgoing.protectRtp(at, length) : outgoing.protectRtcp(at, length);
    const datagram = Buffer.from(memory.subarray(at, at + sealed));
    this.#expected.set(this.sent, plain);
    this.recordings[kind].add(datagram);
    this.send(datagram);
  }

  #got(kind: string, packet: Buffer, header: number): void {
    const number = packet.length < header + 4 ? 0 : packet.readUInt32BE(header);
    if (this.#expected.get(number)?.equals(packet) === true) {
      this.#expected.delete(number);
      this.delivered++;
    } else this.wrong.push(`${kind} ${packet.subarray(0, 32).toString('hex')}`);
  }

  #gotMessage(label: string, message: Buffer): void {
    if (this.#expectedMessages[0]?.equals(message) === true) {
      this.#expectedMessages.shift();
      this.messages++;
    } else this.wrong.push(`${label} ${message.subarray(0, 32).toString('hex')}`);
  }
}
