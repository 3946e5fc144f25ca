/** Packets sent within this time form one group. */
const BURST_MS = 5;
const WINDOW = 20;
const SMOOTHING = 0.9;
const GAIN = 4;
const MAX_SAMPLES = 60;
/** The trend that counts as a growing queue, ms; adapts within limits to the path's normal value. */
const THRESHOLD_MS = 12.5;
const MIN_THRESHOLD_MS = 6;
const MAX_THRESHOLD_MS = 600;
const THRESHOLD_UP = 0.0087;
const THRESHOLD_DOWN = 0.039;
const OVERUSE_MS = 10;
/** The shortest delay of a packet is determined over twice this time. */
const BASE_WINDOW_MS = 15_000;

export type Usage = 'normal' | 'over' | 'under';

/**
 * Detects from the delay between groups of packets whether a queue is growing in the network (draft-ietf-rmcat-gcc-02
 * sections 5.1 to 5.4, with a linear regression of the delays instead of the Kalman filter, as in current browsers).
 */
export class DelayDetector {
  usage: Usage = 'normal';
  /** Queueing delay of packets, ms: their delay above that of the fastest in the last half minute. */
  queueMs = 0;
  /**
   * The minimum queueing delay of any packet since `mark`, ms; Infinity if none arrived. A delay of all packets is a
   * queue, not jitter.
   */
  leastQueueMs = Number.POSITIVE_INFINITY;
  /** The current group, and the previous one. */
  #first = Number.NaN;
  #sent = 0;
  #arrival = 0;
  #previousSent = Number.NaN;
  #previousArrival = 0;
  #samples = 0;
  #accumulated = 0;
  #smoothed = 0;
  readonly #times = new Float64Array(WINDOW);
  readonly #delays = new Float64Array(WINDOW);
  #startedAt = Number.NaN;
  #threshold = THRESHOLD_MS;
  #thresholdAt = Number.NaN;
  #trend = 0;
  #overFor = -1;
  #overCount = 0;
  #base = Number.POSITIVE_INFINITY;
  #nextBase = Number.POSITIVE_INFINITY;
  #baseUntil = Number.NaN;

