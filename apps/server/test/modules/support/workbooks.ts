import ExcelJS from 'exceljs';
import { crc32, deflateRawSync } from 'node:zlib';

/** An Excel workbook with one sheet, in base64 for the import. */
export async function workbookOf(rows: readonly ExcelJS.CellValue[][]): Promise<string> {
  const book = new ExcelJS.Workbook();
  book.addWorksheet('Sheet').addRows(rows as unknown[][]);
  return Buffer.from(await book.xlsx.writeBuffer()).toString('base64');
}

/** The rows of each sheet of a workbook as texts, by its name, the header first. */
export async function sheetsOfWorkbook(file: Buffer): Promise<Record<string, string[][]>> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(file as never);
  return Object.fromEntries(
    book.worksheets.map((sheet) => {
      const rows: string[][] = [];
      sheet.eachRow((row) =>
        rows.push(Array.from({ length: sheet.columnCount }, (_, column) => row.getCell(column + 1).text)),
      );
      return [sheet.name, rows];
    }),
  );
}

/** The rows of a workbook's first sheet as texts, the header first. */
export async function rowsOfWorkbook(file: Buffer): Promise<string[][]> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(file as never);
  const rows: string[][] = [];
  book.worksheets[0]?.eachRow((row) =>
    rows.push(Array.from({ length: row.cellCount }, (_, column) => row.getCell(column + 1).text)),
  );
  return rows;
}

interface Packed {
  name: string;
  content: Buffer | string;
  /** The unpacked size in its directory, if that is to be wrong. */
  told?: number;
  crc?: number;
}

/** A zip archive, correct or not, as requested. */
function archiveOf(files: readonly Packed[]): Buffer {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const { name, content, told, crc } of files) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04_03_4b_50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02_01_4b_50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(crc ?? crc32(bytes), 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(told ?? bytes.length, 24);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt32LE(at, 42);
    bodies.push(local, Buffer.from(name), packed);
    entries.push(entry, Buffer.from(name));
    at += 30 + Buffer.byteLength(name) + packed.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, directory, end]);
}

const RELATIONS = '<Relationships><Relationship Id="rId7" Target="/xl/worksheets/first.xml"/></Relationships>';
const SHEETS =
  '<x:workbook xmlns:x="urn:x" xmlns:r="urn:r"><x:sheets><x:sheet name="One" r:id="rId7"/><x:sheet name="Two" ' +
  'r:id="rId8"/></x:sheets></x:workbook>';

/** A handmade workbook: its sheet, and its shared texts. */
export function handmade(sheet: Omit<Packed, 'name'>, texts: Omit<Packed, 'name'> = { content: '<sst/>' }): string {
  return archiveOf([
    { name: 'xl/workbook.xml', content: SHEETS },
    { name: 'xl/_rels/workbook.xml.rels', content: RELATIONS },
    { name: 'xl/sharedStrings.xml', ...texts },
    { name: 'xl/worksheets/first.xml', ...sheet },
  ]).toString('base64');
}
