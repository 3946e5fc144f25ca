import { randomBytes } from 'node:crypto';
import { PeerConnection, Video, type DataChannel, type Track } from 'node-datachannel';
import { isRtcp } from '@rmeet/rtp';
import { pipeDescription, readPipeParameters, type TransportParameters } from '@rmeet/rtp/sdp';
import { limits } from '../limits.ts';
import type { Transport, TransportHandler, TransportOptions } from './transport.ts';

const RELIABLE = '_reliable';
const UNORDERED_CHANNEL = { unordered: true, maxRetransmits: 0 };

/**
 * The transport of libdatachannel, for where the native one is not available. libdatachannel gets a made-up
 * description with one video and one data section, and all RTP and RTCP packets pass through that section, whatever the
 * SDP of the peer says.
 *
 * ICE restarts are not possible: libjuice keeps its credentials for life.
 */
export class DatachannelTransport implements Transport {
  readonly #name: string;
  readonly #options: TransportOptions;
  readonly #handler: TransportHandler;
  readonly #channels = new Map<string, DataChannel>();
  #connection: PeerConnection | undefined;
  #track: Track | undefined;
  readonly #early: Uint8Array[] = [];
  #earlyBytes = 0;
  #open = false;
  #closed = false;

  constructor(name: string, options: TransportOptions, handler: TransportHandler) {
    this.#name = name;
    this.#options = options;
    this.#handler = handler;
  }

  /** True while packets can be sent. */
  get connected(): boolean {
    return this.#open;
  }

