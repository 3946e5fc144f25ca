import {
  AddTrackRequest,
  Encryption_Type,
  SimulcastCodecInfo,
  TrackInfo,
  TrackSource,
  TrackType,
  type VideoLayer,
} from '@livekit/protocol';
import { type CodecName, codecName, codecs } from '@rmeet/rtp';
import type { PublishedTrack } from '../forwarding/published-track.ts';
import { limits } from '../limits.ts';
import { newSid } from '../ids.ts';
import type { SignalMessage } from '../signalling/signal.ts';
import type { SubscriptionRules } from './subscription-rules.ts';

const STREAM_NAME = /^[\w.-]{1,64}$/;
/** LiveKit's stream names; tracks of one stream are synchronized. */
const streamNames: Partial<Record<TrackSource, string>> = {
  [TrackSource.CAMERA]: 'camera',
  [TrackSource.MICROPHONE]: 'camera',
  [TrackSource.SCREEN_SHARE]: 'screen_share',
  [TrackSource.SCREEN_SHARE_AUDIO]: 'screen_share',
};
const sidPrefixes: Partial<Record<TrackSource, string>> = {
  [TrackSource.CAMERA]: 'TR_VC',
  [TrackSource.MICROPHONE]: 'TR_AM',
  [TrackSource.SCREEN_SHARE]: 'TR_VS',
  [TrackSource.SCREEN_SHARE_AUDIO]: 'TR_AS',
};
const rankOfRid: Record<string, number> = { q: 0, h: 1, f: 2 };
const HIGH_QUALITY = 2;

/** The participant that publishes a track, as far as tracks use it. */
export interface Publisher {
  readonly sid: string;
  readonly identity: string;
  readonly rules: SubscriptionRules;
  send(message: SignalMessage): void;
}

/** Descriptions of the codecs, the first one first; clients read the codec that the engine accepted from that order. */
function codecInfos(cid: string, layers: VideoLayer[], codec: CodecName, backup?: CodecName): SimulcastCodecInfo[] {
  const first = new SimulcastCodecInfo({ mimeType: codecs[codec].mimeType, cid, layers });
  return backup ? [first, new SimulcastCodecInfo({ mimeType: codecs[backup].mimeType, layers })] : [first];
}

/** A published track: its public description, and its media once it is bound to an SDP section. */
export class Publication {
  readonly publisher: Publisher;
  readonly info: TrackInfo;
  /** The publisher's id of the track, which its SDP contains. */
  readonly cid: string;
  readonly preferredCodec: CodecName | undefined;
  readonly dtx: boolean;
  /**
   * Whether it may be sent as RED (RFC 2198). End-to-end encrypted RED could not be converted for other subscribers.
   */
  readonly red: boolean;
  /** Undefined until an offer contains it. */
  track: PublishedTrack | undefined;
  /** The codec in which the publisher sends it too if a subscriber cannot decode the first (LiveKit's backup codec). */
  readonly backupCodec: CodecName | undefined;
  /** The track in the backup codec; without layers until a subscriber needs it and the publisher sends it. */
  backup: PublishedTrack | undefined;
  /** Muted by its publisher or the server API. */
  #muted: boolean;
  /** Its source is not permitted now: muted for all subscribers, whatever its publisher requests. */
  #held = false;
  /** A visible participant has subscribed; the publisher is notified only of the first, as in LiveKit. */
  hasBeenSubscribed = false;

  constructor(publisher: Publisher, request: AddTrackRequest) {
    this.publisher = publisher;
    this.cid = request.cid;
    const [first, second] = request.simulcastCodecs.map(({ codec: name }) => codecName(name.replace(/^video\//i, '')));
    this.preferredCodec = first;
    this.dtx = !request.disableDtx;
    this.#muted = request.muted;
    this.red = request.type === TrackType.AUDIO && !request.disableRed && request.encryption === Encryption_Type.NONE;
    const layers = request.layers.slice(0, limits.layersPerTrack);
    const video = request.type === TrackType.VIDEO;
    const codec = this.preferredCodec ?? (video ? 'vp8' : 'opus');
    this.backupCodec = video && second && codecs[second].kind === 'video' && second !== codec ? second : undefined;
    this.info = new TrackInfo({
      sid: newSid(sidPrefixes[request.source] ?? (video ? 'TR_V' : 'TR_A')),
      type: request.type,
      name: request.name.slice(0, limits.nameBytes),
      muted: request.muted,
      width: request.width,
      height: request.height,
      simulcast: layers.length > 1,
      disableDtx: request.disableDtx,
      source: request.source,
      layers,
      mimeType: codecs[codec].mimeType,
      codecs: video ? codecInfos(request.cid, layers, codec, this.backupCodec) : [],
      stereo: request.stereo,
      disableRed: !this.red,
      encryption: request.encryption,
      stream: STREAM_NAME.test(request.stream) ? request.stream : (streamNames[request.source] ?? ''),
      audioFeatures: request.audioFeatures.slice(0, 16),
    });
  }

  get sid(): string {
    return this.info.sid;
  }

  /** Returns whether the effective state changed. */
  setMuted(muted: boolean): boolean {
    this.#muted = muted;
    return this.#review();
  }

  /**
   * Holds or releases the track, by its publisher's permissions. After a release the publisher's own setting applies.
   * Returns whether the effective state changed.
   */
  setHeld(held: boolean): boolean {
    this.#held = held;
    return this.#review();
  }

  #review(): boolean {
    const muted = this.#muted || this.#held;
    if (this.info.muted === muted) return false;
    this.info.muted = muted;
    for (const track of this.tracks) track.setMuted(muted);
    return true;
  }

  /** The track in each of its codecs, the first one first; empty until an offer contains it. */
  get tracks(): PublishedTrack[] {
    return [this.track, this.backup].filter((track) => track !== undefined);
  }

  get isVideo(): boolean {
    return this.info.type === TrackType.VIDEO;
  }

  /** `redundant`: it is sent as RED, which LiveKit treats as a codec. */
  setCodec(codec: CodecName, redundant = false): void {
    this.info.mimeType = redundant ? 'audio/red' : codecs[codec].mimeType;
    const [first] = this.info.codecs;
    if (first) first.mimeType = codecs[codec].mimeType;
    if (this.track) this.track.codec = codec;
  }

  /** The rank (0 low to 2 high) of one of its simulcast streams. */
  qualityOf(rid: string, rids: readonly string[]): number {
    if (rid === '') return HIGH_QUALITY;
    const declared = this.info.layers.find((layer) => layer.rid === rid)?.quality;
    return declared ?? rankOfRid[rid] ?? Math.max(0, rids.indexOf(rid));
  }

  /** The lowest quality at least as large as a view of this many pixels. */
  qualityForSize(width: number, height: number): number {
    const layers = this.info.layers.toSorted((a, b) => a.width * a.height - b.width * b.height);
    const enough = layers.find((layer) => layer.width >= width && layer.height >= height);
    return enough ? Math.min(HIGH_QUALITY, enough.quality) : HIGH_QUALITY;
  }
}
