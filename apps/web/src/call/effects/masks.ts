import type { Segmenter } from './segmenter.ts';

/** The masks of frames one after the other; a shared mask serves for two frames. */
export class MaskSource {
  isShared = false;
  readonly #segmenter: Segmenter;
  #last: { mask: CanvasImageSource; isPortrait: boolean; isUsed: boolean } | null = null;
  #lastCost: number | null = null;

  constructor(segmenter: Segmenter) {
    this.#segmenter = segmenter;
  }

  async next(picture: CanvasImageSource, isPortrait: boolean): Promise<CanvasImageSource> {
    const last = this.#last;
    if (this.isShared && last !== null && !last.isUsed && last.isPortrait === isPortrait) {
      last.isUsed = true;
      return last.mask;
    }
    const mask = await this.#segmenter.segment(picture, isPortrait);
    this.#last = { mask, isPortrait, isUsed: false };
    return mask;
  }

  /** The cost of a frame, ms; with shared masks the mean of this frame and the one before, which cost differently. */
  averaged(cost: number): number {
    const before = this.isShared ? (this.#lastCost ?? cost) : cost;
    this.#lastCost = cost;
    return (before + cost) / 2;
  }
}
