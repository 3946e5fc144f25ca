import {
  arrivals,
  type CodecName,
  codecs,
  isKeyframe,
  type MediaKind,
  RedPayload,
  type RtpPacket,
  type SenderReport,
  timestampDistance,
} from '@rmeet/rtp';
import type { Counters } from '../counters.ts';
import { AudioLevel } from './audio-level.ts';
import { Layer } from './layer.ts';
import { OutgoingPacket } from './outgoing-packet.ts';
import type { TrackSubscriber } from './track-subscriber.ts';

const KEYFRAME_INTERVAL_MS = 400;

/** Requests of a track to the connection of its publisher. */
export interface PublisherFeedback {
  requestKeyframe(ssrc: number): void;
  requestPackets(ssrc: number, sequenceNumbers: number[]): void;
}

/** Ids of header extensions in the publisher's SDP; 0 if not negotiated. */
export interface ExtensionIds {
  audioLevel: number;
  dependencyDescriptor: number;
}

const outgoing = new OutgoingPacket();
const red = new RedPayload();

/** A track as it is received: its layers, and the forwarders to its subscribers. */
export class PublishedTrack {
  readonly sid: string;
  readonly kind: MediaKind;
  codec: CodecName;
  readonly layers: Layer[] = [];
  readonly level = new AudioLevel();
  readonly forwarders: TrackSubscriber[] = [];
  extensions: ExtensionIds = { audioLevel: 0, dependencyDescriptor: 0 };
  #muted = false;
  /** Bit n: the layer of quality n was sending at the last tick. */
  #live = 0;
  readonly #feedback: PublisherFeedback;
  readonly #counters: Counters;

  constructor(sid: string, codec: CodecName, feedback: PublisherFeedback, counters: Counters) {
    this.sid = sid;
    this.codec = codec;
    this.kind = codecs[codec].kind;
    this.#feedback = feedback;
    this.#counters = counters;
  }

  /** While muted, nothing is forwarded, whatever the publisher sends. */
  setMuted(muted: boolean): void {
    if (muted === this.#muted) return;
    this.#muted = muted;
    this.level.reset();
    if (!muted) for (const forwarder of this.forwarders) forwarder.restart();
  }

  addLayer(ssrc: number, quality: number, nowMs: number): Layer {
    // a restarted sender replaces its layer
    const before = this.layers.findIndex((layer) => layer.quality === quality);
    if (before >= 0) this.layers.splice(before, 1);
    const layer = new Layer(ssrc, codecs[this.codec].clockRate, quality);
    layer.stream.lastArrival = nowMs;
    this.layers.push(layer);
    this.layers.sort((a, b) => a.quality - b.quality);
    for (const forwarder of this.forwarders) forwarder.retarget(nowMs);
    return layer;
  }

  addForwarder(forwarder: TrackSubscriber): void {
    this.forwarders.push(forwarder);
    forwarder.retarget(performance.now());
  }

  /** The publisher no longer sends it; it may send it again later. */
  clear(): void {
    this.layers.length = 0;
    for (const forwarder of this.forwarders) forwarder.restart();
  }

  removeForwarder(forwarder: TrackSubscriber): void {
    const index = this.forwarders.indexOf(forwarder);
    if (index >= 0) this.forwarders.splice(index, 1);
  }

  /** A retransmission by the publisher. Senders also repeat packets for probing: only missing ones are forwarded. */
  handleRepeated(layer: Layer, packet: RtpPacket, nowMs: number): void {
    if (!layer.stream.missing.fill(packet.sequenceNumber, nowMs)) return;
    this.#counters.recovered += 1;
    this.#forward(layer, packet, nowMs);
  }

  /** The hot path: passes a packet to all forwarders. */
  handleRtp(layer: Layer, packet: RtpPacket, nowMs: number): void {
    const wasLive = layer.isLive(nowMs);
    const arrival = layer.stream.received(packet, nowMs);
    if (arrival === arrivals.repeated) return;
    if (!wasLive) for (const forwarder of this.forwarders) forwarder.retarget(nowMs);
    this.#forward(layer, packet, nowMs);
    if (arrival === arrivals.afterGap) this.#askForMissing(layer, nowMs);
    if (arrival !== arrivals.late) layer.advance(packet.timestamp, nowMs);
  }

  #forward(layer: Layer, packet: RtpPacket, nowMs: number): void {
    if (this.kind === 'audio' && this.extensions.audioLevel !== 0 && packet.findExtension(this.extensions.audioLevel)) {
      this.level.observe(packet.buffer[packet.extensionOffset]! & 0x7f, packet.timestamp, nowMs);
    }
    const { forwarders } = this;
    if (this.#muted) return;
    if (!this.#isUsed(layer)) {
      layer.spatialBytes[0]! += packet.buffer.length;
      return;
    }
    if (!prepare(packet, this.codec, this.extensions.dependencyDescriptor)) return;
    this.#readFrame(layer, packet);
    layer.spatialBytes[outgoing.frame?.spatialId ?? 0]! += packet.buffer.length;
    if (!outgoing.empty) layer.cache.put(packet.sequenceNumber, packet.buffer);
    if (packet.payloadType === layer.redPayloadType && !outgoing.empty) this.#forwardRedundant(layer, packet, nowMs);
    else for (const forwarder of forwarders) forwarder.forward(layer, outgoing, nowMs);
  }

  /** Whether any subscriber receives this layer or waits for its key frame. */
  #isUsed(layer: Layer): boolean {
    for (const forwarder of this.forwarders) if (forwarder.uses(layer)) return true;
    return false;
  }

