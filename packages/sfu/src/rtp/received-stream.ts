import { MissingPackets, type Arrival } from './missing-packets.ts';
import { sequenceDistance, timestampDistance, type RtpPacket } from './packet.ts';
import type { ReportBlock, SenderReport } from './rtcp.ts';

/** Seconds between 1900 (NTP) and 1970 (Unix). */
const NTP_TO_UNIX_SECONDS = 2_208_988_800;

/** Bookkeeping of one received SSRC: loss, jitter, clock (RFC 3550 section 6.4 and appendix A). */
export class ReceivedStream {
  readonly ssrc: number;
  readonly clockRate: number;
  readonly missing = new MissingPackets();
  packets = 0;
  bytes = 0;
  /** Arrival of the last packet, ms of `performance.now()`; 0 before the first. */
  lastArrival = 0;
  /** Loss in the last reported interval, 0 to 1. */
  lossFraction = 0;
  #base = 0;
  #highest = -1;
  #cycles = 0;
  #jitter = 0;
  #transit = Number.NaN;
  #expectedBefore = 0;
  #receivedBefore = 0;
  #report: (SenderReport & { arrival: number; unixMs: number }) | undefined;

  constructor(ssrc: number, clockRate: number) {
    this.ssrc = ssrc;
    this.clockRate = clockRate;
  }

  /** Unevenness of arrivals (RFC 3550 section 6.4.1), ms. */
  get jitterMs(): number {
    return (this.#jitter * 1000) / this.clockRate;
  }

  /** The sender's last report, undefined before the first. */
  get lastReport(): SenderReport | undefined {
    return this.#report;
  }

  /** Notes an arrival; gives how it came. */
  received(packet: RtpPacket, nowMs: number): Arrival {
    const sequence = packet.sequenceNumber;
    this.packets += 1;
    this.bytes += packet.buffer.length;
    this.lastArrival = nowMs;
    if (this.#highest < 0) {
      this.#base = sequence;
      this.#highest = sequence;
    } else if (sequenceDistance(this.#highest, sequence) > 0) {
      if (sequence < this.#highest) this.#cycles += 1;
      this.#highest = sequence;
    }
    const transit = (nowMs * this.clockRate) / 1000 - packet.timestamp;
    const change = Math.abs(transit - this.#transit);
    // the first packet has no transit to compare with; a wrapped timestamp would count as hours
    if (change < this.clockRate * 10) this.#jitter += (change - this.#jitter) / 16;
    this.#transit = transit;
    return this.missing.received(sequence, nowMs);
  }

  handleSenderReport(report: SenderReport, nowMs: number): void {
    const unixMs = (report.ntpHigh - NTP_TO_UNIX_SECONDS + report.ntpLow / 2 ** 32) * 1000;
    this.#report = { ...report, arrival: nowMs, unixMs };
  }

  /** The sender's wall clock (Unix ms) at an RTP timestamp; undefined before its first report. */
  senderTime(timestamp: number): number | undefined {
    if (!this.#report) return undefined;
    return this.#report.unixMs + (timestampDistance(this.#report.rtpTimestamp, timestamp) * 1000) / this.clockRate;
  }

  /** The RTP timestamp at the sender's wall clock (Unix ms); undefined before its first report. */
  timestampAt(senderTimeMs: number): number | undefined {
    if (!this.#report) return undefined;
    const ticks = Math.round(((senderTimeMs - this.#report.unixMs) * this.clockRate) / 1000);
    return (this.#report.rtpTimestamp + ticks) >>> 0;
  }

  /** The report block for the interval since the last call. */
  reportBlock(nowMs: number): ReportBlock {
    const highestSequence = this.#cycles * 65_536 + Math.max(0, this.#highest);
    const expected = this.#highest < 0 ? 0 : highestSequence - this.#base + 1;
    const expectedNow = expected - this.#expectedBefore;
    const lostNow = Math.max(0, expectedNow - (this.packets - this.#receivedBefore));
    this.#expectedBefore = expected;
    this.#receivedBefore = this.packets;
    this.lossFraction = expectedNow > 0 ? Math.min(1, lostNow / expectedNow) : 0;
    const report = this.#report;
    return {
      ssrc: this.ssrc,
      fractionLost: Math.min(255, Math.floor(this.lossFraction * 256)),
      cumulativeLost: expected - this.packets,
      highestSequence,
      jitter: Math.round(this.#jitter),
      lastSenderReport: report ? ((report.ntpHigh & 0xffff) << 16) | (report.ntpLow >>> 16) : 0,
      delaySinceLastSenderReport: report ? Math.round((nowMs - report.arrival) * 65.536) : 0,
    };
  }
}
