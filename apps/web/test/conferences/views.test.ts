import { describe, expect, test } from 'vitest';
import { cornerNear, cornerOfKey } from '../../src/features/conferences/room/model/corners.ts';
import {
  readViewPreferences,
  rememberViewPreferences,
} from '../../src/features/conferences/room/model/view-preferences.ts';
import { moveBy, WHOLE, zoomBy, zoomOfKey, type Zoom } from '../../src/features/conferences/room/model/zoom.ts';
import { fillsSpace } from '../../src/features/conferences/shared/Video.tsx';

test.each([
  ['a camera in its own shape', 16 / 9, 16 / 9, true],
  ['a camera in a square: its sides go', 16 / 9, 1, true],
  ['a camera in the narrowest seat', 16 / 9, 3 / 4, true],
  ['a camera on a phone held upright', 16 / 9, 9 / 16, false],
  ['an old camera in 16:9: a strip at the bottom goes', 4 / 3, 16 / 9, true],
  ['a phone held upright in 16:9: the head would go', 9 / 16, 16 / 9, false],
  ['a phone held upright in its own shape', 9 / 16, 0.53, true],
])('%s', (_, picture, space, fills) => expect(fillsSpace(picture, space)).toBe(fills));

describe('zoom', () => {
  /** The point of the picture that is at a point of the space. */
  const under = ({ scale, x, y }: Zoom, at: { x: number; y: number }) => ({
    x: (at.x - x) / scale,
    y: (at.y - y) / scale,
  });

  test('keeps the point under the pointer', () => {
    const at = { x: 0.7, y: 0.3 };
    const zoomed = zoomBy(zoomBy(WHOLE, 2, at), 1.5, at);
    expect(zoomed.scale).toBeCloseTo(3);
    expect(under(zoomed, at).x).toBeCloseTo(at.x);
    expect(under(zoomed, at).y).toBeCloseTo(at.y);
  });
  test('never shows the picture smaller than its space', () => {
    expect(zoomBy(WHOLE, 0.1)).toEqual(WHOLE);
    expect(moveBy(WHOLE, 0.5, 0.5)).toEqual(WHOLE);
    expect(moveBy(zoomBy(WHOLE, 2), 9, -9)).toEqual({ scale: 2, x: 0, y: -1 });
    expect(zoomBy(zoomBy(WHOLE, 4, { x: 1, y: 1 }), 0.01)).toEqual(WHOLE);
    expect(zoomBy(WHOLE, 1_000).scale).toBe(8);
  });
  test.each(['+', '=', '-', '0', 'ArrowLeft', 'ArrowUp'])('the key %s has an effect on an enlarged picture', (key) => {
    const zoomed = zoomBy(WHOLE, 2);
    expect(zoomOfKey(zoomed, key)).not.toEqual(zoomed);
  });
  test('0 shows the whole picture, and other keys are left to the room', () => {
    expect(zoomOfKey(zoomBy(WHOLE, 3), '0')).toEqual(WHOLE);
    expect(zoomOfKey(WHOLE, 'm')).toBeNull();
  });
});

test('the own picture moves to the nearest corner, and by arrow keys', () => {
  expect(cornerNear({ x: 0.4, y: 0.9 })).toBe('bottom-left');
  expect(cornerNear({ x: 0.6, y: 0.1 })).toBe('top-right');
  expect(cornerOfKey('bottom-right', 'ArrowUp')).toBe('top-right');
  expect(cornerOfKey('bottom-right', 'ArrowRight')).toBe('bottom-right');
  expect(cornerOfKey('top-right', 'ArrowLeft')).toBe('top-left');
  expect(cornerOfKey('top-right', 'Enter')).toBeNull();
});

describe('what the browser remembers of views', () => {
  const stored = (json: string | null) => readViewPreferences({ getItem: () => json });
  const defaults = stored(null);

  test('nothing yet: mirrored, automatic, sharp text', () => {
    expect(defaults).toEqual({
      view: 'AUTO',
      hideSelf: false,
      hideWithoutVideo: false,
      mirror: true,
      corner: 'bottom-right',
      share: { hint: 'detail', rate: 15 },
    });
  });
  test('what was chosen', () => {
    const chosen = {
      ...defaults,
      view: 'GRID',
      mirror: false,
      corner: 'top-left',
      share: { hint: 'motion', rate: 30 },
    } as const;
    let json = '';
    rememberViewPreferences(chosen, { setItem: (_, value) => (json = value) });
    expect(stored(json)).toEqual(chosen);
  });
  test.each(['no JSON', '7', 'null', '{"view":"OLD","corner":1,"mirror":"yes","share":{"hint":"?","rate":99}}'])(
    'damaged or of another version: %s',
    (json) => expect(stored(json)).toEqual(defaults),
  );
});
