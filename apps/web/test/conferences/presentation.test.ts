import { expect, test } from 'vitest';
import type { LayoutCell } from '@rmeet/conference';
import { awaitedKeys, leavingCells } from '../../src/features/conferences/room/presentation.ts';

const cell = (key: string, area: LayoutCell['area'], x = 0, width = 1): LayoutCell => ({
  key,
  termId: key,
  kind: 'camera',
  area,
  ask: 360,
  x,
  y: 0,
  width,
  height: 1,
});

test('a large picture that replaces another one is awaited', () => {
  expect(awaitedKeys({ cells: [cell('alice', 'stage')] }, { cells: [cell('bob', 'stage')] })).toEqual(['bob']);
  expect(
    awaitedKeys(
      { cells: [cell('alice', 'seat')] },
      { cells: [cell('bob', 'seat', 0, 0.5), cell('alice', 'seat', 0.5, 0.5)] },
    ),
  ).toEqual(['bob']);
});

test('a picture already shown, one in an empty place, and small pictures are not awaited', () => {
  const shown = { cells: [cell('alice', 'stage', 0, 0.7), cell('bob', 'strip', 0.7, 0.3)] };
  expect(awaitedKeys(shown, { cells: [cell('bob', 'stage', 0, 0.7), cell('alice', 'strip', 0.7, 0.3)] })).toEqual([]);
  expect(awaitedKeys(shown, { cells: [cell('alice', 'stage', 0, 0.7), cell('carol', 'strip', 0.7, 0.3)] })).toEqual([]);
  expect(
    awaitedKeys(
      { cells: [cell('alice', 'seat', 0, 0.5)] },
      { cells: [cell('alice', 'seat', 0, 0.5), cell('bob', 'seat', 0.5, 0.5)] },
    ),
  ).toEqual([]);
});

test('large pictures that disappear linger for a while, a few of them', () => {
  const seats = ['a', 'b', 'c', 'd', 'e', 'f'].map((key, at) => cell(key, 'seat', at / 6, 1 / 6));
  expect(
    leavingCells({ cells: [...seats, cell('g', 'grid')] }, { cells: [cell('a', 'stage')] }).map(({ key }) => key),
  ).toEqual(['b', 'c', 'd', 'e']);
  expect(leavingCells({ cells: seats }, { cells: seats })).toEqual([]);
});
