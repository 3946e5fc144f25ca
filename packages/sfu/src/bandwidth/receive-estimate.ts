const START = 4_000_000;
const FLOOR = 300_000;
const CEILING = 20_000_000;

/**
 * The REMB bitrate for a publisher: rises without loss while it is used, and falls to the received bitrate under heavy
 * loss. Used instead of transport-wide feedback.
 */
export class ReceiveEstimate {
  bitrate = START;

  /** Applies one report interval: received bits per second, and the loss (0 to 1). */
  update(arrivedBitrate: number, loss: number): void {
    if (loss > 0.1) this.bitrate = Math.max(FLOOR, Math.min(this.bitrate * 0.85, arrivedBitrate * 0.95));
    else if (loss < 0.02 && arrivedBitrate > this.bitrate * 0.5) this.bitrate = Math.min(CEILING, this.bitrate * 1.25);
    else if (loss < 0.02 && this.bitrate < START) this.bitrate = Math.min(START, this.bitrate * 1.08);
  }
}