  /** Accepts the peer's offer and starts connecting. Returns the parameters for the answer. */
  accept(peer: TransportParameters): TransportParameters {
    const connection = this.#create();
    connection.onDataChannel((channel) => {
      try {
        if (this.#adopt(channel)) this.#listen(channel);
      } catch (error) {
        this.#failed('data channel', error);
      }
    });
    connection.setRemoteDescription(description({ ...peer, setup: 'actpass' }), 'offer');
    return this.#describe(connection, 'answer');
  }

  /**
   * Starts as offerer, with the channels `_reliable` and `_lossy`. Returns the parameters for the offer. LiveKit's
   * clients send data on their publishing connection; no callback is registered here, as each native callback costs
   * time at every wake-up of the event loop (libuv visits all async handles).
   */
  offer(): TransportParameters {
    const connection = this.#create();
    this.#adopt(connection.createDataChannel(RELIABLE));
    this.#adopt(connection.createDataChannel('_lossy', UNORDERED_CHANNEL));
    return this.#describe(connection, 'offer');
  }

  /** Accepts the peer's answer to `offer` and connects. */
  complete(peer: TransportParameters): void {
    this.#connection?.setRemoteDescription(description(peer), 'answer');
  }

  /** Sends one RTP or RTCP packet. The bytes are copied: the caller may reuse the buffer at once. */
  send(packet: Buffer): boolean {
    if (!this.#open) return false;
    try {
      return this.#track!.sendMessageBinary(packet);
    } catch (error) {
      // the native side closes before its callback reaches this thread
      this.#open = false;
      this.#options.log('debug', 'transport closed while sending', { transport: this.#name, error: String(error) });
      return false;
    }
  }

  /** Sends on the data channel with this label. */
  sendData(label: string, message: Uint8Array): 'sent' | 'dropped' | 'overflow' {
    const channel = this.#channels.get(label);
    if (this.#closed) return 'dropped';
    try {
      if (!channel?.isOpen()) return label === RELIABLE && this.#keepEarly(message) ? 'sent' : 'dropped';
      const backlog = channel.bufferedAmount();
      if (label === RELIABLE && backlog > limits.reliableBacklogBytes) return 'overflow';
      if (label !== RELIABLE && backlog > limits.lossyBacklogBytes) return 'dropped';
      // false means buffered, not lost
      channel.sendMessageBinary(message);
      return 'sent';
    } catch (error) {
      this.#options.log('debug', 'data channel closed while sending', { transport: this.#name, error: String(error) });
      return 'dropped';
    }
  }

  /** Keeps a reliable message until its channel is open, if there is space. */
  #keepEarly(message: Uint8Array): boolean {
    if (this.#earlyBytes + message.length > limits.earlyDataBytes) return false;
    this.#earlyBytes += message.length;
    this.#early.push(message);
    return true;
  }

  #sendEarly(): void {
    for (const message of this.#early.splice(0)) this.sendData(RELIABLE, message);
    this.#earlyBytes = 0;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#release();
  }

  /**
   * The native side keeps the callbacks of tracks and channels, and all that they reference, until each of them is
   * closed explicitly.
   */
  #release(): void {
    this.#open = false;
    this.#early.length = 0;
    for (const channel of this.#channels.values()) channel.close();
    this.#channels.clear();
    this.#track?.close();
    this.#track = undefined;
    this.#connection?.close();
    this.#connection = undefined;
  }

  #create(): PeerConnection {
    if (this.#connection || this.#closed) throw new Error('a transport connects once');
    const { udpPort, bindAddress } = this.#options;
    const connection = new PeerConnection(this.#name, {
      iceServers: [],
      enableIceUdpMux: true,
      portRangeBegin: udpPort,
      portRangeEnd: udpPort,
      ...(bindAddress === undefined ? {} : { bindAddress }),
      disableAutoNegotiation: true,
      maxMessageSize: limits.dataMessageBytes,
    });
    this.#connection = connection;
    connection.onStateChange((state) => {
      try {
        this.#stateChanged(state);
      } catch (error) {
        this.#failed('change of state', error);
      }
    });
    const media = new Video('0', 'SendRecv');
    media.addVP8Codec(96);
    media.addSSRC(1, 'rmeet', 'rmeet', 'rmeet');
    const track = connection.addTrack(media);
    track.onMessage((packet) => {
      // an error that reaches the native side ends the process
      try {
        if (isRtcp(packet)) this.#handler.handleRtcp(packet);
        else this.#handler.handleRtp(packet);
      } catch (error) {
        this.#failed('packet', error);
      }
    });
    this.#track = track;
    return connection;
  }

  #describe(connection: PeerConnection, type: 'offer' | 'answer'): TransportParameters {
    const iceUfrag = randomBytes(6).toString('hex');
    const icePwd = randomBytes(16).toString('hex');
    connection.setLocalDescription(type, { iceUfrag, icePwd });
    return readPipeParameters(connection.localDescription()?.sdp ?? '');
  }

  /** Logs an exception in a handler: a fault of this program, not of the peer. */
  #failed(what: string, error: unknown): void {
    const stack = error instanceof Error ? error.stack : String(error);
    this.#options.log('error', `${what} could not be handled`, { transport: this.#name, error: stack });
  }

  #stateChanged(state: string): void {
    if (this.#closed) return;
    if (state === 'connected') {
      this.#open = true;
      this.#handler.handleConnected();
    } else if (state === 'failed' || state === 'closed') {
      this.#closed = true;
      this.#release();
      this.#handler.handleClosed();
    }
  }

  #adopt(channel: DataChannel): boolean {
    const label = channel.getLabel();
    if (this.#channels.size >= 8) {
      channel.close();
      return false;
    }
    this.#channels.set(label, channel);
    if (label === RELIABLE) {
      if (channel.isOpen()) this.#sendEarly();
      else channel.onOpen(() => this.#sendEarly());
    }
    return true;
  }

  #listen(channel: DataChannel): void {
    const label = channel.getLabel();
    channel.onMessage((message) => {
      if (this.#closed || typeof message === 'string') return;
      try {
        this.#handler.handleData(label, Buffer.isBuffer(message) ? message : Buffer.from(message));
      } catch (error) {
        this.#failed('data message', error);
      }
    });
  }
}

function description(peer: TransportParameters): string {
  return pipeDescription(peer, { maxMessageBytes: limits.dataMessageBytes });
}
