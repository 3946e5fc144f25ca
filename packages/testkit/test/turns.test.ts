import { COLOURS } from '@rmeet/participant';
import { describe, expect, test } from 'vitest';
import {
  darkness,
  failedTurns,
  isDark,
  isOfColour,
  seenFrom,
  seenTurns,
  type Coloured,
  type PlaceLog,
  type PlaceSeen,
} from '../src/index.ts';

type Rgb = [number, number, number];
const red: Rgb = [...COLOURS.red];
const green: Rgb = [...COLOURS.green];
const seen = (at: number, key: string | null, colour: Rgb | null): PlaceSeen => ({ at, unsure: 16, key, colour });
const log = (...moments: PlaceSeen[]): PlaceLog => ({ seen: moments, looks: 1, longest: 0 });

describe('a place of a page', () => {
  test('shows a colour within the tolerance of a codec', () => {
    expect(isOfColour({ colour: [red[0] - 30, red[1] + 30, red[2]] }, 'red')).toBe(true);
    expect([isOfColour({ colour: green }, 'red'), isOfColour({ colour: null }, 'red')]).toEqual([false, false]);
  });
  test.each<[Rgb | null, boolean]>([
    [null, true],
    [[0, 0, 0], true],
    [[20, 30, 40], true],
    [red, false],
    [[32, 64, 208], false],
  ])('%j is dark: %s', (colour, dark) => expect(isDark({ colour })).toBe(dark));

  const bothSeen = log(seen(0, 'a', red), seen(1_000, 'b', null), seen(1_080, 'b', green), seen(3_000, null, null));
  test('is dark from the moment nothing is visible until something is', () => {
    expect(darkness(bothSeen, 0, 2_000)).toEqual([80]);
    expect(darkness(bothSeen, 1_040, 4_000)).toEqual([40, 1_000]);
    expect(darkness(bothSeen, 0, 900)).toEqual([]);
  });
  test('shows a participant once their colour is visible there, not only their tile', () => {
    expect(seenFrom(bothSeen, { key: 'b', colour: 'green' }, 900, 2_000)).toEqual({ at: 1_080, unsure: 16 });
    expect(seenFrom(bothSeen, { key: 'b', colour: 'green' }, 1_500, 2_000)).toEqual({ at: 1_500, unsure: 0 });
    expect(seenFrom(bothSeen, { key: 'b', colour: 'red' }, 900, 2_000)).toBeNull();
    expect(seenFrom(bothSeen, { key: 'b', colour: 'green' }, 0, 1_000)).toBeNull();
  });
});

test('turns that are over are judged, each by its own time', () => {
  const terminals = [
    { termId: 'a', colour: 'red' },
    { termId: 'b', colour: 'green' },
  ] as Coloured[];
  const turns = [
    { termId: 'a', at: 0, due: null },
    { termId: 'b', at: 1_000, due: 990 },
    { termId: 'a', at: 2_000, due: 2_000 },
    { termId: 'b', at: 3_000, due: 3_000 },
  ];
  const watched = log(seen(-5, 'a', red), seen(1_050, 'b', green), seen(2_900, 'b', null));
  const judged = seenTurns(turns, watched, terminals);
  expect(failedTurns(judged, 300)).toEqual(judged.slice(2));
  expect(failedTurns(judged, 33)).toEqual(judged.slice(1));
  expect(failedTurns(judged, 34)).toEqual(judged.slice(2));
  expect(judged).toEqual([
    { termId: 'a', at: 0, due: null, colour: 'red', after: 0, unsure: 0, dark: 0 },
    { termId: 'b', at: 1_000, due: 990, colour: 'green', after: 50, unsure: 16, dark: 0 },
    { termId: 'a', at: 2_000, due: 2_000, colour: 'red', after: null, unsure: 0, dark: 100 },
  ]);
});
