import { randomInt } from 'node:crypto';
import { timestampDistance } from '@rmeet/rtp';
import type { Layer } from './layer.ts';

/** A timestamp mapped by clock that is further than this from the arrival time is not used. */
const CLOCK_TOLERANCE_SECONDS = 2;

/** The RTP timestamps of a track for one subscriber, which are continuous across layers. */
export class TimeLine {
  readonly #clockRate: number;
  /** Added to a layer's timestamps. */
  #shift = 0;
  #last = randomInt(0x1_0000_0000);
  #lastSentAt = 0;
  /** The layer that was last sent. */
  #layer: Layer | undefined;

  constructor(clockRate: number) {
    this.#clockRate = clockRate;
  }

  /** The subscriber's timestamp for one of the current layer. */
  map(timestamp: number): number {
    return (timestamp + this.#shift) >>> 0;
  }

  /** Records that a packet with this timestamp of the layer was sent. */
  sent(timestamp: number, nowMs: number): void {
    this.#last = this.map(timestamp);
    this.#lastSentAt = nowMs;
  }

  /**
   * Continues with a layer at this timestamp of it: by the sender's clock if it is known for both layers, else by
   * arrival.
   */
  switchTo(layer: Layer, timestamp: number, nowMs: number): void {
    this.#shift = (this.#next(layer, timestamp, nowMs) - timestamp) >>> 0;
    this.#layer = layer;
  }

  #next(layer: Layer, timestamp: number, nowMs: number): number {
    if (!this.#layer) return this.#last;
    const elapsed = ((nowMs - this.#lastSentAt) * this.#clockRate) / 1000;
    const byArrival = (this.#last + Math.round(elapsed)) >>> 0;
    const senderTime = layer.stream.senderTime(timestamp);
    const inPrevious = senderTime === undefined ? undefined : this.#layer.stream.timestampAt(senderTime);
    let next = byArrival;
    if (inPrevious !== undefined) {
      const byClock = this.map(inPrevious);
      const apart = Math.abs(timestampDistance(byArrival, byClock));
      if (apart < CLOCK_TOLERANCE_SECONDS * this.#clockRate) next = byClock;
    }
    return timestampDistance(this.#last, next) > 0 ? next : (this.#last + 1) >>> 0;
  }
}
