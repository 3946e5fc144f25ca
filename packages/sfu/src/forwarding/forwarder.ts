import { randomInt } from 'node:crypto';
import {
  codecs,
  type ReportBlock,
  RtpPacket,
  type SenderReport,
  sequenceDistance,
  writeSenderReport,
} from '@rmeet/rtp';
import type { TrackSubscriber } from './track-subscriber.ts';
import { Vp8Rewriter } from './vp8-rewriter.ts';
import type { Counters } from '../counters.ts';
import { DecodeTargets } from './decode-targets.ts';
import type { Layer } from './layer.ts';
import { DESCRIPTOR_ID_OFFSET, PLAIN_PAYLOAD_OFFSET, type OutgoingPacket } from './outgoing-packet.ts';
import type { PublishedTrack } from './published-track.ts';
import { RtxStream, writePadding } from './rtx-stream.ts';
import { SectionName, type NamedSection } from './section-name.ts';
import { SentPackets } from './sent-packets.ts';
import { SequenceShift } from './sequence-shift.ts';
import { TimeLine } from './time-line.ts';

const HIGH_QUALITY = 2;
/** Packets that one stream resends per second at most: more than 10 % of 20 Mbit/s. */
const RESENDS_PER_SECOND = 400;
/** Minimum time between two retransmissions of a packet, ms; normally it is the round trip. */
const RESEND_INTERVAL_MS = 20;
/** Number of last packets that `sendProbe` uses. */
const PROBE_PACKETS = 200;

/** The subscriber's transport. It copies the packets. */
export interface PacketSink {
  /** Whether packets can be sent yet. */
  readonly connected: boolean;
  /** RTCP. */
  send(packet: Buffer): boolean;
  /**
   * RTP prepared by OutgoingPacket: writes the transport-wide sequence number into it, under this id (0: none). Packets
   * of video may be held for up to 2 ms, to leave together.
   */
  sendMedia(packet: Buffer, transportId: number, isVideo: boolean): boolean;
}

/** The format of one stream in the subscriber's SDP: payload types and ids of header extensions, 0 for missing ones. */
export interface SendFormat {
  payloadType: number;
  /** Of retransmissions (RFC 4588). */
  rtxPayloadType: number;
  /** Of RED audio (RFC 2198). */
  redPayloadType: number;
  descriptorId: number;
  /** Of the transport-wide sequence number. */
  transportId: number;
  /**
   * The section whose mid is added to packets until the subscriber knows the stream; undefined if it knows it
   * beforehand.
   */
  section?: NamedSection | undefined;
}

const NOTHING: SendFormat = { payloadType: 0, rtxPayloadType: 0, redPayloadType: 0, descriptorId: 0, transportId: 0 };
const recalled = new RtpPacket();
const paddingPacket = Buffer.alloc(PLAIN_PAYLOAD_OFFSET + 1);

/**
 * Forwards a published track to one subscriber: selects the layer, and rewrites sequence numbers, timestamps and
 * picture ids so that the subscriber sees one continuous stream. Changes the layer only at a key frame, or where the
 * sender marked a switching point in a scalable stream.
 */
export class Forwarder implements TrackSubscriber {
  #track: PublishedTrack;
  /** The SSRC the subscriber sees. */
  readonly ssrc = randomInt(1, 0xffff_ffff);
  /** Share of packets lost on the way to the subscriber in its last report, 0 to 1. */
  loss = 0;
  /** Round trip to the subscriber, ms; 0 until it is known. */
  roundTripMs = 0;
  readonly #sink: PacketSink;
  readonly #counters: Counters;
  #format = NOTHING;
  #undecodable = false;
  #disabled = false;
  #maxQuality = HIGH_QUALITY;
  #ceiling = HIGH_QUALITY;
  /** The highest quality to send: limited by the subscriber's wish and by bandwidth; -1 for nothing. */
  #limit = HIGH_QUALITY;
  #current: Layer | undefined;
  #target: Layer | undefined;
  readonly #targets = new DecodeTargets();
  readonly #name = new SectionName();
  readonly #shift = new SequenceShift();
  readonly #vp8 = new Vp8Rewriter();
  readonly #time: TimeLine;
  readonly #sent: SentPackets;
  readonly #rtx: RtxStream | undefined;
  /** Added to frame numbers of dependency descriptors, which continue across layers; and the last one sent. */
  #frameShift = 0;
  #lastFrame = 0;
  #lastSequence = randomInt(0x10000);
  #lastTimestamp = 0;
  #packets = 0;
  #bytes = 0;
  #resends = 0;
  #resendsSince = 0;
  #reportSent: { middle: number; at: number } | undefined;

