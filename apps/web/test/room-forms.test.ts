import type { Room } from '@rmeet/contract';
import { createInstance } from 'i18next';
import { describe, expect, test } from 'vitest';
import { clockTimes, draftOf, newRoom, roomBody, roomFaults, type RoomDraft } from '../src/features/rooms/draft.ts';
import { dayRuns, formatOpening, formatRelease } from '../src/features/rooms/format.ts';
import en from '../src/features/rooms/locales/en.json' with { type: 'json' };
import zh from '../src/features/rooms/locales/zh.json' with { type: 'json' };
import { zoneOptions } from '../src/lib/rooms/zones.ts';
import adminTexts from '../src/ui/admin/locales/en.json' with { type: 'json' };

const i18n = createInstance();
await i18n.init({
  lng: 'en',
  resources: { en: { rooms: en, admin: adminTexts }, zh: { rooms: zh } },
  interpolation: { escapeValue: false },
});
const t = i18n.getFixedT('en', 'rooms');
const chinese = i18n.getFixedT('zh', 'rooms');
const admin = i18n.getFixedT('en', 'admin');

const draft = (part: Partial<RoomDraft> = {}): RoomDraft => ({
  ...newRoom([{ id: 'main' }], ''),
  name: 'Library',
  capacity: 12,
  ...part,
});
const library: Room = {
  id: 'library',
  name: 'Library',
  building: { id: 'main', name: 'Main building', timeZone: 'Asia/Shanghai' },
  floor: '3',
  capacity: 12,
  equipment: ['camera', 'display'],
  opening: { days: [0, 1, 2], from: '07:45', until: '24:00' },
  releaseMinutes: 15,
  note: '',
  enabled: true,
  version: 3,
};

describe('opening times in words', () => {
  test('days are runs from Monday to Sunday', () => {
    expect(dayRuns([0, 6, 1, 2, 3])).toEqual([
      [1, 3],
      [6, 0],
    ]);
    expect(dayRuns([5])).toEqual([[5, 5]]);
    expect(dayRuns([])).toEqual([]);
  });

  test.each([
    [{ days: [1, 2, 3, 4, 5], from: '08:00', until: '20:00' }, 'Mon–Fri 08:00–20:00', '周一至周五 08:00–20:00'],
    [{ days: [6, 0], from: '10:00', until: '24:00' }, 'Sat, Sun 10:00–24:00', '周六、周日 10:00–24:00'],
    [{ days: [0, 1, 2, 3, 4, 5, 6], from: '07:00', until: '19:00' }, 'Every day 07:00–19:00', '每天 07:00–19:00'],
    [{ days: [1, 3], from: '08:00', until: '09:00' }, 'Mon, Wed 08:00–09:00', '周一、周三 08:00–09:00'],
    [null, 'At any time', '全天开放'],
  ])('%o', (opening, english, inChinese) => {
    expect(formatOpening(opening, t)).toBe(english);
    expect(formatOpening(opening, chinese)).toBe(inChinese);
  });

  test('release of unused bookings in words', () => {
    expect([null, 15].map((minutes) => formatRelease(minutes, t))).toEqual(['Never', 'After 15 min']);
  });

  test('selectable times are quarters of an hour until midnight, and the present one', () => {
    expect(clockTimes('08:00')).toHaveLength(97);
    expect(clockTimes('08:00').at(-1)).toBe('24:00');
    expect(clockTimes('07:50').filter((time) => time.startsWith('07'))).toEqual([
      '07:00',
      '07:15',
      '07:30',
      '07:45',
      '07:50',
    ]);
  });
});

describe('a room in the form', () => {
  test('begins in the building that the list shows, or in the only one', () => {
    const two = [{ id: 'main' }, { id: 'annex' }];
    expect(newRoom(two, 'annex').buildingId).toBe('annex');
    expect(newRoom(two, 'gone').buildingId).toBe('');
    expect(newRoom([{ id: 'main' }], '').buildingId).toBe('main');
  });

  test('is sent back unchanged', () => {
    const { id, building, version, ...rest } = library;
    expect({ id, version, ...roomBody(draftOf(library)) }).toEqual({
      id,
      version,
      ...rest,
      buildingId: building.id,
      equipment: ['display', 'camera'],
      opening: { ...rest.opening, days: [1, 2, 0] },
    });
    expect(roomBody(draft({ name: ' Library ' }))).toMatchObject({ name: 'Library', opening: null });
  });

  test.each<[Partial<RoomDraft>, string[]]>([
    [{}, []],
    [{ name: ' ', buildingId: '', capacity: null }, ['name', 'buildingId', 'capacity']],
    [{ capacity: 10_001 }, ['capacity']],
    [{ releaseMinutes: 4 }, ['releaseMinutes']],
    [{ always: false, days: [] }, ['days']],
    [{ always: false, from: '20:00', until: '20:00' }, ['until']],
    // Open at any time: the values of the hidden fields do not matter.
    [{ days: [], from: '20:00', until: '08:00' }, []],
  ])('%o has an error in %o', (part, fields) => {
    expect(Object.keys(roomFaults(draft(part), t, admin))).toEqual(fields);
  });
});

test('offers the local time zone first, and finds others by name and by offset', () => {
  const [first, ...others] = zoneOptions('zh', 'Asia/Shanghai');
  expect(first).toMatchObject({ value: 'Asia/Shanghai', found: expect.stringContaining('GMT+8') });
  expect(others.map(({ value }) => value)).toEqual(expect.arrayContaining(['UTC', 'Europe/Berlin']));
  expect(others.find(({ value }) => value === 'America/New_York')?.found).toContain('America/New York');
});
