import { once } from 'node:events';
import { protocol, readTransport, Transport } from '@rmeet/participant/rtc';
import { until } from '@rmeet/testkit';
import { WebSocket } from 'ws';
import { soakToken, type SoakEngine } from '../engine.ts';
import { richOffer, RIDS, SENT } from './sdp.ts';

const {
  AddTrackRequest,
  JoinRequest,
  SessionDescription,
  SignalRequest,
  SignalResponse,
  SimulcastCodec,
  TrackSource,
  TrackType,
  VideoLayer,
  WrappedJoinRequest,
} = protocol;
type Response = protocol.SignalResponse['message'];

const sources = [
  TrackSource.MICROPHONE,
  TrackSource.CAMERA,
  TrackSource.SCREEN_SHARE,
  TrackSource.UNKNOWN,
  TrackSource.UNKNOWN,
];

export function addTracks(identity: string): protocol.AddTrackRequest[] {
  return SENT.map(
    ({ mid, codec, video }, i) =>
      new AddTrackRequest({
        cid: `${identity}-${mid}`,
        name: codec,
        type: video ? TrackType.VIDEO : TrackType.AUDIO,
        source: sources[i]!,
        width: 1280,
        height: 720,
        layers: video
          ? RIDS.map(
              (rid, quality) =>
                new VideoLayer({
                  quality,
                  width: 320 << quality,
                  height: 180 << quality,
                  bitrate: 100_000 << (2 * quality),
                  rid,
                }),
            )
          : [],
        simulcastCodecs: video ? [new SimulcastCodec({ codec, cid: `${identity}-${mid}` })] : [],
      }),
  );
}

/** A signalling connection that sends any data; wrong answers do not stop it. */
export class WrongPeer {
  readonly socket: WebSocket;
  readonly identity: string;
  readonly received: Response[] = [];
  /** Number of received RTP and RTCP packets and data messages. */
  packets = 0;
  /** SSRCs of the received streams. */
  readonly ssrcs = new Set<number>();
  /** Number of sent messages, for callers that replace a peer before it is disconnected. */
  sent = 0;
  #transport: Transport | undefined;

  private constructor(url: string, identity: string) {
    this.identity = identity;
    this.socket = new WebSocket(url, { perMessageDeflate: false });
    this.socket.on('message', (bytes: Buffer) => {
      const { message } = SignalResponse.fromBinary(bytes);
      if (this.received.length < 200 || message.case === 'leave') this.received.push(message);
    });
    // A fuzzing peer expects to be disconnected: `closed` shows it.
    this.socket.on('error', () => this.socket.terminate());
  }

  get closed(): boolean {
    return this.socket.readyState >= WebSocket.CLOSING;
  }

  /** Over /rtc, without its own media. */
  static async signalling(engine: SoakEngine, room: string, identity: string): Promise<WrongPeer> {
    const token = await soakToken(identity, room, { canUpdateOwnMetadata: true });
    const peer = new WrongPeer(`${engine.url}/rtc?access_token=${token}&protocol=16&sdk=js&auto_subscribe=1`, identity);
    await once(peer.socket, 'open');
    await until('the join response', () => peer.received.some((message) => message.case === 'join'), { every: 5 });
    return peer;
  }

  /** Over /rtc/v1 with an offer; resolves when the socket is open or was refused. */
  static async offering(engine: SoakEngine, room: string, identity: string, sdp: string): Promise<WrongPeer> {
    const join = new JoinRequest({
      publisherOffer: new SessionDescription({ type: 'offer', sdp, id: 1 }),
      addTrackRequests: addTracks(identity),
    });
    const wrapped = Buffer.from(new WrappedJoinRequest({ joinRequest: join.toBinary() }).toBinary()).toString(
      'base64url',
    );
    const peer = new WrongPeer(
      `${engine.url}/rtc/v1?access_token=${await soakToken(identity, room)}&join_request=${wrapped}`,
      identity,
    );
    await Promise.race([once(peer.socket, 'open'), once(peer.socket, 'close')]);
    return peer;
  }

  /** Over /rtc/v1 with a connection for media and data: everything sent is authenticated, and wrong. */
  static async connected(engine: SoakEngine, room: string, identity: string): Promise<WrongPeer> {
    const transport = new Transport(identity);
    transport.openChannel('_reliable', false);
    transport.openChannel('_lossy', true);
    const peer = await WrongPeer.offering(
      engine,
      room,
      identity,
      richOffer(await transport.offer(), (mid) => `${identity}-${mid}`),
    );
    peer.#transport = transport;
    transport.onRtp = (packet) => {
      peer.packets++;
      if (packet.length >= 12 && peer.ssrcs.size < 64) peer.ssrcs.add(packet.readUInt32BE(8));
    };
    transport.onRtcp = () => void peer.packets++;
    transport.on('data', () => void peer.packets++);
    const answer = await until(
      'an answer',
      () => {
        if (peer.closed) throw new Error('refused');
        const message = peer.received.find((candidate) => candidate.case === 'answer');
        return message?.case === 'answer' ? message.value.sdp : undefined;
      },
      { every: 5 },
    );
    transport.acceptAnswer(readTransport(answer));
    await transport.whenConnected();
    await Promise.all([transport.channelOpen('_reliable'), transport.channelOpen('_lossy')]);
    return peer;
  }

  /** Whether it can still send media. */
  get usable(): boolean {
    return !this.closed && (this.#transport?.connected ?? true);
  }

  signal(bytes: Uint8Array): void {
    this.sent++;
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(bytes);
  }

  request(message: protocol.SignalRequest['message']): void {
    this.signal(new SignalRequest({ message }).toBinary());
  }

  packet(packet: Buffer): void {
    this.sent++;
    try {
      this.#transport?.send(packet);
    } catch {
      // this side's own library refuses to encrypt it: nothing to test
    }
  }

  data(label: string, message: Uint8Array): void {
    this.sent++;
    try {
      this.#transport?.sendData(label, message);
    } catch {
      // as above
    }
  }

  /** Sids of the others' tracks, as far as received. */
  trackSids(): string[] {
    return this.received.flatMap((message) => {
      if (message.case === 'join')
        return message.value.otherParticipants.flatMap(({ tracks }) => tracks.map(({ sid }) => sid));
      return message.case === 'update'
        ? message.value.participants.flatMap(({ tracks }) => tracks.map(({ sid }) => sid))
        : [];
    });
  }

  close(): void {
    this.#transport?.close();
    this.socket.terminate();
  }
}
