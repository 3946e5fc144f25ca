import { nack, pli, type ReportBlock } from './rtcp.ts';
import { paddingLength, payloadOffset, startsKeyFrame } from './rtp.ts';

export interface ReceiveCounters {
  packets: number;
  /** RTP bytes, headers included. */
  bytes: number;
  frames: number;
  keyFrames: number;
  /** Packets expected by their sequence numbers and not there; late ones are taken off again. */
  lost: number;
  /** Packets with a sequence number seen shortly before. */
  duplicates: number;
}

/** A track as its publisher announced it. */
export interface TrackDescription {
  sid: string;
  kind: 'audio' | 'video';
  /** Identity of the publisher. */
  identity: string;
  source: 'camera' | 'microphone' | 'screen' | 'screenAudio' | 'unknown';
  name: string;
  muted: boolean;
}

/** The publisher's clock at an RTP timestamp. */
export interface SenderTime {
  timestamp: number;
  /** Unix time in ms as the publisher has it. */
  unixMs: number;
}

/** Widest gap whose packets are asked for again; past it only a key frame helps. */
const MAX_NACK = 64;

/** A track this participant receives, with what came of it so far. */
export class RemoteTrack implements TrackDescription {
  readonly sid: string;
  readonly kind: TrackDescription['kind'];
  readonly identity: string;
  readonly source: TrackDescription['source'];
  readonly name: string;
  /** As `video/VP8`; of the packets that come, so known after the first. */
  mimeType = '';
  /** As the publisher last said. */
  muted: boolean;
  readonly counters: ReceiveCounters = { packets: 0, bytes: 0, frames: 0, keyFrames: 0, lost: 0, duplicates: 0 };
  /** Sees each packet, payload types included; for recorders and gateways. The buffer is its own. */
  onPacket: ((packet: Buffer) => void) | undefined;
  #ssrc = 0;
  #codecs: ReadonlyMap<number, string> = new Map();
  #sendRtcp: (packet: Buffer) => void;
  #askAgain: boolean;
  #clockRate: number;
  #highest = -1;
  #cycles = 0;
  #first = 0;
  #received = 0;
  #seen = new Int32Array(256).fill(-1);
  #lastTimestamp = -1;
  #transit = 0;
  #jitter = 0;
  #reportedExpected = 0;
  #reportedReceived = 0;
  #senderReport = 0;
  #senderTime: (SenderTime & { ssrc: number }) | undefined;
  #senderReportAt = 0;

  /** `askAgain`: ask for lost packets of video again, and for a key frame after long gaps. */
  constructor(described: TrackDescription, sendRtcp: (packet: Buffer) => void, askAgain: boolean) {
    this.sid = described.sid;
    this.kind = described.kind;
    this.identity = described.identity;
    this.source = described.source;
    this.name = described.name;
    this.muted = described.muted;
    this.#clockRate = this.kind === 'audio' ? 48_000 : 90_000;
    this.#sendRtcp = sendRtcp;
    this.#askAgain = askAgain;
  }

  /** The payload types of the section the track comes in. */
  bind(codecs: ReadonlyMap<number, string>): void {
    this.#codecs = codecs;
  }

  /** The stream's present SSRC; 0 before its first packet. */
  get ssrc(): number {
    return this.#ssrc;
  }

