import type { z } from 'zod';
import type { SheetRow } from './workbook.ts';

/** What may be wrong with a cell, besides what a list adds. */
export type CellFault = 'missing' | 'tooLong' | 'unreadable' | 'twice';

/** The meaning of a cell. An undefined value is none. */
export type Cell<F extends string> = { value: unknown } | { fault: F };

/** A list as it is read from a sheet. */
export interface TableShape<C extends string, F extends string> {
  columns: readonly C[];
  /** Columns that the sheet must have. */
  needed: readonly C[];
  /** The column of a heading; undefined for an unknown one, which is ignored. */
  readHead: (head: string) => C | undefined;
  readers: { [K in C]: (text: string) => Cell<F> };
  /** The column by which rows are known, and its value in the form in which it is unique. */
  key: { column: C; of: (value: unknown) => string };
}

export interface TableFault<C extends string, F extends string> {
  column: C;
  fault: F;
  /** The text of the cell, shortened. */
  value: string;
}

export interface TableRow<C extends string, F extends string> {
  /** Row number in the sheet, from 1. */
  number: number;
  /** Values by column; those without a column in the sheet, or without a meaning, are missing. */
  values: { [K in C]?: unknown };
  texts: { [K in C]?: string };
  faults: TableFault<C, F>[];
}

/** Number of characters shown of a wrong value. */
const VALUE_MAX = 100;
const shown = (text: string): string => text.slice(0, VALUE_MAX).toWellFormed();

/** A text by its schema, with the same rules as in a form. */
export function textCell(schema: z.ZodType<string>, text: string): { value: string } | { fault: CellFault } {
  const { success, data, error } = schema.safeParse(text);
  if (success) return { value: data };
  const codes = error.issues.map(({ code }) => code);
  if (text === '' || codes.every((code) => code === 'too_small'))
    return { fault: text === '' ? 'missing' : 'unreadable' };
  return { fault: codes.includes('too_big') ? 'tooLong' : 'unreadable' };
}

/** The position of each column, by the header. Missing required columns and duplicate ones are faults of its row. */
function readHeader<C extends string, F extends string>(
  { cells }: SheetRow,
  { needed, readHead }: TableShape<C, F | CellFault>,
): { places: Map<C, number>; faults: TableFault<C, F | CellFault>[] } {
  const places = new Map<C, number>();
  const faults: TableFault<C, F | CellFault>[] = [];
  for (const [place, head = ''] of cells.entries()) {
    const column = readHead(head);
    if (column === undefined) continue;
    if (places.has(column)) faults.push({ column, fault: 'twice', value: shown(head) });
    else places.set(column, place);
  }
  for (const column of needed) if (!places.has(column)) faults.push({ column, fault: 'missing', value: '' });
  return { places, faults };
}

/**
 * Reads the rows of a sheet below its header. If the header has faults, it is the only row of the result.
 *
 * @returns the rows, and the number of rows below the header
 */
export function readTable<C extends string, F extends string>(
  [header = { number: 1, cells: [] }, ...below]: readonly SheetRow[],
  shape: TableShape<C, F | CellFault>,
): { rows: TableRow<C, F | CellFault>[]; total: number } {
  const { places, faults } = readHeader(header, shape);
  if (faults.length > 0)
    return { rows: [{ number: header.number, values: {}, texts: {}, faults }], total: below.length };
  const columns = shape.columns.filter((column) => places.has(column));
  const seen = new Set<string>();
  const rows = below.map(({ number, cells }) => {
    const row: TableRow<C, F | CellFault> = { number, values: {}, texts: {}, faults: [] };
    for (const column of columns) {
      const text = cells[places.get(column) ?? -1] ?? '';
      row.texts[column] = text;
      let cell = shape.readers[column](text);
      if (column === shape.key.column && 'value' in cell) {
        const key = shape.key.of(cell.value);
        if (seen.has(key)) cell = { fault: 'twice' };
        seen.add(key);
      }
      if ('fault' in cell) row.faults.push({ column, fault: cell.fault, value: shown(text) });
      else if (cell.value !== undefined) row.values[column] = cell.value;
    }
    return row;
  });
  return { rows, total: below.length };
}

/** Words are compared ignoring case and spaces. */
export const wordKey = (word: string): string => word.normalize('NFKC').replaceAll(/\s+/g, '').toLowerCase();

/** Finds the meaning of a word; undefined for an unknown one. */
export function wordReader<T>(entries: readonly (readonly [T, readonly string[]])[]): (word: string) => T | undefined {
  const known = new Map(entries.flatMap(([meaning, words]) => words.map((word) => [wordKey(word), meaning] as const)));
  return (word) => known.get(wordKey(word));
}
