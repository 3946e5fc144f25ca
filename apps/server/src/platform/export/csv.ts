import { Readable } from 'node:stream';
import { FileAnswer } from '../http/index.ts';
import type { Cell, Workbook } from './workbook.ts';

/** Spreadsheets read UTF-8 as such only after a byte order mark. */
const MARK = '\uFEFF';

/**
 * A cell of a CSV file (RFC 4180). A text that a spreadsheet would calculate begins with an apostrophe, so that no
 * name becomes a formula on the machine of the person who opens the file (CWE-1236); the import takes it off again.
 */
function csvCell(value: Cell): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString().slice(0, 19).replace('T', ' ');
  if (typeof value === 'number') return String(value);
  // An apostrophe before such a character is doubled for the same reason.
  const text = /^'*[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** A whole CSV file, for lists that fit into memory. */
export function csvText(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return MARK + [header, ...rows].map(csvLine).join('');
}

async function* linesOf({ columns, rows }: Pick<Workbook, 'columns' | 'rows'>): AsyncGenerator<string> {
  yield MARK + csvLine(columns.map(({ header }) => header));
  for await (const row of rows) yield csvLine(row);
}

/** A CSV file in UTF-8, sent while its rows are read. */
export function csvAnswer({ name, columns, rows, signal }: Omit<Workbook, 'sheet'>): FileAnswer {
  return new FileAnswer({
    name,
    type: 'text/csv; charset=utf-8',
    body: Readable.from(linesOf({ columns, rows }), { signal }),
  });
}
