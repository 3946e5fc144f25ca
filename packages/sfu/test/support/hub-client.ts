import { createHmac, randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect, isIPv6, type Socket as TcpSocket } from 'node:net';
import type { TransportParameters } from '@rmeet/rtp/sdp';
import { memory } from '../../src/transport/native/arena.ts';
import { DtlsContext, DtlsSession } from '../../src/transport/native/dtls.ts';
import { FrameReader } from '../../src/transport/native/framing.ts';
import { slots } from '../../src/transport/native/slots.ts';
import { SrtpSession } from '../../src/transport/native/srtp.ts';

const MAGIC_COOKIE = 0x2112_a442;

function attribute(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value, Buffer.alloc(-value.length & 3)]);
}

export interface CheckOptions {
  nominates?: boolean;
  controlled?: boolean;
  priority?: number;
  /** Further attributes before MESSAGE-INTEGRITY. */
  more?: Buffer;
  password?: string;
}

/** A binding request as a full ICE agent sends it. */
export function bindingRequest(local: string, remote: TransportParameters, options: CheckOptions = {}): Buffer {
  const { nominates = true, controlled = false, priority = 0x7e00_00ff, more, password = remote.icePwd } = options;
  const number = Buffer.alloc(4);
  number.writeUInt32BE(priority);
  const parts = [
    attribute(0x0006, Buffer.from(`${remote.iceUfrag}:${local}`)),
    attribute(0x0024, number),
    attribute(controlled ? 0x8029 : 0x802a, randomBytes(8)),
    ...(nominates ? [attribute(0x0025, Buffer.alloc(0))] : []),
    ...(more ? [more] : []),
  ];
  const head = Buffer.alloc(20);
  head.writeUInt16BE(1, 0);
  head.writeUInt32BE(MAGIC_COOKIE, 4);
  randomBytes(12).copy(head, 8);
  const body = Buffer.concat(parts);
  head.writeUInt16BE(body.length + 24, 2);
  const signature = createHmac('sha1', password).update(head).update(body).digest();
  return Buffer.concat([head, body, attribute(0x0008, signature)]);
}

export { attribute as stunAttribute };

/** An RTP packet with this many bytes of payload. */
export function rtpPacket(sequence: number, bytes: number, ssrc = 0x1234_5678): Buffer {
  const packet = Buffer.alloc(12 + bytes, sequence & 0xff);
  packet[0] = 0x80;
  packet[1] = 96;
  packet.writeUInt16BE(sequence, 2);
  packet.writeUInt32BE(sequence * 3000, 4);
  packet.writeUInt32BE(ssrc, 8);
  return packet;
}

/** The other side of a hub's peer: a full ICE agent with DTLS and SRTP, over sockets that it may change. */
export class HubClient {
  readonly ufrag = 'client';
  readonly received: Buffer[] = [];
  /** Responses to checks, the latest last. */
  readonly responses: Buffer[] = [];
  connected = false;
  /** Gets the SCTP packets of the other side. */
  onSctp: ((packet: Buffer) => void) | undefined;
  readonly #context = DtlsContext.create();
  readonly #port: number;
  #host: string;
  #socket: Socket | undefined;
  #tcp: TcpSocket | undefined;
  #dtls: DtlsSession | undefined;
  #outgoing: SrtpSession | undefined;
  #incoming: SrtpSession | undefined;

  constructor(port: number, host = '127.0.0.1') {
    this.#port = port;
    this.#host = host;
  }

  get parameters(): TransportParameters {
    const { fingerprint } = this.#context;
    return { iceUfrag: this.ufrag, icePwd: 'a password of 22 chars', fingerprint, setup: 'actpass' };
  }

  /**
   * Uses a new socket from now on, as after a change of network; the hub is at this address then.
   *
   * @param descriptor of the socket, if it exists already
   */
  async move(host = this.#host, descriptor?: number): Promise<void> {
    this.#host = host;
    this.#socket?.close();
    this.#socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4').on('message', (datagram) => this.#receive(datagram));
    const listening = once(this.#socket, 'listening');
    this.#socket.bind(descriptor === undefined ? { port: 0 } : { fd: descriptor });
    await listening;
  }

  /** Uses a TCP connection to this port from now on. Fulfilled with the socket when it is connected. */
  async moveToTcp(port: number): Promise<TcpSocket> {
    const tcp = connect(port, this.#host).setNoDelay(true);
    this.#tcp?.destroy();
    this.#tcp = tcp.on('error', () => undefined);
    const reader = new FrameReader(1536, (bytes, at, length) => {
      this.#receive(bytes.subarray(at, at + length));
      return true;
    });
    tcp.on('data', (chunk: Buffer) => reader.read(chunk));
    await once(tcp, 'connect');
    return tcp;
  }

  send(datagram: Uint8Array): void {
    if (this.#tcp) {
      this.#tcp.write(Buffer.concat([Buffer.from([datagram.length >> 8, datagram.length & 0xff]), datagram]));
      return;
    }
    this.#socket?.send(datagram, this.#port, this.#host);
  }

  check(remote: TransportParameters, options?: CheckOptions): void {
    this.send(bindingRequest(this.ufrag, remote, options));
  }

  /** Starts DTLS as client. */
  connect(remote: TransportParameters): void {
    this.#dtls = new DtlsSession(
      this.#context,
      { isServer: false, fingerprint: remote.fingerprint },
      {
        send: (at, length) => this.send(Buffer.from(memory.subarray(at, at + length))),
        connected: ({ profile, localKey, localSalt, remoteKey, remoteSalt }) => {
          this.#outgoing = new SrtpSession(profile, localKey, localSalt);
          this.#incoming = new SrtpSession(profile, remoteKey, remoteSalt);
          this.connected = true;
        },
        data: (packet) => this.onSctp?.(packet),
        closed: () => undefined,
      },
    );
    this.#dtls.start();
  }

  /** An SCTP packet to the other side, over DTLS. */
  sendSctp(packet: Uint8Array): void {
    this.#dtls?.write(packet);
  }

  /** The packet as SRTP or SRTCP. */
  protect(packet: Buffer): Buffer {
    const at = slots.take();
    memory.set(packet, at);
    const length = this.#outgoing!.protectRtp(at, packet.length);
    const protectedPacket = Buffer.from(memory.subarray(at, at + length));
    slots.give(at);
    return protectedPacket;
  }

  /** Ends DTLS. */
  disconnect(): void {
    this.#dtls?.close();
  }

  close(): void {
    this.#dtls?.close();
    this.#outgoing?.free();
    this.#incoming?.free();
    this.#socket?.close();
    this.#tcp?.destroy();
    this.#context.free();
  }

  #receive(datagram: Buffer): void {
    const first = datagram[0]!;
    if (first < 4) {
      this.responses.push(datagram);
      return;
    }
    const at = slots.take();
    memory.set(datagram, at);
    if (first < 64) this.#dtls?.receive(at, datagram.length);
    else if (this.#incoming) {
      const length = this.#incoming.unprotectRtp(at, datagram.length);
      if (length > 0) this.received.push(Buffer.from(memory.subarray(at, at + length)));
    }
    slots.give(at);
  }
}
