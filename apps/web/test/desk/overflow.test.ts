import { describe, expect, test } from 'vitest';
import { fitting, type BarSizes } from '../../src/features/conferences/desk/model/overflow.ts';

const items = [
  { key: 'mute', group: 'sound' },
  { key: 'unmute', group: 'sound' },
  { key: 'lock', group: 'doors' },
  { key: 'end', group: 'time' },
];
const importance = ['mute', 'end', 'lock', 'unmute'];

/** Four controls of 50 px, gaps of 5 within and 10 between groups: 225 px in all. The menu needs 40 and a gap. */
const within = (space: number): BarSizes => ({
  space,
  widths: new Map([...items.map(({ key }) => [key, 50] as const), ['more', 40]]),
  more: 40,
  gap: 5,
  groupGap: 10,
});
const shown = (space: number) => fitting(items, importance, within(space)).map(({ key }) => key);

describe('what fits into one row', () => {
  test('includes everything, without a menu, while there is space to the pixel', () => {
    expect(shown(225)).toEqual(['mute', 'unmute', 'lock', 'end']);
  });

  test('drops the least important first, and keeps its order and space for the menu', () => {
    expect(shown(224)).toEqual(['mute', 'lock', 'end']);
    expect(shown(220)).toEqual(['mute', 'lock', 'end']);
    expect(shown(219)).toEqual(['mute', 'end']);
  });

  test('never keeps a less important control without a more important one, even if that is narrower', () => {
    const narrowLock = {
      ...within(200),
      widths: new Map([
        ['mute', 50],
        ['end', 150],
        ['lock', 10],
        ['unmute', 10],
      ]),
    };
    expect(fitting(items, importance, narrowLock).map(({ key }) => key)).toEqual(['mute']);
    expect(shown(20)).toEqual([]);
  });
});
