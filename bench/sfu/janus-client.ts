import {
  parseSdp, publisherOffer, rawPublication, readRtcp, readTransport, RemoteTrack, subscriberAnswer, Transport, type RawOptions,
} from '@rmeet/participant/rtc';

interface JanusMessage {
  janus: string;
  transaction?: string;
  data?: { id: number };
  plugindata?: { data: { error?: string } };
  jsep?: { type: string; sdp: string };
}

/** A session with Janus over its WebSocket API, for the VideoRoom plugin. */
export class JanusSession {
  #socket: WebSocket;
  #session: number | undefined;
  #transactions = new Map<string, (message: JanusMessage) => void>();
  #count = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as JanusMessage;
      if (message.janus === 'ack' || message.transaction === undefined) return;
      this.#transactions.get(message.transaction)?.(message);
      this.#transactions.delete(message.transaction);
    });
  }

  static async open(url: string): Promise<JanusSession> {
    const socket = new WebSocket(url, 'janus-protocol');
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => reject(new Error('Janus takes no connection')));
    });
    const session = new JanusSession(socket);
    session.#session = (await session.request({ janus: 'create' })).data?.id;
    setInterval(() => void session.request({ janus: 'keepalive' }), 20_000).unref();
    return session;
  }

  /** @throws Error with Janus' words when the plugin refuses. */
  async request(message: object): Promise<JanusMessage> {
    const transaction = `t${this.#count++}`;
    const response = new Promise<JanusMessage>((resolve) => this.#transactions.set(transaction, resolve));
    this.#socket.send(JSON.stringify({ ...message, transaction, ...(this.#session === undefined ? {} : { session_id: this.#session }) }));
    const answer = await response;
    const error = answer.janus === 'error' ? JSON.stringify(answer) : answer.plugindata?.data.error;
    if (error) throw new Error(error);
    return answer;
  }

  async attach(): Promise<(body: object, jsep?: { type: string; sdp: string }) => Promise<JanusMessage>> {
    const handle = (await this.request({ janus: 'attach', plugin: 'janus.plugin.videoroom' })).data?.id;
    return (body, jsep) => this.request({ janus: 'message', handle_id: handle, body, ...(jsep ? { jsep } : {}) });
  }
}

const ROOM = 4_711;
const FEED = 1;

/** Publishes packets into a new room of Janus. */
export async function publishToJanus(session: JanusSession, options: RawOptions): Promise<void> {
  const send = await session.attach();
  await send({ request: 'create', room: ROOM, publishers: 10, bitrate: 100_000_000, videocodec: 'vp8', audiocodec: 'opus' });
  await send({ request: 'join', ptype: 'publisher', room: ROOM, id: FEED });
  const transport = new Transport('publisher', { data: false });
  const { track } = rawPublication(options);
  transport.onRtcp = (packet) => readRtcp(packet, track);
  const section = track.section('0');
  const offer = publisherOffer(await transport.offer(), [section], 1, false);
  const { jsep } = await send({ request: 'publish', audio: false, video: true, bitrate: 100_000_000 }, { type: 'offer', sdp: offer });
  transport.acceptAnswer(readTransport(parseSdp(jsep?.sdp ?? '')));
  await transport.whenConnected();
  track.start(section.mid, (packet) => transport.send(packet));
}

/** Takes the published packets; the track counts them as a participant's does. */
export async function subscribeToJanus(session: JanusSession): Promise<RemoteTrack> {
  const send = await session.attach();
  const { jsep } = await send({ request: 'join', ptype: 'subscriber', room: ROOM, streams: [{ feed: FEED }] });
  const offer = parseSdp(jsep?.sdp ?? '');
  const transport = new Transport('subscriber', { data: false });
  const described = { sid: 'feed', kind: 'video', identity: 'publisher', source: 'camera', name: '', muted: false } as const;
  const track = new RemoteTrack(described, (packet) => transport.send(packet), false);
  transport.onRtp = (packet) => track.handlePacket(packet);
  const remote = readTransport(offer);
  await send({ request: 'start' }, { type: 'answer', sdp: subscriberAnswer(offer, await transport.answer(remote), 1) });
  for (const candidate of remote.candidates) transport.addCandidate(candidate);
  await transport.whenConnected();
  return track;
}
