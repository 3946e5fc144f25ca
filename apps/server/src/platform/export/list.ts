import type { Locale } from '@rmeet/contract';
import type { FileAnswer } from '../http/index.ts';
import { csvAnswer } from './csv.ts';
import { workbookAnswer, type Cell } from './workbook.ts';

/** A text in both languages. */
export type Bilingual = Record<Locale, string>;

/** A column of an exported list: its header, its width in characters, and its value for an item. */
export interface ListColumn<T> extends Bilingual {
  width: number;
  cell: (item: T, locale: Locale) => Cell;
}

interface ListOptions<T> {
  /** Name of the file, and of its sheet unless that has its own. */
  title: Bilingual;
  /** 31 characters at most. */
  sheet?: Bilingual;
  columns: readonly ListColumn<T>[];
  items: AsyncIterable<T>;
  locale: Locale;
  /** The request's signal. */
  signal: AbortSignal;
  format?: 'xlsx' | 'csv' | undefined;
}

async function* cellsOf<T>({ columns, items, locale }: ListOptions<T>): AsyncGenerator<Cell[]> {
  for await (const item of items) yield columns.map(({ cell }) => cell(item, locale));
}

/** A list as an Excel workbook or a CSV file, with headers in the reader's language. */
export function listAnswer<T>(options: ListOptions<T>): FileAnswer {
  const { columns, locale, signal, format = 'xlsx', sheet = options.title } = options;
  const title = options.title[locale];
  const file = {
    name: `${title}.${format}`,
    columns: columns.map((column) => ({ header: column[locale], width: column.width })),
    rows: cellsOf(options),
    signal,
  };
  return format === 'csv' ? csvAnswer(file) : workbookAnswer({ ...file, sheet: sheet[locale] });
}