  /** An arrived packet, in sending order; ms on the sender's and the receiver's clock. */
  add(sentMs: number, arrivalMs: number): void {
    this.#noteDelay(sentMs, arrivalMs);
    if (Number.isNaN(this.#first)) {
      this.#startGroup(sentMs, arrivalMs);
      return;
    }
    if (sentMs < this.#first) return;
    const waited = arrivalMs - this.#arrival - (sentMs - this.#sent);
    // the network may deliver in bursts: packets that arrive together were queued together
    const sameBurst = waited < 0 && arrivalMs - this.#arrival <= BURST_MS && arrivalMs - this.#previousArrival < 100;
    if (sentMs - this.#first <= BURST_MS || sameBurst) {
      this.#sent = Math.max(this.#sent, sentMs);
      this.#arrival = Math.max(this.#arrival, arrivalMs);
      return;
    }
    if (!Number.isNaN(this.#previousSent))
      this.#sample(this.#sent - this.#previousSent, this.#arrival - this.#previousArrival);
    this.#previousSent = this.#sent;
    this.#previousArrival = this.#arrival;
    this.#startGroup(sentMs, arrivalMs);
  }

  /** The last packet shows nothing about the network: continues without comparing with it. */
  skip(): void {
    this.#first = Number.NaN;
    this.#previousSent = Number.NaN;
  }

  mark(): void {
    this.leastQueueMs = Number.POSITIVE_INFINITY;
  }

  /** Forgets the fastest delay: the current delay counts as without queues. */
  restart(): void {
    this.skip();
    this.#restart();
    this.#baseUntil = Number.NaN;
    this.#nextBase = Number.POSITIVE_INFINITY;
    this.queueMs = 0;
  }

  #startGroup(sentMs: number, arrivalMs: number): void {
    this.#first = sentMs;
    this.#sent = sentMs;
    this.#arrival = arrivalMs;
  }

  #noteDelay(sentMs: number, arrivalMs: number): void {
    const delay = arrivalMs - sentMs;
    if (!(sentMs < this.#baseUntil)) {
      this.#base = Math.min(this.#nextBase, delay);
      this.#nextBase = delay;
      this.#baseUntil = sentMs + BASE_WINDOW_MS;
    }
    if (delay < this.#base) this.#base = delay;
    if (delay < this.#nextBase) this.#nextBase = delay;
    const queue = delay - this.#base;
    this.queueMs += (queue - this.queueMs) * 0.2;
    if (queue < this.leastQueueMs) this.leastQueueMs = queue;
  }

  #sample(sentDelta: number, arrivalDelta: number): void {
    if (arrivalDelta < -1000 || arrivalDelta > 3000 || sentDelta > 3000) {
      // a clock jump or a pause: the regression starts again
      this.#restart();
      return;
    }
    this.#accumulated += arrivalDelta - sentDelta;
    this.#smoothed = SMOOTHING * this.#smoothed + (1 - SMOOTHING) * this.#accumulated;
    if (Number.isNaN(this.#startedAt)) this.#startedAt = this.#arrival;
    const slot = this.#samples % WINDOW;
    this.#times[slot] = this.#arrival - this.#startedAt;
    this.#delays[slot] = this.#smoothed;
    this.#samples += 1;
    const slope = this.#samples >= WINDOW ? this.#slope() : this.#trend;
    this.#judge(slope, sentDelta);
  }

  #restart(): void {
    this.#samples = 0;
    this.#accumulated = 0;
    this.#smoothed = 0;
    this.#trend = 0;
    this.#startedAt = Number.NaN;
    this.#overFor = -1;
    this.usage = 'normal';
  }

  /** Least squares over the window: ms of delay gained per ms. */
  #slope(): number {
    let timeSum = 0;
    let delaySum = 0;
    for (let i = 0; i < WINDOW; i += 1) {
      timeSum += this.#times[i]!;
      delaySum += this.#delays[i]!;
    }
    const timeMean = timeSum / WINDOW;
    const delayMean = delaySum / WINDOW;
    let above = 0;
    let below = 0;
    for (let i = 0; i < WINDOW; i += 1) {
      const time = this.#times[i]! - timeMean;
      above += time * (this.#delays[i]! - delayMean);
      below += time * time;
    }
    return below === 0 ? this.#trend : above / below;
  }

  #judge(slope: number, sentDelta: number): void {
    const modified = Math.min(this.#samples, MAX_SAMPLES) * slope * GAIN;
    if (modified > this.#threshold) {
      this.#overFor = this.#overFor < 0 ? sentDelta / 2 : this.#overFor + sentDelta;
      this.#overCount += 1;
      if (this.#overFor > OVERUSE_MS && this.#overCount > 1 && slope >= this.#trend) {
        this.#overFor = 0;
        this.#overCount = 0;
        this.usage = 'over';
      }
    } else {
      this.#overFor = -1;
      this.#overCount = 0;
      this.usage = modified < -this.#threshold ? 'under' : 'normal';
    }
    this.#trend = slope;
    this.#adapt(modified);
  }

  #adapt(modified: number): void {
    const size = Math.abs(modified);
    if (Number.isNaN(this.#thresholdAt)) this.#thresholdAt = this.#arrival;
    // a sudden increase of capacity or a lag of the receiver does not show the normal value
    if (size <= this.#threshold + 15) {
      const elapsed = Math.min(100, this.#arrival - this.#thresholdAt);
      const change = size < this.#threshold ? THRESHOLD_DOWN : THRESHOLD_UP;
      this.#threshold += change * (size - this.#threshold) * elapsed;
      this.#threshold = Math.max(MIN_THRESHOLD_MS, Math.min(MAX_THRESHOLD_MS, this.#threshold));
    }
    this.#thresholdAt = this.#arrival;
  }
}
