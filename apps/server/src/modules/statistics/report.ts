import type { Locale, Measure, StatisticDimension, StatisticFigures, StatisticPart } from '@rmeet/contract';
import { PAGE, PdfDocument, type Colour } from '../../platform/pdf/index.ts';
import { readBreakdown } from './breakdown.ts';
import { daysIn, spanBefore, type Span } from './calendar.ts';
import { readSeries, readTotals, type Cut, type Reader } from './figures.ts';
import { CAUSE_WORDS, MEASURE_WORDS, reportWord, TYPE_WORDS } from './words.ts';

/** What a report tells. */
export interface Report {
  /** The organisation, or all tenants. */
  owner: string;
  locale: Locale;
  period: Span;
  before: Span;
  totals: StatisticFigures;
  totalsBefore: StatisticFigures;
  series: { start: string; meetings: number }[];
  tables: { dimension: StatisticDimension; parts: StatisticPart[] }[];
}

/** The measures of the table of key figures, in this order. */
const SHOWN: readonly Measure[] = [
  'booked',
  'cancelled',
  'meetings',
  'minutes',
  'people',
  'terminals',
  'terminalMinutes',
  'peak',
  'calls',
  'recordings',
  'recordedMinutes',
  'broadcasts',
  'viewers',
  'rooms',
  'roomMinutes',
  'resourceBookings',
  'badMinutes',
  'signIns',
  'storageBytes',
];
/** The tables below, and the measures of their columns. */
const TABLES: readonly { dimension: 'department' | 'type' | 'room' | 'cause'; measures: readonly Measure[] }[] = [
  { dimension: 'department', measures: ['meetings', 'minutes', 'terminals'] },
  { dimension: 'type', measures: ['meetings', 'minutes', 'terminals'] },
  { dimension: 'room', measures: ['roomBookings', 'roomMinutes'] },
  { dimension: 'cause', measures: ['badMinutes', 'terminals'] },
];
const TABLE_ROWS = 15;
/** Longer periods are drawn by month. */
const DRAWN_BY_DAY = 62;

/** Reads everything that a report tells, in one transaction. */
export async function readReport(
  reader: Reader,
  cut: Cut,
  { owner, locale }: Pick<Report, 'owner' | 'locale'>,
): Promise<Report> {
  const before = spanBefore(cut);
  const series = await readSeries(reader, daysIn(cut) > DRAWN_BY_DAY ? 'month' : 'day', cut);
  const tables: Report['tables'] = [];
  for (const { dimension } of TABLES)
    tables.push({ dimension, parts: (await readBreakdown(reader, dimension, cut)).parts.slice(0, TABLE_ROWS) });
  return {
    owner,
    locale,
    period: { from: cut.from, to: cut.to },
    before,
    totals: await readTotals(reader, cut),
    totalsBefore: await readTotals(reader, { ...cut, ...before }),
    series: series.map(({ start, figures }) => ({ start, meetings: figures.meetings ?? 0 })),
    tables,
  };
}

/** A number for readers: `1,234.5`; of unknown ones a dash. */
const numberWords = (value: number | null | undefined, locale: Locale): string =>
  value === null || value === undefined ? reportWord('unknown', locale) : value.toLocaleString(locale);

/** `+12.5 %`; a dash if there is nothing to compare with. */
function changeWords(now: number | null, before: number | null, locale: Locale): string {
  if (now === null || before === null || before === 0) return reportWord('unknown', locale);
  const change = (now - before) / before;
  const words = Math.abs(change).toLocaleString(locale, { style: 'percent', maximumFractionDigits: 1 });
  return `${change < 0 ? '-' : '+'}${words}`;
}

/** The name of a part. */
function partWords(dimension: StatisticDimension, { key, name }: StatisticPart, locale: Locale): string {
  if (name !== '') return name;
  if (dimension === 'department' && key.endsWith('/'))
    return key === '/' ? reportWord('noDepartment', locale) : key.slice(0, -1);
  if (dimension === 'cause') return CAUSE_WORDS[key as keyof typeof CAUSE_WORDS]?.[locale] ?? key;
  return TYPE_WORDS[key]?.[locale] ?? key;
}

type Row = readonly string[];
interface Table {
  title: string;
  head: Row;
  rows: Row[];
}

function tablesOf(report: Report): Table[] {
  const { locale, totals, totalsBefore } = report;
  const key: Table = {
    title: reportWord('figures', locale),
    head: (['measure', 'now', 'before', 'change'] as const).map((name) => reportWord(name, locale)),
    rows: SHOWN.map((measure) => [
      MEASURE_WORDS[measure][locale],
      numberWords(totals[measure], locale),
      numberWords(totalsBefore[measure], locale),
      changeWords(totals[measure], totalsBefore[measure], locale),
    ]),
  };
  const parts = TABLES.map(({ dimension, measures }): Table => {
    const found = report.tables.find((table) => table.dimension === dimension)?.parts ?? [];
    return {
      title: reportWord(dimension, locale),
      head: [reportWord('name', locale), ...measures.map((measure) => MEASURE_WORDS[measure][locale])],
      rows: found.map((part) =>
        [partWords(dimension, part, locale)].concat(
          measures.map((measure) => numberWords(part.figures[measure], locale)),
        ),
      ),
    };
  });
  return [key, ...parts];
}

