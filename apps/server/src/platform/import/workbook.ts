import { posix } from 'node:path';
import { AppError } from '../http/index.ts';
import { readXml } from './xml.ts';
import { partsOf, unpack, type ZipPart } from './zip.ts';

/** A row of a sheet that is not empty. */
export interface SheetRow {
  /** Row number in the sheet, from 1. */
  number: number;
  /** Texts by column, from 0; empty cells may be missing. */
  cells: readonly (string | undefined)[];
}

/**
 * The limit on memory. The parts of a workbook that are read (its list of sheets, its texts, its first sheet) may
 * unpack to 24 MiB together, which the archive's directory shows before anything is unpacked; 5,000 terminals with
 * every text at its longest take 22. Sheets are read while they are unpacked and never kept as a whole, so at most 150
 * MB are used, and by one workbook at a time.
 */
const UNPACKED_MAX = 24 * 1024 * 1024;
/** Columns further right are ignored. */
const COLUMNS_MAX = 256;
/** The longest text a cell can hold in Excel. */
const CELL_MAX = 32_767;

/**
 * Characters that XML cannot contain are written as `_x` and their code in hexadecimal (ECMA-376, part 1, 22.9.2.19).
 */
function unescaped(text: string): string {
  const plain = text.replaceAll(/_x([\da-f]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  // The database can store neither.
  return plain.replaceAll('\0', '').toWellFormed();
}

/**
 * A number as the sheet shows it without a format: 15 digits, as in Excel, which hides the rounding of binary
 * fractions.
 */
function numberText(value: string): string {
  const number = Number(value);
  return value.trim() === '' || !Number.isFinite(number) ? value : String(Number(number.toPrecision(15)));
}

/** The column of a reference such as `AB12`, from 0. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}(?=\d+$)/.exec(reference)?.[0];
  if (letters === undefined) throw new Error('A cell is nowhere.');
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** Collects the text of a string item: its runs in sequence, without the phonetic hints of some languages. */
function textGatherer() {
  let text = '';
  let [isIn, hints] = [false, 0];
  return {
    begin: () => {
      text = '';
    },
    open(name: string): void {
      if (name === 'rPh') hints += 1;
      if (name === 't') isIn = hints === 0;
    },
    close(name: string): void {
      if (name === 'rPh') hints -= 1;
      if (name === 't') isIn = false;
    },
    add(more: string): void {
      if (isIn && text.length < CELL_MAX) text += more.slice(0, CELL_MAX);
    },
    text: () => unescaped(text),
  };
}

async function readTexts(part: ZipPart): Promise<string[]> {
  const texts: string[] = [];
  const item = textGatherer();
  await readXml(unpack(part), {
    open(name) {
      if (name === 'si') item.begin();
      item.open(name);
    },
    close(name) {
      item.close(name);
      if (name === 'si') texts.push(item.text());
    },
    text: (text) => item.add(text),
  });
  return texts;
}

/** The displayed text of a cell. `value` is the content of its `v`, `inline` a text written into the cell itself. */
function cellText(type: string | undefined, value: string, inline: string, texts: readonly string[]): string {
  switch (type) {
    case 's':
      return texts[Number(value)] ?? '';
    case 'inlineStr':
      return inline;
    case 'b':
      return value.trim() === '1' ? 'TRUE' : 'FALSE';
    case 'n':
    case undefined:
      return numberText(value);
    // `str` for a formula, `e` for one that failed, `d` for a time.
    default:
      return unescaped(value);
  }
}

async function readRows(part: ZipPart, texts: readonly string[], rowsMax: number): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  const inline = textGatherer();
  let [row, column] = [0, -1];
  let cells: (string | undefined)[] = [];
  let type: string | undefined;
  let value = '';
  let isValue = false;
  await readXml(unpack(part), {
    open(name, attributes) {
      inline.open(name);
      if (name === 'row') {
        [row, column, cells] = [attributes['r'] === undefined ? row + 1 : Number(attributes['r']), -1, []];
        if (!Number.isSafeInteger(row) || row < 1) throw new Error('A row is nowhere.');
      } else if (name === 'c') {
        column = attributes['r'] === undefined ? column + 1 : columnOf(attributes['r']);
        [type, value] = [attributes['t'], ''];
        inline.begin();
      } else if (name === 'v') isValue = true;
    },
    close(name) {
      inline.close(name);
      if (name === 'v') isValue = false;
      else if (name === 'c') {
        const text = cellText(type, value, inline.text(), texts).trim();
        if (text !== '' && column < COLUMNS_MAX) cells[column] = text;
      } else if (name === 'row' && cells.length > 0) {
        if (rows.length > rowsMax) throw new AppError('SHEET_TOO_LONG', { rows: rowsMax });
        rows.push({ number: row, cells });
      }
    },
    text(text) {
      inline.add(text);
      if (isValue && value.length < CELL_MAX) value += text.slice(0, CELL_MAX);
    },
  });
  return rows;
}

/** The name of the first sheet's file in the archive. */
async function firstSheetOf(workbook: ZipPart, relations: ZipPart): Promise<string> {
  let id: string | undefined;
  await readXml(unpack(workbook), {
    open(name, attributes) {
      if (name === 'sheet') id ??= Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
    },
    close: () => undefined,
    text: () => undefined,
  });
  let target: string | undefined;
  await readXml(unpack(relations), {
    open(name, attributes) {
      if (name === 'Relationship' && attributes['Id'] === id) target ??= attributes['Target'];
    },
    close: () => undefined,
    text: () => undefined,
  });
  if (target === undefined) throw new Error('The workbook has no sheet.');
  return posix.resolve('/xl', target).slice(1).toLowerCase();
}

async function read(file: Buffer, rowsMax: number): Promise<SheetRow[]> {
  const parts = partsOf(file);
  let unpacked = 0;
  const take = (name: string): ZipPart => {
    const part = parts.get(name);
    if (!part) throw new Error(`The workbook has no ${name}.`);
    unpacked += part.size;
    if (unpacked > UNPACKED_MAX) throw new Error('The workbook unpacks to more than is read.');
    return part;
  };
  const sheet = take(await firstSheetOf(take('xl/workbook.xml'), take('xl/_rels/workbook.xml.rels')));
  const texts = 'xl/sharedstrings.xml';
  return readRows(sheet, parts.has(texts) ? await readTexts(take(texts)) : [], rowsMax);
}

let turn: Promise<unknown> = Promise.resolve();

/**
 * The rows of the first sheet of an Excel workbook that are not empty, at most `rowsMax` besides the header. Numbers,
 * formulas and formatted texts are returned as the displayed text, without surrounding spaces.
 *
 * @throws AppError SHEET_TOO_LONG, SHEET_UNREADABLE for any file that is no such workbook or would unpack to too much
 */
export async function readSheet(file: Buffer, rowsMax: number): Promise<SheetRow[]> {
  const mine = turn.then(() => read(file, rowsMax));
  turn = mine.catch(() => undefined);
  try {
    return await mine;
  } catch (error) {
    // Any error here is an error in the file: nothing else is read.
    throw error instanceof AppError ? error : new AppError('SHEET_UNREADABLE');
  }
}
