import type { Building, Occupancy, OpeningTimes, Room } from '@rmeet/contract';
import { describe, expect, test } from 'vitest';
import { takePreset } from '../src/features/meetings/booking/preset.ts';
import {
  bookingParams,
  boardShape,
  dayInterval,
  earliestStart,
  halfHourAt,
  hourMarks,
  hoursShown,
  rangeBetween,
  roomsShown,
  spotOf,
  timesOf,
} from '../src/features/rooms/occupy/board.ts';
import { readListState } from '../src/lib/listState.ts';
import {
  clockOf,
  dayOf,
  daysWords,
  freeIntervals,
  instantOf,
  isBareFloor,
  openIntervals,
  shiftDay,
  stateOf,
  intervalOf,
} from '../src/lib/rooms/index.ts';

const SHANGHAI = 'Asia/Shanghai';
/** Clocks go forward on 29 March 2026, back on 25 October 2026. */
const BERLIN = 'Europe/Berlin';
const WORKDAYS: OpeningTimes = { days: [1, 2, 3, 4, 5], from: '08:00', until: '20:00' };

const room = (part: Partial<Room> = {}, timeZone = SHANGHAI): Room => ({
  id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2e01',
  name: 'Library',
  building: { id: 'main', name: 'Main building', timeZone },
  floor: '3',
  capacity: 12,
  equipment: ['display', 'camera'],
  opening: WORKDAYS,
  releaseMinutes: null,
  note: '',
  enabled: true,
  version: 1,
  ...part,
});
const at = (iso: string): number => Date.parse(iso);
const between = (start: string, end: string) => ({ start: at(start), end: at(end) });
const taken = (startTime: string, endTime: string): Occupancy => ({
  startTime,
  endTime,
  host: 'Alice',
  meetId: null,
  subject: null,
  checkedIn: false,
});
const isoOf = (intervals: readonly { start: number; end: number }[]) =>
  intervals.map(({ start, end }) => [new Date(start).toISOString(), new Date(end).toISOString()]);

describe('a day in a zone', () => {
  test.each([
    ['2026-11-20', SHANGHAI, '2026-11-19T16:00:00.000Z', 24],
    ['2026-03-29', BERLIN, '2026-03-28T23:00:00.000Z', 23],
    ['2026-10-25', BERLIN, '2026-10-24T22:00:00.000Z', 25],
    ['2026-11-20', 'Asia/Kathmandu', '2026-11-19T18:15:00.000Z', 24],
    ['2026-11-20', 'America/St_Johns', '2026-11-20T03:30:00.000Z', 24],
  ])('%s in %s begins at %s and has %i hours', (day, zone, begins, hours) => {
    const { start, end } = dayInterval(day, zone);
    expect(new Date(start).toISOString()).toBe(begins);
    expect((end - start) / 3_600_000).toBe(hours);
    expect(dayOf(start, zone)).toBe(day);
    expect(dayOf(end - 1, zone)).toBe(day);
    expect(clockOf(instantOf(day, 9 * 60, zone), zone)).toBe('09:00');
  });

  test('is followed by the next one across the ends of months and years', () => {
    expect([shiftDay('2026-12-31', 1), shiftDay('2026-03-01', -1)]).toEqual(['2027-01-01', '2026-02-28']);
  });
});

