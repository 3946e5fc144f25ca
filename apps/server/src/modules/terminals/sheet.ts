import { contract, TERMINAL_COLUMNS, type IMPORT_FAULTS } from '@rmeet/contract';
import type { SheetRow } from '../../platform/import/index.ts';
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
/** Number of characters shown of a wrong value. */
const VALUE_MAX = 100;

const { shape } = contract.terminals.create.input.body;
const TEXTS = {
  name: shape.name,
  address: shape.address,
  zone: shape.zone,
  department: shape.department,
  note: shape.note,
};

type Cell<T> = { value: T } | { fault: FaultKind };

/** A text, with the same rules as in the form. */
function readText(column: keyof typeof TEXTS, text: string): Cell<string> {
  const { success, data, error } = TEXTS[column].safeParse(text);
  if (success) return { value: data };
  if (error.issues.some(({ code }) => code === 'too_small')) return { fault: 'missing' };
  return { fault: error.issues.some(({ code }) => code === 'too_big') ? 'tooLong' : 'unreadable' };
}

const meant = <T>(value: T | undefined): Cell<T> => (value === undefined ? { fault: 'unreadable' } : { value });

/**
 * Finds rooms by `building / room` or by a unique name, exactly as written or, failing that, ignoring case and spaces.
 */
function roomReader(rooms: readonly RoomName[]): (text: string) => Cell<string | null> {
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

/**
 * The position of each column, by the header. Missing required columns and duplicate ones are faults of its row.
 */
function readHeader({ number, cells }: SheetRow): { places: Map<Column, number>; faults: Fault[] } {
  const places = new Map<Column, number>();
  const faults: Fault[] = [];
  for (const [place, head = ''] of cells.entries()) {
    const column = readHead(head);
    if (column === undefined) continue;
    if (places.has(column)) faults.push({ row: number, column, fault: 'twice', value: head.slice(0, VALUE_MAX) });
    else places.set(column, place);
  }
  for (const column of NEEDED)
    if (!places.has(column)) faults.push({ row: number, column, fault: 'missing', value: '' });
  return { places, faults };
}

/** Reads the rows of a sheet as terminals. The first 1,000 faults are kept. */
export function readTerminals([header, ...rows]: readonly SheetRow[], rooms: readonly RoomName[]): ReadTerminals {
  const { places, faults } = readHeader(header ?? { number: 1, cells: [] });
  if (faults.length > 0) return { terminals: [], rows: rows.length, faults };
  const readRoom = roomReader(rooms);
  const readers: { [C in Column]: (text: string) => Cell<unknown> } = {
    name: (text) => readText('name', text),
    address: (text) => readText('address', text),
    kind: (text) => (text === '' ? { fault: 'missing' } : meant(readKind(text))),
    room: readRoom,
    zone: (text) => readText('zone', text),
    department: (text) => readText('department', text),
    note: (text) => readText('note', text),
    enabled: (text) => (text === '' ? { value: undefined } : meant(readEnabled(text))),
  };
  const columns = TERMINAL_COLUMNS.filter((column) => places.has(column));
  const seen = new Set<string>();
  const terminals: SheetTerminal[] = [];
  for (const { number, cells } of rows) {
    const values: Record<string, unknown> = {};
    let isRight = true;
    for (const column of columns) {
      const text = cells[places.get(column) ?? -1] ?? '';
      let cell = readers[column](text);
      if (column === 'address' && 'value' in cell) {
        const key = addressKeyOf(String(cell.value));
        if (seen.has(key)) cell = { fault: 'twice' };
        seen.add(key);
      }
      if ('fault' in cell) {
        isRight = false;
        if (faults.length < FAULTS_MAX)
          faults.push({ row: number, column, fault: cell.fault, value: text.slice(0, VALUE_MAX).toWellFormed() });
      } else if (cell.value !== undefined) values[column === 'room' ? 'roomId' : column] = cell.value;
    }
    // Every required column exists, and each value came from its own reader.
    if (isRight) terminals.push(values as SheetTerminal);
  }
  return { terminals, rows: rows.length, faults };
}
