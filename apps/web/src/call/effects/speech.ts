import { watchLevel } from '../level-meter.ts';

/** Levels that are looked at together: a second at the rate of `watchLevel`. */
const SECOND = 15;
/** The background's level is the lowest of so many. */
const FLOOR = 3 * SECOND;
/** A level from which it may be speech, and how far it must be above the background (12 dB). */
const LOUD = 0.45;
const ABOVE = 0.2;
/** How many levels of the last second must be speech. */
const ENOUGH = 8;

/** Tells speech from a fan, a tone or a cough by the course of the level. */
export class SpeechDetector {
  readonly #levels: number[] = [];
  readonly #loud: boolean[] = [];

  /** Adds a level of `watchLevel`; returns whether a person has been speaking for a while. */
  isSpeech(level: number): boolean {
    this.#levels.push(level);
    if (this.#levels.length > FLOOR) this.#levels.shift();
    this.#loud.push(level >= LOUD && level - Math.min(...this.#levels) >= ABOVE);
    if (this.#loud.length > SECOND) this.#loud.shift();
    return this.#loud.filter(Boolean).length >= ENOUGH;
  }

  /** Starts again. */
  reset(): void {
    this.#levels.length = 0;
    this.#loud.length = 0;
  }
}

/**
 * Calls back whenever there is speech in a microphone that is muted but still captured. Listens to a copy that is never
 * sent; opens no device, so that the browser shows no other recording than before.
 */
export function watchMutedSpeech(source: MediaStreamTrack, onSpeech: () => void): () => void {
  const copy = source.clone();
  copy.enabled = true;
  const detector = new SpeechDetector();
  const stop = watchLevel(copy, (level) => {
    if (!detector.isSpeech(level)) return;
    detector.reset();
    onSpeech();
  });
  return () => {
    stop();
    copy.stop();
  };
}
