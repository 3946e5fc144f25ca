const INTERVAL_MS = 20;
/** A timer this late shows that the process was blocked. */
const LAG_MS = 15;
/** Packets sent shortly before a lag may have been on their way through this machine when it began. */
const BEFORE_MS = 5;

let shared: LoopLag | undefined;

/** The one of this process. */
export function processLag(): LoopLag {
  return (shared ??= new LoopLag());
}

/**
 * When the event loop was last blocked. Packets are then sent late and in a burst; their delay must not count as a
 * queue in the network.
 */
export class LoopLag {
  #from = Number.NEGATIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;
  #before = performance.now();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      if (nowMs - this.#before > INTERVAL_MS + LAG_MS) this.note(this.#before + INTERVAL_MS, nowMs);
      this.#before = nowMs;
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  /** The loop was blocked between these times, ms of `performance.now()`. */
  note(fromMs: number, toMs: number): void {
    this.#from = fromMs;
    this.#to = toMs;
  }

  /** Whether a packet sent at this time was sent during the last lag, or in the burst after it. */
  touches(sentMs: number): boolean {
    return sentMs > this.#from - BEFORE_MS && sentMs < this.#to + INTERVAL_MS;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
