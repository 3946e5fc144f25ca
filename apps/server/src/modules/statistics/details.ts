import { and, count, eq, gt, gte, isNull, lt, or, sql, type SQL, type Subquery } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Row, TenantTx } from '../../platform/db/index.ts';
import { session } from '../accounts/auth/tables.ts';
import { account } from '../accounts/users/tables.ts';
import { conference, conferenceCall, terminalSession } from '../conferences/tables.ts';
import { broadcast, broadcastViewer } from '../live/tables.ts';
import { meeting } from '../meetings/tables.ts';
import { recording } from '../recordings/tables.ts';
import { resourceBooking } from '../resources/tables.ts';
import { roomBooking } from '../rooms/tables.ts';
import { startOf, plusDays, type Span } from './calendar.ts';
import type { statisticDay, statisticSignIn, statisticUse } from './tables.ts';

/** Days of a tenant whose details are read. */
export interface Reading extends Span {
  timeZone: string;
  /** What runs still is counted up to now. */
  now: Date;
}

type DayRow = Omit<Row<typeof statisticDay>, 'tenantId'>;
/** Some columns of a day, department and type. */
export type DayPart = Pick<DayRow, 'day' | 'department' | 'type'> & Partial<DayRow>;
type UseRow = Omit<Row<typeof statisticUse>, 'tenantId'>;
type SignInRow = Omit<Row<typeof statisticSignIn>, 'tenantId'>;

/** How many rows of details each day has. */
export type Details = Map<string, number>;

