import { and, asc, eq, gte, inArray, isNotNull, isNull, or, sql, sum, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { ONE_DAY, STATISTIC_UNITS, STORAGE_KINDS, type StatisticUnit, type StorageKind } from '@rmeet/contract';
import { allOf } from '../../platform/db/conditions.ts';
import { holdKey, type TenantTable, type TenantTx } from '../../platform/db/index.ts';
import { session } from '../accounts/auth/tables.ts';
import { conference } from '../conferences/tables.ts';
import { storedFile } from '../files/tables.ts';
import { broadcast } from '../live/tables.ts';
import { meeting, meetingFile } from '../meetings/tables.ts';
import { recording, recordingExport } from '../recordings/tables.ts';
import { resourceBooking } from '../resources/tables.ts';
import { roomBooking } from '../rooms/tables.ts';
import { bucketsOf, dayOf, earlier, plusDays, type Span } from './calendar.ts';
import {
  readBookings,
  readBroadcasts,
  readMeetings,
  readRecordings,
  readSignIns,
  readUse,
  type DayPart,
  type Details,
  type Reading,
} from './details.ts';
import { readPeople } from './people.ts';
import { readQuality } from './quality.ts';
import { together } from './together.ts';
import {
  ALL,
  ALL_DEVICES,
  statisticCount,
  statisticDay,
  statisticPeople,
  statisticQuality,
  statisticSignIn,
  statisticStorage,
  statisticUse,
  type StatisticPartName,
} from './tables.ts';

/** Days that are counted at each run, because what they count may still change: today and the days before it. */
const OPEN_DAYS = 3;
const LONGEST_RUN = 31 * ONE_DAY;
/** Rows of one statement. */
const BATCH = 5_000;

type Part = Exclude<StatisticPartName, 'storage'>;
type PeoplePart = `people.${StatisticUnit}`;
type OtherPart = Exclude<Part, PeoplePart>;
/** Bookings can be moved to another day, so that days have fewer although nothing was deleted. */
const MOVABLE: ReadonlySet<Part> = new Set(['bookings', 'rooms', 'resources']);

/** The columns of a day that each part counts. */
const COLUMNS = {
  bookings: ['booked', 'cancelled'],
  meetings: ['meetings', 'seconds', 'terminals', 'terminalSeconds', 'peak', 'calls', 'declined'],
  recordings: ['recordings', 'recordedSeconds', 'recordedBytes'],
  broadcasts: ['broadcasts', 'viewers', 'watchedSeconds'],
} as const satisfies Partial<Record<Part, readonly (keyof DayPart)[]>>;

export interface Recount {
  /** Parts of days. */
  counted: number;
  /** Parts of days whose details were deleted, at least partly. */
  kept: number;
}

async function inBatches<T>(rows: readonly T[], insert: (batch: T[]) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < rows.length; i += BATCH) await insert(rows.slice(i, i + BATCH));
}

const onDays = (column: PgColumn, days: readonly string[]) => inArray(column, [...days]);

/** Sets the columns of one part to 0. Rows that have nothing in them are not written again. */
async function clearDays(tx: TenantTx, part: keyof typeof COLUMNS, where: SQL): Promise<void> {
  const columns: readonly (keyof DayPart)[] = COLUMNS[part];
  const isFilled = sql.join(
    columns.map((column) => sql`${statisticDay[column]} <> 0`),
    sql` or `,
  );
  await tx.update(statisticDay, Object.fromEntries(columns.map((column) => [column, 0])), allOf(where, isFilled));
}

