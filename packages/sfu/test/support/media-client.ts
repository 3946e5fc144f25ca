import { AddTrackRequest, ConnectionSettings, DataPacket, SessionDescription, TrackSource, TrackType } from '@livekit/protocol';
import { PeerConnection, Video, type DataChannel, type Track } from 'node-datachannel';
import { until } from './engine.ts';
import { rtpPacket, vp8Payload } from './packets.ts';
import { RawClient, singleUrl } from './raw-client.ts';

const SSRC = 4711;

/** A raw client over `/rtc/v1` with a peer connection of its own: one video section that sends, and both data channels. Subscribes to nothing. */
export class MediaClient extends RawClient {
  readonly packets: DataPacket[] = [];
  readonly #connection: PeerConnection;
  readonly #track: Track;
  readonly #channels: Record<'reliable' | 'lossy', DataChannel>;
  #sequence = 0;

  constructor(port: number, token: string) {
    super(singleUrl(port, token, { connectionSettings: new ConnectionSettings({ autoSubscribe: false }) }));
    this.#connection = new PeerConnection('media-client', { iceServers: [], disableAutoNegotiation: true, maxMessageSize: 262_144 });
    const video = new Video('0', 'SendOnly');
    video.addVP8Codec(96);
    video.addSSRC(SSRC, 'cname', 'stream', 'camera');
    this.#track = this.#connection.addTrack(video);
    this.#channels = {
      reliable: this.#connection.createDataChannel('_reliable'),
      lossy: this.#connection.createDataChannel('_lossy', { unordered: true, maxRetransmits: 0 }),
    };
    for (const channel of Object.values(this.#channels)) {
      channel.onMessage((message) => this.packets.push(DataPacket.fromBinary(Buffer.from(message as Buffer))));
    }
    this.socket.on('close', () => this.#end());
  }

  /** Negotiates and waits until media and data can be sent; with `publish` the camera is announced before. */
  async connect(publish = false): Promise<this> {
    await this.message('join');
    if (publish) this.send({ case: 'addTrack', value: new AddTrackRequest({ cid: 'camera', type: TrackType.VIDEO, source: TrackSource.CAMERA }) });
    this.#connection.setLocalDescription('offer');
    this.send({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp: this.#connection.localDescription()!.sdp }) });
    const { sdp } = await this.message('answer');
    this.#connection.setRemoteDescription(sdp, 'answer');
    await until('the data channels are open', () => this.#channels.reliable.isOpen() && this.#channels.lossy.isOpen());
    return this;
  }

  /** Sends bytes as they are; false when the channel is gone. */
  sendRaw(kind: 'reliable' | 'lossy', bytes: Uint8Array): boolean {
    if (this.closed || !this.#channels[kind].isOpen()) return false;
    this.#channels[kind].sendMessageBinary(bytes);
    return true;
  }

  sendData(kind: 'reliable' | 'lossy', packet: ConstructorParameters<typeof DataPacket>[0]): boolean {
    return this.sendRaw(kind, new DataPacket(packet).toBinary());
  }

  /** One packet of a picture of about this many bytes. */
  sendRtp(bytes = 1000): boolean {
    if (this.closed || !this.#track.isOpen()) return false;
    this.#sequence += 1;
    const payload = Buffer.concat([vp8Payload({ keyframe: this.#sequence === 1 }), Buffer.alloc(bytes)]);
    return this.#track.sendMessageBinary(rtpPacket({ sequence: this.#sequence, timestamp: this.#sequence * 900, ssrc: SSRC, payloadType: 96, payload }));
  }

  leave(): void {
    this.socket.terminate();
    this.#end();
  }

  #end(): void {
    this.#connection.close();
  }
}
