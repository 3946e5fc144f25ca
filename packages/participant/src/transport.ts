import { EventEmitter } from 'node:events';
import { PeerConnection, Video } from 'node-datachannel';
import type { DataChannel, Track } from 'node-datachannel';
import { isRtcp } from '@rmeet/rtp';
import { pipeDescription, readCandidates, readPipeParameters } from '@rmeet/rtp/sdp';
import type { TransportDescription } from './sdp.ts';

const MAX_MESSAGE_BYTES = 262_144;

export interface TransportOptions {
  /** Address of the network interface to use; default any. */
  bindAddress?: string | undefined;
  /** UDP ports to use, first and last one; default any. */
  ports?: readonly [first: number, last: number] | undefined;
  /**
   * Changes the other side's candidates before they are used, for example to route them through a relay. Own candidates
   * are then withheld, so that there is no way around it.
   */
  rewriteCandidate?: ((candidate: string) => string) | undefined;
  /** Whether the other side has a section for data channels; default true. */
  data?: boolean;
  /**
   * Behaves like browsers for the bandwidth estimates of the other side: packets are numbered, arrivals reported, and
   * retransmissions (RTX) accepted. Default false.
   */
  feedback?: boolean;
}

interface TransportEvents {
  connected: [];
  /** The connection broke or was closed by the other side. */
  failed: [];
  /** This side closed it. */
  closed: [];
  data: [label: string, message: Buffer];
}

/**
 * ICE, DTLS, SRTP and SCTP of one peer connection. libdatachannel gets a session of two sections that never changes;
 * the callers negotiate the real session, and send and receive plain RTP and RTCP packets.
 */
export class Transport extends EventEmitter<TransportEvents> {
  /**
   * Called for each incoming packet; set before the connection opens. Not an event, because of the large number of
   * packets.
   */
  onRtp: (packet: Buffer) => void = () => undefined;
  onRtcp: (packet: Buffer) => void = () => undefined;
  #connection: PeerConnection;
  #track: Track;
  #channels = new Map<string, DataChannel>();
  #rewrite: (candidate: string) => string;
  #relayed: boolean;
  #data: boolean;
  #connected = false;
  #closed = false;

