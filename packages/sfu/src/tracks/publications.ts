import { AddTrackRequest, TrackInfo, TrackType } from '@livekit/protocol';
import {
  ArrivalLog,
  MAX_REPORT_BLOCKS,
  codecName,
  type CodecName,
  RtpPacket,
  type SenderReport,
  unwrapRtx,
  writeBandwidthEstimate,
  writeReceiverReport,
} from '@rmeet/rtp';
import {
  extensionId,
  extensionUris,
  isSending,
  type MediaSection,
  redFormat,
  rtxFormats,
  usableFormats,
} from '@rmeet/rtp/sdp';
import type { Layer } from '../forwarding/layer.ts';
import { type ExtensionIds, PublishedTrack, type PublisherFeedback } from '../forwarding/published-track.ts';
import { limits } from '../limits.ts';
import type { Counters } from '../counters.ts';
import { ReceiveEstimate } from '../bandwidth/receive-estimate.ts';
import { Publication, type Publisher } from './publication.ts';

/** Events of a participant's own publications. */
export interface PublicationsHandler {
  handlePublished(publication: Publication): void;
  handleUnpublished(publication: Publication): void;
  /** Its codec differs from the announced one. */
  handleCodecChanged(publication: Publication): void;
  /** A section sends, but is not forwarded. Called once for each. */
  handleRefused(section: MediaSection, reason: Refusal): void;
}

type Refusal = 'no track announced' | 'no usable codec';

/** A sending section of the publisher's offer, and its state. */
interface Binding {
  section: MediaSection;
  codecs: Map<number, CodecName>;
  /** Retransmission payload types, each with that of its media. */
  rtx: Map<number, number>;
  publication: Publication | undefined;
  /** It sends the publication in its backup codec. */
  isBackup: boolean;
  /**
   * Its track was unpublished, and the client has not removed it from the section yet. A track announced since may be
   * in another section of a later offer, although it is the same track.
   */
  spent: boolean;
  /** `handleRefused` was called. */
  refused: boolean;
}

/** The request to publish an existing track in its backup codec, too. */
interface PendingBackup {
  publication: Publication;
  cid: string;
}

interface Source {
  publication: Publication;
  track: PublishedTrack;
  layer: Layer;
  payloadType: number;
  /** For retransmissions the payload type of the media; 0 for a media stream. */
  repeats: number;
}

const trackOf = ({ publication, isBackup }: Binding): PublishedTrack | undefined =>
  isBackup ? publication?.backup : publication?.track;

const parsed = new RtpPacket();

/** What a sending section of the client's offer carries. */
export interface ReceivedSection {
  publication: Publication;
  track: PublishedTrack;
}

const trackExtensions = (section: MediaSection): ExtensionIds => ({
  audioLevel: extensionId(section, extensionUris.audioLevel),
  dependencyDescriptor: extensionId(section, extensionUris.dependencyDescriptor),
});

/** All publications of a participant: announced tracks, their SDP sections, their RTP streams. */
export class Publications {
  readonly #publisher: Publisher;
  readonly #maxTracks: number;
  readonly #feedback: PublisherFeedback;
  readonly #handler: PublicationsHandler;
  readonly #counters: Counters;
  readonly #published = new Map<string, Publication>();
  readonly #pending: Publication[] = [];
  readonly #pendingBackups: PendingBackup[] = [];
  readonly #bindings = new Map<string, Binding>();
  readonly #sources = new Map<number, Source>();
  readonly #estimate = new ReceiveEstimate();
  readonly #arrivals = new ArrivalLog();
  #extensions = { mid: 0, rid: 0, repairedRid: 0, transportSequence: 0 };
  #bytesBefore = 0;
  #reportedAt = 0;

