import { expect, test } from 'vitest';
import { MaskSource } from '../../src/call/effects/masks.ts';

/** A segmenter whose masks are numbered; the model itself needs a browser. */
function numbered() {
  let count = 0;
  return new MaskSource({ segment: async () => String((count += 1)) as unknown as CanvasImageSource });
}
const picture = {} as CanvasImageSource;

test('each frame has its own mask, until frames are too dear: then a mask serves for two', async () => {
  const masks = numbered();
  const next = () => masks.next(picture, false);
  expect([await next(), await next()]).toEqual(['1', '2']);
  masks.isShared = true;
  expect([await next(), await next(), await next(), await next()]).toEqual(['2', '3', '3', '4']);
});

test('a phone that is turned gets a new mask at once', async () => {
  const masks = numbered();
  masks.isShared = true;
  expect([await masks.next(picture, false), await masks.next(picture, true)]).toEqual(['1', '2']);
});

test('the costs of two frames that share a mask are averaged', () => {
  const masks = numbered();
  expect([20, 22].map((cost) => masks.averaged(cost))).toEqual([20, 22]);
  masks.isShared = true;
  expect([4, 20, 4].map((cost) => masks.averaged(cost))).toEqual([13, 12, 12]);
});
