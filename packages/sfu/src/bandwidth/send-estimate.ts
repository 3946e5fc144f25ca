import { DelayDetector } from './delay-detector.ts';
import { LossDetector } from './loss-detector.ts';
import { RateWindow } from './rate-window.ts';

const START_BITRATE = 2_000_000;
const MIN_BITRATE = 50_000;
const MAX_BITRATE = 50_000_000;
/** Share of the delivered rate that is kept when a queue builds up. */
const BACK_OFF = 0.85;
/** Growth per second while the link's capacity is unknown. */
const GROWTH = 1.08;
/** A sender that uses less of the estimate does not load the link: the estimate stays unchanged. */
const USED = 0.7;
/** A queueing delay this long is not noise, ms. */
const QUEUE_MS = 40;
/**
 * If all packets had this queueing delay, and did so for a while or others were lost, the link is full: before a trend
 * is visible, or if the queue is full, too. A radio or a computer that stalls for a moment delays only some packets.
 */
const STANDING_MS = 60;
const STANDING_FOR_MS = 120;
const STANDING_LOSS = 0.1;
const STANDING_WAIT_MS = 250;
/** A trend counts only if all packets had at least this queueing delay. */
const TREND_QUEUE_MS = 15;
/** The maximum effect of one reduction, unless packets were also lost. */
const LEAST_KEPT = 0.4;
/** A queue that became this much shorter between two messages is emptying by itself. */
const DRAINING_MS = 10;
/** Minimum time and packets of a message to compute the delivered rate. */
const MEASURE_MS = 30;
const MEASURE_PACKETS = 4;
/** If it remains after this many reductions, it is not a queue: the path has become longer. */
const STANDING_REDUCTIONS = 4;
/** The estimate stops growing this far above the delivered rate while the link is used. */
const AHEAD = 1.5;
const HOPE = 1.2;
const PACKET_BITS = 1200 * 8;

/**
 * Estimates how many bits per second the path to one subscriber can carry, from its transport-wide feedback on each
 * packet (draft-ietf-rmcat-gcc-02: the minimum of a delay-based and a loss-based limit). Grows by itself only while the
 * estimate is used; otherwise a probe must show that more is possible.
 */
export class SendEstimate {
  bitrate = START_BITRATE;
  /** The shortest time from sending to feedback in the last seconds, ms: the round trip and the receiver's delay. */
  roundTripMs = 100;
  /** When a full link was last detected, ms; -Infinity before. */
  congestedAt = Number.NEGATIVE_INFINITY;
  readonly #delay = new DelayDetector();
  readonly #loss = new LossDetector();
  readonly #sent = new RateWindow();
  readonly #acknowledged = new RateWindow();
  /** Time of the newest arrival, on the receiver's clock. */
  #arrival = Number.NEGATIVE_INFINITY;
  #updatedAt = Number.NaN;
  #loweredAt = Number.NEGATIVE_INFINITY;
  /** The delivered rate when the link was full: mean and relative deviation. 0: unknown. */
  #capacity = 0;
  #deviation = 0.1;
  #roundTripUntil = Number.NEGATIVE_INFINITY;
  #newestSent = 0;
  /**
   * Since when all packets are queued, on the receiver's clock; NaN while some are not. And how often that led to a
   * reduction.
   */
  #standingSince = Number.NaN;
  #standing = 0;
  #queueBefore = 0;
  #lost = 0;
  /** For the feedback message being read: the arrived packets, their bytes without the first, and when. */
  #count = 0;
  #bytes = 0;
  #firstArrival = 0;

  /** Share of packets lost in the last measurement, 0 to 1. */
  get loss(): number {
    return this.#loss.loss;
  }

  /** Queueing delay of packets in the network, ms. */
  get queueMs(): number {
    return this.#delay.queueMs;
  }

  /** True while a queue grows or persists. */
  get congested(): boolean {
    return this.#delay.usage === 'over';
  }

  /** Bits per second sent over the last second. */
  sentBitrate(nowMs: number): number {
    return this.#sent.rate(1000, nowMs);
  }

  /** Delivered bits per second, over the half second before the newest arrival. */
  get acknowledgedBitrate(): number {
    return this.#acknowledged.rate(500, this.#arrival);
  }

  /** The hot path: a packet is sent now. */
  packetSent(bytes: number, nowMs: number): void {
    this.#sent.add(bytes, nowMs);
  }

