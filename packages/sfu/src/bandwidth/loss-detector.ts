/** Packets and time one measurement takes at least, and the longest that packets may be gathered for. */
const MIN_PACKETS = 30;
const MIN_MS = 400;
const MAX_MS = 1500;
/** Loss that a path may have at any bitrate: a lower bitrate would not reduce it. */
const MAX_INHERENT = 0.12;
/** Loss beyond the path's own that counts as a full link. */
const EXCESS = 0.08;
/** And by so many standard deviations of what chance makes of so many packets: of thirty, a twentieth is often six. */
const DEVIATIONS = 4;
const LEAST_INHERENT = 0.02;
/**
 * How fast what counts as the path's own follows when loss rises, per second, and with a measurement of so many packets
 * when it falls.
 */
const INHERENT_RISE = 0.01;
const INHERENT_FALL = 0.3;
const FALL_PACKETS = 100;

/**
 * Tells a full link from a lossy one: a path loses some packets whatever is sent (radio), a full one loses more the
 * more is sent. Draft-ietf-rmcat-gcc-02 section 6 takes 10 % for full and would starve a radio path that loses as much.
 */
export class LossDetector {
  /** Share of packets lost in the last measurement, 0 to 1. */
  loss = 0;
  /** What the path loses by itself. */
  #inherent = MAX_INHERENT / 2;
  #packets = 0;
  #lost = 0;
  #since = Number.NaN;

  add(lost: boolean, nowMs: number): void {
    if (this.#packets === 0) this.#since = nowMs;
    this.#packets += 1;
    if (lost) this.#lost += 1;
  }

  /** Begins a new measurement. */
  restart(): void {
    this.#packets = 0;
    this.#lost = 0;
  }

  /** After each feedback: true when a measurement ended that shows a full link. `queued`: packets wait in queues. */
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