  /**
   * RED audio is forwarded unchanged to subscribers that negotiated it; the others get its newest frame alone. Frames
   * that were lost on the way from the publisher and are repeated in this packet are sent to all as separate packets in
   * their places, so that they need not be requested.
   */
  #forwardRedundant(layer: Layer, packet: RtpPacket, nowMs: number): void {
    if (!red.parse(packet.buffer, packet.payloadOffset, packet.payloadEnd)) return;
    const { sequenceNumber, timestamp } = packet;
    const { missing } = layer.stream;
    for (let block = 0; block < red.repeated; block += 1) {
      const sequence = (sequenceNumber - red.repeated + block) & 0xffff;
      const repeated = (timestamp - red.timestampOffset[block]!) >>> 0;
      const start = red.start[block]!;
      const end = red.end[block]!;
      // a lost packet may have been padding: then the repeated frame arrived before it
      if (start === end || !missing.has(sequence) || timestampDistance(layer.newestTimestamp, repeated) <= 0) continue;
      if (!outgoing.prepareFrame(packet, sequence, repeated, start, end) || !missing.fill(sequence, nowMs)) continue;
      this.#counters.recovered += 1;
      for (const forwarder of this.forwarders) forwarder.forward(layer, outgoing, nowMs);
    }
    if (!outgoing.prepare(packet, 0)) return;
    outgoing.redundant = true;
    for (const forwarder of this.forwarders) if (forwarder.takesRedundancy) forwarder.forward(layer, outgoing, nowMs);
    if (!outgoing.prepareFrame(packet, sequenceNumber, timestamp, red.primaryOffset, packet.payloadEnd)) return;
    for (const forwarder of this.forwarders) if (!forwarder.takesRedundancy) forwarder.forward(layer, outgoing, nowMs);
  }

  /**
   * Reads the frame of a scalable stream that the packet belongs to. If it is unknown, because the key frame with its
   * structure was lost, the packet is dropped and a new key frame is requested.
   */
  #readFrame(layer: Layer, packet: RtpPacket): void {
    const id = this.extensions.dependencyDescriptor;
    if (id === 0 || (this.codec !== 'vp9' && this.codec !== 'av1') || outgoing.empty || !packet.findExtension(id))
      return;
    const { descriptor } = layer;
    if (!descriptor.parse(packet.buffer, packet.extensionOffset, packet.extensionLength)) {
      layer.keyframeWanted = true;
      outgoing.empty = true;
      return;
    }
    outgoing.frame = descriptor;
    outgoing.keyframe = descriptor.hasStructure && descriptor.startOfFrame;
  }

  handleSenderReport(layer: Layer, report: SenderReport, nowMs: number): void {
    layer.stream.handleSenderReport(report, nowMs);
    for (const forwarder of this.forwarders) forwarder.handleSenderReport(layer, report, nowMs);
  }

  /** Prepares a cached packet for a retransmission; undefined if it is no longer cached. */
  recall(layer: Layer, sequence: number, parsed: RtpPacket, takesRedundancy: boolean): OutgoingPacket | undefined {
    const buffer = layer.cache.get(sequence);
    if (!buffer || !parsed.parse(buffer)) return undefined;
    const redundant = parsed.payloadType === layer.redPayloadType;
    if (redundant && !takesRedundancy) {
      if (!red.parse(buffer, parsed.payloadOffset, parsed.payloadEnd)) return undefined;
      return outgoing.prepareFrame(parsed, sequence, parsed.timestamp, red.primaryOffset, parsed.payloadEnd)
        ? outgoing
        : undefined;
    }
    if (redundant && outgoing.prepare(parsed, 0)) {
      outgoing.redundant = true;
      return outgoing;
    }
    return prepare(parsed, this.codec, this.extensions.dependencyDescriptor) ? outgoing : undefined;
  }

  /** The highest live layer up to a quality; else the lowest live one; else the best of all. */
  layerFor(quality: number, nowMs: number): Layer | undefined {
    const newest = Math.max(0, ...this.layers.map((layer) => layer.stream.lastArrival));
    const live = this.layers.filter((layer) => layer.isLive(nowMs, newest));
    const from = live.length > 0 ? live : this.layers;
    return from.findLast((layer) => layer.quality <= quality) ?? from[0];
  }

  /** The highest quality that any subscriber wants now; -1 if none. */
  wantedQuality(): number {
    return Math.max(-1, ...this.forwarders.map((forwarder) => forwarder.wantedQuality));
  }

  /** Requests a key frame from the publisher, at most every 400 ms; `tick` repeats earlier requests. */
  requestKeyframe(layer: Layer, nowMs: number): void {
    if (this.kind === 'audio') return;
    if (nowMs - layer.keyframeAskedAt < KEYFRAME_INTERVAL_MS) {
      layer.keyframeWanted = true;
      return;
    }
    layer.keyframeAskedAt = nowMs;
    layer.keyframeWanted = false;
    this.#counters.plisOut += 1;
    this.#feedback.requestKeyframe(layer.stream.ssrc);
  }

  /** Several times a second: requests missing packets and pending key frames, and detects stopped layers. */
  tick(nowMs: number): void {
    let newest = 0;
    for (const { stream } of this.layers) newest = Math.max(newest, stream.lastArrival);
    let live = 0;
    for (const layer of this.layers) {
      if (layer.isLive(nowMs, newest)) live |= 1 << layer.quality;
      if (layer.stream.missing.any) this.#askForMissing(layer, nowMs);
      if (layer.keyframeWanted) this.requestKeyframe(layer, nowMs);
    }
    if (live === this.#live) return;
    this.#live = live;
    this.retarget(nowMs);
  }

  /** Twice a second: follows layers that stopped or resumed. */
  retarget(nowMs: number): void {
    if (this.#muted) return;
    for (const forwarder of this.forwarders) forwarder.retarget(nowMs);
  }

  #askForMissing(layer: Layer, nowMs: number): void {
    const due = layer.stream.missing.due(nowMs);
    if (due.length === 0) return;
    this.#counters.nacksOut += due.length;
    this.#feedback.requestPackets(layer.stream.ssrc, due);
  }
}

function prepare(packet: RtpPacket, codec: CodecName, descriptorId: number): boolean {
  // other codecs have their structure in the payload; the descriptor would only enlarge every packet
  if (!outgoing.prepare(packet, codec === 'av1' ? descriptorId : 0)) return false;
  outgoing.hasVp8 = codec === 'vp8' && !outgoing.empty;
  if (outgoing.hasVp8) {
    if (!outgoing.vp8.parse(packet.buffer, packet.payloadOffset, packet.payloadEnd)) return false;
    outgoing.keyframe = outgoing.vp8.keyframe;
  } else outgoing.keyframe = isKeyframe(codec, packet.buffer, packet.payloadOffset, packet.payloadEnd);
  return true;
}