describe('when a room is open', () => {
  test('follows the clocks of its building, whatever the local ones', () => {
    expect(isoOf(openIntervals(room(), dayInterval('2026-11-20', SHANGHAI)))).toEqual([
      ['2026-11-20T00:00:00.000Z', '2026-11-20T12:00:00.000Z'],
    ]);
    // Viewed from Berlin, where the calendar day differs.
    expect(isoOf(openIntervals(room(), dayInterval('2026-11-20', BERLIN)))).toEqual([
      ['2026-11-20T00:00:00.000Z', '2026-11-20T12:00:00.000Z'],
    ]);
  });

  test('is not on other days of the week', () => {
    expect(openIntervals(room(), dayInterval('2026-11-21', SHANGHAI))).toEqual([]);
  });

  test('follows the clocks on the days they change', () => {
    const berlin = room({ opening: { days: [0, 1], from: '08:00', until: '24:00' } }, BERLIN);
    expect(isoOf(openIntervals(berlin, dayInterval('2026-03-29', BERLIN)))).toEqual([
      ['2026-03-29T06:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ]);
    expect(isoOf(openIntervals(berlin, dayInterval('2026-10-25', BERLIN)))).toEqual([
      ['2026-10-25T07:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ]);
  });

  test('continues over midnight if one day ends as the next begins', () => {
    const nights = room({ opening: { days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', until: '24:00' } });
    const night = between('2026-11-20T15:00:00Z', '2026-11-20T17:00:00Z');
    expect(openIntervals(nights, night)).toEqual([night]);
    expect(stateOf(nights, [], night).kind).toBe('free');
  });
});

describe('what is free', () => {
  const open = [between('2026-11-20T00:00:00Z', '2026-11-20T12:00:00Z')];

  test('is open and not taken, from now on', () => {
    const bookings = [
      taken('2026-11-20T02:00:00.000Z', '2026-11-20T03:00:00.000Z'),
      taken('2026-11-20T02:30:00.000Z', '2026-11-20T04:00:00.000Z'),
      taken('2026-11-20T11:00:00.000Z', '2026-11-20T14:00:00.000Z'),
    ];
    expect(isoOf(freeIntervals(open, bookings.map(intervalOf), at('2026-11-20T01:15:00Z')))).toEqual([
      ['2026-11-20T01:15:00.000Z', '2026-11-20T02:00:00.000Z'],
      ['2026-11-20T04:00:00.000Z', '2026-11-20T11:00:00.000Z'],
    ]);
  });

  test('is nothing on a day that is over', () => {
    expect(freeIntervals(open, [], at('2026-11-20T12:00:00Z'))).toEqual([]);
  });
});

describe('the state of a room', () => {
  const wanted = between('2026-11-20T02:00:00Z', '2026-11-20T03:00:00Z');

  test.each<[string, Occupancy[], object]>([
    ['free', [], { kind: 'free' }],
    [
      'free beside what ends as it begins',
      [
        taken('2026-11-20T01:00:00.000Z', '2026-11-20T02:00:00.000Z'),
        taken('2026-11-20T03:00:00.000Z', '2026-11-20T04:00:00.000Z'),
      ],
      { kind: 'free' },
    ],
    [
      'taken',
      [taken('2026-11-20T02:59:00.000Z', '2026-11-20T04:00:00.000Z')],
      { kind: 'taken', by: { host: 'Alice' } },
    ],
  ])('%s', (_, bookings, state) => {
    expect(stateOf(room(), bookings, wanted)).toMatchObject(state);
  });

  test('is closed before and after its hours, and on a closed day', () => {
    expect(stateOf(room(), [], between('2026-11-19T23:30:00Z', '2026-11-20T00:30:00Z'))).toEqual({
      kind: 'closed',
      opening: WORKDAYS,
    });
    expect(stateOf(room(), [], between('2026-11-20T11:30:00Z', '2026-11-20T12:30:00Z')).kind).toBe('closed');
    expect(stateOf(room(), [], between('2026-11-21T02:00:00Z', '2026-11-21T03:00:00Z')).kind).toBe('closed');
    expect(stateOf(room({ opening: null }), [], between('2026-11-21T15:00:00Z', '2026-11-21T18:00:00Z')).kind).toBe(
      'free',
    );
  });
});

describe('choosing on the board', () => {
  const origin = at('2026-11-20T00:00:00Z');
  const free = [
    between('2026-11-20T01:10:00Z', '2026-11-20T02:00:00Z'),
    between('2026-11-20T02:45:00Z', '2026-11-20T06:00:00Z'),
  ];
  const chosen = (iso: string) => isoOf([halfHourAt(free, at(iso), origin) ?? { start: 0, end: 0 }])[0];

  test('a click selects the half hour under the pointer, limited to free time', () => {
    expect(chosen('2026-11-20T03:20:00Z')).toEqual(['2026-11-20T03:00:00.000Z', '2026-11-20T03:30:00.000Z']);
    expect(chosen('2026-11-20T01:05:00Z')).toEqual(['2026-11-20T01:10:00.000Z', '2026-11-20T01:40:00.000Z']);
    expect(chosen('2026-11-20T01:59:00Z')).toEqual(['2026-11-20T01:30:00.000Z', '2026-11-20T02:00:00.000Z']);
    expect(halfHourAt(free, at('2026-11-20T00:10:00Z'), origin)).toBeNull();
  });

  test('a drag selects quarters of an hour in either direction, and stops at taken time', () => {
    const quarter = isoOf([
      rangeBetween(free, at('2026-11-20T03:02:00Z'), at('2026-11-20T04:20:00Z'), origin) ?? { start: 0, end: 0 },
    ]);
    expect(quarter).toEqual([['2026-11-20T03:00:00.000Z', '2026-11-20T04:30:00.000Z']]);
    expect(
      isoOf([
        rangeBetween(free, at('2026-11-20T03:10:00Z'), at('2026-11-20T00:20:00Z'), origin) ?? { start: 0, end: 0 },
      ]),
    ).toEqual([['2026-11-20T02:45:00.000Z', '2026-11-20T03:15:00.000Z']]);
    expect(rangeBetween(free, at('2026-11-20T02:10:00Z'), at('2026-11-20T04:00:00Z'), origin)).toBeNull();
  });

  test('the keyboard reads out what is there', () => {
    const now = at('2026-11-20T01:10:00Z');
    const bookings = [taken('2026-11-20T02:00:00.000Z', '2026-11-20T02:45:00.000Z')];
    const spot = (start: string, end: string) => spotOf(room(), bookings, free, between(start, end), now).kind;
    expect(spot('2026-11-20T00:00:00Z', '2026-11-20T00:30:00Z')).toBe('past');
    expect(spot('2026-11-20T02:00:00Z', '2026-11-20T02:30:00Z')).toBe('taken');
    // The room becomes free later in the half hour, but the cursor reports the booking that comes first.
    expect(spot('2026-11-20T02:30:00Z', '2026-11-20T03:00:00Z')).toBe('taken');
    expect(spot('2026-11-20T03:00:00Z', '2026-11-20T05:00:00Z')).toBe('free');
    expect(spot('2026-11-20T01:30:00Z', '2026-11-20T03:30:00Z')).toBe('taken');
    expect(spot('2026-11-20T12:00:00Z', '2026-11-20T12:30:00Z')).toBe('closed');
  });

  test('the choice is passed to the form by the address, which drops it then', () => {
    const params = bookingParams(room().id, between('2026-11-20T03:00:00Z', '2026-11-20T04:30:00Z'));
    const taking = takePreset(new URLSearchParams({ ...params, scope: 'all' }));
    expect(taking?.preset).toEqual({ roomIds: [room().id], startTime: '2026-11-20T03:00:00.000Z', duration: 90 });
    expect(taking?.rest.toString()).toBe('scope=all');
  });

  test('an invalid address fills in nothing', () => {
    expect(takePreset(new URLSearchParams('book=1&roomIds=x&startTime=soon&duration=99999'))?.preset).toEqual({
      roomIds: [],
    });
    expect(takePreset(new URLSearchParams('edit=new'))).toBeNull();
  });
});

describe('what the board shows', () => {
  const building: Building = {
    id: 'main',
    name: 'Main building',
    address: '',
    timeZone: SHANGHAI,
    roomCount: 2,
    version: 1,
  };
  const small = room({ id: 'small', capacity: 4, equipment: [], floor: '2' });
  const floors = {
    building,
    floors: [
      { floor: '2', rooms: [small] },
      { floor: '3', rooms: [room()] },
    ],
  };

  test('rooms by floor, seats and equipment', () => {
    const shown = (query: string) =>
      roomsShown(floors, readListState(boardShape, new URLSearchParams(query))).flatMap(({ rooms }) =>
        rooms.map(({ id }) => id),
      );
    expect(shown('')).toEqual(['small', room().id]);
    expect(shown('floor=2')).toEqual(['small']);
    expect(shown('seats=8')).toEqual([room().id]);
    expect(shown('equipment=camera,display')).toEqual([room().id]);
    expect(shown('equipment=phone')).toEqual([]);
  });

  test('an invalid address gives the defaults', () => {
    expect(
      readListState(boardShape, new URLSearchParams('day=2026-02-31&seats=3&equipment=sofa,camera&hours=some')),
    ).toMatchObject({ day: '', seats: '', equipment: 'camera', hours: '' });
  });

  test('the opening hours, and taken times outside of them', () => {
    const clocks = ({ start, end }: { start: number; end: number }) => timesOf({ start, end }, SHANGHAI);
    expect(clocks(hoursShown([room()], new Map(), '2026-11-20', SHANGHAI))).toEqual({ from: '08:00', until: '20:00' });
    expect(clocks(hoursShown([], new Map(), '2026-11-20', SHANGHAI))).toEqual({ from: '08:00', until: '20:00' });
    const late = new Map([[room().id, [taken('2026-11-20T13:30:00.000Z', '2026-11-20T17:00:00.000Z')]]]);
    expect(clocks(hoursShown([room()], late, '2026-11-20', SHANGHAI))).toEqual({ from: '08:00', until: '24:00' });
  });

  test('every hour if there are few, every second one if there are many', () => {
    expect(
      hourMarks(hoursShown([room()], new Map(), '2026-11-20', SHANGHAI), SHANGHAI)
        .map(({ clock }) => clock)
        .slice(0, 3),
    ).toEqual(['08:00', '09:00', '10:00']);
    expect(hourMarks(dayInterval('2026-11-20', SHANGHAI), SHANGHAI)).toHaveLength(12);
  });

  test('nothing earlier than the next five minutes can be booked', () => {
    expect(new Date(earliestStart(at('2026-11-20T01:12:30Z'))).toISOString()).toBe('2026-11-20T01:15:00.000Z');
  });
});

test('days of the week are shortened, Monday first', () => {
  expect(daysWords([0, 1, 2, 3, 4, 5, 6], 'en')).toBe('Mon–Sun');
  expect(daysWords([0, 1, 2, 3, 5], 'en')).toBe('Mon–Wed, Fri, Sun');
});

test.each([
  ['3', true],
  ['B1', true],
  ['-2', true],
  ['12A', true],
  ['Ground floor', false],
  ['三层', false],
  ['', false],
])('floor %j is shown by its number alone: %s', (floor, is) => {
  expect(isBareFloor(floor)).toBe(is);
});
