import type { Locale, Measure, StatisticDimension, StatisticFigures, StatisticPart } from '@rmeet/contract';
import { Pdf, type TextStyle } from '../../platform/pdf/index.ts';
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
/** Space at the end of a page. */
const FOOT = 56;
const ROW = 18;
const CHART = 110;
const GREY = '#526170';
const PALE = '#f2f5f7';
const BLUE = '#1459a6';
const SMALL = { size: 8, color: GREY };
/** Widths of columns: the first one, and all others together. */
const FIRST = 0.46;

/** Draws from top to bottom, on as many pages as needed. */
class Writer {
  readonly #pdf: Pdf;
  readonly #width: number;
  readonly #bottom: number;
  #y: number;

  constructor(pdf: Pdf) {
    this.#pdf = pdf;
    this.#width = pdf.width - MARGIN * 2;
    this.#bottom = pdf.height - FOOT;
    this.#y = this.#bottom;
  }

  /** Begins a page if there is no space of this height. */
  space(height: number): void {
    if (this.#y + height <= this.#bottom && this.#pdf.pageCount > 0) return;
    this.#pdf.addPage();
    this.#y = MARGIN;
  }

  heading(text: string, size: number): void {
    this.space(size * 2 + ROW * 2);
    this.#y += size * 1.6;
    this.#text(MARGIN, text, this.#width, { size, bold: true });
    this.#y += size * 0.6;
  }

  line(text: string): void {
    this.space(ROW);
    this.#y += 13;
    this.#text(MARGIN, text, this.#width, { size: 9, color: GREY });
    this.#y += 3;
  }

  table({ title, head, rows }: Table, none: string): void {
    this.heading(title, 13);
    if (rows.length === 0) return this.line(none);
    this.#row(head, GREY);
    rows.forEach((row, n) => {
      if (this.#y + ROW > this.#bottom) {
        this.space(ROW * 2);
        this.#row(head, GREY);
      }
      if (n % 2 === 0) this.#pdf.box(MARGIN, this.#y, this.#width, ROW, { fill: PALE });
      this.#row(row);
    });
  }

  #row(cells: Row, color?: string): void {
    const [first = '', ...others] = cells;
    const each = (this.#width * (1 - FIRST)) / Math.max(1, others.length);
    const style = { size: 9.5, ...(color === undefined ? {} : { color }) };
    this.#y += ROW - 5.5;
    this.#text(MARGIN + 6, first, this.#width * FIRST - 12, style);
    others.forEach((cell, n) => {
      const words = this.#pdf.fit(cell, each - 6, style);
      const right = MARGIN + this.#width * FIRST + each * (n + 1) - 6;
      this.#pdf.text(right - this.#pdf.widthOf(words, style), this.#y, words, style);
    });
    this.#y += 5.5;
  }

  /** One line at the current height, cut to a width. */
  #text(x: number, text: string, width: number, style: TextStyle): void {
    this.#pdf.text(x, this.#y, this.#pdf.fit(text, width, style), style);
  }

  /** Bars of the meetings of each day or month. */
  bars(title: string, series: Report['series']): void {
    const most = Math.max(1, ...series.map(({ meetings }) => meetings));
    this.space(CHART + 70);
    this.heading(title, 13);
    const top = this.#y + 12;
    this.#pdf.text(MARGIN, top - 2, String(most), SMALL);
    const step = this.#width / Math.max(1, series.length);
    series.forEach(({ meetings }, n) => {
      const height = (meetings / most) * CHART;
      const left = MARGIN + n * step + step * 0.15;
      if (height > 0) this.#pdf.box(left, top + CHART - height, step * 0.7, height, { fill: BLUE });
    });
    this.#pdf.line(MARGIN, top + CHART, MARGIN + this.#width, top + CHART, { color: GREY });
    const [first = '', last = ''] = [series[0]?.start, series.at(-1)?.start];
    this.#pdf.text(MARGIN, top + CHART + 12, first, SMALL);
    this.#pdf.text(MARGIN + this.#width - this.#pdf.widthOf(last, SMALL), top + CHART + 12, last, SMALL);
    this.#y = top + CHART + 18;
  }
}

const periodWords = ({ from, to }: Span): string => `${from} - ${to}`;

/** The report as a PDF document. `at`: when it is made. */
export async function reportPdf(report: Report, at: Date): Promise<Buffer> {
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
  const language = locale === 'zh' ? 'zh-CN' : 'en';
  const pdf = new Pdf({ title: `${title}, ${owner}`, author: owner, at, language });
  // Figures, the dots of texts that are cut, and the numbers of pages.
  await pdf.load(`0123456789/. ${periodWords(period)}${texts.join('')}`);
  const writer = new Writer(pdf);
  writer.heading(title, 20);
  for (const line of lines) writer.line(line);
  const [key, ...others] = tables;
  if (key) writer.table(key, none);
  writer.bars(byTime, series);
  for (const table of others) writer.table(table, none);
  const pages = pdf.pageCount;
  for (let page = 0; page < pages; page += 1) {
    const number = `${page + 1} / ${pages}`;
    pdf.toPage(page);
    pdf.text(pdf.width - MARGIN - pdf.widthOf(number, SMALL), pdf.height - 30, number, SMALL);
  }
  return pdf.finish();
}

/** The most important figures, one a line, for the text of a mail. */
export const summaryLines = ({ totals, locale }: Report): string[] =>
  (['meetings', 'minutes', 'people', 'terminals', 'badMinutes'] as const).map(
    (measure) => `${MEASURE_WORDS[measure][locale]}: ${numberWords(totals[measure], locale)}`,
  );