const number = (value: SQL): SQL<number> => sql<number>`coalesce(${value}, 0)::bigint`.mapWith(Number);
const seconds = (interval: SQL): SQL => sql`round(extract(epoch from ${interval}))`;
/** Bound as text, because drivers send dates in the form of the machine. */
const moment = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`;

export const startsWithin = (at: PgColumn, { from, to, timeZone }: Omit<Reading, 'now'>): SQL =>
  sql`(${gte(at, startOf(from, timeZone))} and ${lt(at, startOf(plusDays(to, 1), timeZone))})`;

/** The local day of a moment. */
export const localDay = (at: PgColumn, timeZone: string): SQL.Aliased<string> =>
  sql<string>`(${at} at time zone ${timeZone})::date::text`.as('day');

export function addDetails<T extends { day: string }>(rows: readonly T[], of: (row: T) => number): Details {
  const details: Details = new Map();
  for (const row of rows) details.set(row.day, (details.get(row.day) ?? 0) + of(row));
  return details;
}

/** A source whose rows each belong to a day, department and type, as selects take it. */
interface Placed {
  day: Column;
  department: Column;
  type: Column;
}
type Column = PgColumn | SQL | SQL.Aliased;

/** Sums by day, department and type of what a source has, or of the rows of another one that belong to it. */
async function sumUp<Name extends Exclude<keyof DayRow, keyof Placed>>(
  tx: TenantTx,
  each: Subquery & Placed,
  sums: Record<Name, SQL<number>>,
  also?: { source: Subquery; on: SQL },
): Promise<(DayPart & Record<Name, number>)[]> {
  const { day, department, type } = each;
  const select = tx
    .select({ day, department, type, ...sums })
    .from(each)
    .$dynamic();
  if (also) select.innerJoin(also.source, also.on);
  return select.groupBy(day, department, type);
}

/** Meetings that were booked to begin in these days. */
export async function readBookings(tx: TenantTx, reading: Reading): Promise<{ rows: DayPart[]; details: Details }> {
  const [of, host] = [tx.scoped(meeting), tx.scoped(account)];
  const each = tx
    .select({
      day: localDay(of.startTime, reading.timeZone),
      department: host.department,
      type: of.type,
      cancelledAt: of.cancelledAt,
    })
    .from(of)
    .innerJoin(host, eq(host.id, of.hostId))
    .where(startsWithin(of.startTime, reading))
    .as('each_booking');
  const rows = await sumUp(tx, each, { booked: count(), cancelled: count(each.cancelledAt) });
  return { rows, details: addDetails(rows, ({ booked }) => booked) };
}

/** Conferences that began in these days, the terminals inside, and calls. */
export async function readMeetings(tx: TenantTx, reading: Reading): Promise<{ rows: DayPart[]; details: Details }> {
  const now = moment(reading.now);
  const [of, booked, host] = [tx.scoped(conference), tx.scoped(meeting), tx.scoped(account)];
  const each = tx
    .select({
      id: of.id,
      day: localDay(of.startedAt, reading.timeZone),
      department: host.department,
      type: of.type,
      endedAt: sql<Date>`coalesce(${of.endedAt}, ${now})`.as('ended_at'),
      startedAt: of.startedAt,
      peak: of.peakTerminals,
    })
    .from(of)
    .innerJoin(booked, eq(booked.id, of.meetingId))
    .innerJoin(host, eq(host.id, booked.hostId))
    .where(startsWithin(of.startedAt, reading))
    .as('each_conference');
  const held = await sumUp(tx, each, {
    meetings: count(),
    seconds: number(sql`sum(${seconds(sql`greatest(${each.endedAt} - ${each.startedAt}, interval '0')`)})`),
    peak: number(sql`max(${each.peak})`),
  });
  const inside = tx.scoped(terminalSession);
  const stay = sql`greatest(coalesce(${inside.leftAt}, ${each.endedAt}) - ${inside.firstInsideAt}, interval '0')`;
  const terminals = await sumUp(
    tx,
    each,
    { terminals: count(), terminalSeconds: number(sql`sum(${seconds(stay)})`) },
    { source: inside, on: sql`${inside.conferenceId} = ${each.id} and ${inside.firstInsideAt} is not null` },
  );
  const called = tx.scoped(conferenceCall);
  const calls = await sumUp(
    tx,
    each,
    { calls: count(), declined: count(called.declinedAt) },
    { source: called, on: eq(called.conferenceId, each.id) },
  );
  const details = addDetails<DayPart>([...held, ...terminals], (row) => (row.meetings ?? 0) + (row.terminals ?? 0));
  return { rows: merged([...held, ...terminals, ...calls]), details };
}

/** Rows of the same day, department and type as one. */
function merged(rows: readonly DayPart[]): DayPart[] {
  const byPlace = Map.groupBy(rows, ({ day, department, type }) => JSON.stringify([day, department, type]));
  return [...byPlace.values()].map((parts) => Object.assign({}, ...parts) as DayPart);
}

/** Recordings that began in these days. */
export async function readRecordings(tx: TenantTx, reading: Reading): Promise<{ rows: DayPart[]; details: Details }> {
  const [of, booked, host] = [tx.scoped(recording), tx.scoped(meeting), tx.scoped(account)];
  const each = tx
    .select({
      day: localDay(of.startedAt, reading.timeZone),
      department: host.department,
      type: booked.type,
      duration: of.duration,
      bytes: of.bytes,
    })
    .from(of)
    .innerJoin(booked, eq(booked.id, of.meetingId))
    .innerJoin(host, eq(host.id, of.hostId))
    .where(startsWithin(of.startedAt, reading))
    .as('each_recording');
  const rows = await sumUp(tx, each, {
    recordings: count(),
    recordedSeconds: number(sql`sum(round(${each.duration} / 1000.0))`),
    recordedBytes: number(sql`sum(${each.bytes})`),
  });
  return { rows, details: addDetails(rows, ({ recordings }) => recordings) };
}

/** Broadcasts that first went on air in these days, and their viewers. */
export async function readBroadcasts(tx: TenantTx, reading: Reading): Promise<{ rows: DayPart[]; details: Details }> {
  const [of, booked, host] = [tx.scoped(broadcast), tx.scoped(meeting), tx.scoped(account)];
  const each = tx
    .select({
      id: of.id,
      day: localDay(of.startedAt, reading.timeZone),
      department: host.department,
      type: booked.type,
    })
    .from(of)
    .innerJoin(booked, eq(booked.id, of.id))
    .innerJoin(host, eq(host.id, booked.hostId))
    .where(startsWithin(of.startedAt, reading))
    .as('each_broadcast');
  const aired = await sumUp(tx, each, { broadcasts: count() });
  const viewer = tx.scoped(broadcastViewer);
  const viewers = await sumUp(
    tx,
    each,
    { viewers: count(), watchedSeconds: number(sql`sum(round(${viewer.watched} / 1000.0))`) },
    { source: viewer, on: eq(viewer.broadcastId, each.id) },
  );
  const details = addDetails<DayPart>([...aired, ...viewers], (row) => (row.broadcasts ?? 0) + (row.viewers ?? 0));
  return { rows: merged([...aired, ...viewers]), details };
}

/** Bookings of rooms and resources, except those that were released before they began. */
export async function readUse(
  tx: TenantTx,
  kind: UseRow['kind'],
  reading: Reading,
): Promise<{ rows: UseRow[]; details: Details }> {
  const [ofRoom, ofResource] = [tx.scoped(roomBooking), tx.scoped(resourceBooking)];
  // The columns that are read have the same names and types in both.
  const of = kind === 'room' ? ofRoom : (ofResource as unknown as typeof ofRoom);
  const [booked, host] = [tx.scoped(meeting), tx.scoped(account)];
  const each = tx
    .select({
      day: localDay(of.startTime, reading.timeZone),
      subjectId: sql<string>`${kind === 'room' ? ofRoom.roomId : ofResource.resourceId}`.as('subject_id'),
      department: host.department,
      type: booked.type,
      seconds: sql<number>`${seconds(sql`least(coalesce(${of.releasedAt}, ${of.endTime}), ${of.endTime}) -
        ${of.startTime}`)}`.as('seconds'),
      ports: sql<number>`${kind === 'room' ? sql`0` : ofResource.ports}`.as('ports'),
    })
    .from(of)
    .innerJoin(booked, eq(booked.id, of.meetingId))
    .innerJoin(host, eq(host.id, booked.hostId))
    .where(and(startsWithin(of.startTime, reading), or(isNull(of.releasedAt), gt(of.releasedAt, of.startTime))))
    .as('each_use');
  const rows = await tx
    .select({
      day: each.day,
      subjectId: each.subjectId,
      department: each.department,
      type: each.type,
      bookings: count(),
      seconds: number(sql`sum(${each.seconds})`),
      portSeconds: number(sql`sum(${each.seconds} * ${each.ports})`),
    })
    .from(each)
    .groupBy(each.day, each.subjectId, each.department, each.type);
  return {
    rows: rows.map((row) => Object.assign(row, { kind })),
    details: addDetails(rows, ({ bookings }) => bookings),
  };
}

/** Sign-ins of these days. */
export async function readSignIns(tx: TenantTx, reading: Reading): Promise<{ rows: SignInRow[]; details: Details }> {
  const [of, person] = [tx.scoped(session), tx.scoped(account)];
  const each = tx
    .select({
      day: localDay(of.createdAt, reading.timeZone),
      department: person.department,
      method: of.method,
    })
    .from(of)
    .innerJoin(person, eq(person.id, of.accountId))
    .where(startsWithin(of.createdAt, reading))
    .as('each_session');
  const rows = await tx
    .select({ day: each.day, department: each.department, method: each.method, count: count() })
    .from(each)
    .groupBy(each.day, each.department, each.method);
  return { rows, details: addDetails(rows, (row) => row.count) };
}
