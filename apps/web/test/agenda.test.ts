import { exampleMeeting, type Meeting } from '@rmeet/contract';
import { expect, test } from 'vitest';
import { agendaOf, entryOf, isOver, nextOf } from '../src/features/meetings/agenda/days.ts';

const SHANGHAI = 'Asia/Shanghai';
/** 17:00 in Shanghai. */
const NOW = Date.parse('2026-11-20T09:00:00Z');
const meeting = (meetId: string, startTime: string, change: Partial<Meeting> = {}): Meeting => ({
  ...exampleMeeting,
  meetId,
  startTime,
  duration: 60,
  ...change,
});
const can = (change: Partial<Meeting['can']>) => ({ can: { ...exampleMeeting.can, start: false, ...change } });
const inSeries = (id: string) => ({
  series: { id, rule: 'FREQ=DAILY;COUNT=3', recurrenceId: '2026-11-20T09:00:00Z', detached: false },
});

/** The ids of each day: those that are over, those to come, with the later ones of a series behind a colon. */
const drawn = (meetings: readonly Meeting[], zone = SHANGHAI) =>
  Object.fromEntries(
    agendaOf(meetings, NOW, zone).map(({ day, over, rows }) => [
      day,
      [
        over.map(({ meetId }) => meetId).join(' '),
        rows.map((row) => [row.meeting, ...row.terms].map(({ meetId }) => meetId).join(':')).join(' '),
      ],
    ]),
  );

test('days use the time zone of the user; today is listed even without meetings', () => {
  expect(drawn([])).toEqual({ '2026-11-20': ['', ''] });
  const late = meeting('late', '2026-11-20T16:30:00Z');
  expect(drawn([late])).toEqual({ '2026-11-20': ['', ''], '2026-11-21': ['', 'late'] });
  expect(drawn([late], 'UTC')).toEqual({ '2026-11-20': ['', 'late'] });
});

test('meetings that ended today are separate, and one that runs since yesterday belongs to today', () => {
  expect(
    drawn([
      meeting('night', '2026-11-19T10:00:00Z', { duration: 1_440, status: 'ONLINE' }),
      meeting('ended', '2026-11-20T01:00:00Z', { status: 'OFFLINE' }),
      meeting('missed', '2026-11-20T02:00:00Z'),
      meeting('next', '2026-11-20T10:00:00Z'),
    ]),
  ).toEqual({ '2026-11-20': ['ended missed', 'night next'] });
});

test('a series is one row, on the day of its next meeting', () => {
  expect(
    drawn([
      meeting('a1', '2026-11-20T01:00:00Z', { ...inSeries('a'), status: 'OFFLINE' }),
      meeting('b1', '2026-11-20T10:00:00Z', inSeries('b')),
      meeting('a2', '2026-11-21T01:00:00Z', inSeries('a')),
      meeting('single', '2026-11-21T03:00:00Z'),
      meeting('b2', '2026-11-21T10:00:00Z', inSeries('b')),
      meeting('a3', '2026-11-22T01:00:00Z', inSeries('a')),
    ]),
  ).toEqual({ '2026-11-20': ['a1', 'b1:b2'], '2026-11-21': ['', 'a2:a3 single'] });
});

test('the card shows the running meeting, otherwise the next one that can be attended', () => {
  const next = meeting('next', '2026-11-20T10:00:00Z');
  const running = meeting('running', '2026-11-20T11:00:00Z', { status: 'ONLINE', terminalCount: 2 });
  const waiting = meeting('waiting', '2026-11-20T09:30:00Z', { approval: 'waiting', ...can({ join: false }) });
  const local = meeting('local', '2026-11-20T09:45:00Z', { type: 'LOCAL_MEETING', ...can({ join: false }) });
  const over = meeting('over', '2026-11-20T07:00:00Z');
  expect(nextOf([over, waiting, next, running], NOW)?.meetId).toBe('running');
  expect(nextOf([over, waiting, next], NOW)?.meetId).toBe('next');
  expect(nextOf([waiting, local, next], NOW)?.meetId).toBe('local');
  expect(nextOf([over, waiting], NOW)).toBeNull();
});

test('the host starts at any time; others join from a quarter of an hour before, or once it runs', () => {
  const at = (startTime: string, change: Partial<Meeting>) => entryOf(meeting('m', startTime, change), NOW);
  expect(at('2026-11-25T09:00:00Z', can({ start: true, join: true }))).toBe('start');
  expect(at('2026-11-20T09:15:01Z', can({ join: true }))).toBe('later');
  expect(at('2026-11-20T09:15:00Z', can({ join: true }))).toBe('join');
  expect(at('2026-11-25T09:00:00Z', { status: 'PENDING', ...can({ join: true }) })).toBe('join');
  expect(at('2026-11-20T09:00:00Z', can({ join: false }))).toBe('none');
});

test('a running meeting is not over when its booked time has passed', () => {
  const past = meeting('past', '2026-11-20T07:00:00Z');
  expect(isOver(past, NOW)).toBe(true);
  expect(isOver({ ...past, status: 'ABNORMAL' }, NOW)).toBe(false);
});
