import { ConnectionQuality } from '@livekit/protocol';

const BEST = 100;
/** What a stream scores that should come and does not. */
const DRY = 30;
/** The least, so that the way back up takes not too long. */
const WORST = 20;
/** A new score counts so much beside the one before: slower up than down. */
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
 * The quality of one stream as LiveKit scores it, 0 to 100: a simplified E-model of loss, round trip and jitter, and
 * how far the layer sent is below the one wanted; the worse of the two, smoothed. Sample every second, score every few.
 */
export class QualityScore {
  score = BEST;
  #samples = 0;
  #loss = 0;
  #delayMs = 0;

  /** `loss` 0 to 1; `roundTripMs` 0 where it is not known. */
  sample(loss: number, roundTripMs: number, jitterMs: number): void {
    this.#samples += 1;
    this.#loss += loss;
    this.#delayMs = Math.max(this.#delayMs, roundTripMs / 2 + jitterMs * 2);
  }

  /**
   * Ends a window: with the weight of a per cent of loss, and the layers missing. `isDry`: nothing comes that should.
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
 * What of a publication does not come and should: the layers below the best one wanted, or (`isDry`) all of it. Null
 * while nothing is to come: nobody wants its picture, and its sender rests.
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
