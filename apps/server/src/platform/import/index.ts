import { AppError } from '../http/index.ts';
import { readCsv } from './csv.ts';
import { readSheet, type SheetRow } from './workbook.ts';

export { readTable, textCell, wordKey, wordReader, type Cell, type CellFault } from './table.ts';
export { readSheet, type SheetRow } from './workbook.ts';

/** How archives begin (PKWARE APPNOTE, 4.3.7), workbooks among them. */
const ARCHIVE = Buffer.from('PK\u0003\u0004');

/**
 * The rows of an Excel workbook or a CSV file, as `readSheet` returns them. The content decides which of both it is,
 * not the file's name.
 *
 * @throws AppError SHEET_TOO_LONG, TABLE_UNREADABLE
 */
export async function readSheetOrCsv(file: Buffer, rowsMax: number): Promise<SheetRow[]> {
  try {
    return file.subarray(0, ARCHIVE.length).equals(ARCHIVE) ? await readSheet(file, rowsMax) : readCsv(file, rowsMax);
  } catch (error) {
    // Any other error here is an error in the file: nothing else is read.
    throw error instanceof AppError && error.code === 'SHEET_TOO_LONG' ? error : new AppError('TABLE_UNREADABLE');
  }
}
