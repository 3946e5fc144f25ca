import { and, count, eq, gt, gte, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
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
import type { statisticDay, statisticPeople, statisticSignIn, statisticUse } from './tables.ts';

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
type PeopleRow = Omit<Row<typeof statisticPeople>, 'tenantId'>;

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
  const rows = await tx
    .select({
      day: each.day,
      department: each.department,
      type: each.type,
      booked: count(),
      cancelled: count(each.cancelledAt),
    })
    .from(each)
    .groupBy(each.day, each.department, each.type);
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
  const place = { day: each.day, department: each.department, type: each.type };
  const held = await tx
    .select({
      ...place,
      meetings: count(),
      seconds: number(sql`sum(${seconds(sql`greatest(${each.endedAt} - ${each.startedAt}, interval '0')`)})`),
      peak: number(sql`max(${each.peak})`),
    })
    .from(each)
    .groupBy(each.day, each.department, each.type);
  const inside = tx.scoped(terminalSession);
  const stay = sql`greatest(coalesce(${inside.leftAt}, ${each.endedAt}) - ${inside.firstInsideAt}, interval '0')`;
  const terminals = await tx
    .select({ ...place, terminals: count(), terminalSeconds: number(sql`sum(${seconds(stay)})`) })
    .from(each)
    .innerJoin(inside, and(eq(inside.conferenceId, each.id), isNotNull(inside.firstInsideAt)))
    .groupBy(each.day, each.department, each.type);
  const called = tx.scoped(conferenceCall);
  const calls = await tx
    .select({ ...place, calls: count(), declined: count(called.declinedAt) })
    .from(each)
    .innerJoin(called, eq(called.conferenceId, each.id))
    .groupBy(each.day, each.department, each.type);
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
  const rows = await tx
    .select({
      day: each.day,
      department: each.department,
      type: each.type,
      recordings: count(),
      recordedSeconds: number(sql`sum(round(${each.duration} / 1000.0))`),
      recordedBytes: number(sql`sum(${each.bytes})`),
    })
    .from(each)
    .groupBy(each.day, each.department, each.type);
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
  const place = { day: each.day, department: each.department, type: each.type };
  const aired = await tx
    .select({ ...place, broadcasts: count() })
    .from(each)
    .groupBy(each.day, each.department, each.type);
  const viewer = tx.scoped(broadcastViewer);
  const viewers = await tx
    .select({ ...place, viewers: count(), watchedSeconds: number(sql`sum(round(${viewer.watched} / 1000.0))`) })
    .from(each)
    .innerJoin(viewer, eq(viewer.broadcastId, each.id))
    .groupBy(each.day, each.department, each.type);
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

/**
 * The departments under which people of one are counted: the whole tenant, each department above it, itself with all
 * below it, and itself alone (`path/`).
 */
const nodesOf = (department: SQL | PgColumn): SQL<string> => sql<string>`unnest(array['', ${department} || '/'] ||
  coalesce((select array_agg(array_to_string((string_to_array(${department}, '/'))[1:level], '/'))
    from generate_subscripts(string_to_array(${department}, '/'), 1) as level), '{}'))`;

/** Different people of each day, week or month; `reading` covers whole ones. */
export async function readPeople(
  tx: TenantTx,
  unit: PeopleRow['unit'],
  reading: Reading,
): Promise<{ rows: PeopleRow[]; details: Details }> {
  const [of, booked, host] = [tx.scoped(conference), tx.scoped(meeting), tx.scoped(account)];
  const inside = tx.scoped(terminalSession);
  const each = tx
    .select({
      day: sql<string>`date_trunc('${sql.raw(unit)}', ${of.startedAt} at time zone ${reading.timeZone})::date::text`.as(
        'day',
      ),
      department: host.department,
      type: of.type,
      // As the history tells people apart (personOf).
      person: sql<string>`coalesce(${inside.accountId}::text, ${inside.deviceMark}, ${inside.guestTokenId}::text,
        ${inside.termId})`.as('person'),
    })
    .from(of)
    .innerJoin(inside, and(eq(inside.conferenceId, of.id), isNotNull(inside.firstInsideAt)))
    .innerJoin(booked, eq(booked.id, of.meetingId))
    .innerJoin(host, eq(host.id, booked.hostId))
    .where(startsWithin(of.startedAt, reading))
    .as('each_stay');
  const detailRows = await tx.select({ day: each.day, stays: count() }).from(each).groupBy(each.day);
  const once = tx
    .select({ day: each.day, department: each.department, type: each.type, person: each.person })
    .from(each)
    .groupBy(each.day, each.department, each.type, each.person)
    .as('once');
  const inNodes = tx
    .select({ day: once.day, person: once.person, type: once.type, node: nodesOf(once.department).as('node') })
    .from(once)
    .as('in_nodes');
  const inTypes = tx
    .select({
      day: inNodes.day,
      person: inNodes.person,
      node: inNodes.node,
      kind: sql<string>`unnest(array[${inNodes.type}, ''])`.as('kind'),
    })
    .from(inNodes)
    .as('in_types');
  const rows = await tx
    .select({
      day: inTypes.day,
      department: inTypes.node,
      type: inTypes.kind,
      people: sql<number>`count(distinct ${inTypes.person})`.mapWith(Number),
    })
    .from(inTypes)
    .groupBy(inTypes.day, inTypes.node, inTypes.kind);
  return {
    rows: rows.map((row) => Object.assign(row, { unit })),
    details: addDetails(detailRows, ({ stays }) => stays),
  };
}
