import { and, asc, between, count, desc, eq, gte, ilike, inArray, lt, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { ONE_DAY, TOTAL_COUNT_LIMIT, type contract, type CountedMeeting, type Input } from '@rmeet/contract';
import { containing } from '../../platform/db/index.ts';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';
import { conference, terminalSession } from '../conferences/tables.ts';
import { terminalQuality } from '../history/tables.ts';
import { meeting } from '../meetings/tables.ts';
import { DEFAULT_ZONE, plusDays, startOf } from './calendar.ts';
import { inDepartment, minutesOf, total, type Reader } from './figures.ts';
import { statisticSetting } from './tables.ts';

type ListQuery = Omit<Input<typeof contract.statistics.meetings>['query'], 'tenantId'>;

type Listed = Omit<CountedMeeting, 'startedAt' | 'minutes' | 'terminals' | 'badMinutes'> & {
  startedAt: Date;
  endedAt: Date | null;
};

/** Time zones are less than a day apart from UTC. */
const FARTHEST_ZONE = ONE_DAY;
const REPORT_SECONDS = 2;

/** Terminals inside and bad seconds of conferences. */
async function terminalsOf(
  reader: Reader,
  ids: string[],
): Promise<Map<string, { terminals: number; badSeconds: number }>> {
  if (ids.length === 0) return new Map();
  const [inside, quality] = [reader.scoped(terminalSession), reader.scoped(terminalQuality)];
  const rows = await reader
    .select({
      id: inside.conferenceId,
      terminals: count(),
      badSeconds: total(sql`(${quality.summary} -> 'scores' ->> 'poor')::int * ${REPORT_SECONDS}::int`),
    })
    .from(inside)
    .leftJoin(quality, eq(quality.termId, inside.termId))
    .where(and(inArray(inside.conferenceId, ids), sql`${inside.firstInsideAt} is not null`))
    .groupBy(inside.conferenceId);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

const contains =
  (keyword: string) =>
  (column: PgColumn): SQL =>
    ilike(column, containing(keyword));

/** The conferences of a cut, each by the days of its tenant's time zone. */
function listBehind(reader: Reader, cut: ListQuery, now: Date) {
  const [of, booked, host, owner, settings] = [
    reader.scoped(conference),
    reader.scoped(meeting),
    reader.scoped(account),
    reader.scoped(tenant),
    reader.scoped(statisticSetting),
  ];
  const zone = sql`coalesce(${settings.timeZone}, ${DEFAULT_ZONE})`;
  const where = and(
    // So that the index by start is used.
    gte(of.startedAt, new Date(startOf(cut.from, 'UTC').getTime() - FARTHEST_ZONE)),
    lt(of.startedAt, new Date(startOf(plusDays(cut.to, 1), 'UTC').getTime() + FARTHEST_ZONE)),
    between(sql`(${of.startedAt} at time zone ${zone})::date`, sql`${cut.from}::date`, sql`${cut.to}::date`),
    inDepartment(host.department, cut.department),
    cut.type && eq(of.type, cut.type),
    cut.keyword ? or(...[booked.subject, booked.number, host.name].map(contains(cut.keyword))) : undefined,
  );
  const direction = cut.order === 'ASC' ? asc : desc;
  const minutes = sql`coalesce(${of.endedAt}, ${now.toISOString()}::timestamptz) - ${of.startedAt}`;
  return reader
    .select({
      id: of.id,
      numericId: booked.number,
      subject: booked.subject,
      type: of.type,
      tenantName: owner.name,
      host: host.name,
      department: host.department,
      startedAt: of.startedAt,
      endedAt: of.endedAt,
    })
    .from(of)
    .innerJoin(booked, eq(booked.id, of.meetingId))
    .innerJoin(host, eq(host.id, booked.hostId))
    .innerJoin(owner, eq(owner.tenantId, of.tenantId))
    .leftJoin(settings, eq(settings.tenantId, of.tenantId))
    .where(where)
    .orderBy(direction(cut.sort === 'minutes' ? minutes : of.startedAt), direction(of.id));
}

/**
 * One page of the conferences that began in a period, and their number, counted to one past TOTAL_COUNT_LIMIT.
 *
 * @param now how long running ones have taken
 */
export async function readMeetingsBehind(
  reader: Reader,
  query: ListQuery,
  now: Date,
): Promise<{ records: CountedMeeting[]; total: number }> {
  // The types of drizzle lose columns of sources where another one is joined from the left.
  const rows = (await listBehind(reader, query, now)
    .limit(query.size)
    .offset((query.current - 1) * query.size)) as unknown as Listed[];
  const counted = listBehind(reader, query, now)
    .limit(TOTAL_COUNT_LIMIT + 1)
    .as('counted');
  const [n] = await reader.select({ n: count() }).from(counted);
  const terminals = await terminalsOf(
    reader,
    rows.map(({ id }) => id),
  );
  return {
    records: rows.map(({ startedAt, endedAt, ...row }) =>
      Object.assign(row, {
        startedAt: startedAt.toISOString(),
        minutes: minutesOf(Math.max(0, ((endedAt ?? now).getTime() - startedAt.getTime()) / 1_000)),
        terminals: terminals.get(row.id)?.terminals ?? 0,
        badMinutes: minutesOf(terminals.get(row.id)?.badSeconds ?? 0),
      }),
    ),
    total: n?.n ?? 0,
  };
}
