/** LiveKit's defaults: -35 dBov and louder, for two fifths of 400 ms, counts as speech; two windows are averaged. */
const ACTIVE_DBOV = 35;
const WINDOW_MS = 400;
const ACTIVE_SHARE = 0.4;
const SMOOTHING = 2 / 3;
const SILENCE_DBOV = 127;
/**
 * The longest Opus frame (RFC 6716 section 2.1.4). A longer time between two packets is a gap: discontinuous
 * transmission, or loss.
 */
const MAX_FRAME_MS = 120;
/** Without packets for this time the participant is silent. */
const STALE_MS = 2 * WINDOW_MS;
const SAMPLES_PER_MS = 48;

function linear(dBov: number): number {
  return 10 ** (-dBov / 20);
}

/**
 * Level of one audio track from the audio level header extension (RFC 6464). Windows are measured by RTP timestamps, so
 * that packets arriving evenly or in bursts give the same result.
 */
export class AudioLevel {
  #timestamp: number | undefined;
  #observedMs = 0;
  #activeMs = 0;
  #loudest = SILENCE_DBOV;
  #smoothed = 0;
  #arrivedAt = 0;

  /** One packet's level, 0 (loudest) to 127 (silence) in -dBov, its RTP timestamp at 48 kHz, and when it arrived. */
  observe(level: number, timestamp: number, nowMs: number): void {
    const sinceMs = this.#timestamp === undefined ? 0 : ((timestamp - this.#timestamp) | 0) / SAMPLES_PER_MS;
    // a late packet: its time was counted with its successor
    if (sinceMs < 0) return;
    this.#timestamp = timestamp;
    this.#arrivedAt = nowMs;
    if (sinceMs >= STALE_MS) this.#begin(0);
    else this.#observedMs += sinceMs;
    if (level <= ACTIVE_DBOV) {
      this.#activeMs += Math.min(sinceMs, MAX_FRAME_MS);
      if (level < this.#loudest) this.#loudest = level;
    }
    if (this.#observedMs >= WINDOW_MS) this.#begin(this.#windowLevel());
  }

  /** The smoothed level, 0 to 1; 0 for silence. */
  level(nowMs: number): number {
    if (nowMs - this.#arrivedAt >= STALE_MS) this.#begin(0);
    return this.#smoothed >= linear(ACTIVE_DBOV) ? this.#smoothed : 0;
  }

  /** The track is muted: forgets earlier levels. */
  reset(): void {
    this.#timestamp = undefined;
    this.#begin(0);
  }

  #windowLevel(): number {
    if (this.#activeMs < WINDOW_MS * ACTIVE_SHARE) return 0;
    // reduced by the share of the window without speech
    const level = linear(this.#loudest) * Math.min(1, this.#activeMs / WINDOW_MS);
    return this.#smoothed + (level - this.#smoothed) * SMOOTHING;
  }

  #begin(smoothed: number): void {
    this.#smoothed = smoothed;
    this.#observedMs = 0;
    this.#activeMs = 0;
    this.#loudest = SILENCE_DBOV;
  }
}
