/** Frames that are looked at together, or fewer if they have already taken this long; ms. */
const WINDOW = 30;
const LONG = 2_000;
const FEWEST = 5;
/** The first frames compile code and fill caches. */
const WARM_UP = 5;

/** Watches what each frame costs; single slow frames do not count. */
export class SpeedGuard {
  readonly #limit: number;
  #costs: number[] = [];
  #toSkip = WARM_UP;
  #median: number | null = null;

  /** @param limit milliseconds that a frame may cost */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The median cost of the last frames, ms; null before there are enough. */
  get median(): number | null {
    return this.#median;
  }

  /** Adds the cost of a frame, ms; returns true if the machine is too slow. */
  isTooSlow(cost: number): boolean {
    if (this.#toSkip > 0) {
      this.#toSkip -= 1;
      return false;
    }
    this.#costs.push(cost);
    const isLong = this.#costs.length >= FEWEST && this.#costs.reduce((sum, each) => sum + each, 0) >= LONG;
    if (this.#costs.length < WINDOW && !isLong) return false;
    const sorted = this.#costs.toSorted((a, b) => a - b);
    this.#median = sorted[sorted.length >> 1] ?? 0;
    this.#costs = [];
    return this.#median > this.#limit;
  }

  /** Starts again, after something has changed. */
  reset(): void {
    this.#costs = [];
    this.#toSkip = WARM_UP;
  }
}
