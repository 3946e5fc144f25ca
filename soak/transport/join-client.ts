import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { TransportParameters } from '@rmeet/rtp/sdp';
import { memory, reserve } from '../../packages/sfu/src/transport/native/arena.ts';
import { DtlsContext, DtlsSession } from '../../packages/sfu/src/transport/native/dtls.ts';
import { SrtpSession } from '../../packages/sfu/src/transport/native/srtp.ts';
import { SctpAssociation } from '../../packages/sfu/src/transport/sctp/association.ts';
import type { SctpChannel } from '../../packages/sfu/src/transport/sctp/options.ts';
import { bindingRequest, rtpPacket } from '../../packages/sfu/test/support/hub-client.ts';

const AGAIN_MS = 250;
const MESSAGE_BYTES = 3000;
const PACKET_BYTES = 400;

const context = DtlsContext.create();
const at = reserve(2048);

/** A participant of the hub by UDP. It checks, connects, and sends until a packet and a message have come back. */
export class JoinClient {
  /** What goes to the hub's `accept`. */
  readonly parameters: TransportParameters;
  /** Fulfilled when all has come back. */
  readonly joined: Promise<void>;
  /** Fulfilled when the hub has ended DTLS. */
  readonly ended: Promise<void>;
  readonly #port: number;
  readonly #socket = createSocket('udp4');
  readonly #message = randomBytes(MESSAGE_BYTES);
  #remote: TransportParameters | undefined;
  #dtls: DtlsSession | undefined;
  #outgoing: SrtpSession | undefined;
  #incoming: SrtpSession | undefined;
  #sctp: SctpAssociation | undefined;
  #again: NodeJS.Timeout | undefined;
  #sequence = 1;
  #hasMessage = false;
  #hasPacket = false;
  #onJoined: (() => void) | undefined;
  #onEnded: (() => void) | undefined;

  /** @param port the hub's UDP port */
  constructor(port: number) {
    this.#port = port;
    this.parameters = {
      iceUfrag: randomBytes(4).toString('hex'),
      icePwd: randomBytes(12).toString('hex'),
      fingerprint: context.fingerprint,
      setup: 'actpass',
    };
    this.joined = new Promise((resolve) => (this.#onJoined = resolve));
    this.ended = new Promise((resolve) => (this.#onEnded = resolve));
  }

  /** Starts to connect. */
  async start(remote: TransportParameters): Promise<void> {
    this.#remote = remote;
    this.#socket.on('message', (datagram) => this.#receive(datagram)).bind(0, '127.0.0.1');
    await once(this.#socket, 'listening');
    this.#again = setInterval(() => this.#proceed(), AGAIN_MS);
    this.#proceed();
  }

  /** What is missing, for a join that failed. */
  get missing(): string {
    if (!this.#dtls) return 'no answer to its checks';
    if (!this.#outgoing) return 'DTLS not connected';
    return `${this.#hasPacket ? 'no message' : 'no packet'} came back`;
  }

  /** Sends close_notify, if DTLS is connected, and frees all. */
  async close(): Promise<void> {
    clearInterval(this.#again);
    this.#dtls?.close();
    this.#sctp?.close();
    this.#outgoing?.free();
    this.#incoming?.free();
    this.#outgoing = undefined;
    this.#incoming = undefined;
    // The socket sends in a later turn.
    await turn();
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  /** Sends what is due, again if it was lost. */
  #proceed(): void {
    if (!this.#outgoing) this.#send(bindingRequest(this.parameters.iceUfrag, this.#remote!));
    else if (!this.#hasPacket) this.#sendPacket();
  }

  #send(datagram: Uint8Array): void {
    this.#socket.send(datagram, this.#port, '127.0.0.1');
  }

  #sendPacket(): void {
    memory.set(rtpPacket(this.#sequence, PACKET_BYTES), at);
    this.#sequence += 1;
    const length = this.#outgoing!.protectRtp(at, 12 + PACKET_BYTES);
    this.#send(Buffer.from(memory.subarray(at, at + length)));
  }

  #receive(datagram: Buffer): void {
    const first = datagram[0]!;
    if (first < 4) return this.#startDtls();
    memory.set(datagram, at);
    if (first < 64) return this.#dtls?.receive(at, datagram.length);
    const length = this.#incoming?.unprotectRtp(at, datagram.length) ?? 0;
    if (length < PACKET_BYTES || memory[at + 12] !== memory[at + 3]) return;
    this.#hasPacket = true;
    this.#complete();
  }

  #startDtls(): void {
    if (this.#dtls) return;
    this.#dtls = new DtlsSession(
      context,
      { isServer: false, fingerprint: this.#remote!.fingerprint },
      {
        send: (from, length) => this.#send(Buffer.from(memory.subarray(from, from + length))),
        connected: ({ profile, localKey, localSalt, remoteKey, remoteSalt }) => {
          this.#outgoing = new SrtpSession(profile, localKey, localSalt);
          this.#incoming = new SrtpSession(profile, remoteKey, remoteSalt);
          this.#sendPacket();
          this.#startSctp();
        },
        data: (packet) => this.#sctp?.receive(packet),
        closed: () => this.#onEnded?.(),
      },
    );
    this.#dtls.start();
  }

  #startSctp(): void {
    const sctp = new SctpAssociation(
      { isDtlsClient: true, maxMessageBytes: 65_536 },
      {
        send: (packet) => this.#dtls?.write(packet) ?? false,
        connected: () => undefined,
        channelOpen: (opened: SctpChannel) => sctp.send(opened, this.#message, true),
        channelClosed: () => undefined,
        message: (_from, message) => {
          this.#hasMessage = message.equals(this.#message);
          this.#complete();
        },
        closed: () => undefined,
      },
    );
    this.#sctp = sctp;
    sctp.start();
    sctp.openChannel('_reliable', { ordered: true });
  }

  #complete(): void {
    if (this.#hasMessage && this.#hasPacket) this.#onJoined?.();
  }
}
