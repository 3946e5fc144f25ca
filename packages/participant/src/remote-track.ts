import {
  codecName,
  isKeyframe,
  ReceptionStatistics,
  timestampDistance,
  writeKeyframeRequest,
  writeNack,
  type CodecName,
  type ReportBlock,
  type RtpPacket,
  type SenderReport,
} from '@rmeet/rtp';

export interface ReceiveCounters {
  packets: number;
  /** RTP bytes, headers included. */
  bytes: number;
  frames: number;
  keyFrames: number;
  /** Missing packets by sequence number; late ones are subtracted again. */
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
  /** The publisher's session (livekit.ParticipantInfo.sid): another one each time it joins. */
  participantSid: string;
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

/** Largest gap whose packets are requested again; after a larger one a key frame is requested. */
const MAX_NACK = 64;

/** A received track, with its counters. */
export class RemoteTrack implements TrackDescription {
  readonly sid: string;
  readonly kind: TrackDescription['kind'];
  readonly identity: string;
  readonly participantSid: string;
  readonly source: TrackDescription['source'];
  readonly name: string;
  /** Such as `video/VP8`; from the received packets, so known after the first. */
  mimeType = '';
  /** As last announced by the publisher. */
  muted: boolean;
  readonly counters: ReceiveCounters = { packets: 0, bytes: 0, frames: 0, keyFrames: 0, lost: 0, duplicates: 0 };
  /** Called for each packet, for recorders and gateways. The buffer is not reused. */
  onPacket: ((packet: Buffer) => void) | undefined;
  #codecs: ReadonlyMap<number, string> = new Map();
  #codec: CodecName | undefined;
  #sendRtcp: (packet: Buffer) => void;
  #askAgain: boolean;
  #clockRate: number;
  /** Of the current SSRC; undefined before its first packet. */
  #statistics: ReceptionStatistics | undefined;
  #highest = -1;
  #seen = new Int32Array(256).fill(-1);
  #lastTimestamp = -1;
  /** A sender report that arrived before the first packet of its stream. */
  #earlyReport: { report: SenderReport; arrival: number } | undefined;

  /** `askAgain`: request lost packets of video again, and a key frame after long gaps. */
  constructor(described: TrackDescription, sendRtcp: (packet: Buffer) => void, askAgain: boolean) {
    this.sid = described.sid;
    this.kind = described.kind;
    this.identity = described.identity;
    this.participantSid = described.participantSid;
    this.source = described.source;
    this.name = described.name;
    this.muted = described.muted;
    this.#clockRate = this.kind === 'audio' ? 48_000 : 90_000;
    this.#sendRtcp = sendRtcp;
    this.#askAgain = askAgain;
  }

  /** The payload types of the section that carries the track. */
  bind(codecs: ReadonlyMap<number, string>): void {
    this.#codecs = codecs;
  }

  /** The current SSRC; 0 before the first packet. */
  get ssrc(): number {
    return this.#statistics?.ssrc ?? 0;
  }

  /** Requests a key frame from the sender. */
  requestKeyFrame(): void {
    if (this.ssrc !== 0) this.#sendRtcp(writeKeyframeRequest(this.ssrc));
  }

  /** Handles one packet of this track. */
  handlePacket(packet: RtpPacket): void {
    const { sequenceNumber: sequence } = packet;
    if (packet.ssrc !== this.#statistics?.ssrc) this.#begin(packet);
    if (this.#seen[sequence & 255] === sequence) {
      this.counters.duplicates++;
      return;
    }
    this.#seen[sequence & 255] = sequence;
    this.counters.packets++;
    this.counters.bytes += packet.buffer.length;
    this.#count(sequence);
    if (packet.payloadEnd > packet.payloadOffset) this.#countFrame(packet);
    this.onPacket?.(packet.buffer);
  }

  #begin({ ssrc, payloadType }: RtpPacket): void {
    this.#statistics = new ReceptionStatistics(ssrc, this.#clockRate);
    const early = this.#earlyReport;
    if (early?.report.ssrc === ssrc) this.#statistics.handleSenderReport(early.report, early.arrival);
    const name = this.#codecs.get(payloadType);
    this.mimeType = `${this.kind}/${name?.toUpperCase() ?? 'unknown'}`;
    this.#codec = codecName(name ?? '');
    this.#seen.fill(-1);
    this.#lastTimestamp = -1;
  }

  #count(sequence: number): void {
    const ahead = this.#statistics!.count(sequence);
    if (ahead <= 0) this.counters.lost = Math.max(0, this.counters.lost - 1);
    else if (ahead > 1) {
      this.counters.lost += ahead - 1;
      if (this.#askAgain && this.kind === 'video') this.#recover(ahead - 1);
    }
    if (ahead > 0) this.#highest = sequence;
  }

  #countFrame({ timestamp, buffer, payloadOffset, payloadEnd }: RtpPacket): void {
    this.#statistics!.measureJitter(timestamp, performance.now());
    if (this.#lastTimestamp >= 0 && timestampDistance(this.#lastTimestamp, timestamp) <= 0) return;
    this.#lastTimestamp = timestamp;
    this.counters.frames++;
    if (this.kind === 'video' && this.#codec && isKeyframe(this.#codec, buffer, payloadOffset, payloadEnd))
      this.counters.keyFrames++;
  }

  #recover(missing: number): void {
    if (missing > MAX_NACK) this.requestKeyFrame();
    else
      this.#sendRtcp(
        writeNack(
          this.ssrc,
          Array.from({ length: missing }, (_, i) => (this.#highest + 1 + i) & 0xffff),
        ),
      );
  }

  /** From the stream's last sender report; undefined before its first. */
  get senderTime(): SenderTime | undefined {
    const report = this.#statistics?.lastReport;
    return report && { timestamp: report.rtpTimestamp, unixMs: report.unixMs };
  }

  /** A report may arrive before the first packet of its stream. */
  handleSenderReport(report: SenderReport): void {
    const now = performance.now();
    if (report.ssrc === this.ssrc) this.#statistics!.handleSenderReport(report, now);
    else this.#earlyReport = { report, arrival: now };
  }

  /** The report block of this track; undefined before its first packet. */
  report(): ReportBlock | undefined {
    return this.#statistics?.reportBlock(performance.now());
  }
}
