import { ConnectionQuality } from '@livekit/protocol';

const BEST = 100;
/** The score of a stream that should arrive and does not. */
const DRY = 30;
/** The minimum, so that recovery does not take too long. */
const WORST = 20;
/** The weight of a new score against the previous one: slower up than down. */
const UP = 0.4;
const DOWN = 0.7;
/** Deduction for each layer below the wanted one. */
const LAYER_COST = 35;

/**
 * Deduction for each per cent of loss, by kind. Forward error correction conceals some loss of audio, redundancy most
 * of it.
 */
export const lossWeights = { video: 10, audio: 8 / 1.5, audioWithRedundancy: 8 / 3 } as const;

/**
 * The quality of one stream as scored by LiveKit, 0 to 100: a simplified E-model of loss, round trip and jitter, and
 * the distance of the forwarded layer from the wanted one; the worse of the two, smoothed. Sample every second, score
 * every few seconds.
 */
export class QualityScore {
  score = BEST;
  #samples = 0;
  #loss = 0;
  #delayMs = 0;

  /** `loss` 0 to 1; `roundTripMs` 0 if unknown. */
  sample(loss: number, roundTripMs: number, jitterMs: number): void {
    this.#samples += 1;
    this.#loss += loss;
    this.#delayMs = Math.max(this.#delayMs, roundTripMs / 2 + jitterMs * 2);
  }

  /**
   * Ends a window: with the weight of a per cent of loss, and the number of missing layers. `isDry`: nothing arrives
   * although it should.
   */
  update(lossWeight: number, layersMissing: number, isDry: boolean): void {
    const loss = this.#samples === 0 ? 0 : this.#loss / this.#samples;
    const delay = this.#delayMs;
    const delayCost = delay > 160 ? (delay - 120) / 10 : delay / 40;
    this.#begin();
    if (isDry) {
      this.score = DRY;
      return;
    }
    const packets = Math.max(0, BEST - delayCost - loss * 100 * lossWeight);
    const layers = Math.max(0, BEST - layersMissing * LAYER_COST);
    const now = Math.min(packets, layers);
    const factor = now < this.score ? DOWN : UP;
    this.score = Math.max(WORST, factor * now + (1 - factor) * this.score);
  }

  /** The track is muted or not wanted: forgets its history. */
  reset(): void {
    this.score = BEST;
    this.#begin();
  }

  #begin(): void {
    this.#samples = 0;
    this.#loss = 0;
    this.#delayMs = 0;
  }
}

/**
 * What is missing of a publication: the layers below the best one wanted, or (`isDry`) all of it. Null while nothing is
 * expected: its picture is not wanted, and its sender pauses.
 *
 * @param wanted the highest quality wanted, -1 for none
 */
export function shortfallOf({
  isVideo,
  wanted,
  layers,
}: {
  isVideo: boolean;
  wanted: number;
  layers: readonly { quality: number; isLive: boolean }[];
}): { missing: number; isDry: boolean } | null {
  if (layers.length === 0 || (isVideo && wanted < 0)) return null;
  const live = layers.filter(({ isLive }) => isLive).map(({ quality }) => quality);
  if (live.length === 0) return { missing: 0, isDry: true };
  const declared = Math.max(...layers.map(({ quality }) => quality));
  return { missing: isVideo ? Math.max(0, Math.min(wanted, declared) - Math.max(...live)) : 0, isDry: false };
}

export function qualityOf(score: number): ConnectionQuality {
  if (score > 80) return ConnectionQuality.EXCELLENT;
  return score > 40 ? ConnectionQuality.GOOD : ConnectionQuality.POOR;
}

/** Mean opinion score, 1 to 4.5, of an E-model rating (ITU-T G.107 annex B). */
export function opinionOf(score: number): number {
  if (score <= 0) return 1;
  if (score >= BEST) return 4.5;
  return 1 + 0.035 * score + 0.000_007 * score * (score - 60) * (BEST - score);
}
