import { eq, inArray, and, sql } from 'drizzle-orm';
import { STATISTICS_LIMITS, type Measure, type StatisticDimension, type StatisticPart } from '@rmeet/contract';
import { tenant } from '../accounts/tenants/tables.ts';
import { meetingResource } from '../resources/tables.ts';
import { room } from '../rooms/tables.ts';
import { unitOf } from './calendar.ts';
import {
  dayFigures,
  daySums,
  isSingle,
  minutesOf,
  ofDepartment,
  qualityFigures,
  total,
  within,
  type Cut,
  type Reader,
} from './figures.ts';
import {
  statisticDay,
  statisticPeople,
  statisticQuality,
  statisticSignIn,
  statisticStorage,
  statisticUse,
} from './tables.ts';

type Figures = StatisticPart['figures'];
/** One part without a name that only the database knows. */
type Found = { key: string; figures: Figures };

/** By which measure the parts of a dimension are ordered. */
const ORDER: Record<StatisticDimension, Measure> = {
  department: 'meetings',
  type: 'meetings',
  tenant: 'meetings',
  room: 'roomMinutes',
  resource: 'portMinutes',
  cause: 'badMinutes',
  qualityDepartment: 'badMinutes',
  network: 'badMinutes',
  device: 'badMinutes',
  method: 'signIns',
  storage: 'storageBytes',
};

/**
 * The part of a department that a path belongs to: the next level below it; for people directly in it `<path>/`, in no
 * department `/`.
 */
export function childOf(path: string, department: string): string {
  const rest = department === '' ? path : path.slice(department.length + 1);
  const next = path === department ? '' : (rest.split('/')[0] ?? '');
  return next === '' ? `${department}/` : department === '' ? next : `${department}/${next}`;
}

/** Different people by department or type, if the period is one day, week or month. */
async function peopleBy(
  reader: Reader,
  cut: Cut,
  column: 'department' | 'type',
): Promise<ReadonlyMap<string, number> | null> {
  const unit = unitOf(cut);
  if (unit === null) return null;
  const of = reader.scoped(statisticPeople);
  const other = column === 'department' ? eq(of.type, cut.type ?? '') : eq(of.department, cut.department ?? '');
  const rows = await reader
    .select({ key: of[column], people: total(of.people) })
    .from(of)
    .where(and(eq(of.unit, unit), eq(of.day, cut.from), other))
    .groupBy(of[column]);
  return new Map(rows.map(({ key, people }) => [key, people]));
}

const withPeople = (rows: readonly Found[], people: ReadonlyMap<string, number> | null): Found[] =>
  rows.map(({ key, figures }) => ({
    key,
    figures: {
      ...figures,
      people: people === null ? null : (people.get(key) ?? people.get(key.replace(/\/$/, '')) ?? 0),
    },
  }));

/** Sums of the same key as one. */
function folded<T extends Record<string, number>>(rows: readonly (readonly [string, T])[]): Map<string, T> {
  const found = new Map<string, T>();
  for (const [key, values] of rows) {
    const known: Record<string, number> = found.get(key) ?? {};
    const sums = Object.entries(values).map(([name, value]) => [
      name,
      name === 'peak' ? Math.max(known[name] ?? 0, value) : (known[name] ?? 0) + value,
    ]);
    found.set(key, Object.fromEntries(sums) as T);
  }
  return found;
}

async function byDepartment(reader: Reader, cut: Cut): Promise<Found[]> {
  const top = cut.department ?? '';
  const of = reader.scoped(statisticDay);
  const rows = await reader
    .select({ department: of.department, ...daySums(of) })
    .from(of)
    .where(and(within(of, cut), isSingle(of.department)))
    .groupBy(of.department);
  const parts = folded(rows.map(({ department, ...sums }) => [childOf(department, top), sums] as const));
  const found = [...parts].map(([key, sums]) => ({ key, figures: dayFigures(sums) }));
  return withPeople(found, await peopleBy(reader, cut, 'department'));
}

async function byType(reader: Reader, cut: Cut): Promise<Found[]> {
  const of = reader.scoped(statisticDay);
  const rows = await reader
    .select({ key: of.type, ...daySums(of) })
    .from(of)
    .where(and(within({ day: of.day, type: of.type }, cut), ofDepartment(of.department, cut)))
    .groupBy(of.type);
  const found = rows.map(({ key, ...sums }) => ({ key, figures: dayFigures(sums) }));
  return withPeople(found, await peopleBy(reader, cut, 'type'));
}

async function byTenant(reader: Reader, cut: Cut): Promise<Found[]> {
  const of = reader.scoped(statisticDay);
  const rows = await reader
    .select({ key: of.tenantId, ...daySums(of) })
    .from(of)
    .where(and(within({ day: of.day, type: of.type }, cut), ofDepartment(of.department, cut)))
    .groupBy(of.tenantId);
  return rows.map(({ key, ...sums }) => ({ key, figures: dayFigures(sums) }));
}