  constructor(track: PublishedTrack, sink: PacketSink, counters: Counters) {
    this.#track = track;
    this.#sink = sink;
    this.#counters = counters;
    this.#time = new TimeLine(codecs[track.codec].clockRate);
    this.#sent = new SentPackets(track.kind);
    this.#rtx = track.kind === 'video' ? new RtxStream() : undefined;
  }

  get track(): PublishedTrack {
    return this.#track;
  }

  /**
   * Forwards the same picture in another of its codecs, from its next key frame on. The clock rate must be the same.
   */
  follow(track: PublishedTrack): void {
    if (track === this.#track) return;
    this.#track.removeForwarder(this);
    this.#track = track;
    this.#current = undefined;
    this.#target = undefined;
    track.addForwarder(this);
  }

  /** The SSRC of retransmissions; 0 for audio, which has none. */
  get rtxSsrc(): number {
    return this.#rtx?.ssrc ?? 0;
  }

  /** Whether RED audio is forwarded unchanged (RFC 2198). */
  get takesRedundancy(): boolean {
    return this.#format.redPayloadType !== 0;
  }

  /** The quality that the subscriber wants now: 0 to 2, or -1 for nothing. */
  get wantedQuality(): number {
    return this.#disabled || this.#undecodable ? -1 : this.#maxQuality;
  }

  /** The quality of the layer that is forwarded now; undefined while none is. */
  get currentQuality(): number | undefined {
    if (this.#current && this.#targets.spatialId >= 0) return this.#targets.quality;
    return this.#current?.quality;
  }

  /** Sets the stream's format in the subscriber's SDP. Nothing is sent before. */
  configure(format: SendFormat): void {
    // every negotiation contains every stream again; an unchanged one must not wait for a key frame
    const { payloadType, descriptorId } = this.#format;
    this.#format = format;
    this.#undecodable = false;
    this.#name.set(format.section);
    if (this.#rtx) this.#rtx.payloadType = format.rtxPayloadType;
    if (payloadType !== format.payloadType || descriptorId !== format.descriptorId) this.restart();
  }

  /** The subscriber has no section for the stream, or cannot decode it. */
  unconfigure(): void {
    this.#format = NOTHING;
    this.#undecodable = true;
    this.#name.set(undefined);
    this.#current = undefined;
  }

  /**
   * Starts again from a key frame, for example when the subscriber's transport has connected, or the track is unmuted.
   * Sequence numbers continue: packets that were not forwarded meanwhile must not count as lost.
   */
  restart(): void {
    this.#current = undefined;
    this.retarget(performance.now());
  }

  /** Sets the subscriber's wish: paused or not, and the highest quality. */
  setWanted(disabled: boolean, maxQuality: number): void {
    this.#disabled = disabled;
    this.#maxQuality = maxQuality;
    this.#applyLimit(performance.now());
  }

  /**
   * Sets the highest quality that the bandwidth allows, 0 to 2; -1 pauses the stream. With `atOnce` a better layer
   * stops now; else it continues until the key frame of the next one.
   */
  setCeiling(quality: number, atOnce: boolean, nowMs: number): void {
    if (quality === this.#ceiling) return;
    this.#ceiling = quality;
    this.#applyLimit(nowMs);
    if (atOnce && this.#current && this.#current !== this.#target && this.#current.quality > quality)
      this.#current = undefined;
  }

  /**
   * Selects the layer again, and requests a key frame if it differs from the current one. Only while the subscriber is
   * connected: before, the key frame would be lost, and the next one could be requested only later.
   */
  retarget(nowMs: number): void {
    if (this.#limit < 0 || this.#format.payloadType === 0 || !this.#sink.connected) return;
    this.#target = this.track.layerFor(this.#limit, nowMs);
    if (!this.#target) return;
    this.#targets.want(this.#limit);
    if (this.#target !== this.#current || this.#targets.needsKeyframe) this.track.requestKeyframe(this.#target, nowMs);
  }

  /** Whether a layer is forwarded, or will be from its next key frame on. */
  uses(layer: Layer): boolean {
    return layer === this.#current || layer === this.#target;
  }

  /** The hot path: one packet of one of the track's layers. */
  // oxlint-disable-next-line complexity -- the hot path: one function without calls that could be avoided
  forward(layer: Layer, out: OutgoingPacket, nowMs: number): void {
    if (layer !== this.#current) {
      if (layer !== this.#target || !out.keyframe || this.#limit < 0 || this.#format.payloadType === 0) return;
      this.#switchTo(layer, out, nowMs);
    }
    const source = out.sequenceNumber;
    const { frame } = out;
    if (out.empty || (frame && !this.#targets.accepts(frame, this.#shift.isNewest(source), this.#limit))) {
      if (!this.#shift.drop(source)) this.#fillGap(out);
      return;
    }
    const sequence = this.#shift.map(source);
    if (sequence < 0) return;
    // for this subscriber the frame ends with its highest layer
    const ends = frame?.endOfFrame === true && frame.spatialId === this.#targets.spatialId;
    const marker = ends ? 0x80 : out.markerBit;
    const newest = sequenceDistance(this.#lastSequence, sequence) > 0;
    this.#sent.note(sequence, source, marker, nowMs);
    const packet = this.#write(out, sequence, marker, newest);
    if (newest) {
      this.#lastSequence = sequence;
      this.#lastTimestamp = this.#time.map(out.timestamp);
      this.#time.sent(out.timestamp, nowMs);
      if (frame) this.#lastFrame = (frame.frameNumber + this.#frameShift) & 0xffff;
    }
    if (!this.#sink.sendMedia(this.#name.addTo(packet), this.#format.transportId, this.track.kind === 'video')) return;
    this.#packets += 1;
    this.#bytes += packet.length - PLAIN_PAYLOAD_OFFSET;
    this.#counters.packetsOut += 1;
    this.#counters.bytesOut += packet.length;
  }

  /**
   * Resends packets that the subscriber lost, on the retransmission stream if there is one: each at most once per round
   * trip, and a limited number per second. Packets from before the last switch are not resent.
   */
  handleNack(sequenceNumbers: readonly number[], nowMs: number): void {
    this.#counters.nacksIn += sequenceNumbers.length;
    const interval = Math.max(RESEND_INTERVAL_MS, this.roundTripMs);
    if (nowMs - this.#resendsSince > 1000) {
      this.#resendsSince = nowMs;
      this.#resends = 0;
    }
    for (const sequence of sequenceNumbers) {
      if (this.#resends >= RESENDS_PER_SECOND) return;
      if (!this.#sent.find(sequence) || !this.#sent.mayResend(sequence, interval, nowMs)) continue;
      if (this.#resend(sequence) === 0) continue;
      this.#resends += 1;
      this.#counters.retransmitted += 1;
    }
  }

  /**
   * Sends about this many bytes to probe the network: packets that the subscriber already received, else padding.
   * Returns the bytes sent; 0 if the subscriber supports no retransmissions or has received nothing yet.
   */
  sendProbe(bytes: number): number {
    const rtx = this.#rtx;
    const { rtxPayloadType, transportId } = this.#format;
    if (!rtx || rtxPayloadType === 0 || this.#packets === 0) return 0;
    let sent = 0;
    for (let back = 0; back < PROBE_PACKETS && sent < bytes; back += 1) {
      const sequence = (this.#lastSequence - back) & 0xffff;
      if (!this.#sent.find(sequence)) break;
      sent += this.#resend(sequence);
    }
    while (sent < bytes) {
      const packet = rtx.padding(bytes - sent, PLAIN_PAYLOAD_OFFSET, this.#lastTimestamp);
      if (!this.#sink.sendMedia(packet, transportId, true)) break;
      sent += packet.length;
    }
    return sent;
  }

  handleKeyframeRequest(nowMs: number): void {
    this.#counters.plisIn += 1;
    this.requestKeyframe(nowMs);
  }

  /** Has the publisher send a key frame of the layer that is forwarded. */
  requestKeyframe(nowMs: number): void {
    const layer = this.#current ?? this.#target;
    if (layer) this.track.requestKeyframe(layer, nowMs);
  }

  /** Forwards the publisher's clock with the subscriber's timestamps, so that audio and video stay synchronized. */
  handleSenderReport(layer: Layer, report: SenderReport, nowMs: number): void {
    if (layer !== this.#current) return;
    const mapped = { ...report, ssrc: this.ssrc, rtpTimestamp: this.#time.map(report.rtpTimestamp) };
    this.#reportSent = { middle: (((report.ntpHigh & 0xffff) << 16) | (report.ntpLow >>> 16)) >>> 0, at: nowMs };
    this.#sink.send(writeSenderReport(mapped, this.#packets, this.#bytes));
  }

  handleReportBlock(block: ReportBlock, nowMs: number): void {
    this.#name.known();
    this.loss = block.fractionLost / 256;
    const sent = this.#reportSent;
    if (sent && block.lastSenderReport === sent.middle) {
      this.roundTripMs = Math.max(0, nowMs - sent.at - block.delaySinceLastSenderReport / 65.536);
    }
  }

  #applyLimit(nowMs: number): void {
    this.#limit = this.#disabled ? -1 : Math.min(this.#maxQuality, this.#ceiling);
    if (this.#limit < 0) this.#current = undefined;
    this.retarget(nowMs);
  }

  /** Resends the packet just found in `#sent`. Returns the bytes sent; 0 if it is no longer cached. */
  #resend(sequence: number): number {
    const layer = this.#current;
    const out = layer && this.track.recall(layer, this.#sent.source, recalled, this.takesRedundancy);
    if (!out || out.empty) return 0;
    let packet = this.#write(out, sequence, this.#sent.marker, false);
    let { transportId } = this.#format;
    if (this.#rtx && this.#rtx.payloadType !== 0) packet = this.#rtx.wrap(packet, this.#payloadOffset(out));
    else {
      packet = this.#name.addTo(packet);
      // Under its own number SRTP may only send the same bytes again: it keeps the transport-wide number that it had.
      transportId = 0;
    }
    return this.#sink.sendMedia(packet, transportId, this.track.kind === 'video') ? packet.length : 0;
  }

  /**
   * Replaces a late packet that the subscriber does not get by padding with its sequence number; else the subscriber
   * would request it again and again.
   */
  #fillGap(out: OutgoingPacket): void {
    if (this.track.kind === 'audio') return;
    const sequence = this.#shift.map(out.sequenceNumber);
    if (sequence < 0) return;
    writePadding(paddingPacket, PLAIN_PAYLOAD_OFFSET);
    this.#writeHeader(paddingPacket, sequence, 0, this.#time.map(out.timestamp));
    this.#sink.sendMedia(paddingPacket, this.#format.transportId, true);
  }

  #payloadOffset(out: OutgoingPacket): number {
    return out.extended && this.#format.descriptorId !== 0 ? out.extendedPayloadOffset : PLAIN_PAYLOAD_OFFSET;
  }

  /** Writes this subscriber's header in front of the shared payload. The packet is valid until the next call. */
  #write(out: OutgoingPacket, sequence: number, marker: number, newest: boolean): Buffer {
    let packet = out.plain;
    const { descriptorId } = this.#format;
    if (out.extended && descriptorId !== 0) {
      packet = out.extended;
      packet[DESCRIPTOR_ID_OFFSET] = descriptorId;
      const frame = (out.frameNumber + this.#frameShift) & 0xffff;
      packet[DESCRIPTOR_ID_OFFSET + 3] = frame >> 8;
      packet[DESCRIPTOR_ID_OFFSET + 4] = frame & 0xff;
    }
    this.#writeHeader(packet, sequence, marker, this.#time.map(out.timestamp));
    if (out.redundant) packet[1] = marker | this.#format.redPayloadType;
    if (out.hasVp8) this.#vp8.rewrite(out.vp8, packet, this.#payloadOffset(out), newest);
    return packet;
  }

  #writeHeader(packet: Buffer, sequence: number, marker: number, timestamp: number): void {
    const { ssrc } = this;
    packet[1] = marker | this.#format.payloadType;
    packet[2] = sequence >> 8;
    packet[3] = sequence & 0xff;
    packet[4] = timestamp >>> 24;
    packet[5] = (timestamp >>> 16) & 0xff;
    packet[6] = (timestamp >>> 8) & 0xff;
    packet[7] = timestamp & 0xff;
    packet[8] = ssrc >>> 24;
    packet[9] = (ssrc >>> 16) & 0xff;
    packet[10] = (ssrc >>> 8) & 0xff;
    packet[11] = ssrc & 0xff;
  }

  #switchTo(layer: Layer, out: OutgoingPacket, nowMs: number): void {
    this.#time.switchTo(layer, out.timestamp, nowMs);
    this.#shift.restart(out.sequenceNumber, (this.#lastSequence + 1) & 0xffff);
    this.#sent.switched();
    this.#targets.restart();
    if (out.hasVp8) this.#vp8.switchSource(out.vp8);
    if (out.frame) this.#frameShift = (this.#lastFrame + 1 - out.frame.frameNumber) & 0xffff;
    this.#current = layer;
    const report = layer.stream.lastReport;
    // else audio and video would not be synchronized until the next report of the layer
    if (report) this.handleSenderReport(layer, report, nowMs);
  }
}
