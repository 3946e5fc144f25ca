import type { LayerHeight } from '@rmeet/contract';
import type { Watch } from '../../../call/index.ts';

export interface Wanted {
  /** termId, or termId and `-screen`. */
  key: string;
  ask: LayerHeight;
}

/**
 * Brings together what the views of a desk want to see: each tells its pictures, every picture is asked for once, in the
 * largest size anybody wants.
 */
export class PictureRequests {
  readonly #watch: Pick<Watch, 'show'>;
  readonly #wanted = new Map<string, readonly Wanted[]>();

  constructor(watch: Pick<Watch, 'show'>) {
    this.#watch = watch;
  }

  /** What a view shows now; nothing when it goes. */
  show(view: string, pictures: readonly Wanted[]): void {
    this.#wanted.set(view, pictures);
    const largest = new Map<string, LayerHeight>();
    for (const { key, ask } of [...this.#wanted.values()].flat()) if (ask > (largest.get(key) ?? -1)) largest.set(key, ask);
    this.#watch.show([...largest].map(([key, ask]) => ({ key, ask })));
  }
}

/** The layer that fills a picture so high, in physical pixels. */
export function layerFor(height: number): LayerHeight {
  if (height <= 0) return 0;
  if (height <= 220) return 180;
  return height <= 440 ? 360 : 720;
}