const MARGIN = 48;
const BOTTOM = PAGE.height - 56;
const WIDTH = PAGE.width - MARGIN * 2;
const ROW = 18;
const CHART = 110;
const GREY: Colour = [0.32, 0.38, 0.44];
const PALE: Colour = [0.95, 0.96, 0.97];
const BLUE: Colour = [0.08, 0.35, 0.65];
/** Widths of columns: the first one, and all others together. */
const FIRST = 0.46;

/** Draws from top to bottom, on as many pages as needed. */
class Writer {
  readonly #pdf: PdfDocument;
  #y = BOTTOM;

  constructor(pdf: PdfDocument) {
    this.#pdf = pdf;
  }

  /** Begins a page if there is no space of this height. */
  space(height: number): void {
    if (this.#y + height <= BOTTOM && this.#pdf.pageCount > 0) return;
    this.#pdf.addPage();
    this.#y = MARGIN;
  }

  heading(text: string, size: number): void {
    this.space(size * 2 + ROW * 2);
    this.#y += size * 1.6;
    this.#pdf.text(MARGIN, this.#y, text, { size, width: WIDTH });
    this.#y += size * 0.6;
  }

  line(text: string): void {
    this.space(ROW);
    this.#y += 13;
    this.#pdf.text(MARGIN, this.#y, text, { size: 9, colour: GREY, width: WIDTH });
    this.#y += 3;
  }

  table({ title, head, rows }: Table, none: string): void {
    this.heading(title, 13);
    if (rows.length === 0) return this.line(none);
    this.#row(head, GREY);
    rows.forEach((row, n) => {
      if (this.#y + ROW > BOTTOM) {
        this.space(ROW * 2);
        this.#row(head, GREY);
      }
      if (n % 2 === 0) this.#pdf.rectangle(MARGIN, this.#y, WIDTH, ROW, PALE);
      this.#row(row);
    });
  }

  #row(cells: Row, colour?: Colour): void {
    const [first = '', ...others] = cells;
    const each = (WIDTH * (1 - FIRST)) / Math.max(1, others.length);
    const options = { size: 9.5, ...(colour ? { colour } : {}) };
    const y = this.#y + ROW - 5.5;
    this.#pdf.text(MARGIN + 6, y, first, { ...options, width: WIDTH * FIRST - 12 });
    others.forEach((cell, n) =>
      this.#pdf.text(MARGIN + WIDTH * FIRST + each * (n + 1) - 6, y, cell, {
        ...options,
        align: 'right',
        width: each - 6,
      }),
    );
    this.#y += ROW;
  }

  /** Bars of the meetings of each day or month. */
  bars(title: string, series: Report['series']): void {
    const most = Math.max(1, ...series.map(({ meetings }) => meetings));
    this.space(CHART + 70);
    this.heading(title, 13);
    const top = this.#y + 12;
    this.#pdf.text(MARGIN, top - 2, String(most), { size: 8, colour: GREY });
    const step = WIDTH / Math.max(1, series.length);
    series.forEach(({ meetings }, n) => {
      const height = (meetings / most) * CHART;
      this.#pdf.rectangle(MARGIN + n * step + step * 0.15, top + CHART - height, step * 0.7, height, BLUE);
    });
    this.#pdf.rectangle(MARGIN, top + CHART, WIDTH, 0.6, GREY);
    const label = (text: string, x: number, align: 'left' | 'right') =>
      this.#pdf.text(x, top + CHART + 12, text, { size: 8, colour: GREY, align });
    label(series[0]?.start ?? '', MARGIN, 'left');
    label(series.at(-1)?.start ?? '', MARGIN + WIDTH, 'right');
    this.#y = top + CHART + 18;
  }
}

const periodWords = ({ from, to }: Span): string => `${from} - ${to}`;

/** The report as a PDF document. */
export async function reportPdf(report: Report): Promise<Buffer> {
  const { owner, locale, period, before, series } = report;
  const title = reportWord('title', locale);
  const tables = tablesOf(report);
  const byTime = reportWord('byTime', locale);
  const none = reportWord('none', locale);
  const lines = [owner, `${periodWords(period)} (${reportWord('before', locale)}: ${periodWords(before)})`];
  const texts = [
    title,
    byTime,
    none,
    ...lines,
    ...tables.flatMap((table) => [table.title, ...table.head, ...table.rows.flat()]),
  ];
  const pdf = await PdfDocument.create(texts, {
    title: `${title}, ${owner}`,
    language: locale === 'zh' ? 'zh-CN' : 'en',
  });
  const writer = new Writer(pdf);
  writer.heading(title, 20);
  for (const line of lines) writer.line(line);
  const [key, ...others] = tables;
  if (key) writer.table(key, none);
  writer.bars(byTime, series);
  for (const table of others) writer.table(table, none);
  const pages = pdf.pageCount;
  for (let page = 0; page < pages; page += 1)
    pdf.on(page, () =>
      pdf.text(PAGE.width - MARGIN, PAGE.height - 30, `${page + 1} / ${pages}`, {
        size: 8,
        colour: GREY,
        align: 'right',
      }),
    );
  return pdf.finish();
}

/** The most important figures, one a line, for the text of a mail. */
export const summaryLines = ({ totals, locale }: Report): string[] =>
  (['meetings', 'minutes', 'people', 'terminals', 'badMinutes'] as const).map(
    (measure) => `${MEASURE_WORDS[measure][locale]}: ${numberWords(totals[measure], locale)}`,
  );
