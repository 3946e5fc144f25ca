import { randomInt } from 'node:crypto';
import type { Counters } from '../metrics.ts';
import { RtpPacket, sequenceDistance, timestampDistance } from '../rtp/packet.ts';
import { writeSenderReport, type ReportBlock, type SenderReport } from '../rtp/rtcp.ts';
import { codecs } from './codecs.ts';
import type { Layer } from './layer.ts';
import { DESCRIPTOR_ID_OFFSET, PLAIN_PAYLOAD_OFFSET, type OutgoingPacket } from './outgoing-packet.ts';
import type { PublishedTrack } from './published-track.ts';
import { SequenceShift } from './sequence-shift.ts';
import { Vp8Rewriter } from './vp8.ts';

const HIGH_QUALITY = 2;
/** Packets a subscriber may ask for again. A power of two. */
const SENT = 512;
/** A clock-mapped timestamp further than this from the arrival time is not believed. */
const CLOCK_TOLERANCE_SECONDS = 2;

/** Where a forwarder's packets go: the subscriber's transport. Copies what it is given. */
export interface PacketSink {
  /** Whether packets go anywhere yet. */
  readonly connected: boolean;
  /** RTCP. */
  send(packet: Buffer): boolean;
  /** RTP laid out by OutgoingPacket: writes the transport-wide sequence number into it, under this id (0: none). */
  sendMedia(packet: Buffer, transportId: number): boolean;
}

/**
 * One published track to one subscriber: picks the layer, and rewrites sequence numbers,
 * timestamps and picture ids so that the subscriber sees one continuous stream. Changes layer
 * only at a key frame.
 */
export class Forwarder {
  readonly track: PublishedTrack;
  /** The SSRC the subscriber sees. */
  readonly ssrc = randomInt(1, 0xffff_ffff);
  /** Share of packets lost on the way to the subscriber in its last report, 0 to 1. */
  loss = 0;
  /** Round trip to the subscriber, ms. */
  roundTripMs = 0;
  readonly #sink: PacketSink;
  readonly #counters: Counters;
  readonly #clockRate: number;
  #payloadType = -1;
  #descriptorId = 0;
  #transportId = 0;
  #disabled = false;
  #maxQuality = HIGH_QUALITY;
  #ceiling = HIGH_QUALITY;
  #current: Layer | undefined;
  #target: Layer | undefined;
  /** The layer last sent from, also while paused. */
  #previous: Layer | undefined;
  readonly #shift = new SequenceShift();
  readonly #vp8 = new Vp8Rewriter();
  #timestampShift = 0;
  #lastSequence = randomInt(0x10000);
  #lastTimestamp = randomInt(0x1_0000_0000);
  #lastSentAt = 0;
  #packets = 0;
  #bytes = 0;
  /** What went out, by its number: `sourceSequence | sequence << 16`, and since which switch. */
  readonly #sent = new Uint32Array(SENT);
  readonly #sentSwitch = new Uint32Array(SENT);
  #switches = 0;
  #reportSent: { middle: number; at: number } | undefined;

  constructor(track: PublishedTrack, sink: PacketSink, counters: Counters) {
    this.track = track;
    this.#sink = sink;
    this.#counters = counters;
    this.#clockRate = codecs[track.codec].clockRate;
  }

  /** The quality this subscriber wants now: 0 to 2, or -1 for nothing. */
  get wantedQuality(): number {
    return this.#disabled ? -1 : this.#maxQuality;
  }

  /** The layer's rank that goes out now, undefined while nothing does. */
  get currentQuality(): number | undefined {
    return this.#current?.quality;
  }

