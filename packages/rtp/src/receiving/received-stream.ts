import type { RtpPacket } from '../packet.ts';
import { MissingPackets, type Arrival } from './missing-packets.ts';
import { ReceptionStatistics } from './reception-statistics.ts';

/** One received SSRC: its statistics, and the packets it lacks. */
export class ReceivedStream extends ReceptionStatistics {
  readonly missing = new MissingPackets();
  bytes = 0;
  /** Arrival of the last packet, ms of `performance.now()`; 0 before the first. */
  lastArrival = 0;

  /** Records a packet; returns whether it is in order, after a gap, late or a duplicate. */
  received(packet: RtpPacket, nowMs: number): Arrival {
    this.bytes += packet.buffer.length;
    this.lastArrival = nowMs;
    this.count(packet.sequenceNumber);
    this.measureJitter(packet.timestamp, nowMs);
    return this.missing.received(packet.sequenceNumber, nowMs);
  }
}
