import { sequenceDistance, timestampDistance } from '../packet.ts';
import { ntpToUnixMs, type ReportBlock, type SenderReport } from '../rtcp/rtcp.ts';

/** Loss, jitter and sender clock of one received SSRC (RFC 3550 section 6.4 and appendix A). */
export class ReceptionStatistics {
  readonly ssrc: number;
  readonly clockRate: number;
  packets = 0;
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

  /** Interarrival jitter (RFC 3550 section 6.4.1), ms. */
  get jitterMs(): number {
    return (this.#jitter * 1000) / this.clockRate;
  }

  /** The sender's last report with its NTP time as Unix time; undefined before the first. */
  get lastReport(): (SenderReport & { unixMs: number }) | undefined {
    return this.#report;
  }

  /**
   * Counts a packet. Returns its distance from the highest sequence number so far: 1 if it is in order, more after a
   * gap, 0 or less if it is late or a duplicate.
   */
  count(sequence: number): number {
    this.packets += 1;
    if (this.#highest < 0) {
      this.#base = sequence;
      this.#highest = sequence;
      return 1;
    }
    const ahead = sequenceDistance(this.#highest, sequence);
    if (ahead > 0) {
      if (sequence < this.#highest) this.#cycles += 1;
      this.#highest = sequence;
    }
    return ahead;
  }

  measureJitter(timestamp: number, nowMs: number): void {
    const transit = (nowMs * this.clockRate) / 1000 - timestamp;
    const change = Math.abs(transit - this.#transit);
    // the first packet has no transit to compare with; a wrapped timestamp would count as hours
    if (change < this.clockRate * 10) this.#jitter += (change - this.#jitter) / 16;
    this.#transit = transit;
  }

  handleSenderReport(report: SenderReport, nowMs: number): void {
    this.#report = { ...report, arrival: nowMs, unixMs: ntpToUnixMs(report) };
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