/** Replaces the columns of one part in these days. */
async function storeDays(
  tx: TenantTx,
  part: keyof typeof COLUMNS,
  days: readonly string[],
  rows: readonly DayPart[],
): Promise<void> {
  const columns: readonly (keyof DayPart)[] = COLUMNS[part];
  await clearDays(tx, part, onDays(statisticDay.day, days));
  const set = Object.fromEntries(columns.map((column) => [column, sql.raw(`excluded."${statisticDay[column].name}"`)]));
  const filled = rows.map(({ day, department, type, ...sums }) => ({
    day,
    department,
    type,
    ...Object.fromEntries(columns.map((column) => [column, sums[column as keyof typeof sums] ?? 0])),
  }));
  await inBatches(filled, (batch) =>
    tx.insertMany(statisticDay, batch, {
      target: [statisticDay.tenantId, statisticDay.day, statisticDay.department, statisticDay.type],
      set,
    }),
  );
}

/** Replaces the rows of a table in these days. */
async function storeRows(
  tx: TenantTx,
  table: TenantTable & { day: PgColumn },
  days: readonly string[],
  rows: readonly object[],
  also = sql`true`,
): Promise<void> {
  await tx.delete(table, allOf(onDays(table.day, days), also));
  await inBatches(rows, (batch) => tx.insertMany(table, batch as never));
}

interface Counted {
  details: Details;
  /** Stores the rows of the days that are to be replaced. */
  store: (days: readonly string[]) => Promise<void>;
}

const ofDays = <T extends { day: string }>(rows: readonly T[], days: readonly string[]): T[] => {
  const wanted = new Set(days);
  return rows.filter(({ day }) => wanted.has(day));
};

const READ_DAYS = {
  bookings: readBookings,
  meetings: readMeetings,
  recordings: readRecordings,
  broadcasts: readBroadcasts,
};

/** What the details of a part say now. */
async function read(tx: TenantTx, part: OtherPart, reading: Reading): Promise<Counted> {
  switch (part) {
    case 'bookings':
    case 'meetings':
    case 'recordings':
    case 'broadcasts': {
      const { rows, details } = await READ_DAYS[part](tx, reading);
      const all = together(rows, ['day', 'type'], { department: ALL });
      return { details, store: (days) => storeDays(tx, part, days, ofDays([...rows, ...all], days)) };
    }
    case 'quality': {
      const { rows, details } = await readQuality(tx, reading);
      const whole = { department: ALL, cause: 'none', network: ALL, device: ALL_DEVICES } as const;
      const all = together(rows, ['day', 'type'], whole);
      return { details, store: (days) => storeRows(tx, statisticQuality, days, ofDays([...rows, ...all], days)) };
    }
    case 'rooms':
    case 'resources': {
      const kind = part === 'rooms' ? 'room' : 'resource';
      const { rows, details } = await readUse(tx, kind, reading);
      const also = eq(statisticUse.kind, kind);
      return { details, store: (days) => storeRows(tx, statisticUse, days, ofDays(rows, days), also) };
    }
    case 'signIns': {
      const { rows, details } = await readSignIns(tx, reading);
      const all = together(rows, ['day', 'method'], { department: ALL });
      return { details, store: (days) => storeRows(tx, statisticSignIn, days, ofDays([...rows, ...all], days)) };
    }
  }
}

/** The people of all three units, which are read together. */
async function readPeopleParts(tx: TenantTx, reading: Reading): Promise<[PeoplePart, Counted][]> {
  const people = await readPeople(tx, reading);
  return STATISTIC_UNITS.map((unit) => {
    const { rows, details } = people[unit];
    const also = eq(statisticPeople.unit, unit);
    const store = (days: readonly string[]) => storeRows(tx, statisticPeople, days, ofDays(rows, days), also);
    return [`people.${unit}`, { details, store }];
  });
}

const unitOfPart = (part: PeoplePart): StatisticUnit =>
  STATISTIC_UNITS.find((unit) => part === `people.${unit}`) ?? 'day';
/** The days under which a part is stored. */
const daysOfPart = (part: Part, span: Span): string[] =>
  bucketsOf(part.startsWith('people.') ? unitOfPart(part as PeoplePart) : 'day', span);