  /**
   * Sets what the subscriber's SDP says of this stream. Nothing goes out before.
   * `descriptorId` is its id of the dependency descriptor extension, `transportId` that of the transport-wide
   * sequence number, 0 for none.
   */
  configure(payloadType: number, descriptorId: number, transportId = 0): void {
    this.#transportId = transportId;
    // every negotiation names every stream again; one that stays as it is must not wait for a key frame
    if (payloadType === this.#payloadType && descriptorId === this.#descriptorId) return;
    this.#payloadType = payloadType;
    this.#descriptorId = descriptorId;
    this.restart();
  }

  /** The subscriber no longer has a place for the stream. */
  unconfigure(): void {
    this.#payloadType = -1;
    this.#current = undefined;
  }

  /**
   * Starts over from a key frame, as when the subscriber's transport has just connected, or the track is no longer
   * muted. Numbers go on where they were: what was not forwarded meanwhile must not look lost.
   */
  restart(): void {
    this.#current = undefined;
    this.retarget(performance.now());
  }

  /** What the subscriber asked for: pause, and the best quality worth sending. */
  setWanted(disabled: boolean, maxQuality: number): void {
    this.#disabled = disabled;
    this.#maxQuality = maxQuality;
    if (disabled) this.#current = undefined;
    this.retarget(performance.now());
  }

  /**
   * The best quality the way to the subscriber has room for, 0 to 2; -1 pauses the stream. With `atOnce` a layer above
   * it stops now; else it goes on until the next one's key frame is there.
   */
  setCeiling(quality: number, atOnce: boolean, nowMs: number): void {
    if (quality === this.#ceiling) return;
    this.#ceiling = quality;
    if (quality < 0 || (atOnce && this.#current && this.#current.quality > quality)) this.#current = undefined;
    this.retarget(nowMs);
  }

  /**
   * Chooses the layer anew; asks for a key frame when it is another than the one going out. Not before the subscriber
   * is connected: that key frame would go nowhere, and the next may be asked for only some time later.
   */
  retarget(nowMs: number): void {
    if (this.#disabled || this.#ceiling < 0 || this.#payloadType < 0 || !this.#sink.connected) return;
    this.#target = this.track.layerFor(Math.min(this.#maxQuality, this.#ceiling), nowMs);
    if (this.#target && this.#target !== this.#current) this.track.requestKeyframe(this.#target, nowMs);
  }

  /** The hot path: one packet of one of the track's layers. */
  forward(layer: Layer, out: OutgoingPacket, nowMs: number): void {
    if (layer !== this.#current) {
      if (layer !== this.#target || !out.keyframe || this.#disabled || this.#ceiling < 0 || this.#payloadType < 0) return;
      this.#switchTo(layer, out, nowMs);
    }
    if (out.empty) {
      this.#shift.drop(out.sequenceNumber);
      return;
    }
    const sequence = this.#shift.map(out.sequenceNumber);
    if (sequence < 0) return;
    const newest = sequenceDistance(this.#lastSequence, sequence) > 0;
    const slot = sequence & (SENT - 1);
    this.#sent[slot] = (sequence << 16) | out.sequenceNumber;
    this.#sentSwitch[slot] = this.#switches;
    const size = this.#write(out, sequence, newest);
    if (newest) {
      this.#lastSequence = sequence;
      this.#lastTimestamp = (out.timestamp + this.#timestampShift) >>> 0;
      this.#lastSentAt = nowMs;
    }
    if (size === 0) return;
    this.#packets += 1;
    this.#bytes += size - PLAIN_PAYLOAD_OFFSET;
    this.#counters.packetsOut += 1;
    this.#counters.bytesOut += size;
  }

  /** The subscriber lost these. What came from before the last switch is not worth sending again. */
  handleNack(sequenceNumbers: readonly number[]): void {
    this.#counters.nacksIn += sequenceNumbers.length;
    const layer = this.#current;
    if (!layer) return;
    for (const sequence of sequenceNumbers) {
      const slot = sequence & (SENT - 1);
      const sent = this.#sent[slot]!;
      if (sent >>> 16 !== sequence || this.#sentSwitch[slot] !== this.#switches) continue;
      const out = this.track.recall(layer, sent & 0xffff, recalled);
      if (!out || out.empty) continue;
      if (this.#write(out, sequence, false) > 0) this.#counters.retransmitted += 1;
    }
  }

  handleKeyframeRequest(nowMs: number): void {
    this.#counters.plisIn += 1;
    const layer = this.#current ?? this.#target;
    if (layer) this.track.requestKeyframe(layer, nowMs);
  }

  /** The publisher's clock: passed on in the numbers the subscriber sees, so that sound and picture stay together. */
  handleSenderReport(layer: Layer, report: SenderReport, nowMs: number): void {
    if (layer !== this.#current) return;
    const mapped = { ...report, ssrc: this.ssrc, rtpTimestamp: (report.rtpTimestamp + this.#timestampShift) >>> 0 };
    this.#reportSent = { middle: (((report.ntpHigh & 0xffff) << 16) | (report.ntpLow >>> 16)) >>> 0, at: nowMs };
    this.#sink.send(writeSenderReport(mapped, this.#packets, this.#bytes));
  }

  handleReportBlock(block: ReportBlock, nowMs: number): void {
    this.loss = block.fractionLost / 256;
    const sent = this.#reportSent;
    if (sent && block.lastSenderReport === sent.middle) {
      this.roundTripMs = Math.max(0, nowMs - sent.at - block.delaySinceLastSenderReport / 65.536);
    }
  }

  /** Writes this subscriber's header over the shared payload and sends. Bytes sent, 0 when the transport is not up. */
  #write(out: OutgoingPacket, sequence: number, newest: boolean): number {
    let packet = out.plain;
    let payloadOffset = PLAIN_PAYLOAD_OFFSET;
    if (out.extended && this.#descriptorId !== 0) {
      packet = out.extended;
      payloadOffset = out.extendedPayloadOffset;
      packet[DESCRIPTOR_ID_OFFSET] = this.#descriptorId;
    }
    const timestamp = (out.timestamp + this.#timestampShift) >>> 0;
    const { ssrc } = this;
    packet[1] = out.markerBit | this.#payloadType;
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
    if (out.hasVp8) this.#vp8.rewrite(out.vp8, packet, payloadOffset, newest);
    return this.#sink.sendMedia(packet, this.#transportId) ? packet.length : 0;
  }

  #switchTo(layer: Layer, out: OutgoingPacket, nowMs: number): void {
    const next = this.#continueTimestamp(layer, out.timestamp, nowMs);
    this.#timestampShift = (next - out.timestamp) >>> 0;
    this.#shift.restart(out.sequenceNumber, (this.#lastSequence + 1) & 0xffff);
    if (out.hasVp8) this.#vp8.switchSource(out.vp8);
    this.#current = layer;
    this.#previous = layer;
    this.#switches += 1;
  }

  /** Where a new layer's timestamp goes on this subscriber's time line. */
  #continueTimestamp(layer: Layer, timestamp: number, nowMs: number): number {
    if (!this.#previous) return this.#lastTimestamp;
    const elapsed = ((nowMs - this.#lastSentAt) * this.#clockRate) / 1000;
    const byArrival = (this.#lastTimestamp + Math.round(elapsed)) >>> 0;
    const senderTime = layer.stream.senderTime(timestamp);
    const inPrevious = senderTime === undefined ? undefined : this.#previous.stream.timestampAt(senderTime);
    let next = byArrival;
    if (inPrevious !== undefined) {
      const byClock = (inPrevious + this.#timestampShift) >>> 0;
      const apart = Math.abs(timestampDistance(byArrival, byClock));
      if (apart < CLOCK_TOLERANCE_SECONDS * this.#clockRate) next = byClock;
    }
    return timestampDistance(this.#lastTimestamp, next) > 0 ? next : (this.#lastTimestamp + 1) >>> 0;
  }
}

const recalled = new RtpPacket();
