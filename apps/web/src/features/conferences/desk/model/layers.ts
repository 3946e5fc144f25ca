import type { LayerHeight } from '@rmeet/conference';

/** The simulcast layer for a picture of this height, in physical pixels. */
export function layerFor(height: number): LayerHeight {
  if (height <= 0) return 0;
  if (height <= 220) return 180;
  return height <= 440 ? 360 : 720;
}