/** Counts one part of a span again, except for days with fewer details than they were counted from. */
async function countPart(tx: TenantTx, part: Part, reading: Reading, { details, store }: Counted): Promise<Recount> {
  const days = daysOfPart(part, reading);
  const known = new Map(
    (await tx.find(statisticCount, and(eq(statisticCount.part, part), onDays(statisticCount.day, days)))).map((row) => [
      row.day,
      row.details,
    ]),
  );
  const openFrom = plusDays(dayOf(reading.now, reading.timeZone), -OPEN_DAYS);
  const isWhole = (day: string): boolean =>
    (details.get(day) ?? 0) >= (known.get(day) ?? 0) || (MOVABLE.has(part) && day >= openFrom);
  // Days without any details and rows need no note that they were counted.
  const due = days.filter((day) => details.has(day) || known.has(day));
  const counted = due.filter(isWhole);
  if (counted.length > 0) {
    await store(counted);
    await inBatches(counted, (batch) =>
      tx.insertMany(
        statisticCount,
        batch.map((day) => ({ part, day, details: details.get(day) ?? 0, countedAt: reading.now })),
        {
          target: [statisticCount.tenantId, statisticCount.part, statisticCount.day],
          set: { details: sql`excluded.details`, countedAt: sql`excluded.counted_at` },
        },
      ),
    );
  }
  return { counted: counted.length, kept: due.length - counted.length };
}

const OTHER_PARTS: readonly OtherPart[] = [
  'bookings',
  'meetings',
  'quality',
  'recordings',
  'broadcasts',
  'rooms',
  'resources',
  'signIns',
];

/** Counts days of a tenant from their details. Two calls for one tenant wait for each other. */
export async function countSpan(tx: TenantTx, reading: Reading): Promise<Recount> {
  await holdKey(tx, `statistics ${tx.tenantId}`);
  const total: Recount = { counted: 0, kept: 0 };
  const add = async (part: Part, now: Counted): Promise<void> => {
    const { counted, kept } = await countPart(tx, part, reading, now);
    total.counted += counted;
    total.kept += kept;
  };
  for (const part of OTHER_PARTS) await add(part, await read(tx, part, reading));
  for (const [part, now] of await readPeopleParts(tx, reading)) await add(part, now);
  return total;
}

const SIZES: Record<StorageKind, { table: PgTable & { tenantId: PgColumn }; bytes: PgColumn }> = {
  recordings: { table: recording, bytes: recording.bytes },
  exports: { table: recordingExport, bytes: recordingExport.bytes },
  chatFiles: { table: storedFile, bytes: storedFile.size },
  meetingFiles: { table: meetingFile, bytes: meetingFile.size },
};

/** Notes what is stored now, as the value of today. */
export async function countStorage(tx: TenantTx, { now, timeZone }: Pick<Reading, 'now' | 'timeZone'>): Promise<void> {
  const day = dayOf(now, timeZone);
  for (const kind of STORAGE_KINDS) {
    const { table, bytes } = SIZES[kind];
    const source = tx.scoped(table as typeof recording);
    const column = source[bytes.name as 'bytes'];
    const [row] = await tx.select({ total: sum(column) }).from(source);
    const values = { day, kind, bytes: Number(row?.total ?? 0) };
    await tx.insert(statisticStorage, values, {
      target: [statisticStorage.tenantId, statisticStorage.day, statisticStorage.kind],
      set: { bytes: values.bytes },
    });
  }
  await tx.insert(
    statisticCount,
    { part: 'storage', day, details: 0, countedAt: now },
    {
      target: [statisticCount.tenantId, statisticCount.part, statisticCount.day],
      set: { countedAt: now },
    },
  );
}

