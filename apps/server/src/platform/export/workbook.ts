import { once } from 'node:events';
import { addAbortSignal, PassThrough } from 'node:stream';
import type ExcelJS from 'exceljs';
import { FileAnswer } from '../http/index.ts';

/**
 * Texts are written as texts, so that one beginning with `=` is never a formula. Times are shown in UTC, which the
 * header should mention.
 */
export type Cell = string | number | Date | null;

interface Sheet {
  /** 31 characters at most. */
  title: string;
  /** `width` in characters. */
  columns: readonly { header: string; width: number }[];
  /** Read as fast as the client receives them; ended early if the client disconnects. */
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>;
}

interface WorkbookFile {
  /** File name with its extension. */
  name: string;
  /** The request's signal: it also ends the file. */
  signal: AbortSignal;
}

export interface Workbook extends WorkbookFile, Pick<Sheet, 'columns'> {
  /** Name of the only sheet; 31 characters at most. */
  sheet: string;
  rows: AsyncIterable<readonly Cell[]>;
}

/** A workbook of several sheets. */
export interface Sheets extends WorkbookFile {
  sheets: readonly Sheet[];
}

const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const TIME_FORMAT = 'yyyy-mm-dd hh:mm:ss';
/** The longest text a cell can hold. */
const CELL_MAX = 32_767;
/** Rows between two checks whether the client keeps up. */
const BATCH = 200;

function cellOf(value: Cell): Cell {
  if (typeof value !== 'string') return value;
  // XML 1.0 has no control characters but these three.
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  const text = value.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').slice(0, CELL_MAX);
  // `_x000D_` represents the character of that code (ECMA-376, part 1, 22.9.2.19); XML itself would lose carriage
  // returns.
  return text.replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_').replaceAll('\r', '_x000D_');
}

/** Writes one sheet. Returns false if the client has disconnected. */
async function writeSheet(
  book: ExcelJS.stream.xlsx.WorkbookWriter,
  { title, columns, rows }: Sheet,
  out: PassThrough,
): Promise<boolean> {
  const sheet = book.addWorksheet(title, { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.columns = columns.map(({ width }) => ({ width }));
  const head = sheet.addRow(columns.map(({ header }) => cellOf(header)));
  head.font = { bold: true };
  head.commit();
  let written = 0;
  for await (const values of rows) {
    const row = sheet.addRow(values.map(cellOf));
    values.forEach((value, i) => {
      if (value instanceof Date) row.getCell(i + 1).numFmt = TIME_FORMAT;
    });
    row.commit();
    written += 1;
    if (written % BATCH > 0) continue;
    if (out.writableNeedDrain) await once(out, 'drain');
    if (out.destroyed) return false;
  }
  sheet.commit();
  return true;
}

async function write(sheets: readonly Sheet[], out: PassThrough): Promise<void> {
  // Loaded on first use: it would take a large part of a server's start-up time.
  const { default: Excel } = await import('exceljs');
  const book = new Excel.stream.xlsx.WorkbookWriter({ stream: out, useStyles: true, useSharedStrings: false });
  for (const sheet of sheets) if (!(await writeSheet(book, sheet, out))) return;
  await book.commit();
}

/**
 * An Excel workbook whose sheets have a header row each, sent while its rows are read. If the source fails, the
 * download is aborted; an incomplete file is recognisable, because the end of the archive is missing.
 */
export function sheetsAnswer({ name, sheets, signal }: Sheets): FileAnswer {
  const out = addAbortSignal(signal, new PassThrough());
  // Also wakes a writer that waits for a disconnected client.
  out.once('close', () => out.emit('drain'));
  write(sheets, out).catch((error: unknown) => out.destroy(error as Error));
  return new FileAnswer({ name, type: TYPE, body: out });
}

/** The same with one sheet. */
export const workbookAnswer = ({ sheet, columns, rows, ...file }: Workbook): FileAnswer =>
  sheetsAnswer({ ...file, sheets: [{ title: sheet, columns, rows }] });
