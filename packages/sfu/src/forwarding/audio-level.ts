/** -35 dBov and louder counts as speech, if it lasts for two fifths of the window (as LiveKit's default). */
const SPEECH_DBOV = 35;
const SPEECH_SHARE = 0.4;
const FRAME_MS = 20;

/** Loudness of one audio track out of the audio level header extension (RFC 6464). */
export class AudioLevel {
  #loudFrames = 0;
  #loudest = 127;
  #smoothed = 0;

  /** One packet's level: 0 (loudest) to 127 (silence), in -dBov. */
  observe(level: number): void {
    if (level > SPEECH_DBOV) return;
    this.#loudFrames += 1;
    if (level < this.#loudest) this.#loudest = level;
  }

  /** The level of the window since the last call, 0 to 1, smoothed; 0 when nobody spoke. */
  take(windowMs: number): number {
    const speaks = this.#loudFrames * FRAME_MS >= windowMs * SPEECH_SHARE;
    const level = speaks ? 10 ** (-this.#loudest / 20) : 0;
    this.#loudFrames = 0;
    this.#loudest = 127;
    this.#smoothed += (level - this.#smoothed) / 2;
    if (this.#smoothed < 0.01) this.#smoothed = 0;
    return this.#smoothed;
  }
}
