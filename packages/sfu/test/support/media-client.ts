import {
  AddTrackRequest,
  ConnectionSettings,
  DataPacket,
  SessionDescription,
  TrackSource,
  TrackType,
} from '@livekit/protocol';
import { PeerConnection, Video, type DataChannel, type Track } from 'node-datachannel';
import { until } from './engine.ts';
import { rtpPacket, vp8Payload } from '../../../rtp/test/support/packets.ts';
import { RawClient, singleUrl } from './raw-client.ts';

const SSRC = 4711;
const STAMP_BYTES = 16;
const PING_MS = 5000;

/** What has arrived on the receiving section. */
export interface Flow {
  packets: number;
  /** Missing numbers. */
  lost: number;
  /** The longest delay of a packet, and the longest time without one, in ms. */
  slowest: number;
  longestGap: number;
}

/**
 * A raw client over `/rtc/v1` with its own peer connection: one video section that sends, one that receives, and both
 * data channels.
 */
export class MediaClient extends RawClient {
  readonly packets: DataPacket[] = [];
  readonly #connection: PeerConnection;
  readonly #track: Track;
  readonly #channels: Record<'reliable' | 'lossy', DataChannel>;
  readonly #receiving: Track;
  #sequence = 0;
  #pinging: NodeJS.Timeout | undefined;
  flow: Flow = { packets: 0, lost: 0, slowest: 0, longestGap: 0 };
  #lastNumber = -1;
  #lastAt = 0;

  constructor(port: number, token: string, autoSubscribe = false) {
    super(singleUrl(port, token, { connectionSettings: new ConnectionSettings({ autoSubscribe }) }));
    this.#connection = new PeerConnection('media-client', {
      iceServers: [],
      disableAutoNegotiation: true,
      maxMessageSize: 262_144,
    });
    const video = new Video('0', 'SendOnly');
    video.addVP8Codec(96);
    video.addSSRC(SSRC, 'cname', 'stream', 'camera');
    this.#track = this.#connection.addTrack(video);
    const watched = new Video('1', 'RecvOnly');
    watched.addVP8Codec(96);
    this.#receiving = this.#connection.addTrack(watched);
    this.#receiving.onMessage((packet) => this.#received(packet));
    this.#channels = {
      reliable: this.#connection.createDataChannel('_reliable'),
      lossy: this.#connection.createDataChannel('_lossy', { unordered: true, maxRetransmits: 0 }),
    };
    for (const channel of Object.values(this.#channels)) {
      channel.onMessage((message) => this.packets.push(DataPacket.fromBinary(Buffer.from(message as Buffer))));
    }
    this.socket.on('open', () => {
      this.#pinging = setInterval(() => this.send({ case: 'ping', value: 1n }), PING_MS);
    });
    this.socket.on('close', () => this.#end());
  }

  /** Negotiates and waits until media and data can be sent; with `publish` the camera is announced before. */
  async connect(publish = false): Promise<this> {
    await this.message('join');
    if (publish)
      this.send({
        case: 'addTrack',
        value: new AddTrackRequest({ cid: 'camera', type: TrackType.VIDEO, source: TrackSource.CAMERA }),
      });
    this.#connection.setLocalDescription('offer');
    this.send({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp: this.localSdp }) });
    const { sdp } = await this.message('answer');
    this.#connection.setRemoteDescription(sdp, 'answer');
    await until('the data channels are open', () => this.#channels.reliable.isOpen() && this.#channels.lossy.isOpen());
    return this;
  }

  /** Sends bytes unchanged; false if the channel is closed. */
  sendRaw(kind: 'reliable' | 'lossy', bytes: Uint8Array): boolean {
    if (this.closed || !this.#channels[kind].isOpen()) return false;
    try {
      this.#channels[kind].sendMessageBinary(bytes);
    } catch {
      // closed by the other side, which was not reported yet
      return false;
    }
    return true;
  }

  sendData(kind: 'reliable' | 'lossy', packet: ConstructorParameters<typeof DataPacket>[0]): boolean {
    return this.sendRaw(kind, new DataPacket(packet).toBinary());
  }

  /** One packet that is a whole key frame of about this many bytes, with its send time. */
  sendRtp(bytes = 1000): boolean {
    if (this.closed || !this.#track.isOpen()) return false;
    this.#sequence += 1;
    const stamp = Buffer.alloc(STAMP_BYTES);
    stamp.writeDoubleBE(performance.now());
    const payload = Buffer.concat([
      vp8Payload({ keyframe: true, pictureId: this.#sequence & 0x7fff }),
      Buffer.alloc(bytes),
      stamp,
    ]);
    return this.#track.sendMessageBinary(
      rtpPacket({ sequence: this.#sequence, timestamp: this.#sequence * 900, ssrc: SSRC, payloadType: 96, payload }),
    );
  }

  get localSdp(): string {
    return this.#connection.localDescription()!.sdp;
  }

  /** What arrived since the last call. */
  takeFlow(): Flow {
    const { flow } = this;
    this.flow = { packets: 0, lost: 0, slowest: 0, longestGap: 0 };
    return flow;
  }

  #received(packet: Buffer): void {
    if (packet.length < 100) return;
    const nowMs = performance.now();
    const number = packet.readUInt16BE(2);
    const { flow } = this;
    flow.packets += 1;
    if (this.#lastNumber >= 0) flow.lost += (number - this.#lastNumber - 1) & 0xffff;
    this.#lastNumber = number;
    if (this.#lastAt > 0) flow.longestGap = Math.max(flow.longestGap, nowMs - this.#lastAt);
    this.#lastAt = nowMs;
    flow.slowest = Math.max(flow.slowest, nowMs - packet.readDoubleBE(packet.length - STAMP_BYTES));
  }

  leave(): void {
    this.socket.terminate();
    this.#end();
  }

  #end(): void {
    clearInterval(this.#pinging);
    this.#connection.close();
  }
}
