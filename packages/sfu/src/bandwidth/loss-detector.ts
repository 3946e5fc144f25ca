/** Minimum packets and time of one measurement, and the maximum time to collect packets. */
const MIN_PACKETS = 30;
const MIN_MS = 400;
const MAX_MS = 1500;
/** Loss that a path may have at any bitrate: a lower bitrate would not reduce it. */
const MAX_INHERENT = 0.12;
/** Loss beyond the path's own that counts as a full link. */
const EXCESS = 0.08;
/**
 * And at least this many standard deviations of random loss in this number of packets: of thirty, a twentieth is often
 * six.
 */
const DEVIATIONS = 4;
const LEAST_INHERENT = 0.02;
/**
 * How fast the estimate of the path's own loss rises with the loss, per second, and how fast it falls with a
 * measurement of this many packets.
 */
const INHERENT_RISE = 0.01;
const INHERENT_FALL = 0.3;
const FALL_PACKETS = 100;

/**
 * Distinguishes a full link from a lossy one: a lossy path loses packets at any bitrate (radio), a full one loses more
 * with a higher bitrate. Draft-ietf-rmcat-gcc-02 section 6 treats 10 % as full, which would starve a radio path with
 * such loss.
 */
export class LossDetector {
  /** Share of packets lost in the last measurement, 0 to 1. */
  loss = 0;
  /** The path's own loss. */
  #inherent = MAX_INHERENT / 2;
  #packets = 0;
  #lost = 0;
  #since = Number.NaN;

  add(lost: boolean, nowMs: number): void {
    if (this.#packets === 0) this.#since = nowMs;
    this.#packets += 1;
    if (lost) this.#lost += 1;
  }

  /** Starts a new measurement. */
  restart(): void {
    this.#packets = 0;
    this.#lost = 0;
  }

  /**
   * Called after each feedback: true if a completed measurement shows a full link. `queued`: packets wait in queues.
   */
  isFull(queued: boolean, nowMs: number): boolean {
    const elapsed = nowMs - this.#since;
    if (this.#packets === 0 || elapsed < MIN_MS || (this.#packets < MIN_PACKETS && elapsed < MAX_MS)) return false;
    const enough = this.#packets >= 10;
    const loss = this.#lost / this.#packets;
    const usual = Math.max(LEAST_INHERENT, this.#inherent);
    const excess = Math.max(EXCESS, DEVIATIONS * Math.sqrt((usual * (1 - usual)) / this.#packets));
    const fall = INHERENT_FALL * Math.min(1, this.#packets / FALL_PACKETS);
    this.restart();
    if (!enough) return false;
    this.loss = loss;
    if (loss < this.#inherent) this.#inherent += (loss - this.#inherent) * fall;
    else if (!queued) this.#inherent = Math.min(MAX_INHERENT, loss, this.#inherent + (INHERENT_RISE * elapsed) / 1000);
    return loss > usual + excess;
  }
}
