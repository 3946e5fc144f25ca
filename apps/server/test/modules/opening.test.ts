import { describe, expect, test } from 'vitest';
import type { OpeningTimes } from '@rmeet/contract';
import { isOpen, openingText } from '../../src/modules/rooms/opening-hours.ts';
import { sortKeyOf } from '../../src/modules/rooms/index.ts';

const everyDay = [0, 1, 2, 3, 4, 5, 6];
const open = (opening: Partial<OpeningTimes>, timeZone: string, start: string, end: string): boolean =>
  isOpen({ days: everyDay, from: '08:00', until: '20:00', ...opening }, timeZone, new Date(start), new Date(end));

describe('a room is open by the clocks of its building', () => {
  test('in summer and in winter time', () => {
    expect(open({}, 'Europe/Berlin', '2026-07-01T06:00:00Z', '2026-07-01T18:00:00Z')).toBe(true);
    expect(open({}, 'Europe/Berlin', '2026-07-01T18:00:00Z', '2026-07-01T18:01:00Z')).toBe(false);
    expect(open({}, 'Europe/Berlin', '2026-12-01T06:00:00Z', '2026-12-01T07:00:00Z')).toBe(false);
    expect(open({}, 'Europe/Berlin', '2026-12-01T07:00:00Z', '2026-12-01T19:00:00Z')).toBe(true);
  });

  test('in the nights of the clock change', () => {
    // On 29 March 2026 02:00 becomes 03:00; on 25 October 03:00 becomes 02:00.
    expect(open({ from: '03:00' }, 'Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T02:00:00Z')).toBe(true);
    expect(open({ from: '03:00' }, 'Europe/Berlin', '2026-03-29T00:59:00Z', '2026-03-29T02:00:00Z')).toBe(false);
    expect(
      open({ from: '00:00', until: '03:00' }, 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25T02:00:00Z'),
    ).toBe(true);
    expect(
      open({ from: '00:00', until: '02:30' }, 'Europe/Berlin', '2026-10-25T00:15:00Z', '2026-10-25T01:45:00Z'),
    ).toBe(false);
    // A day and a night from noon to noon, an hour shorter because of the clock change.
    expect(
      open({ from: '00:00', until: '24:00' }, 'Europe/Berlin', '2026-03-28T11:00:00Z', '2026-03-29T11:00:00Z'),
    ).toBe(true);
  });

  test('on its own days, which differ from those of UTC', () => {
    // Sunday evening in UTC is Monday morning in Auckland.
    expect(open({ days: [1] }, 'Pacific/Auckland', '2026-06-07T20:00:00Z', '2026-06-07T21:00:00Z')).toBe(true);
    expect(open({ days: [0] }, 'Pacific/Auckland', '2026-06-07T20:00:00Z', '2026-06-07T21:00:00Z')).toBe(false);
  });

  test('to the second', () => {
    expect(open({}, 'UTC', '2026-06-01T08:00:00Z', '2026-06-01T20:00:00Z')).toBe(true);
    expect(open({}, 'UTC', '2026-06-01T07:59:59.999Z', '2026-06-01T20:00:00Z')).toBe(false);
    expect(open({}, 'UTC', '2026-06-01T08:00:00Z', '2026-06-01T20:00:00.001Z')).toBe(false);
  });

  test('over midnight only if both days are open all night', () => {
    expect(
      open({ from: '00:00', until: '24:00', days: [1, 2] }, 'UTC', '2026-06-01T23:00:00Z', '2026-06-02T01:00:00Z'),
    ).toBe(true);
    expect(
      open({ from: '00:00', until: '24:00', days: [1] }, 'UTC', '2026-06-01T23:00:00Z', '2026-06-02T00:00:00Z'),
    ).toBe(true);
    expect(
      open({ from: '00:00', until: '24:00', days: [1] }, 'UTC', '2026-06-01T23:00:00Z', '2026-06-02T00:01:00Z'),
    ).toBe(false);
    expect(open({ from: '06:00', until: '24:00' }, 'UTC', '2026-06-01T23:00:00Z', '2026-06-02T06:00:00Z')).toBe(false);
  });
});

test.each([
  [[1, 2, 3, 4, 5], 'Monday to Friday', '周一至周五'],
  [[0, 6], 'Saturday, Sunday', '周六、周日'],
  [everyDay, 'every day', '每天'],
  [[3], 'Wednesday', '周三'],
  [[0, 1, 5, 6], 'Monday, Friday to Sunday', '周一、周五至周日'],
])('the days %j are written in words', (days, en, zh) => {
  const opening = { days, from: '08:00', until: '20:00' };
  expect(openingText(opening, 'Asia/Shanghai', 'en')).toBe(`${en} 08:00–20:00 (Asia/Shanghai)`);
  expect(openingText(opening, 'Asia/Shanghai', 'zh')).toBe(`${zh} 08:00–20:00（Asia/Shanghai）`);
});

test('names are sorted with numbers in order', () => {
  const names = [
    'Room 1',
    'room 2',
    'Room 02b',
    'Room 10',
    'Room 10a2',
    'Room 10a10',
    'Room 100',
    '１０１',
    '会议室 3',
    '会议室 21',
  ];
  const byKey = (a: string, b: string): number => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1);
  expect(names.toReversed().toSorted(byKey)).toEqual(['１０１', ...names.filter((name) => name !== '１０１')]);
});
