import { exampleMeeting } from '@rmeet/contract';
import { describe, expect, test } from 'vitest';
import {
  daysShown,
  instantIn,
  placeIn,
  rangeOf,
  shiftInstant,
  snapped,
  startOfDay,
  stepDay,
  timeRows,
} from '../src/features/meetings/calendar/days.ts';
import { lanesOf, segmentsOf, type Shown } from '../src/features/meetings/calendar/layout.ts';
import { currentStop, nextStop, SLOT, stopsOfDay, type Stop } from '../src/features/meetings/calendar/stops.ts';
import { readView, writeView } from '../src/features/meetings/calendar/viewState.ts';

const SHANGHAI = 'Asia/Shanghai';
/** Clocks go forward on 29 March 2026, back on 25 October 2026. */
const BERLIN = 'Europe/Berlin';
const at = (iso: string): number => Date.parse(iso);

describe('the days of a view', () => {
  test('a week begins on Monday in Chinese and on Sunday in English', () => {
    // A Sunday.
    expect(daysShown('week', '2026-11-22', 1)).toEqual([
      '2026-11-16',
      '2026-11-17',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
      '2026-11-21',
      '2026-11-22',
    ]);
    expect(daysShown('week', '2026-11-22', 0)[0]).toBe('2026-11-22');
  });

  test.each([
    ['2026-11-20', 1, '2026-10-26', 42],
    ['2026-11-20', 0, '2026-11-01', 35],
    ['2027-02-14', 1, '2027-02-01', 28],
  ] as const)('the month of %s has whole weeks around it', (day, firstDay, first, count) => {
    const days = daysShown('month', day, firstDay);
    expect([days[0], days.length]).toEqual([first, count]);
  });

  test('a month later is the same day, or the last day of that month', () => {
    expect(stepDay('month', '2026-01-31', 1)).toBe('2026-02-28');
    expect(stepDay('month', '2026-01-15', -1)).toBe('2025-12-15');
    expect(stepDay('week', '2026-12-30', 1)).toBe('2027-01-06');
  });

  test('days of 23 and 25 hours have their real length', () => {
    const hours = (day: string) => {
      const { start, end } = rangeOf([day], BERLIN);
      return (end - start) / 3_600_000;
    };
    expect([hours('2026-03-29'), hours('2026-10-25'), hours('2026-11-20')]).toEqual([23, 25, 24]);
  });

  test('a day begins at one if the clocks skip midnight', () => {
    expect(new Date(startOfDay('2026-03-08', 'America/Havana')).toISOString()).toBe('2026-03-08T05:00:00.000Z');
  });
});

describe('the rows of a time grid', () => {
  test('are 48 on ordinary days', () => {
    expect(timeRows(['2026-11-20'], SHANGHAI)).toHaveLength(48);
  });

  test('have a gap on the day of a week on which the clocks skip an hour', () => {
    const rows = timeRows(['2026-03-28', '2026-03-29'], BERLIN);
    expect(rows).toHaveLength(48);
    expect(rows.filter(({ starts }) => starts[1] === null).map(({ clock }) => clock)).toEqual(['02:00', '02:30']);
    // A single day has no gap, because it has no row for that hour.
    expect(timeRows(['2026-03-29'], BERLIN)).toHaveLength(46);
  });

  test('contain a repeated hour twice, in order', () => {
    const rows = timeRows(['2026-10-25', '2026-10-26'], BERLIN);
    expect(rows).toHaveLength(50);
    expect(rows.slice(4, 9).map(({ clock }) => clock)).toEqual(['02:00', '02:30', '02:00', '02:30', '03:00']);
    expect(rows[6]?.starts).toEqual([at('2026-10-25T01:00:00Z'), null]);
    const starts = rows.map((row) => row.starts[0] ?? 0);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
  });

  test('an instant and its place convert into each other, also around a gap', () => {
    const rows = timeRows(['2026-03-28', '2026-03-29'], BERLIN);
    // 01:45, and 03:15 after the gap.
    for (const iso of ['2026-03-29T00:45:00Z', '2026-03-29T01:15:00Z'])
      expect(instantIn(rows, 1, placeIn(rows, 1, at(iso)))).toBe(at(iso));
    expect(placeIn(rows, 1, at('2026-03-29T01:00:00Z'))).toBe(6);
    // An interval that ends where the gap begins does not fill the gap.
    expect(placeIn(rows, 1, at('2026-03-29T01:00:00Z'), true)).toBe(4);
    // A press in the gap counts as the following time.
    expect(instantIn(rows, 1, 4.5)).toBe(at('2026-03-29T01:00:00Z'));
    expect(instantIn(rows, 0, 48)).toBe(at('2026-03-28T23:00:00Z'));
  });

  test('another day keeps the time of day across a clock change', () => {
    expect(new Date(shiftInstant(at('2026-10-24T08:07:00Z'), 1, BERLIN)).toISOString()).toBe(
      '2026-10-25T09:07:00.000Z',
    );
    expect(snapped(at('2026-10-24T08:08:00Z'))).toBe(at('2026-10-24T08:15:00Z'));
  });
});

