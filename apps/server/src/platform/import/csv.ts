import { AppError } from '../http/index.ts';
import type { SheetRow } from './workbook.ts';

/** The longest text of a cell, as in Excel. */
const CELL_MAX = 32_767;
/** Columns further right are ignored. */
const COLUMNS_MAX = 256;
const SEPARATORS = [',', ';', '\t'] as const;

/**
 * The text of a CSV file: UTF-8 with or without a byte order mark, else GB18030, in which Excel writes CSV on Chinese
 * systems. Throws for anything else, such as other kinds of files.
 */
function textOf(file: Buffer): string {
  // No text has zero bytes; most other files do, and so has UTF-16.
  if (file.includes(0)) throw new Error('The file is no text.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return new TextDecoder('gb18030', { fatal: true }).decode(file);
  }
}

/** Spreadsheets in some countries separate by semicolons or tabs: the separator that the first line has most often. */
function separatorOf(text: string): string {
  const [first = ''] = text.split(/[\r\n]/, 1);
  const count = (separator: string) => first.split(separator).length;
  return SEPARATORS.reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

/** The export's mark before what a spreadsheet would calculate is no part of the text. */
const unmarked = (text: string): string => (/^''*[=+\-@\t\r\n＝＋－＠]/.test(text) ? text.slice(1) : text);

/** Fields and ends of lines (RFC 4180): quoted fields contain separators, line breaks and doubled quotes. */
function* fieldsOf(text: string, separator: string): Generator<{ field: string; isLast: boolean }> {
  let at = 0;
  while (at <= text.length) {
    let field = '';
    if (text[at] === '"') {
      at += 1;
      for (;;) {
        const end = text.indexOf('"', at);
        if (end === -1) throw new Error('A quoted field does not end.');
        field += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        field += '"';
        at += 1;
      }
    }
    const rest = at;
    while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1;
    field += text.slice(rest, at);
    const isLast = at >= text.length || text[at] !== separator;
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    at += 1;
    yield { field, isLast };
  }
}

/**
 * The rows of a CSV file that are not empty, at most `rowsMax` besides the header. Cells have no surrounding spaces.
 *
 * @throws AppError SHEET_TOO_LONG; Error for a file that is no text or has a quoted field without an end
 */
export function readCsv(file: Buffer, rowsMax: number): SheetRow[] {
  const text = textOf(file);
  const rows: SheetRow[] = [];
  let [number, cells]: [number, (string | undefined)[]] = [1, []];
  let column = 0;
  for (const { field, isLast } of fieldsOf(text, separatorOf(text))) {
    const cell = unmarked(field.trim().slice(0, CELL_MAX));
    if (cell !== '' && column < COLUMNS_MAX) cells[column] = cell;
    column += 1;
    if (!isLast) continue;
    if (cells.length > 0) {
      if (rows.length > rowsMax) throw new AppError('SHEET_TOO_LONG', { rows: rowsMax });
      rows.push({ number, cells });
    }
    [number, cells, column] = [number + 1, [], 0];
  }
  return rows;
}
