import type { LayerHeight } from '@rmeet/conference';

/** The layer that fills a picture so high, in physical pixels. */
export function layerFor(height: number): LayerHeight {
  if (height <= 0) return 0;
  if (height <= 220) return 180;
  return height <= 440 ? 360 : 720;
}
