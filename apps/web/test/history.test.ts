import { describe, expect, test } from 'vitest';
import type { Attendance, Stay } from '@rmeet/contract';
import { highlightOf } from '../src/entries/menu/highlight.ts';
import type { MenuItem } from '../src/entries/menu/menu.ts';
import { timelineOf } from '../src/features/history/timeline.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 9, minute)).toISOString();
const stay = (from: number, to: number | null): Stay => ({
  termId: `T${from}`,
  deviceType: 5,
  joinedAt: at(from),
  leftAt: to === null ? null : at(to),
  end: to === null ? null : 'left',
});
const person = (name: string, stays: Stay[]): Attendance => ({
  id: name,
  userId: null,
  name,
  role: 'guest',
  isMe: false,
  waitedOnly: stays.length === 0,
  firstJoin: null,
  lastLeave: null,
  total: null,
  stays,
  quality: null,
});
const barsOf = (attendance: Attendance[], endedAt: string | null, now = 0) =>
  timelineOf({ startedAt: at(0), endedAt, attendance }, now, 4).rows.map(({ name, bars }) => [
    name,
    bars.map(({ left, width }) => [left, width]),
  ]);

describe('the timeline of a held meeting', () => {
  test('has a row for each person whose times are known, and a bar for each stay', () => {
    expect(
      barsOf(
        [person('Alice', [stay(0, 60)]), person('Bob', [stay(15, 30), stay(45, 60)]), person('Waiting', [])],
        at(60),
      ),
    ).toEqual([
      ['Alice', [[0, 100]]],
      [
        'Bob',
        [
          [25, 25],
          [75, 25],
        ],
      ],
    ]);
  });

  test('shows even the shortest stay, inside its frame', () => {
    expect(barsOf([person('Brief', [stay(60, 60)])], at(60))).toEqual([['Brief', [[99.4, 0.6]]]]);
  });

  test('extends to now while the meeting runs', () => {
    expect(barsOf([person('Alice', [stay(10, null)])], null, Date.parse(at(20)))).toEqual([['Alice', [[50, 50]]]]);
  });

  test('marks round times, as many as fit', () => {
    const { axis } = timelineOf({ startedAt: at(5), endedAt: at(65), attendance: [] }, 0, 4);
    expect(axis.map((mark) => new Date(mark.at).toISOString())).toEqual([at(15), at(30), at(45), at(60)]);
  });
});

describe('the highlighted sidebar entry for a held meeting', () => {
  const entry = (url: string, hidden = false) => ({ url, hidden }) as MenuItem;

  test('is the entry of recordings, otherwise the history, and none for other pages', () => {
    const both = [entry('/meetingHistory'), entry('/record-meeting')];
    expect(highlightOf(both, '/meeting-record-details/1')).toBe('/record-meeting');
    expect(highlightOf([entry('/meetingHistory'), entry('/record-meeting', true)], '/meeting-record-details/1')).toBe(
      '/meetingHistory',
    );
    expect(highlightOf([], '/meeting-record-details/1')).toBeUndefined();
    expect(highlightOf(both, '/meetingHistory')).toBeUndefined();
  });
});
