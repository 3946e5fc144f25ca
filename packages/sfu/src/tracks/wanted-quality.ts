/** An unused layer is disabled only after this time, as it is often needed again soon. */
const DOWN_AFTER_MS = 5000;
const HIGH_QUALITY = 2;

/**
 * Dynacast for one publication in one codec: the layers that its publisher should send. More layers are requested at
 * once, so that a new subscriber sees them soon; fewer after a delay. At first a publisher assumes that all are wanted,
 * and nothing of a backup codec.
 */
export class WantedQuality {
  #published: number;
  #isPublished: boolean;
  #lowerSince = Number.NaN;

  constructor({ isBackup = false } = {}) {
    this.#published = isBackup ? -1 : HIGH_QUALITY;
    this.#isPublished = isBackup;
  }

  /** The quality that the publisher sends, or is to send. */
  get quality(): number {
    return this.#published;
  }

  /**
   * `wanted`: the highest quality that any subscriber wants now; -1 for none. Returns the quality to publish; undefined
   * if it is unchanged.
   */
  review(wanted: number, nowMs: number): number | undefined {
    if (wanted >= this.#published) {
      this.#lowerSince = Number.NaN;
      if (this.#isPublished && wanted === this.#published) return undefined;
    } else {
      if (Number.isNaN(this.#lowerSince)) this.#lowerSince = nowMs;
      if (nowMs - this.#lowerSince < DOWN_AFTER_MS) return undefined;
      this.#lowerSince = Number.NaN;
    }
    this.#published = wanted;
    this.#isPublished = true;
    return wanted;
  }

  /** The last message may be lost, as the publisher's signalling was interrupted. */
  forget(): void {
    this.#isPublished = false;
  }
}
