import { once } from 'node:events';
import { addAbortSignal, PassThrough } from 'node:stream';
import { FileAnswer } from '../http/index.ts';

/**
 * Texts are written as texts, so that one beginning with `=` is never a formula. Times are shown in UTC, which the
 * header should say.
 */
export type Cell = string | number | Date | null;

export interface Workbook {
  /** File name with its extension. */
  name: string;
  /** Name of the one sheet; 31 characters at most. */
  sheet: string;
  /** `width` in characters. */
  columns: readonly { header: string; width: number }[];
  /** Read as fast as the client takes them; ended early when the client goes. */
  rows: AsyncIterable<readonly Cell[]>;
  /** The request's: ends the file too. */
  signal: AbortSignal;
}

const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const TIME_FORMAT = 'yyyy-mm-dd hh:mm:ss';
/** The longest text a cell can hold. */
const CELL_MAX = 32_767;
/** Rows between two looks at whether the client keeps up. */
const BATCH = 200;

function cellOf(value: Cell): Cell {
  if (typeof value !== 'string') return value;
  // XML 1.0 has no control characters but these three.
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  const text = value.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').slice(0, CELL_MAX);
  // `_x000D_` stands for the character of that code (ECMA-376, part 1, 22.9.2.19); XML itself would lose the one of
  // line ends.
  return text.replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_').replaceAll('\r', '_x000D_');
}

async function write({ sheet: title, columns, rows }: Workbook, out: PassThrough): Promise<void> {
  // Loaded when first needed: it takes a good part of a server's start.
  const { default: ExcelJS } = await import('exceljs');
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ stream: out, useStyles: true, useSharedStrings: false });
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
    if (out.destroyed) return;
  }
  sheet.commit();
  await book.commit();
}

/**
 * An Excel workbook of one sheet with a header row, sent while its rows are read. A source that fails breaks the
 * download off; nothing half-written looks whole, because the archive lacks its end then.
 */
export function workbookAnswer(workbook: Workbook): FileAnswer {
  const out = addAbortSignal(workbook.signal, new PassThrough());
  // Also wakes a writer that waits for a client who has gone.
  out.once('close', () => out.emit('drain'));
  write(workbook, out).catch((error: unknown) => out.destroy(error as Error));
  return new FileAnswer({ name: workbook.name, type: TYPE, body: out });
}
