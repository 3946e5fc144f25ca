import { contract, TERMINAL_COLUMNS, type IMPORT_FAULTS } from '@rmeet/contract';
import { readTable, textCell, type Cell, type SheetRow } from '../../platform/import/index.ts';
import { roomLabel } from './export.ts';
import { addressKeyOf, type RoomName, type TerminalValues } from './repo.ts';
import { readEnabled, readHead, readKind, type Column } from './words.ts';

export type FaultKind = (typeof IMPORT_FAULTS)[number];
export interface Fault {
  row: number;
  column: Column;
  fault: FaultKind;
  value: string;
}

/**
 * The fields of a terminal in a row. Fields without a column are missing, and so is `enabled` if its cell is empty.
 */
export type SheetTerminal = Pick<TerminalValues, 'name' | 'address' | 'kind'> & Partial<TerminalValues>;

export interface ReadTerminals {
  /** Rows without an error in any cell. */
  terminals: SheetTerminal[];
  /** Number of rows besides the header. */
  rows: number;
  faults: Fault[];
}

const NEEDED = ['name', 'address', 'kind'] as const;
const FAULTS_MAX = 1_000;

const { shape } = contract.terminals.create.input.body;

type TerminalCell = Cell<FaultKind>;
const meant = (value: unknown): TerminalCell => (value === undefined ? { fault: 'unreadable' } : { value });

/**
 * Finds rooms by `building / room` or by a unique name, exactly as written or, failing that, ignoring case and spaces.
 */
function roomReader(rooms: readonly RoomName[]): (text: string) => TerminalCell {
  const loosely = (text: string): string =>
    text
      .toLowerCase()
      .split('/')
      .map((level) => level.trim())
      .join('/');
  const ways = [
    Map.groupBy(rooms, roomLabel),
    Map.groupBy(rooms, (room) => loosely(roomLabel(room))),
    Map.groupBy(rooms, ({ name }) => name),
    Map.groupBy(rooms, ({ name }) => loosely(name)),
  ];
  return (text) => {
    if (text === '') return { value: null };
    for (const way of ways) {
      const [room, ...others] = way.get(text) ?? way.get(loosely(text)) ?? [];
      if (room) return others.length > 0 ? { fault: 'roomAmbiguous' } : { value: room.id };
    }
    return { fault: 'roomUnknown' };
  };
}

/** Reads the rows of a sheet as terminals. The first 1,000 faults are kept. */
export function readTerminals(sheet: readonly SheetRow[], rooms: readonly RoomName[]): ReadTerminals {
  const { rows, total } = readTable<Column, FaultKind>(sheet, {
    columns: TERMINAL_COLUMNS,
    needed: NEEDED,
    readHead,
    readers: {
      name: (text) => textCell(shape.name, text),
      address: (text) => textCell(shape.address, text),
      kind: (text) => (text === '' ? { fault: 'missing' } : meant(readKind(text))),
      room: roomReader(rooms),
      zone: (text) => textCell(shape.zone, text),
      department: (text) => textCell(shape.department, text),
      note: (text) => textCell(shape.note, text),
      enabled: (text) => (text === '' ? { value: undefined } : meant(readEnabled(text))),
    },
    key: { column: 'address', of: (address) => addressKeyOf(String(address)) },
  });
  const terminals: SheetTerminal[] = [];
  const found: Fault[] = [];
  for (const { number, values, faults } of rows) {
    found.push(...faults.map((fault) => ({ row: number, ...fault })));
    if (faults.length > 0) continue;
    const { room, ...others } = values;
    // Every required column exists, and each value came from its own reader.
    terminals.push({ ...others, ...('room' in values ? { roomId: room } : {}) } as SheetTerminal);
  }
  return { terminals, rows: total, faults: found.slice(0, FAULTS_MAX) };
}
