import { expect, it } from 'vitest';
import { RedPayload } from '../src/red.ts';
import { redPayload } from './support/red.ts';

const FRAME = 960;

it('a RED payload is read, and rejected if its lengths are inconsistent', () => {
  const payload = redPayload('now', [
    [2 * FRAME, 'before'],
    [FRAME, 'last'],
  ]);
  const red = new RedPayload();
  expect(red.parse(payload, 0, payload.length)).toBe(true);
  expect(payload.toString('latin1', red.primaryOffset)).toBe('now');
  expect(
    [0, 1].map((block) => [red.timestampOffset[block], payload.toString('latin1', red.start[block], red.end[block])]),
  ).toEqual([
    [1920, 'before'],
    [960, 'last'],
  ]);
  const short = Array.from({ length: payload.length - 'now'.length }, (_unused, length) =>
    red.parse(payload, 0, length),
  );
  expect(short).not.toContain(true);
  expect(red.parse(Buffer.alloc(100, 0x80), 0, 100)).toBe(false);
});
