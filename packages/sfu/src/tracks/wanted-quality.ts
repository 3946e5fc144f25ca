/** A layer nobody wants is switched off only after this, because wishes change back soon. */
const DOWN_AFTER_MS = 5000;
const HIGH_QUALITY = 2;

/**
 * Dynacast for one publication: which of its layers its publisher is told that somebody wants. More is told at once, so
 * that who asks sees it soon; less after a while; at first a publisher takes it that all are wanted.
 */
export class WantedQuality {
  #told = HIGH_QUALITY;
  #isTold = false;
  #lowerSince = Number.NaN;

  /** `wanted`: the highest quality any subscriber wants now, -1 for none. Gives what to tell, undefined for nothing. */
  review(wanted: number, nowMs: number): number | undefined {
    if (wanted >= this.#told) {
      this.#lowerSince = Number.NaN;
      if (this.#isTold && wanted === this.#told) return undefined;
    } else {
      if (Number.isNaN(this.#lowerSince)) this.#lowerSince = nowMs;
      if (nowMs - this.#lowerSince < DOWN_AFTER_MS) return undefined;
      this.#lowerSince = Number.NaN;
    }
    this.#told = wanted;
    this.#isTold = true;
    return wanted;
  }

  /** What was told may be lost: the publisher's signalling was away. */
  forget(): void {
    this.#isTold = false;
  }
}
