import { LIMITS, SERIES_YEARS } from '@rmeet/contract';
import { RRuleTemporal } from 'rrule-temporal';
import { describe, expect, test, vi } from 'vitest';
import { expand } from '../../src/modules/meetings/series/expand.ts';
import { withEnd } from '../../src/modules/meetings/series/rule.ts';
import { AppError } from '../../src/platform/http/index.ts';
import { dateutilPython, differences, randomCases } from './support/recurrence-rules.ts';

const startsOf = (rule: string, start: string, timeZone = 'UTC', except: string[] = []): string[] =>
  expand({ start: new Date(start), timeZone, rule, except: except.map((time) => new Date(time)) }).map((time) =>
    time.toISOString().slice(0, 16),
  );

function codeOf(rule: string, start = '2026-11-20T09:00:00Z', timeZone = 'Europe/Berlin'): string {
  try {
    return `${startsOf(rule, start, timeZone).length} meetings`;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** What the library has to visit for a rule: days, weeks, months or years, and the times that these may contain. */
function workOf(rule: string): { periods: number; candidates: number } {
  const library = RRuleTemporal.prototype as unknown as Record<
    'recordCandidateEvaluation' | 'visitPeriodCandidates' | 'visitUtcPeriodCandidates',
    (...args: unknown[]) => unknown
  >;
  const candidates = vi.spyOn(library, 'recordCandidateEvaluation');
  const periods = [vi.spyOn(library, 'visitPeriodCandidates'), vi.spyOn(library, 'visitUtcPeriodCandidates')];
  try {
    codeOf(rule);
    return {
      periods: periods.reduce((sum, { mock }) => sum + mock.calls.length, 0),
      // The second argument is how many, one by default.
      candidates: candidates.mock.calls.reduce((sum, [, count]) => sum + Number(count ?? 1), 0),
    };
  } finally {
    for (const spy of [candidates, ...periods]) spy.mockRestore();
  }
}

const span = (end: number): string => Array.from({ length: end }, (_, index) => index).join(',');

describe('rules', () => {
  test('keep the time of day across a clock change', () => {
    expect(startsOf('FREQ=WEEKLY;COUNT=3', '2027-03-19T08:00:00Z', 'Europe/Berlin')).toEqual([
      '2027-03-19T08:00',
      '2027-03-26T08:00',
      '2027-04-02T07:00',
    ]);
    expect(startsOf('FREQ=DAILY;COUNT=3', '2026-10-31T13:00:00Z', 'America/New_York')).toEqual([
      '2026-10-31T13:00',
      '2026-11-01T14:00',
      '2026-11-02T14:00',
    ]);
  });

  test('read a skipped time with the offset before, and a repeated time as the first one', () => {
    // 02:30 on 28 March 2027 does not exist in Berlin: with the offset of +01:00 it is 01:30 in UTC.
    expect(startsOf('FREQ=DAILY;COUNT=3', '2027-03-27T01:30:00Z', 'Europe/Berlin')).toEqual([
      '2027-03-27T01:30',
      '2027-03-28T01:30',
      '2027-03-29T00:30',
    ]);
    // 02:30 on 31 October 2027 exists twice.
    expect(startsOf('FREQ=DAILY;COUNT=3', '2027-10-30T00:30:00Z', 'Europe/Berlin')).toEqual([
      '2027-10-30T00:30',
      '2027-10-31T00:30',
      '2027-11-01T01:30',
    ]);
    // A series may begin at the second occurrence.
    expect(startsOf('FREQ=DAILY;COUNT=2', '2027-10-31T01:30:00Z', 'Europe/Berlin')).toEqual([
      '2027-10-31T01:30',
      '2027-11-01T01:30',
    ]);
    // The clocks skip from 02:00 to 03:00, so these two are the same.
    expect(startsOf('FREQ=DAILY;BYHOUR=2,3;COUNT=4', '2027-03-27T01:30:00Z', 'Europe/Berlin')).toEqual([
      '2027-03-27T01:30',
      '2027-03-27T02:30',
      '2027-03-28T01:30',
    ]);
  });

  test('skip months and years without such a day', () => {
    expect(startsOf('FREQ=MONTHLY;COUNT=4', '2027-01-31T09:00:00Z')).toEqual([
      '2027-01-31T09:00',
      '2027-03-31T09:00',
      '2027-05-31T09:00',
      '2027-07-31T09:00',
    ]);
    expect(startsOf('FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3', '2027-01-31T09:00:00Z')).toEqual([
      '2027-01-31T09:00',
      '2027-02-28T09:00',
      '2027-03-31T09:00',
    ]);
    expect(startsOf('FREQ=YEARLY;COUNT=1', '2028-02-29T09:00:00Z')).toEqual(['2028-02-29T09:00']);
    expect(codeOf('FREQ=YEARLY;COUNT=2', '2028-02-29T09:00:00Z', 'UTC')).toBe('SERIES_TOO_LONG');
  });

  test('respect WKST', () => {
    // The example of RFC 5545, section 3.3.10.
    const days = (wkst: string) =>
      startsOf(
        `FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=${wkst}`,
        '1997-08-05T13:00:00Z',
        'America/New_York',
      ).map((time) => time.slice(5, 10));
    expect(days('MO')).toEqual(['08-05', '08-10', '08-19', '08-24']);
    expect(days('SU')).toEqual(['08-05', '08-17', '08-19', '08-31']);
    // Week 53 of 2026 lasts until 3 January 2027.
    expect(startsOf('FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU;COUNT=1', '2026-01-01T09:00:00Z')).toEqual(['2027-01-03T09:00']);
  });

  test('end with UNTIL inclusive, and skip exceptions', () => {
    expect(startsOf('FREQ=DAILY;UNTIL=20261122T090000Z', '2026-11-20T09:00:00Z')).toHaveLength(3);
    expect(startsOf('FREQ=DAILY;UNTIL=20261122T085959Z', '2026-11-20T09:00:00Z')).toHaveLength(2);
    expect(
      startsOf('FREQ=DAILY;COUNT=3', '2026-11-20T09:00:00Z', 'UTC', [
        '2026-11-21T10:00:00+01:00',
        '2026-11-25T09:00:00Z',
      ]),
    ).toEqual(['2026-11-20T09:00', '2026-11-22T09:00']);
    // The first one need not be at the requested start.
    expect(startsOf('FREQ=WEEKLY;BYDAY=MO;COUNT=1', '2026-11-20T09:00:00Z')).toEqual(['2026-11-23T09:00']);
    expect(withEnd('FREQ=DAILY;COUNT=3;INTERVAL=2', { until: new Date('2026-11-22T09:00:00Z') })).toBe(
      'FREQ=DAILY;INTERVAL=2;UNTIL=20261122T090000Z',
    );
    expect(withEnd('freq=daily;until=20261122T090000Z', { count: 2 })).toBe('FREQ=DAILY;COUNT=2');
  });

  test('are limited to two years and four hundred meetings', () => {
    expect(codeOf('FREQ=DAILY')).toBe('SERIES_ENDLESS');
    expect(codeOf('FREQ=DAILY;COUNT=400')).toBe(`${LIMITS.occurrences} meetings`);
    for (const rule of [
      'FREQ=DAILY;COUNT=401',
      'FREQ=DAILY;COUNT=99999999999999999999999',
      'FREQ=DAILY;UNTIL=20280101T000000Z',
      'FREQ=YEARLY;COUNT=4',
      'FREQ=YEARLY;UNTIL=20290101T000000Z',
      'FREQ=YEARLY;UNTIL=99991231T235959Z',
    ])
      expect([rule, codeOf(rule)]).toEqual([rule, 'SERIES_TOO_LONG']);
    expect(codeOf('FREQ=YEARLY;COUNT=3')).toBe('3 meetings');
    const all = expand({
      start: new Date('2026-11-20T09:00:00Z'),
      timeZone: 'UTC',
      rule: 'FREQ=DAILY;COUNT=402',
      except: [new Date('2026-11-21T09:00:00Z'), new Date('2026-11-22T09:00:00Z')],
    });
    expect(all).toHaveLength(LIMITS.occurrences);
    for (const rule of [
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5',
      'FREQ=DAILY;UNTIL=20261119T000000Z',
      'FREQ=MONTHLY;BYDAY=FR;BYSETPOS=9;COUNT=2',
    ])
      expect([rule, codeOf(rule)]).toEqual([rule, 'SERIES_EMPTY']);
  });

  test('that do not follow RFC 5545 or do not suit meetings are refused', () => {
    const wrong = [
      '',
      ';',
      'COUNT=3',
      'FREQ=',
      'FREQ=DAILY;',
      'FREQ=DAILY;COUNT=3;',
      'RRULE:FREQ=DAILY;COUNT=3',
      'FREQ=DAILY;COUNT=3;COUNT=3',
      'FREQ=DAILY;COUNT=0',
      'FREQ=DAILY;COUNT=-1',
      'FREQ=DAILY;COUNT=1.5',
      'FREQ=DAILY;COUNT=3;UNTIL=20270101T000000Z',
      'FREQ=DAILY;UNTIL=20270101',
      'FREQ=DAILY;UNTIL=20270101T000000',
      'FREQ=DAILY;UNTIL=20270231T000000Z',
      'FREQ=DAILY;UNTIL=2027-01-01T00:00:00Z',
      'FREQ=DAILY;INTERVAL=0;COUNT=3',
      'FREQ=DAILY;INTERVAL=;COUNT=3',
      'FREQ=DAILY;BYDAY=;COUNT=3',
      'FREQ=DAILY;BYDAY=XX;COUNT=3',
      'FREQ=DAILY;BYDAY=MO,;COUNT=3',
      'FREQ=DAILY;BYDAY=1MO;COUNT=3',
      'FREQ=WEEKLY;BYDAY=-1MO;COUNT=3',
      'FREQ=MONTHLY;BYDAY=0MO;COUNT=3',
      'FREQ=MONTHLY;BYDAY=54MO;COUNT=3',
      'FREQ=WEEKLY;BYMONTHDAY=3;COUNT=3',
      'FREQ=MONTHLY;BYMONTHDAY=32;COUNT=3',
      'FREQ=MONTHLY;BYMONTHDAY=0;COUNT=3',
      'FREQ=MONTHLY;BYYEARDAY=3;COUNT=3',
      'FREQ=MONTHLY;BYWEEKNO=3;COUNT=3',
      'FREQ=YEARLY;BYWEEKNO=3;BYDAY=1MO;COUNT=3',
      'FREQ=DAILY;BYMONTH=13;COUNT=3',
      'FREQ=DAILY;BYHOUR=24;COUNT=3',
      'FREQ=DAILY;BYHOUR=-1;COUNT=3',
      'FREQ=DAILY;BYSETPOS=1;COUNT=3',
      'FREQ=DAILY;WKST=1;COUNT=3',
      'FREQ=DAILY;X-RULE=1;COUNT=3',
      'FREQ=DAILY;RSCALE=CHINESE;COUNT=3',
      'FREQ=DAILY;constructor=1;COUNT=3',
      'FREQ=DAILY;__proto__=1;COUNT=3',
      'FREQ=DAILY COUNT=3',
      'FREQ=DAILY\nCOUNT=3',
      'FREQ=HOURLY;COUNT=3',
      'FREQ=MINUTELY;COUNT=3',
      'FREQ=SECONDLY;COUNT=3',
      `FREQ=DAILY;BYSECOND=${span(60)};COUNT=3`,
      `FREQ=DAILY;BYHOUR=0,12;BYMINUTE=${span(13)};COUNT=3`,
      'FREQ=YEARLY;BYYEARDAY=100;BYDAY=MO;COUNT=1',
      'FREQ=YEARLY;BYMONTHDAY=1;BYDAY=1MO;COUNT=1',
    ];
    for (const rule of wrong) expect([rule, codeOf(rule)]).toEqual([rule, 'RECURRENCE_INVALID']);
  });

  test('cost little work, however they are written', () => {
    const hostile = [
      `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${span(24)};BYSETPOS=-366;COUNT=2`,
      `FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${span(24)};BYSETPOS=-160;COUNT=104`,
      `FREQ=YEARLY;BYDAY=-53MO;BYHOUR=${span(24)};BYSETPOS=366;COUNT=400`,
      `FREQ=YEARLY;BYHOUR=${span(24)};BYMINUTE=${span(60)};BYSETPOS=-1;COUNT=2`,
      `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${span(24)};BYMINUTE=${span(60)};BYSETPOS=-366;COUNT=2`,
      `FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${span(24)};BYMINUTE=${span(60)};BYSETPOS=-366;COUNT=104`,
      `FREQ=DAILY;BYHOUR=${span(24)};BYMINUTE=${span(60)};COUNT=400`,
      'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=400',
      'FREQ=DAILY;INTERVAL=999999999999999999999999;COUNT=2',
      'FREQ=YEARLY;INTERVAL=9999;BYWEEKNO=53;BYDAY=MO;COUNT=2',
      'FREQ=WEEKLY;BYMONTH=2;INTERVAL=53;BYDAY=SU;COUNT=300',
    ];
    // The years that two years touch, by the hour.
    const days = (SERIES_YEARS + 1) * 366;
    expect(workOf('FREQ=DAILY;COUNT=400')).toEqual({ periods: 401, candidates: 401 });
    for (const rule of hostile) {
      const { periods, candidates } = workOf(rule);
      expect([rule, periods <= days, candidates <= days * 24]).toEqual([rule, true, true]);
    }
  });

  test.skipIf(dateutilPython === null)('give the same meetings as dateutil', () => {
    expect(differences(dateutilPython ?? '', randomCases(600, 5_545))).toEqual([]);
  });
});