async function byUse(reader: Reader, cut: Cut, kind: 'room' | 'resource'): Promise<Found[]> {
  const of = reader.scoped(statisticUse);
  const rows = await reader
    .select({
      key: of.subjectId,
      bookings: total(of.bookings),
      seconds: total(of.seconds),
      portSeconds: total(of.portSeconds),
    })
    .from(of)
    .where(and(eq(of.kind, kind), within(of, cut)))
    .groupBy(of.subjectId);
  return rows.map(({ key, bookings, seconds, portSeconds }) => ({
    key,
    figures:
      kind === 'room'
        ? { roomBookings: bookings, roomMinutes: minutesOf(seconds) }
        : { resourceBookings: bookings, portMinutes: minutesOf(portSeconds) },
  }));
}

async function byQuality(
  reader: Reader,
  cut: Cut,
  dimension: 'cause' | 'network' | 'device' | 'department',
): Promise<Found[]> {
  const of = reader.scoped(statisticQuality);
  const column = of[dimension];
  const rows = await reader
    .select({
      key: sql<string>`${column}::text`,
      terminals: total(of.terminals),
      good: total(of.good),
      fair: total(of.fair),
      poor: total(of.poor),
    })
    .from(of)
    .where(and(within(of, cut), isSingle(of.department)))
    .groupBy(column);
  const parts = rows.map(({ key, ...sums }) => {
    const part = dimension === 'department' ? childOf(key, cut.department ?? '') : key;
    return [part, sums] as const;
  });
  return [...folded(parts)].map(([key, { terminals, ...scores }]) => ({
    key,
    figures: { terminals, ...qualityFigures(scores) },
  }));
}

async function byMethod(reader: Reader, cut: Cut): Promise<Found[]> {
  if (cut.type !== undefined) return [];
  const of = reader.scoped(statisticSignIn);
  const rows = await reader
    .select({ key: of.method, signIns: total(of.count) })
    .from(of)
    .where(and(within({ day: of.day }, cut), ofDepartment(of.department, cut)))
    .groupBy(of.method);
  return rows.map(({ key, signIns }) => ({ key, figures: { signIns } }));
}

/** As of the last day of the period that was counted. */
async function byStorage(reader: Reader, cut: Cut): Promise<Found[]> {
  if (cut.type !== undefined || (cut.department ?? '') !== '') return [];
  const of = reader.scoped(statisticStorage);
  const rows = await reader
    .select({ day: of.day, key: of.kind, storageBytes: total(of.bytes) })
    .from(of)
    .where(within({ day: of.day }, cut))
    .groupBy(of.day, of.kind);
  const last = rows.reduce((latest, { day }) => (day > latest ? day : latest), '');
  return rows.filter(({ day }) => day === last).map(({ key, storageBytes }) => ({ key, figures: { storageBytes } }));
}

function read(reader: Reader, dimension: StatisticDimension, cut: Cut): Promise<Found[]> {
  switch (dimension) {
    case 'department':
      return byDepartment(reader, cut);
    case 'type':
      return byType(reader, cut);
    case 'tenant':
      return byTenant(reader, cut);
    case 'room':
    case 'resource':
      return byUse(reader, cut, dimension);
    case 'qualityDepartment':
      return byQuality(reader, cut, 'department');
    case 'cause':
    case 'network':
    case 'device':
      return byQuality(reader, cut, dimension);
    case 'method':
      return byMethod(reader, cut);
    case 'storage':
      return byStorage(reader, cut);
  }
}

/** The names of rooms, resources and tenants; of deleted ones, too. */
async function namesOf(
  reader: Reader,
  dimension: StatisticDimension,
  keys: string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  if (dimension === 'room')
    return new Map((await reader.find(room, inArray(room.id, keys))).map(({ id, name }) => [id, name]));
  if (dimension === 'resource')
    return new Map(
      (await reader.find(meetingResource, inArray(meetingResource.id, keys))).map(({ id, name }) => [id, name]),
    );
  if (dimension === 'tenant')
    return new Map(
      (await reader.find(tenant, inArray(tenant.tenantId, keys))).map(({ tenantId, name }) => [tenantId, name]),
    );
  return new Map();
}

/** The parts of a period, the largest first. */
export async function readBreakdown(
  reader: Reader,
  dimension: StatisticDimension,
  cut: Cut,
): Promise<{ parts: StatisticPart[]; isCut: boolean }> {
  const order = ORDER[dimension];
  const found = (await read(reader, dimension, cut)).toSorted(
    (a, b) => (b.figures[order] ?? 0) - (a.figures[order] ?? 0) || (a.key < b.key ? -1 : 1),
  );
  const shown = found.slice(0, STATISTICS_LIMITS.rows);
  const names = await namesOf(
    reader,
    dimension,
    shown.map(({ key }) => key),
  );
  return {
    parts: shown.map(({ key, figures }) => ({ key, name: names.get(key) ?? '', figures })),
    isCut: found.length > shown.length,
  };
}