  constructor(name: string, options: TransportOptions = {}) {
    super();
    const { bindAddress, ports, rewriteCandidate, data = true } = options;
    this.#rewrite = rewriteCandidate ?? ((candidate) => candidate);
    this.#relayed = rewriteCandidate !== undefined;
    this.#data = data;
    this.#connection = new PeerConnection(name, {
      iceServers: [],
      disableAutoNegotiation: true,
      maxMessageSize: MAX_MESSAGE_BYTES,
      ...(bindAddress ? { bindAddress } : {}),
      ...(ports ? { portRangeBegin: ports[0], portRangeEnd: ports[1] } : {}),
    });
    const pipe = new Video('0', 'SendRecv');
    pipe.addVP8Codec(96);
    pipe.addSSRC(1, 'pipe');
    this.#track = this.#connection.addTrack(pipe);
    this.#track.onMessage((packet) => {
      if (isRtcp(packet)) this.onRtcp(packet);
      else this.onRtp(packet);
    });
    this.#connection.onStateChange((state) => this.#onState(state));
    this.#connection.onDataChannel((channel) => this.#adopt(channel));
  }

  get connected(): boolean {
    return this.#connected;
  }

  #onState(state: string): void {
    if (this.#closed) return;
    if (state === 'connected') {
      this.#connected = true;
      this.emit('connected');
    } else if (state === 'failed' || state === 'closed' || state === 'disconnected') {
      this.#connected = false;
      this.emit('failed');
    }
  }

  #adopt(channel: DataChannel): void {
    const label = channel.getLabel();
    this.#channels.set(label, channel);
    channel.onMessage((message) => {
      const bytes =
        typeof message === 'string'
          ? Buffer.from(message)
          : message instanceof ArrayBuffer
            ? Buffer.from(message)
            : message;
      this.emit('data', label, bytes);
    });
  }

  /** Opens a data channel; if lossy, it is unordered and without retransmissions. Must be called before `offer`. */
  openChannel(label: string, lossy: boolean): void {
    this.#adopt(this.#connection.createDataChannel(label, lossy ? { unordered: true, maxRetransmits: 0 } : {}));
  }

  /** Waits until a data channel is open. @throws Error after `timeout` ms. */
  async channelOpen(label: string, timeout = 10_000): Promise<void> {
    const until = performance.now() + timeout;
    while (!this.#channels.get(label)?.isOpen()) {
      if (this.#closed || performance.now() > until) throw new Error(`data channel ${label} did not open`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Own parameters for an offer, with gathered candidates. */
  async offer(): Promise<TransportDescription> {
    const gathered = this.#gathered();
    this.#connection.setLocalDescription('offer');
    await gathered;
    return this.#own();
  }

  acceptAnswer(remote: TransportDescription): void {
    this.#connection.setRemoteDescription(this.#pipe(remote, remote.candidates.map(this.#rewrite)), 'answer');
  }

  /**
   * Own parameters in answer to an offer, with gathered candidates. Add the other side's candidates after it has the
   * answer: a libdatachannel that gets connectivity checks earlier may reject the certificate as unknown. The other
   * side starts DTLS if it leaves the choice (RFC 8842, section 5.3), because its ICE is ready last: a ClientHello sent
   * before that is lost, and repeated only after a second.
   */
  async answer(offered: TransportDescription): Promise<TransportDescription> {
    const remote = offered.setup === 'actpass' ? { ...offered, setup: 'active' as const } : offered;
    const gathered = this.#gathered();
    this.#connection.setRemoteDescription(this.#pipe(remote, []), 'offer');
    this.#connection.setLocalDescription('answer');
    await gathered;
    return this.#own();
  }

  #gathered(): Promise<void> {
    if (this.#closed) throw new Error('the transport is closed');
    return new Promise((resolve) => {
      this.#connection.onGatheringStateChange((state) => {
        if (state === 'complete') resolve();
      });
    });
  }

  #own(): TransportDescription {
    const sdp = this.#connection.localDescription()?.sdp ?? '';
    return { ...readPipeParameters(sdp), candidates: this.#relayed ? [] : readCandidates(sdp) };
  }

  #pipe(remote: TransportDescription, candidates: readonly string[]): string {
    return pipeDescription(remote, { maxMessageBytes: MAX_MESSAGE_BYTES, candidates, data: this.#data });
  }

  addCandidate(candidate: string): void {
    if (!this.#closed && candidate !== '') this.#connection.addRemoteCandidate(this.#rewrite(candidate), '0');
  }

  /** Sends one RTP or RTCP packet; the bytes are copied, so the buffer may be reused. False if it could not be sent. */
  send(packet: Buffer): boolean {
    return this.#connected && this.#track.isOpen() && this.#track.sendMessageBinary(packet);
  }

  /** False if the channel is not open. */
  sendData(label: string, message: Uint8Array): boolean {
    const channel = this.#channels.get(label);
    if (channel?.isOpen() !== true) return false;
    // its result only says whether the message left at once; otherwise it is buffered
    channel.sendMessageBinary(message);
    return true;
  }

  /** @throws Error if it breaks or is closed first, or takes longer than `timeout` ms. */
  whenConnected(timeout = 15_000): Promise<void> {
    if (this.#connected) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const settle = (problem?: string): void => {
        clearTimeout(late);
        this.off('connected', onConnected).off('failed', onFailed).off('closed', onClosed);
        if (problem === undefined) resolve();
        else reject(new Error(problem));
      };
      const onConnected = (): void => settle();
      const onFailed = (): void => settle('the media connection failed');
      const onClosed = (): void => settle('the media connection was closed');
      const late = setTimeout(() => settle(`no media connection within ${timeout} ms`), timeout);
      this.on('connected', onConnected).on('failed', onFailed).on('closed', onClosed);
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#connected = false;
    // The native side holds the callbacks of tracks and channels, and all objects they reference, until each of them is
    // closed explicitly.
    for (const channel of this.#channels.values()) channel.close();
    this.#channels.clear();
    this.#track.close();
    this.#connection.close();
    this.emit('closed');
  }
}