/** Where the details of each part begin. */
const SOURCES: readonly { parts: readonly Part[]; table: TenantTable; at: PgColumn }[] = [
  { parts: ['bookings'], table: meeting, at: meeting.startTime },
  {
    parts: ['meetings', 'quality', 'people.day', 'people.week', 'people.month'],
    table: conference,
    at: conference.startedAt,
  },
  { parts: ['recordings'], table: recording, at: recording.startedAt },
  { parts: ['broadcasts'], table: broadcast, at: broadcast.startedAt },
  { parts: ['rooms'], table: roomBooking, at: roomBooking.startTime },
  { parts: ['resources'], table: resourceBooking, at: resourceBooking.startTime },
  { parts: ['signIns'], table: session, at: session.createdAt },
];

/** The day of the oldest detail of each source; those without any are left out. */
async function firstDays(tx: TenantTx, timeZone: string): Promise<{ parts: readonly Part[]; day: string }[]> {
  const found: { parts: readonly Part[]; day: string }[] = [];
  for (const { parts, table, at } of SOURCES) {
    const [row] = (await tx.find(table, isNotNull(at), { orderBy: asc(at), limit: 1 })) as Record<string, unknown>[];
    const key = Object.entries(table).find(([, column]) => column === at)?.[0] ?? '';
    if (row) found.push({ parts, day: dayOf(row[key] as Date, timeZone) });
  }
  return found;
}

/** The day of the oldest detail; undefined if there is none. */
export async function firstDay(tx: TenantTx, timeZone: string): Promise<string | undefined> {
  const [first, ...others] = (await firstDays(tx, timeZone)).map(({ day }) => day);
  return first && others.reduce(earlier, first);
}

const TABLE_OF: Partial<Record<Part, TenantTable & { day: PgColumn }>> = {
  quality: statisticQuality,
  signIns: statisticSignIn,
};

/** Deletes the figures of days after the first whose details are there, so that other days can take their place. */
export async function forgetDetailed(tx: TenantTx, timeZone: string): Promise<void> {
  const after = (column: PgColumn, day: string) => sql`${column} > ${day}::date`;
  for (const { parts, day } of await firstDays(tx, timeZone)) {
    for (const part of parts) {
      await tx.delete(statisticCount, allOf(eq(statisticCount.part, part), after(statisticCount.day, day)));
      const table = TABLE_OF[part];
      if (part in COLUMNS) await clearDays(tx, part as keyof typeof COLUMNS, after(statisticDay.day, day));
      else if (table) await tx.delete(table, after(table.day, day));
      else if (part === 'rooms' || part === 'resources') {
        const kind = part === 'rooms' ? 'room' : 'resource';
        await tx.delete(statisticUse, allOf(eq(statisticUse.kind, kind), after(statisticUse.day, day)));
      } else {
        const unit = unitOfPart(part as PeoplePart);
        await tx.delete(statisticPeople, allOf(eq(statisticPeople.unit, unit), after(statisticPeople.day, day)));
      }
    }
  }
}

/** The first day that a run counts: those before it cannot have changed since the last run. */
export async function dueFrom(tx: TenantTx, { now, timeZone }: Pick<Reading, 'now' | 'timeZone'>): Promise<string> {
  const today = dayOf(now, timeZone);
  const [last] = await tx.find(statisticCount, eq(statisticCount.part, 'storage'), {
    orderBy: sql`${statisticCount.day} desc`,
    limit: 1,
  });
  if (!last) return (await firstDay(tx, timeZone)) ?? today;
  // A conference that has run for longer than a month is counted again when it has ended, by hand.
  const changed = and(
    gte(conference.startedAt, new Date(now.getTime() - LONGEST_RUN)),
    or(isNull(conference.endedAt), gte(conference.endedAt, new Date(last.countedAt.getTime() - ONE_DAY))),
  );
  const [open] = await tx.find(conference, changed, { orderBy: asc(conference.startedAt), limit: 1 });
  const always = plusDays(earlier(today, last.day), -OPEN_DAYS);
  return open ? earlier(always, dayOf(open.startedAt, timeZone)) : always;
}
