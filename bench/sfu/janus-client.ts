import { readRtcp } from '@rmeet/rtp';
import { readDescription } from '@rmeet/rtp/sdp';
import {
  audioPublication,
  publisherOffer,
  rawPublication,
  readTransport,
  RemoteTrack,
  Subscriber,
  Transport,
  videoPublication,
  type LocalTrack,
} from '@rmeet/participant/rtc';
import type { Case } from './cases.ts';
import { inGroups, type Running } from './setup.ts';

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

  /** @throws Error with Janus' message if the plugin refuses. */
  async request(message: object): Promise<JanusMessage> {
    const transaction = `t${this.#count++}`;
    const response = new Promise<JanusMessage>((resolve) => this.#transactions.set(transaction, resolve));
    this.#socket.send(
      JSON.stringify({
        ...message,
        transaction,
        ...(this.#session === undefined ? {} : { session_id: this.#session }),
      }),
    );
    const answer = await response;
    const error = answer.janus === 'error' ? JSON.stringify(answer) : answer.plugindata?.data.error;
    if (error) throw new Error(error);
    return answer;
  }

  /** A handle of the VideoRoom plugin, as a function that sends messages to it. */
  async attach(): Promise<(body: object, jsep?: { type: string; sdp: string }) => Promise<JanusMessage>> {
    const handle = (await this.request({ janus: 'attach', plugin: 'janus.plugin.videoroom' })).data?.id;
    return (body, jsep) => this.request({ janus: 'message', handle_id: handle, body, ...(jsep ? { jsep } : {}) });
  }
}

const ROOM = 4_711;

/** Publishes tracks as one feed. */
async function publish(session: JanusSession, feed: number, tracks: readonly LocalTrack[]): Promise<void> {
  const send = await session.attach();
  await send({ request: 'join', ptype: 'publisher', room: ROOM, id: feed });
  const transport = new Transport('publisher', { data: false });
  transport.onRtcp = (packet) => tracks.forEach((track) => readRtcp(packet, track));
  const sections = tracks.map((track, n) => track.section(String(n), true));
  const offer = publisherOffer(await transport.offer(), sections, 1, false);
  const media = {
    audio: tracks.some(({ codec }) => codec === 'opus'),
    video: tracks.some(({ codec }) => codec !== 'opus'),
  };
  const { jsep } = await send({ request: 'publish', ...media, bitrate: 100_000_000 }, { type: 'offer', sdp: offer });
  transport.acceptAnswer(readTransport(jsep?.sdp ?? ''));
  await transport.whenConnected();
  const numbering = { last: 0 };
  sections.forEach(({ mid }, n) => {
    tracks[n]!.muted = true;
    tracks[n]!.start(mid, (packet) => transport.send(packet), numbering);
  });
}

/** Subscribes to streams of feeds; returns the tracks, which count like a participant's. */
async function subscribe(session: JanusSession, streams: { feed: number; mid?: string }[]): Promise<RemoteTrack[]> {
  const send = await session.attach();
  const { jsep } = await send({ request: 'join', ptype: 'subscriber', room: ROOM, streams });
  const subscriber = new Subscriber('subscriber', { data: false, feedback: true });
  const offer = jsep?.sdp ?? '';
  const sections = readDescription(offer).sections;
  const midToTrackId = Object.fromEntries(sections.map(({ mid }) => [mid, mid]));
  const answer = await subscriber.accept({ sdp: offer, midToTrackId });
  const tracks = new Map(
    sections.map(({ mid, kind }) => {
      const described = {
        sid: mid,
        kind: kind === 'audio' ? 'audio' : 'video',
        identity: '',
        participantSid: '',
        source: 'unknown',
        name: '',
        muted: false,
      } as const;
      return [mid, new RemoteTrack(described, (packet) => subscriber.transport.send(packet), false)];
    }),
  );
  subscriber.bindTracks((mid) => tracks.get(mid));
  await send({ request: 'start' }, { type: 'answer', sdp: answer });
  subscriber.handleAnswered();
  await subscriber.transport.whenConnected();
  return [...tracks.values()];
}

/**
 * Sets up a load on the VideoRoom plugin. Without a choice of simulcast layers: Janus would send the highest, like the
 * others.
 */
export async function connectToJanus(url: string, { raw, people, subscribers }: Case): Promise<Running> {
  const session = await JanusSession.open(url);
  const send = await session.attach();
  await send({
    request: 'create',
    room: ROOM,
    publishers: 100,
    bitrate: 100_000_000,
    videocodec: 'vp8',
    audiocodec: 'opus',
  });
  const feeds = await inGroups(raw?.publishers ?? people?.count ?? 0, async (n) => {
    const tracks = raw
      ? [rawPublication(raw).track]
      : [
          audioPublication({ tone: n < people!.talking ? 500 : 'silence' }).track,
          videoPublication({ simulcast: people!.simulcast, bitrate: people!.bitrate }).track,
        ];
    await publish(session, n + 1, tracks);
    return tracks;
  });
  const sinks = await inGroups(subscribers, () =>
    subscribe(
      session,
      feeds.map((_, n) => ({ feed: n + 1 })),
    ),
  );
  const others = await inGroups(people?.count ?? 0, (n) =>
    subscribe(
      session,
      feeds.flatMap((_, feed) => {
        const distance = (feed - n + feeds.length) % feeds.length;
        if (distance === 0) return [];
        return [{ feed: feed + 1, mid: '0' }, ...(distance <= people!.pictures ? [{ feed: feed + 1, mid: '1' }] : [])];
      }),
    ),
  );
  return { sent: feeds.flat(), received: () => [...sinks, ...others].flat() };
}