describe('meetings that overlap', () => {
  test('are beside each other, and use the free width', () => {
    const long = { from: 0, until: 10 };
    const first = { from: 0, until: 2 };
    const second = { from: 1, until: 3 };
    const third = { from: 4, until: 5 };
    const alone = { from: 10, until: 12 };
    expect(lanesOf([third, alone, long, second, first])).toEqual([
      { lane: 1, span: 2, lanes: 3 },
      { lane: 0, span: 1, lanes: 1 },
      { lane: 0, span: 1, lanes: 3 },
      { lane: 2, span: 1, lanes: 3 },
      { lane: 1, span: 1, lanes: 3 },
    ]);
  });

  test('never cover each other, however many there are', () => {
    // Reproducible pseudo-random numbers.
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed % below;
    };
    const blocks = Array.from({ length: 200 }, () => {
      const from = random(400) / 10;
      return { from, until: from + 1 + random(60) / 10 };
    });
    const lanes = lanesOf(blocks);
    const boxes = blocks.map((block, index) => {
      const { lane, span, lanes: count } = lanes[index] ?? { lane: 0, span: 0, lanes: 1 };
      return { from: block.from, until: block.until, left: lane / count, right: (lane + span) / count };
    });
    const clashes = boxes.flatMap((a, i) =>
      boxes
        .slice(i + 1)
        .filter((b) => a.from < b.until && b.from < a.until && a.left < b.right - 1e-9 && b.left < a.right - 1e-9),
    );
    expect(clashes).toEqual([]);
    for (const { left, right } of boxes) expect(right).toBeGreaterThan(left);
  });
});

const shown = (meetId: string, startTime: string, minutes: number): Shown => ({
  meeting: { ...exampleMeeting, meetId, startTime, duration: minutes },
  times: { start: at(startTime), end: at(startTime) + minutes * 60_000 },
});

describe('a day of a time grid', () => {
  const days = ['2026-11-20', '2026-11-21'];
  const rows = timeRows(days, SHANGHAI);

  test('shows its part of a meeting across midnight', () => {
    const night = shown('night', '2026-11-20T15:00:00Z', 120);
    const [before, after] = days.map((day, index) => segmentsOf([night], rows, index, rangeOf([day], SHANGHAI)));
    expect(before).toMatchObject([{ from: 46, until: 48, begins: true, ends: false }]);
    expect(after).toMatchObject([{ from: 0, until: 2, begins: false, ends: true }]);
  });

  test('gives the shortest meeting a row, at the end of the day too', () => {
    const segments = segmentsOf(
      [shown('short', '2026-11-20T01:00:00Z', 5), shown('late', '2026-11-20T15:55:00Z', 5)],
      rows,
      0,
      rangeOf(['2026-11-20'], SHANGHAI),
    );
    expect(segments).toMatchObject([
      { from: 18, until: 19 },
      { from: 47, until: 48 },
    ]);
  });

  test('has stops for the keyboard: meetings, and free half hours', () => {
    const segments = segmentsOf([shown('a', '2026-11-20T01:00:00Z', 90)], rows, 0, rangeOf(['2026-11-20'], SHANGHAI));
    const stops = stopsOfDay('2026-11-20', segments, rows, 0, true);
    expect(stops.slice(17, 20)).toEqual([
      { day: '2026-11-20', at: 17, id: SLOT },
      { day: '2026-11-20', at: 18, id: 'a' },
      { day: '2026-11-20', at: 21, id: SLOT },
    ]);
    expect(stopsOfDay('2026-11-20', segments, rows, 0, false)).toEqual([{ day: '2026-11-20', at: 18, id: 'a' }]);
  });
});

describe('the keyboard in the calendar', () => {
  const stop = (day: string, where: number, id = SLOT): Stop => ({ day, at: where, id });
  const columns = [[stop('mo', 0), stop('mo', 1, 'a'), stop('mo', 5)], [], [stop('we', 4, 'b'), stop('we', 6)]];

  test.each([
    ['ArrowDown', stop('mo', 0), stop('mo', 1, 'a')],
    ['ArrowUp', stop('mo', 0), undefined],
    ['ArrowRight', stop('mo', 1, 'a'), stop('we', 4, 'b')],
    ['ArrowLeft', stop('we', 6), stop('mo', 5)],
    ['End', stop('mo', 0), stop('mo', 5)],
    ['x', stop('mo', 0), undefined],
  ])('%s moves on', (key, from, to) => {
    expect(nextStop(columns, from, key, 3)).toEqual(to);
  });

  test('moves to the week below in a month', () => {
    expect(
      nextStop([[stop('1', 0)], [stop('2', 0)], [stop('8', 0)], [stop('9', 0)]], stop('1', 0), 'ArrowDown', 2),
    ).toEqual(stop('8', 0));
  });

  test('follows a meeting that has moved, or stays near its place', () => {
    expect(currentStop(columns, stop('mo', 3, 'b'))).toEqual(stop('we', 4, 'b'));
    expect(currentStop(columns, stop('mo', 4, 'gone'))).toEqual(stop('mo', 5));
    expect(currentStop(columns, stop('su', 6))).toEqual(stop('we', 6));
    expect(currentStop([[], []], stop('mo', 0))).toBeUndefined();
  });
});

describe('the address of the calendar', () => {
  test('contains view and date, and nothing for the agenda', () => {
    const week = writeView(new URLSearchParams('scope=all'), { view: 'week', date: '2026-11-20' });
    expect(week.toString()).toBe('scope=all&view=week&date=2026-11-20');
    expect(writeView(week, { view: 'list' }).toString()).toBe('scope=all&view=list');
    expect(writeView(week, { view: 'agenda' }).toString()).toBe('');
    expect(writeView(week, { date: null }).toString()).toBe('scope=all&view=week');
  });

  test.each(['view=year&date=2026-02-30', 'date=tomorrow', 'view=&date='])('falls back to the default: %s', (query) => {
    expect(readView(new URLSearchParams(query))).toEqual({ view: 'agenda', date: null });
  });

  test('with a filter and no view shows the table, as old links expect', () => {
    expect(readView(new URLSearchParams('scope=past')).view).toBe('list');
    expect(readView(new URLSearchParams('open=m')).view).toBe('agenda');
    expect(readView(new URLSearchParams(), 'list').view).toBe('list');
  });
});