  /** Asks the sender for a key frame. */
  requestKeyFrame(): void {
    if (this.#ssrc !== 0) this.#sendRtcp(pli(this.#ssrc));
  }

  /** One packet of this track. */
  handlePacket(packet: Buffer): void {
    const sequence = packet.readUInt16BE(2);
    const ssrc = packet.readUInt32BE(8);
    if (ssrc !== this.#ssrc) this.#begin(ssrc, sequence, packet[1]! & 0x7f);
    if (this.#seen[sequence & 255] === sequence) {
      this.counters.duplicates++;
      return;
    }
    this.#seen[sequence & 255] = sequence;
    this.#received++;
    this.counters.packets++;
    this.counters.bytes += packet.length;
    this.#advance(sequence);
    const payloadAt = payloadOffset(packet);
    if (packet.length - paddingLength(packet) > payloadAt) {
      const timestamp = packet.readUInt32BE(4);
      this.#measureJitter(timestamp);
      if (this.#lastTimestamp < 0 || ((timestamp - this.#lastTimestamp) | 0) > 0) {
        this.#lastTimestamp = timestamp;
        this.counters.frames++;
        if (this.kind === 'video' && startsKeyFrame(this.mimeType, packet, payloadAt)) this.counters.keyFrames++;
      }
    }
    this.onPacket?.(packet);
  }

  #begin(ssrc: number, sequence: number, payloadType: number): void {
    this.#ssrc = ssrc;
    this.mimeType = `${this.kind}/${this.#codecs.get(payloadType)?.toUpperCase() ?? 'unknown'}`;
    this.#highest = (sequence - 1) & 0xffff;
    this.#first = sequence;
    this.#cycles = sequence === 0 ? -0x10000 : 0;
    this.#received = 0;
    this.#reportedExpected = 0;
    this.#reportedReceived = 0;
    this.#seen.fill(-1);
    this.#lastTimestamp = -1;
  }

  /** Sequence numbers as RFC 3550, appendix A.3, without its probation: streams come from one trusted engine. */
  #advance(sequence: number): void {
    const distance = (sequence - this.#highest) & 0xffff;
    if (distance === 0 || distance >= 0x8000) {
      this.counters.lost = Math.max(0, this.counters.lost - 1);
      return;
    }
    if (sequence < this.#highest) this.#cycles += 0x10000;
    if (distance > 1) {
      this.counters.lost += distance - 1;
      if (this.#askAgain && this.kind === 'video') this.#recover(distance - 1);
    }
    this.#highest = sequence;
  }

  #recover(missing: number): void {
    if (missing > MAX_NACK) this.requestKeyFrame();
    else
      this.#sendRtcp(
        nack(
          this.#ssrc,
          Array.from({ length: missing }, (_, i) => (this.#highest + 1 + i) & 0xffff),
        ),
      );
  }

  #measureJitter(timestamp: number): void {
    const transit = Math.round((performance.now() * this.#clockRate) / 1000) - timestamp;
    const change = Math.abs(transit - this.#transit);
    this.#transit = transit;
    if (change < this.#clockRate) this.#jitter += (change - this.#jitter) / 16;
  }

  /** By the stream's last sender report; undefined before its first. */
  get senderTime(): SenderTime | undefined {
    return this.#senderTime?.ssrc === this.#ssrc ? this.#senderTime : undefined;
  }

  /** A report may come before the first packet of its stream. */
  handleSenderReport(ssrc: number, ntpMiddle: number, { timestamp, unixMs }: SenderTime): boolean {
    this.#senderTime = { ssrc, timestamp, unixMs };
    if (ssrc !== this.#ssrc) return false;
    this.#senderReport = ntpMiddle;
    this.#senderReportAt = performance.now();
    return true;
  }

  /** What a receiver report says of this track; undefined before its first packet. */
  report(): ReportBlock | undefined {
    if (this.#ssrc === 0) return undefined;
    const highest = this.#cycles + this.#highest;
    const expected = highest - this.#first + 1;
    const expectedSince = expected - this.#reportedExpected;
    const lostSince = expectedSince - (this.#received - this.#reportedReceived);
    this.#reportedExpected = expected;
    this.#reportedReceived = this.#received;
    return {
      ssrc: this.#ssrc,
      fraction: expectedSince > 0 && lostSince > 0 ? Math.min(255, Math.floor((lostSince * 256) / expectedSince)) : 0,
      lost: expected - this.#received,
      highest,
      jitter: Math.round(this.#jitter),
      lastReport: this.#senderReport,
      delay: this.#senderReport === 0 ? 0 : Math.round((performance.now() - this.#senderReportAt) * 65.536),
    };
  }
}
