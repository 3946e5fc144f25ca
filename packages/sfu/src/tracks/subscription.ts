import { VideoQuality, type UpdateTrackSettings } from '@livekit/protocol';
import type { SentStream } from '@rmeet/rtp/sdp';
import { type ReceivableSection } from '../sdp/receivable.ts';
import { SubscribedStream } from '../bandwidth/subscribed-stream.ts';
import { Forwarder, type PacketSink } from '../forwarding/forwarder.ts';
import type { Counters } from '../counters.ts';
import type { Publication } from './publication.ts';

const qualities: Record<VideoQuality, number> = {
  [VideoQuality.LOW]: 0,
  [VideoQuality.MEDIUM]: 1,
  [VideoQuality.HIGH]: 2,
  [VideoQuality.OFF]: -1,
};

/** A participant's subscription to a publication: the forwarder, and its section in the subscriber's SDP. */
export class Subscription {
  readonly publication: Publication;
  readonly forwarder: Forwarder;
  readonly stream: SubscribedStream;
  /** The section of the subscriber's SDP; undefined until one is assigned. */
  mid: string | undefined;
  #receivable: ReceivableSection | undefined;

  constructor(publication: Publication, sink: PacketSink, counters: Counters) {
    const { track } = publication;
    if (!track) throw new Error('subscribed to a track without media');
    this.publication = publication;
    this.forwarder = new Forwarder(track, sink, counters);
    this.stream = new SubscribedStream(publication, this.forwarder);
    track.addForwarder(this.forwarder);
  }

  /** The stream in the subscriber's SDP. */
  get sent(): SentStream {
    const { publisher, info } = this.publication;
    const { ssrc, rtxSsrc } = this.forwarder;
    const stream = info.stream === '' ? info.sid : info.stream;
    return { ssrc, rtxSsrc, streamId: `${publisher.sid}|${stream}`, trackId: info.sid, cname: publisher.sid };
  }

  /**
   * Sets what the subscriber can receive in the section; undefined if it rejected it. Returns false if it cannot decode
   * the codec.
   */
  negotiated(receivable: ReceivableSection | undefined): boolean {
    this.#receivable = receivable;
    return this.codecChanged();
  }

  /** Selects the first of the publication's codecs that the subscriber decodes, and its payload type. */
  codecChanged(): boolean {
    const payloadTypes = this.#receivable?.payloadTypes;
    const track = this.publication.tracks.find(({ codec }) => payloadTypes?.has(codec));
    const payloadType = track && payloadTypes?.get(track.codec);
    if (!this.#receivable || !track || payloadType === undefined) {
      this.forwarder.unconfigure();
      return false;
    }
    this.forwarder.follow(track);
    const { rtx, red, descriptorId, transportId, section } = this.#receivable;
    this.forwarder.configure({
      payloadType,
      rtxPayloadType: rtx.get(payloadType) ?? 0,
      redPayloadType: red,
      descriptorId,
      transportId,
      section,
    });
    return true;
  }

  applySettings(settings: UpdateTrackSettings): void {
    let quality = qualities[settings.quality] ?? qualities[VideoQuality.HIGH];
    if (settings.width > 0 && settings.height > 0) {
      quality = this.publication.qualityForSize(settings.width, settings.height);
    }
    this.stream.view(settings.width, settings.height, settings.priority);
    this.forwarder.setWanted(settings.disabled || quality < 0, Math.max(0, quality));
  }

  end(): void {
    this.forwarder.track.removeForwarder(this.forwarder);
    this.forwarder.unconfigure();
  }
}