  /**
   * One packet in the feedback; the arrival is NaN if it was lost. `reliable` is false for packets whose times show
   * nothing about the network.
   */
  packetStatus(sentMs: number, arrivalMs: number, bytes: number, reliable: boolean, nowMs: number): void {
    const lost = Number.isNaN(arrivalMs);
    // packets sent before the last reduction cause no further one
    if (sentMs > this.#loweredAt) this.#loss.add(lost, nowMs);
    if (lost) {
      this.#lost += 1;
      return;
    }
    if (sentMs > this.#newestSent) this.#newestSent = sentMs;
    if (arrivalMs > this.#arrival) this.#arrival = arrivalMs;
    this.#acknowledged.add(bytes, arrivalMs);
    if (this.#count === 0) this.#firstArrival = arrivalMs;
    else this.#bytes += bytes;
    this.#count += 1;
    if (reliable) this.#delay.add(sentMs, arrivalMs);
    else this.#delay.skip();
  }

  /** After the last packet of a feedback message. */
  update(nowMs: number): void {
    const elapsed = Number.isNaN(this.#updatedAt) ? 0 : Math.min(1000, nowMs - this.#updatedAt);
    this.#updatedAt = nowMs;
    this.#noteRoundTrip(nowMs - this.#newestSent, nowMs);
    const full = this.#loss.isFull(this.#delay.queueMs > QUEUE_MS, nowMs);
    const { usage } = this.#delay;
    const { leastQueueMs } = this.#delay;
    // nothing is known about packets sent while this process lagged
    const known = Number.isFinite(leastQueueMs);
    const draining = known && leastQueueMs < this.#queueBefore - DRAINING_MS;
    if (known) this.#queueBefore = leastQueueMs;
    const standing = known && this.#isStanding(leastQueueMs);
    if (standing && draining) this.congestedAt = nowMs;
    else if (standing) this.#lowerByStanding(nowMs);
    else if (known && usage === 'over') this.#lowerByDelay(nowMs);
    else if (full) this.#lower(Math.max(this.#through() * 0.95, this.bitrate * 0.5), nowMs);
    else if (usage === 'normal') this.#grow(elapsed, nowMs);
    this.#count = 0;
    this.#bytes = 0;
    this.#lost = 0;
    this.#delay.mark();
  }

  #isStanding(leastQueueMs: number): boolean {
    if (this.#count === 0) return false;
    if (leastQueueMs <= STANDING_MS) {
      this.#standingSince = Number.NaN;
      this.#standing = 0;
      return false;
    }
    if (Number.isNaN(this.#standingSince)) this.#standingSince = this.#firstArrival;
    return this.#isLossy() || this.#arrival - this.#standingSince >= STANDING_FOR_MS;
  }

  #isLossy(): boolean {
    return this.#lost > (this.#lost + this.#count) * STANDING_LOSS;
  }

  /** A probe of this many bits per second was delivered. */
  proven(bitrate: number): void {
    if (bitrate > this.bitrate) this.bitrate = Math.min(MAX_BITRATE, bitrate);
    // all knowledge about the link is outdated
    if (bitrate > this.#capacity * 1.2) this.#capacity = 0;
  }

  /** There is nothing to probe with, because all suitable streams are paused: raises the estimate slightly. */
  hope(): void {
    this.bitrate = Math.min(MAX_BITRATE, this.bitrate * HOPE);
  }

  /** The receiver's own estimate (REMB), if it does not send feedback per packet. */
  told(bitrate: number): void {
    this.bitrate = Math.max(MIN_BITRATE, Math.min(MAX_BITRATE, bitrate));
  }

  #noteRoundTrip(roundTripMs: number, nowMs: number): void {
    if (nowMs > this.#roundTripUntil || roundTripMs < this.roundTripMs) {
      this.roundTripMs = roundTripMs;
      this.#roundTripUntil = nowMs + 5000;
    }
  }

  #lowerByDelay(nowMs: number): void {
    const used = this.sentBitrate(nowMs) > this.bitrate * USED;
    // varying delay alone does not show a full link, especially if little is sent
    if (this.#delay.leastQueueMs < (used ? TREND_QUEUE_MS : QUEUE_MS)) return;
    const through = Math.max(this.#acknowledged.rate(250, this.#arrival), this.acknowledgedBitrate);
    const wait = Math.max(50, Math.min(200, this.roundTripMs));
    if (nowMs - this.#loweredAt < wait && through > this.bitrate * 0.5) return;
    this.#noteCapacity(through);
    this.#lower(through * BACK_OFF, nowMs);
  }

  #lowerByStanding(nowMs: number): void {
    if (nowMs - this.#loweredAt < STANDING_WAIT_MS) return;
    this.#standing += 1;
    if (this.#standing > STANDING_REDUCTIONS) {
      this.#standing = 0;
      this.#delay.restart();
      return;
    }
    const through = this.#through();
    this.#noteCapacity(through);
    this.#lower(Math.max(through * BACK_OFF, this.#isLossy() ? 0 : this.bitrate * LEAST_KEPT), nowMs);
  }

  /**
   * Bits per second that a full link delivers: of the last message if it shows that, which may be much less than
   * shortly before.
   */
  #through(): number {
    const recent = this.#acknowledged.rate(250, this.#arrival);
    const span = this.#arrival - this.#firstArrival;
    if (this.#count < MEASURE_PACKETS || span < MEASURE_MS) return recent;
    return Math.min(recent, (this.#bytes * 8000) / span);
  }

  #lower(bitrate: number, nowMs: number): void {
    this.congestedAt = nowMs;
    if (bitrate >= this.bitrate) return;
    this.#loweredAt = nowMs;
    this.#loss.restart();
    this.bitrate = Math.max(MIN_BITRATE, bitrate);
  }

  #noteCapacity(through: number): void {
    if (this.#capacity === 0 || Math.abs(through - this.#capacity) > this.#capacity * 3 * this.#deviation) {
      this.#capacity = through;
      this.#deviation = 0.1;
      return;
    }
    const error = Math.abs(through - this.#capacity) / this.#capacity;
    this.#deviation = Math.max(0.04, Math.min(0.2, this.#deviation + (error - this.#deviation) * 0.05));
    this.#capacity += (through - this.#capacity) * 0.05;
  }

  #grow(elapsedMs: number, nowMs: number): void {
    if (this.sentBitrate(nowMs) < this.bitrate * USED) return;
    const through = this.acknowledgedBitrate;
    if (through > this.#capacity * (1 + 3 * this.#deviation)) this.#capacity = 0;
    const near = this.#capacity > 0 && this.bitrate > this.#capacity * (1 - 3 * this.#deviation);
    const growth = near
      ? (PACKET_BITS * elapsedMs) / Math.max(100, this.roundTripMs + 100)
      : this.bitrate * (GROWTH ** (elapsedMs / 1000) - 1);
    const most = Math.min(MAX_BITRATE, through * AHEAD + 10_000);
    if (this.bitrate < most) this.bitrate = Math.min(most, this.bitrate + growth);
  }
}
