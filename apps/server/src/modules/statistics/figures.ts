import { and, between, count, eq, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import {
  MEASURES,
  type contract,
  type Input,
  type Measure,
  type StatisticFigures,
  type StatisticUnit,
} from '@rmeet/contract';
import type { TenantTx } from '../../platform/db/index.ts';
import { bucketOf, bucketsOf, unitOf, wholeSpan, type Span } from './calendar.ts';
import {
  ALL,
  statisticCount,
  statisticDay,
  statisticPeople,
  statisticQuality,
  statisticSignIn,
  statisticStorage,
  statisticUse,
} from './tables.ts';

/** One tenant's rows, or those of all. */
export type Reader = Pick<TenantTx, 'find' | 'select' | 'scoped'>;
/** Which part of the figures is meant. */
export type Cut = Span & Pick<Input<typeof contract.statistics.query>['query'], 'department' | 'type'>;

/** A column that may be of a table or of a source made of one. */
type Column = PgColumn | SQL | SQL.Aliased;

const MINUTE = 60;
/** Minutes with one decimal. */
export const minutesOf = (seconds: number): number => Math.round((seconds * 10) / MINUTE) / 10;

export const total = (column: Column): SQL<number> => sql<number>`coalesce(sum(${column}), 0)`.mapWith(Number);

/** A department and all below it; as a range, so that an index finds it. */
export const inDepartment = (column: Column, department: string | undefined): SQL | undefined =>
  department === undefined || department === ''
    ? undefined
    : sql`(${column} = ${department} or ${column} ~>=~ ${`${department}/`} and ${column} ~<~ ${`${department}0`})`;

/** The rows of a department and all below it; without one, those of all departments together. */
export const ofDepartment = (column: Column, { department }: Cut): SQL =>
  inDepartment(column, department) ?? sql`${column} = ${ALL}`;
/** Rows of single departments. */
export const isSingle = (column: Column): SQL => sql`${column} <> ${ALL}`;

export function within(
  source: { day: Column; department?: Column; type?: Column },
  { from, to, department, type }: Cut,
): SQL | undefined {
  return and(
    sql`${source.day} between ${from}::date and ${to}::date`,
    source.department && inDepartment(source.department, department),
    type && source.type ? sql`${source.type} = ${type}` : undefined,
  );
}

/** Null: the whole period is one. */
type Unit = StatisticUnit | null;
const WHOLE = 'all';

/**
 * The number of a day's bucket, from 1: a search in an array, which costs a tenth of calendar functions and texts. The
 * days are part of the text, so that a statement can group by the same expression.
 */
function bucketIn(unit: Unit, day: Column, cut: Span): SQL<number> {
  if (unit === null) return sql<number>`1::integer`;
  return sql<number>`width_bucket(${day}, '{${sql.raw(bucketsOf(unit, cut).join())}}'::date[])`;
}

/** What each bucket has, by its first day or WHOLE. */
function byStart<R extends { bucket: number }>(unit: Unit, cut: Span, rows: readonly R[], of: (row: R) => Sums) {
  const starts = unit === null ? [WHOLE] : bucketsOf(unit, cut);
  const found = new Map<string, Sums>();
  for (const row of rows) {
    const start = starts[row.bucket - 1] ?? WHOLE;
    found.set(start, { ...found.get(start), ...of(row) });
  }
  return found;
}

type Sums = Partial<Record<Measure, number>>;

/** The sums of meetings by bucket. */
async function sumDays(reader: Reader, unit: Unit, cut: Cut): Promise<Map<string, Sums>> {
  const of = reader.scoped(statisticDay);
  const bucket = bucketIn(unit, of.day, cut);
  const rows = await reader
    .select({ bucket, ...daySums(of) })
    .from(of)
    .where(and(within({ day: of.day, type: of.type }, cut), ofDepartment(of.department, cut)))
    .groupBy(bucket);
  return byStart(unit, cut, rows, dayFigures);
}

/** The sums of all columns of days, as expressions. */
export function daySums(of: Record<(typeof DAY_SUMS)[number] | 'peak', Column>) {
  return {
    ...(Object.fromEntries(DAY_SUMS.map((name) => [name, total(of[name])])) as Record<
      (typeof DAY_SUMS)[number],
      SQL<number>
    >),
    peak: sql<number>`coalesce(max(${of.peak}), 0)`.mapWith(Number),
  };
}

const DAY_SUMS = [
  'booked',
  'cancelled',
  'meetings',
  'seconds',
  'terminals',
  'terminalSeconds',
  'calls',
  'declined',
  'recordings',
  'recordedSeconds',
  'recordedBytes',
  'broadcasts',
  'viewers',
  'watchedSeconds',
] as const;

/** Those sums as figures. */
export function dayFigures(sums: Record<(typeof DAY_SUMS)[number] | 'peak', number>): Sums {
  const { seconds, terminalSeconds, recordedSeconds, watchedSeconds, ...rest } = sums;
  return {
    ...rest,
    minutes: minutesOf(seconds),
    terminalMinutes: minutesOf(terminalSeconds),
    recordedMinutes: minutesOf(recordedSeconds),
    watchedMinutes: minutesOf(watchedSeconds),
  };
}

/** The media quality by bucket. */
async function sumQuality(reader: Reader, unit: Unit, cut: Cut): Promise<Map<string, Sums>> {
  const of = reader.scoped(statisticQuality);
  const bucket = bucketIn(unit, of.day, cut);
  const rows = await reader
    .select({ bucket, good: total(of.good), fair: total(of.fair), poor: total(of.poor) })
    .from(of)
    .where(and(within({ day: of.day, type: of.type }, cut), ofDepartment(of.department, cut)))
    .groupBy(bucket);
  return byStart(unit, cut, rows, qualityFigures);
}

export const qualityFigures = ({ good, fair, poor }: { good: number; fair: number; poor: number }): Sums => ({
  goodMinutes: minutesOf(good),
  fairMinutes: minutesOf(fair),
  badMinutes: minutesOf(poor),
});

/** The use of rooms and resources by bucket. */
async function sumUse(reader: Reader, unit: Unit, cut: Cut): Promise<Map<string, Sums>> {
  const of = reader.scoped(statisticUse);
  const bucket = bucketIn(unit, of.day, cut);
  // Subjects are grouped first: counting different ones of many rows would sort them.
  const each = reader
    .select({
      bucket: bucket.as('bucket'),
      kind: of.kind,
      subjectId: of.subjectId,
      bookings: sql<number>`sum(${of.bookings})`.as('all_bookings'),
      seconds: sql<number>`sum(${of.seconds})`.as('all_seconds'),
      portSeconds: sql<number>`sum(${of.portSeconds})`.as('all_port_seconds'),
    })
    .from(of)
    .where(within(of, cut))
    .groupBy(bucket, of.kind, of.subjectId)
    .as('each_subject');
  const rows = await reader
    .select({
      bucket: each.bucket,
      kind: each.kind,
      subjects: count(),
      bookings: total(each.bookings),
      seconds: total(each.seconds),
      portSeconds: total(each.portSeconds),
    })
    .from(each)
    .groupBy(each.bucket, each.kind);
  return byStart(unit, cut, rows, ({ kind, subjects, bookings, seconds, portSeconds }) =>
    kind === 'room'
      ? { rooms: subjects, roomBookings: bookings, roomMinutes: minutesOf(seconds) }
      : { resourceBookings: bookings, portMinutes: minutesOf(portSeconds) },
  );
}

async function sumSignIns(reader: Reader, unit: Unit, cut: Cut): Promise<Map<string, Sums>> {
  // People sign in for no type of meeting.
  if (cut.type !== undefined) return new Map();
  const of = reader.scoped(statisticSignIn);
  const bucket = bucketIn(unit, of.day, cut);
  const rows = await reader
    .select({ bucket, signIns: total(of.count) })
    .from(of)
    .where(and(within({ day: of.day }, cut), ofDepartment(of.department, cut)))
    .groupBy(bucket);
  return byStart(unit, cut, rows, ({ signIns }) => ({ signIns }));
}

/** The bytes at the end of each bucket: of the last day in it that was counted. */
async function lastStorage(reader: Reader, unit: Unit, { from, to }: Span): Promise<Map<string, Sums>> {
  const of = reader.scoped(statisticStorage);
  const rows = await reader
    .select({ day: of.day, storageBytes: total(of.bytes) })
    .from(of)
    .where(between(of.day, from, to))
    .groupBy(of.day)
    .orderBy(of.day);
  return new Map(rows.map(({ day, storageBytes }) => [unit === null ? WHOLE : bucketOf(unit, day), { storageBytes }]));
}

/** Different people by day, week or month, of whole ones alone. */
async function sumPeople(reader: Reader, unit: StatisticUnit, cut: Cut): Promise<Map<string, number>> {
  const of = reader.scoped(statisticPeople);
  const rows = await reader
    .select({ bucket: sql<string>`${of.day}::text`, people: total(of.people) })
    .from(of)
    .where(
      and(
        eq(of.unit, unit),
        between(of.day, cut.from, cut.to),
        eq(of.department, cut.department ?? ''),
        eq(of.type, cut.type ?? ''),
      ),
    )
    .groupBy(of.day);
  return new Map(rows.map(({ bucket, people }) => [bucket, people]));
}

/** Measures that are known in no row of this cut, whatever happened. */
function unknownIn({ department, type }: Cut): readonly Measure[] {
  return [
    ...(type === undefined ? [] : (['signIns'] as const)),
    ...(type === undefined && (department ?? '') === '' ? [] : (['storageBytes'] as const)),
  ];
}

const figuresOf = (sums: Sums, unknown: readonly Measure[]): StatisticFigures =>
  Object.fromEntries(
    MEASURES.map((measure) => [measure, unknown.includes(measure) ? null : (sums[measure] ?? 0)]),
  ) as StatisticFigures;

/** The figures of a period by day, week or month. People of a bucket that the period covers partly are not known. */
export async function readSeries(
  reader: Reader,
  unit: StatisticUnit,
  cut: Cut,
): Promise<{ start: string; figures: StatisticFigures }[]> {
  const unknown = unknownIn(cut);
  const maps = [
    await sumDays(reader, unit, cut),
    await sumQuality(reader, unit, cut),
    await sumUse(reader, unit, cut),
    await sumSignIns(reader, unit, cut),
    unknown.includes('storageBytes') ? new Map<string, Sums>() : await lastStorage(reader, unit, cut),
  ];
  const people = await sumPeople(reader, unit, cut);
  return bucketsOf(unit, cut).map((start) => {
    const whole = wholeSpan(unit, { from: start, to: start });
    const isWhole = whole.from >= cut.from && whole.to <= cut.to;
    const hasStorage = maps[4]?.has(start) ?? false;
    const own: Sums = Object.assign({}, ...maps.map((map) => map.get(start)), { people: people.get(start) ?? 0 });
    const missing: Measure[] = [
      ...unknown,
      ...(isWhole ? [] : (['people'] as const)),
      ...(hasStorage ? [] : (['storageBytes'] as const)),
    ];
    return { start, figures: figuresOf(own, missing) };
  });
}

/** The figures of a whole period. */
export async function readTotals(reader: Reader, cut: Cut): Promise<StatisticFigures> {
  const storage = await lastStorage(reader, null, cut);
  const parts = [
    await sumDays(reader, null, cut),
    await sumQuality(reader, null, cut),
    await sumUse(reader, null, cut),
    await sumSignIns(reader, null, cut),
    storage,
  ];
  const sums: Sums = Object.assign({}, ...parts.map((part) => part.get(WHOLE)));
  const unit = unitOf(cut);
  const people = unit && (await sumPeople(reader, unit, cut)).get(cut.from);
  return figuresOf({ ...sums, people: people ?? 0 }, [
    ...unknownIn(cut),
    ...(unit === null ? (['people'] as const) : []),
    ...(storage.size === 0 ? (['storageBytes'] as const) : []),
  ]);
}

/** When the newest figures were counted. */
export async function lastCounted(reader: Reader): Promise<Date | null> {
  const [row] = await reader.find(statisticCount, undefined, {
    orderBy: sql`${statisticCount.countedAt} desc`,
    limit: 1,
  });
  return row?.countedAt ?? null;
}
