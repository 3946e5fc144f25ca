import type { SenderTime } from '@rmeet/participant';

/** Long enough to contain a packet without queueing delay, short enough to follow clock drift. */
const WINDOW_MS = 10_000;
/** Packets are not held up for so long: a larger delay means that the participant's clock was set back. */
const SET_BACK_MS = 5_000;

/**
 * The offset of a participant's clock from the local one. The smallest difference counts: that of the packet with the
 * shortest delay. All streams of a participant share the clock, so its audio and video stay synchronized.
 */
export class SenderClock {
  #least = Number.POSITIVE_INFINITY;
  #leastBefore = Number.POSITIVE_INFINITY;
  #since = Number.NEGATIVE_INFINITY;

  /**
   * Records a packet that was sent at `sent` by the participant's clock and arrived at `arrival` by the local one; ms.
   */
  note(sent: number, arrival: number): void {
    if (arrival - this.ours(sent) > SET_BACK_MS) this.#begin();
    if (arrival - this.#since > WINDOW_MS) {
      this.#leastBefore = this.#least;
      this.#least = Number.POSITIVE_INFINITY;
      this.#since = arrival;
    }
    this.#least = Math.min(this.#least, arrival - sent);
  }

  #begin(): void {
    this.#least = Number.POSITIVE_INFINITY;
    this.#leastBefore = Number.POSITIVE_INFINITY;
    this.#since = Number.NEGATIVE_INFINITY;
  }

  /** The participant's time as local time. */
  ours(theirs: number): number {
    return theirs + Math.min(this.#least, this.#leastBefore);
  }
}

/** Capture times of the packets of one stream by the local clock; late by the minimum network delay. */
export class StreamClock {
  #sender: SenderClock;
  /** Used until a sender report arrives. */
  #own = new SenderClock();
  #rate: number;
  #unwrapped = 0;
  #last: number | undefined;

  /** `rate`: of timestamps, Hz. */
  constructor(sender: SenderClock, rate: number) {
    this.#sender = sender;
    this.#rate = rate;
  }

  /** A packet arrived. */
  note(timestamp: number, arrival: number, report: SenderTime | undefined): void {
    if (report) this.#sender.note(this.#theirs(timestamp, report), arrival);
    this.#own.note(this.#count(timestamp), arrival);
  }

  /** Ms of the local clock; of a timestamp that was noted. */
  at(timestamp: number, report: SenderTime | undefined): number {
    return report ? this.#sender.ours(this.#theirs(timestamp, report)) : this.#own.ours(this.#count(timestamp));
  }

  #theirs(timestamp: number, report: SenderTime): number {
    return report.unixMs + (((timestamp - report.timestamp) | 0) * 1_000) / this.#rate;
  }

  /** Ms since the stream's first packet, over timestamps that wrap. */
  #count(timestamp: number): number {
    const ahead = this.#last === undefined ? 0 : (timestamp - this.#last) | 0;
    if (ahead > 0 || this.#last === undefined) {
      this.#unwrapped += ahead;
      this.#last = timestamp;
      return (this.#unwrapped * 1_000) / this.#rate;
    }
    return ((this.#unwrapped + ahead) * 1_000) / this.#rate;
  }
}
