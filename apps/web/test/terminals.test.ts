import type { RegisteredTerminal } from '@rmeet/contract';
import { createInstance } from 'i18next';
import { describe, expect, test } from 'vitest';
import {
  draftOf,
  groupRooms,
  newTerminal,
  placeOf,
  terminalBody,
  terminalFaults,
} from '../src/features/terminals/draft.ts';
import en from '../src/features/terminals/locales/en.json' with { type: 'json' };
import { faultText, fileFault, hasMoreFaults, rowsToStore, type Fault } from '../src/features/terminals/sheet.ts';
import adminTexts from '../src/ui/admin/locales/en.json' with { type: 'json' };

const i18n = createInstance();
await i18n.init({
  lng: 'en',
  resources: { en: { terminals: en, admin: adminTexts } },
  interpolation: { escapeValue: false },
});
const t = i18n.getFixedT('en', 'terminals');
const admin = i18n.getFixedT('en', 'admin');

const screen: RegisteredTerminal = {
  id: 'screen',
  name: 'Library TV',
  address: 'library@rooms.example.org',
  kind: 'sip',
  room: { id: 'library', name: 'Library', building: 'Main' },
  zone: '',
  department: 'Surgery',
  note: '',
  enabled: true,
  lastSeenAt: null,
  version: 1,
};

describe('a terminal in the form', () => {
  test('is sent back unchanged, trimmed', () => {
    const { id, room, lastSeenAt, version, ...rest } = screen;
    expect({ id, room, lastSeenAt, version, ...terminalBody({ ...draftOf(screen), name: ' Library TV ' }) }).toEqual({
      id,
      room,
      lastSeenAt,
      version,
      ...rest,
      roomId: 'library',
    });
  });

  test('needs a name and an address without spaces', () => {
    expect(Object.keys(terminalFaults(newTerminal, t, admin))).toEqual(['name', 'address']);
    expect(terminalFaults({ ...newTerminal, name: 'TV', address: 'a b' }, t, admin)).toEqual({
      address: en.form.addressSpaces,
    });
    expect(terminalFaults({ ...newTerminal, name: 'TV', address: ' a ' }, t, admin)).toEqual({});
  });

  test('can be in one of the rooms of each building', () => {
    const room = (id: string, building: string) => ({
      id,
      name: id.toUpperCase(),
      building: { id: building, name: `${building} building` },
    });
    expect(groupRooms([room('a', 'main'), room('b', 'main'), room('c', 'annex')])).toEqual([
      {
        label: 'main building',
        options: [
          { value: 'a', label: 'A', found: 'main building / A' },
          { value: 'b', label: 'B', found: 'main building / B' },
        ],
      },
      { label: 'annex building', options: [{ value: 'c', label: 'C', found: 'annex building / C' }] },
    ]);
    expect([screen.room, null].map(placeOf)).toEqual(['Main / Library', '']);
  });
});

describe('a sheet', () => {
  test.each<[{ name: string; size: number }, string | null]>([
    [{ name: 'rooms.XLSX', size: 1_000 }, null],
    [{ name: 'rooms.csv', size: 1_000 }, 'rooms.csv is no Excel (.xlsx) file. Please choose another.'],
    [{ name: 'rooms.xlsx', size: 0 }, 'rooms.xlsx is empty. Please choose another.'],
    [{ name: 'rooms.xlsx', size: 6_000_001 }, 'rooms.xlsx is larger than 6 MB. Please import it in parts.'],
  ])('%o', (file, fault) => {
    expect(fileFault(file, t)).toBe(fault);
  });

  test.each<[Omit<Fault, 'value'>, string]>([
    [{ row: 1, column: 'kind', fault: 'missing' }, en.import.header.missing],
    [{ row: 2, column: 'kind', fault: 'missing' }, en.import.fault.missing],
    [{ row: 2, column: 'kind', fault: 'unreadable' }, en.import.unreadable.kind],
    [{ row: 2, column: 'zone', fault: 'unreadable' }, en.import.fault.unreadable],
    [{ row: 3, column: 'room', fault: 'roomAmbiguous' }, en.import.fault.roomAmbiguous],
  ])('describes an error in words: %o', (fault, words) => {
    expect(faultText(fault, t)).toBe(words);
  });

  test('shows what it would store, and whether there may be more errors', () => {
    const result = { rows: 4, added: 1, changed: 2, unchanged: 1, faults: [] };
    expect(rowsToStore(result)).toBe(3);
    expect(hasMoreFaults(result)).toBe(false);
    expect(
      hasMoreFaults({
        ...result,
        faults: Array.from({ length: 1_000 }, (_, row) => ({ row, column: 'kind', fault: 'missing', value: '' })),
      }),
    ).toBe(true);
  });
});