  constructor(
    publisher: Publisher,
    maxTracks: number,
    feedback: PublisherFeedback,
    handler: PublicationsHandler,
    counters: Counters,
  ) {
    this.#publisher = publisher;
    this.#maxTracks = maxTracks;
    this.#feedback = feedback;
    this.#handler = handler;
    this.#counters = counters;
  }

  get published(): Publication[] {
    return [...this.#published.values()];
  }

  /** Published and announced ones. */
  get all(): Publication[] {
    return [...this.#published.values(), ...this.#pending];
  }

  get infos(): TrackInfo[] {
    return this.published.map((publication) => publication.info);
  }

  /** Mean loss from the publisher in the last report interval, 0 to 1. */
  get loss(): number {
    const layers = this.#media.map((source) => source.layer.stream.lossFraction);
    return layers.length === 0 ? 0 : layers.reduce((sum, loss) => sum + loss, 0) / layers.length;
  }

  find(sid: string): Publication | undefined {
    return this.#published.get(sid) ?? this.#pending.find((publication) => publication.sid === sid);
  }

  /**
   * Announces a track, or an existing one in its backup codec; undefined if there are too many, it is already
   * announced, or it has no backup codec.
   */
  add(request: AddTrackRequest): Publication | undefined {
    if (request.sid !== '') return this.#addBackup(request);
    const known = [...this.#published.values(), ...this.#pending];
    if (known.length >= this.#maxTracks || request.cid === '') return undefined;
    if (known.some((publication) => publication.cid === request.cid)) return undefined;
    if (request.type !== TrackType.AUDIO && request.type !== TrackType.VIDEO) return undefined;
    const publication = new Publication(this.#publisher, request);
    this.#pending.push(publication);
    return publication;
  }

  #addBackup({ sid, cid }: AddTrackRequest): Publication | undefined {
    const publication = this.#published.get(sid);
    if (!publication?.backup || cid === '' || cid === publication.cid) return undefined;
    if (this.#pendingBackups.some((pending) => pending.publication === publication)) return undefined;
    this.#pendingBackups.push({ publication, cid });
    return publication;
  }

  /**
   * Binds announced tracks to sections without one: first those that the section names, then the others in the order of
   * the tracks, because a section may name no track (RFC 8830), or name it by another id than the announced one.
   */
  bindWaiting(): void {
    const waiting = [...this.#bindings.values()].filter(({ publication, spent }) => !publication && !spent);
    const unnamed = waiting.filter(
      (binding) =>
        !this.#bind(
          binding,
          this.#pendingFor(binding.section).find(({ cid }) => cid === binding.section.trackId),
        ) &&
        !this.#bindBackup(
          binding,
          this.#pendingBackups.find(({ cid }) => cid === binding.section.trackId),
        ),
    );
    for (const binding of unnamed) {
      const candidates = this.#pendingFor(binding.section);
      // For a camera and a screen in one offer: the section with layers is the camera.
      const alike = candidates.find(({ info }) => info.simulcast === binding.section.rids.length > 1);
      if (!this.#bind(binding, alike ?? candidates[0])) this.#bindBackup(binding, this.#pendingBackups[0]);
    }
  }

  #pendingFor({ kind }: MediaSection): Publication[] {
    return this.#pending.filter(({ isVideo }) => isVideo === (kind === 'video'));
  }

  #reportRefused(binding: Binding): void {
    const { section, publication, spent, refused } = binding;
    if (publication || spent || refused) return;
    binding.refused = true;
    this.#counters.sectionsRefused += 1;
    this.#handler.handleRefused(
      section,
      usableFormats(section).length === 0 ? 'no usable codec' : 'no track announced',
    );
  }

  /** Applies the sending sections of an offer. Returns the publication and the track of each of them, by mid. */
  handleSections(sections: readonly MediaSection[]): Map<string, ReceivedSection> {
    const sending = sections.filter(isSending);
    const moved = this.#endBindings(sending);
    for (const section of sending) {
      this.#learnExtensions(section);
      this.#updateBinding(section, moved.get(section.mid));
    }
    this.bindWaiting();
    for (const binding of this.#bindings.values()) this.#reportRefused(binding);
    const result = new Map<string, ReceivedSection>();
    for (const { mid } of sending) {
      const binding = this.#bindings.get(mid);
      const track = binding && trackOf(binding);
      if (binding?.publication && track) result.set(mid, { publication: binding.publication, track });
    }
    return result;
  }

  /**
   * Ends the bindings of sections that no longer send, or send another track. Returns publications whose track moved
   * to another section, by its mid.
   */
  #endBindings(sending: readonly MediaSection[]): Map<string, Publication> {
    const moved = new Map<string, Publication>();
    for (const [mid, binding] of this.#bindings) {
      const section = sending.find((candidate) => candidate.mid === mid);
      if (section && binding.section.trackId === section.trackId) continue;
      this.#bindings.delete(mid);
      const { publication, isBackup, spent } = binding;
      if (!publication) continue;
      if (isBackup) {
        this.#endBackup(publication);
        continue;
      }
      const target = spent
        ? sending.find((candidate) => candidate.trackId === publication.cid && !this.#bindings.has(candidate.mid))
        : undefined;
      if (target) {
        moved.set(target.mid, publication);
        continue;
      }
      this.unpublish(publication);
      // Its own section is still to come.
      if (spent) this.#pending.push(publication);
    }
    return moved;
  }

  #endBackup({ backup }: Publication): void {
    for (const [ssrc, source] of this.#sources) if (source.track === backup) this.#sources.delete(ssrc);
    backup?.clear();
  }

  #learnExtensions(section: MediaSection): void {
    const id = (uri: string, before: number) => extensionId(section, uri) || before;
    const { mid, rid, repairedRid, transportSequence } = this.#extensions;
    this.#extensions = {
      mid: id(extensionUris.mid, mid),
      rid: id(extensionUris.rid, rid),
      repairedRid: id(extensionUris.repairedRid, repairedRid),
      transportSequence: id(extensionUris.transportSequence, transportSequence),
    };
  }

  #updateBinding(section: MediaSection, moved: Publication | undefined): void {
    const existing = this.#bindings.get(section.mid);
    const formats = section.formats.flatMap((format): Array<[number, CodecName]> => {
      const codec = codecName(format.name);
      return codec ? [[format.payloadType, codec]] : [];
    });
    const rtx = new Map([...rtxFormats(section)].map(([media, { payloadType }]) => [payloadType, media]));
    const binding: Binding = {
      section,
      codecs: new Map(formats),
      rtx,
      publication: existing?.publication ?? moved,
      isBackup: existing?.isBackup ?? false,
      spent: existing?.spent ?? false,
      refused: existing?.refused ?? false,
    };
    this.#bindings.set(section.mid, binding);
    if (binding.publication && !binding.isBackup) binding.publication.info.mid = section.mid;
  }

