import type { PartialMessage } from '@bufbuild/protobuf';
import {
  DataPacket,
  DataPacket_Kind,
  RequestResponse_Reason,
  type AddTrackRequest,
  type TrackInfo,
} from '@livekit/protocol';
import { readRtcp } from '@rmeet/rtp';
import type { LocalTrack } from './local-track.ts';
import { publisherOffer, readTransport, type SendSection, type TransportDescription } from './sdp.ts';
import type { Numbering } from './rtp-stream.ts';
import type { Response, Signal } from './signal.ts';
import { Transport, type TransportOptions } from './transport.ts';

export const RELIABLE = '_reliable';
export const LOSSY = '_lossy';

interface Published {
  track: LocalTrack;
  section: SendSection;
}

/** The server rejects a track that this participant may not send. `reason` is LiveKit's name for it. */
export class PublishRefused extends Error {
  readonly reason: keyof typeof RequestResponse_Reason;

  constructor(reason: keyof typeof RequestResponse_Reason) {
    super(`the server does not take the track: ${reason}`);
    this.name = 'PublishRefused';
    this.reason = reason;
  }
}

/** The connection that this side offers, for its tracks and data. Negotiated when it is first needed. */
export class Publisher {
  readonly transport: Transport;
  #signal: Signal;
  #numbering: Numbering | undefined;
  #published: Published[] = [];
  #own: TransportDescription | undefined;
  #version = 0;
  #answered = false;
  #earlyCandidates: string[] = [];
  #turn: Promise<void> = Promise.resolve();

  constructor(signal: Signal, name: string, options: TransportOptions = {}) {
    this.#signal = signal;
    if (options.feedback) this.#numbering = { last: 0 };
    this.transport = new Transport(`${name}/publisher`, options);
    this.transport.openChannel(RELIABLE, false);
    this.transport.openChannel(LOSSY, true);
    this.transport.onRtcp = (packet) => {
      readRtcp(packet, {
        handleKeyframeRequest: (ssrc) => this.#published.forEach(({ track }) => track.handleKeyframeRequest(ssrc)),
        handleNack: (ssrc, sequenceNumbers) =>
          this.#published.forEach(({ track }) => track.handleNack(ssrc, sequenceNumbers)),
      });
    };
  }

  /** The signalling connection after a resumption. */
  set signal(signal: Signal) {
    this.#signal = signal;
  }

  /** Announces a track, negotiates it and starts to send. @throws PublishRefused */
  async publish(track: LocalTrack, request: PartialMessage<AddTrackRequest>): Promise<void> {
    track.info = await this.#announce(track.cid, request);
    const section = track.section(String(this.#published.length + 1), this.#numbering !== undefined);
    this.#published.push({ track, section });
    await this.negotiate();
    await this.transport.whenConnected();
    track.start(section.mid, (packet) => this.transport.send(packet), this.#numbering);
  }

  async #announce(cid: string, request: PartialMessage<AddTrackRequest>): Promise<TrackInfo | undefined> {
    const signal = this.#signal;
    const refusal = Promise.withResolvers<never>();
    const onMessage = (message: Response): void => {
      if (
        message.case !== 'requestResponse' ||
        message.value.request.case !== 'addTrack' ||
        message.value.request.value.cid !== cid
      )
        return;
      refusal.reject(
        new PublishRefused(RequestResponse_Reason[message.value.reason] as keyof typeof RequestResponse_Reason),
      );
    };
    signal.on('message', onMessage);
    try {
      const announced = signal.next('trackPublished', (response) => response.cid === cid);
      signal.send({ case: 'addTrack', value: { ...request, cid } });
      return (await Promise.race([announced, refusal.promise])).track;
    } finally {
      signal.off('message', onMessage);
    }
  }

  async unpublish(track: LocalTrack): Promise<void> {
    track.stop();
    const published = this.#published.find((candidate) => candidate.track === track);
    if (!published) return;
    published.section.active = false;
    await this.negotiate();
  }

  /** Offers all sections and applies the answer; one negotiation at a time. */
  negotiate(): Promise<void> {
    const turn = this.#turn.then(() => this.#negotiate());
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #negotiate(): Promise<void> {
    this.#own ??= await this.transport.offer();
    const id = ++this.#version;
    const answer = this.#signal.next('answer', (description) => description.id === 0 || description.id === id);
    const sdp = publisherOffer(
      this.#own,
      this.#published.map(({ section }) => section),
      id,
    );
    this.#signal.send({ case: 'offer', value: { type: 'offer', sdp, id } });
    const { sdp: answerSdp } = await answer;
    if (this.#answered) return;
    this.#answered = true;
    this.transport.acceptAnswer(readTransport(answerSdp));
    for (const candidate of this.#earlyCandidates.splice(0)) this.transport.addCandidate(candidate);
  }

  addCandidate(candidate: string): void {
    if (this.#answered) this.transport.addCandidate(candidate);
    else this.#earlyCandidates.push(candidate);
  }

  /** Sends data to everyone else, or to the given identities. @throws Error if the channel does not open. */
  async sendData(
    payload: Uint8Array,
    options: { reliable: boolean; topic?: string | undefined; to: readonly string[] },
  ): Promise<void> {
    if (!this.#own) await this.negotiate();
    const label = options.reliable ? RELIABLE : LOSSY;
    await this.transport.channelOpen(label);
    const packet = new DataPacket({
      kind: options.reliable ? DataPacket_Kind.RELIABLE : DataPacket_Kind.LOSSY,
      destinationIdentities: [...options.to],
      value: {
        case: 'user',
        value: { payload, destinationIdentities: [...options.to], ...(options.topic ? { topic: options.topic } : {}) },
      },
    });
    if (!this.transport.sendData(label, packet.toBinary())) throw new Error(`data channel ${label} took no message`);
  }

  close(): void {
    for (const { track } of this.#published) track.stop();
    this.transport.close();
  }
}