  unpublish(publication: Publication): void {
    const pending = this.#pending.indexOf(publication);
    if (pending >= 0) this.#pending.splice(pending, 1);
    const backup = this.#pendingBackups.findIndex((each) => each.publication === publication);
    if (backup >= 0) this.#pendingBackups.splice(backup, 1);
    for (const binding of this.#bindings.values()) {
      if (binding.publication !== publication) continue;
      binding.publication = undefined;
      binding.spent = true;
    }
    for (const [ssrc, source] of this.#sources) if (source.publication === publication) this.#sources.delete(ssrc);
    if (this.#published.delete(publication.sid)) this.#handler.handleUnpublished(publication);
  }

  /** The hot path: one packet from the publisher's transport. */
  handleRtp(buffer: Buffer): void {
    if (!parsed.parse(buffer)) return;
    this.#counters.packetsIn += 1;
    this.#counters.bytesIn += buffer.length;
    const nowMs = performance.now();
    const { transportSequence } = this.#extensions;
    if (transportSequence !== 0 && parsed.findExtension(transportSequence) && parsed.extensionLength >= 2) {
      const at = parsed.extensionOffset;
      this.#arrivals.received((buffer[at]! << 8) | buffer[at + 1]!, parsed.ssrc, nowMs);
    }
    let source = this.#sources.get(parsed.ssrc);
    if (!source || source.payloadType !== parsed.payloadType) {
      source = this.#identify(source, nowMs);
      if (!source) {
        this.#counters.packetsUnknown += 1;
        return;
      }
    }
    const { track, layer, repeats } = source;
    if (repeats === 0) track.handleRtp(layer, parsed, nowMs);
    else if (unwrapRtx(parsed, layer.stream.ssrc, repeats)) track.handleRepeated(layer, parsed, nowMs);
  }

  handleSenderReport(report: SenderReport): void {
    const source = this.#sources.get(report.ssrc);
    source?.track.handleSenderReport(source.layer, report, performance.now());
  }

  /** Every 50 ms: requests packets still missing, and pending key frames. */
  tick(nowMs: number): void {
    for (const publication of this.#published.values()) for (const track of publication.tracks) track.tick(nowMs);
  }

  /** Transport-wide feedback for the publisher when it is due; valid until the next call for any publisher. */
  arrivalFeedback(nowMs: number): Buffer | undefined {
    return this.#arrivals.isDue(nowMs) ? this.#arrivals.feedback(nowMs) : undefined;
  }

  /**
   * Once a second: receiver reports, and a bandwidth estimate (REMB) for publishers that do not number their packets;
   * empty while nothing is received.
   */
  reports(nowMs: number): Buffer[] {
    const sources = this.#media.filter((source) => source.layer.isLive(nowMs));
    if (sources.length === 0) return [];
    const blocks = sources.map((source) => source.layer.stream.reportBlock(nowMs));
    const bytes = sources.reduce((sum, source) => sum + source.layer.stream.bytes, 0);
    const seconds = Math.max(0.5, (nowMs - this.#reportedAt) / 1000);
    this.#estimate.update(Math.max(0, ((bytes - this.#bytesBefore) * 8) / seconds), this.loss);
    this.#bytesBefore = bytes;
    this.#reportedAt = nowMs;
    const ssrcs = sources.filter((source) => source.publication.isVideo).map((source) => source.layer.stream.ssrc);
    const reports: Buffer[] = [];
    for (let at = 0; at < blocks.length; at += MAX_REPORT_BLOCKS)
      reports.push(writeReceiverReport(blocks.slice(at, at + MAX_REPORT_BLOCKS)));
    if (ssrcs.length > 0 && this.#extensions.transportSequence === 0)
      reports.push(writeBandwidthEstimate(this.#estimate.bitrate, ssrcs.slice(0, 255)));
    return reports;
  }

  /** Returns false if there is no track, or the section has no supported codec. */
  #bind(binding: Binding, publication: Publication | undefined): boolean {
    const { section } = binding;
    const [first] = usableFormats(section, publication?.preferredCodec);
    if (!publication || !first) return false;
    this.#pending.splice(this.#pending.indexOf(publication), 1);
    binding.publication = publication;
    const track = this.#createTrack(publication, first.codec);
    track.extensions = trackExtensions(section);
    publication.track = track;
    const { backupCodec } = publication;
    // It exists from now on, so that subscribers that need it can wait for it.
    if (backupCodec && backupCodec !== first.codec) publication.backup = this.#createTrack(publication, backupCodec);
    publication.info.mid = section.mid;
    publication.setCodec(first.codec, publication.red && redFormat(section) !== undefined);
    this.#published.set(publication.sid, publication);
    this.#handler.handlePublished(publication);
    return true;
  }

  /** Returns false if nothing is announced, or the section has no supported codec. */
  #bindBackup(binding: Binding, pending: PendingBackup | undefined): boolean {
    const backup = pending?.publication.backup;
    const [first] = usableFormats(binding.section, backup?.codec);
    if (!pending || !backup || !first || binding.section.kind !== 'video') return false;
    this.#pendingBackups.splice(this.#pendingBackups.indexOf(pending), 1);
    binding.publication = pending.publication;
    binding.isBackup = true;
    backup.extensions = trackExtensions(binding.section);
    return true;
  }

  #createTrack({ sid, info }: Publication, codec: CodecName): PublishedTrack {
    const track = new PublishedTrack(sid, codec, this.#feedback, this.#counters);
    track.setMuted(info.muted);
    return track;
  }

  /** The media streams, without those of retransmissions. */
  get #media(): Source[] {
    return [...this.#sources.values()].filter((source) => source.repeats === 0);
  }

  /**
   * Identifies the stream of a new SSRC, or of a new payload type of a known one: by mid and rid, else by the SSRCs in
   * the SDP.
   */
  #identify(known: Source | undefined, nowMs: number): Source | undefined {
    const mid = parsed.extensionText(this.#extensions.mid);
    const { ssrc, payloadType } = parsed;
    const bindings = [...this.#bindings.values()];
    const binding =
      mid === undefined
        ? bindings.find((each) => (known ? trackOf(each) === known.track : each.section.ssrcs.includes(ssrc)))
        : this.#bindings.get(mid);
    const publication = binding?.publication;
    if (!binding || !publication?.track) return undefined;
    if (!known && this.#sources.size >= limits.streamsPerParticipant) return undefined;
    const repeats = binding.rtx.get(payloadType);
    if (known && (known.repeats === 0) !== (repeats === undefined)) return undefined;
    const source =
      repeats === undefined
        ? this.#identifyMedia(known, binding, publication, nowMs)
        : this.#identifyRepeats(binding, publication, repeats);
    if (source) this.#sources.set(ssrc, source);
    return source;
  }

  #identifyMedia(
    known: Source | undefined,
    binding: Binding,
    publication: Publication,
    nowMs: number,
  ): Source | undefined {
    const { ssrc, payloadType } = parsed;
    const red = redFormat(binding.section)?.payloadType ?? -1;
    const codec = payloadType === red ? 'opus' : binding.codecs.get(payloadType);
    const track = trackOf(binding);
    if (!codec || !track) return undefined;
    if (codec !== track.codec) {
      if (binding.isBackup) track.codec = codec;
      else publication.setCodec(codec);
      this.#handler.handleCodecChanged(publication);
    }
    if (known) {
      known.payloadType = payloadType;
      return known;
    }
    const rid = parsed.extensionText(this.#extensions.rid) ?? '';
    const layer = track.addLayer(ssrc, publication.qualityOf(rid, binding.section.rids), nowMs);
    layer.redPayloadType = red;
    for (const [before, other] of this.#sources) {
      if (other.track === track && !track.layers.includes(other.layer)) this.#sources.delete(before);
    }
    return { publication, track, layer, payloadType, repeats: 0 };
  }

  /** Retransmissions belong to the layer their header extension or the SDP names, or to the only one there is. */
  #identifyRepeats(binding: Binding, publication: Publication, repeats: number): Source | undefined {
    const track = trackOf(binding);
    if (!track) return undefined;
    const rid = parsed.extensionText(this.#extensions.repairedRid);
    const quality = rid === undefined ? -1 : publication.qualityOf(rid, binding.section.rids);
    const media = binding.section.repeats.get(parsed.ssrc);
    const layer = track.layers.find((candidate) => candidate.quality === quality || candidate.stream.ssrc === media);
    const only = track.layers.length === 1 && binding.section.rids.length < 2 ? track.layers[0] : undefined;
    const found = layer ?? only;
    return found && { publication, track, layer: found, payloadType: parsed.payloadType, repeats };
  }
}
