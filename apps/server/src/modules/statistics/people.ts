import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { STATISTIC_UNITS, type MEETING_TYPES, type StatisticUnit } from '@rmeet/contract';
import type { Row, TenantTx } from '../../platform/db/index.ts';
import { account } from '../accounts/users/tables.ts';
import { conference, terminalSession } from '../conferences/tables.ts';
import { meeting } from '../meetings/tables.ts';
import { bucketOf, bucketsOf, earlier, later, wholeSpan, type Span } from './calendar.ts';
import { localDay, startsWithin, type Details, type Reading } from './details.ts';
import type { statisticPeople } from './tables.ts';

type PeopleRow = Omit<Row<typeof statisticPeople>, 'tenantId'>;
type Found = Record<StatisticUnit, { rows: PeopleRow[]; details: Details }>;

/** A terminal inside a conference. */
interface Stay {
  day: string;
  department: string;
  type: (typeof MEETING_TYPES)[number];
  person: string;
}

/** Different people of a department or above, and of a type or all; people by their number. */
interface Group extends Pick<PeopleRow, 'department' | 'type'> {
  people: Set<number>;
}

/** A day, week or month whose people are being counted. */
interface Bucket {
  unit: StatisticUnit;
  span: Span;
  stays: number;
  groups: Map<string, Group>;
  /** The groups of each department and type that occurred. */
  ofPlace: Map<string, Group[]>;
}

/**
 * The departments under which people of one are counted: the whole tenant, each department above it, itself with all
 * below it, and itself alone (`path/`).
 */
function nodesOf(department: string): string[] {
  if (department === '') return ['', '/'];
  const steps = department.split('/');
  return ['', ...steps.map((_, n) => steps.slice(0, n + 1).join('/')), `${department}/`];
}

const keyOf = (department: string, type: string): string => `${type} ${department}`;

function groupsOf({ groups, ofPlace }: Bucket, { department, type }: Stay): Group[] {
  const key = keyOf(department, type);
  const known = ofPlace.get(key);
  if (known) return known;
  const own = nodesOf(department).flatMap((node) =>
    [type, ''].map((kind) => {
      const group = groups.get(keyOf(node, kind)) ?? { department: node, type: kind, people: new Set() };
      groups.set(keyOf(node, kind), group);
      return group;
    }),
  );
  ofPlace.set(key, own);
  return own;
}

/** Without those of a department alone that are as many as those of it with all below, which most have not. */
function rowsOf({ unit, span, groups }: Bucket): PeopleRow[] {
  return [...groups.values()]
    .filter(
      ({ department, type, people }) =>
        !department.endsWith('/') || groups.get(keyOf(department.slice(0, -1), type))?.people.size !== people.size,
    )
    .map(({ department, type, people }) => ({ unit, day: span.from, department, type, people: people.size }));
}

async function readStays(tx: TenantTx, span: Omit<Reading, 'now'>): Promise<Stay[]> {
  const [of, booked, host] = [tx.scoped(conference), tx.scoped(meeting), tx.scoped(account)];
  const inside = tx.scoped(terminalSession);
  return tx
    .select({
      day: localDay(of.startedAt, span.timeZone),
      department: host.department,
      type: of.type,
      // As the history tells people apart (personOf).
      person: sql<string>`coalesce(${inside.accountId}::text, ${inside.deviceMark}, ${inside.guestTokenId}::text,
        ${inside.termId})`,
    })
    .from(of)
    .innerJoin(inside, and(eq(inside.conferenceId, of.id), isNotNull(inside.firstInsideAt)))
    .innerJoin(booked, eq(booked.id, of.meetingId))
    .innerJoin(host, eq(host.id, booked.hostId))
    .where(startsWithin(of.startedAt, span));
}

/**
 * Different people of each day, week and month that a span touches, each as a whole. Read by the week and counted here:
 * the database would sort every person once for each department, type and unit.
 */
export async function readPeople(tx: TenantTx, reading: Reading): Promise<Found> {
  const found: Found = {
    day: { rows: [], details: new Map() },
    week: { rows: [], details: new Map() },
    month: { rows: [], details: new Map() },
  };
  const spans = STATISTIC_UNITS.map((unit) => Object.assign(wholeSpan(unit, reading), { unit }));
  const [from, to] = [spans.map((span) => span.from).reduce(earlier), spans.map((span) => span.to).reduce(later)];
  const open = new Map<string, Bucket>();
  const numbers = new Map<string, number>();

  /** The buckets of a day, those that the span does not touch left out. */
  const bucketsAt = (day: string): Bucket[] =>
    spans
      .filter((span) => day >= span.from && day <= span.to)
      .map(({ unit }) => {
        const start = bucketOf(unit, day);
        const key = `${unit} ${start}`;
        const bucket: Bucket = open.get(key) ?? {
          unit,
          span: wholeSpan(unit, { from: start, to: start }),
          stays: 0,
          groups: new Map(),
          ofPlace: new Map(),
        };
        open.set(key, bucket);
        return bucket;
      });

  /** Keeps the numbers of buckets that end before a day, and forgets their people. */
  function closeBefore(day: string | undefined): void {
    for (const [key, bucket] of open) {
      if (day !== undefined && bucket.span.to >= day) continue;
      found[bucket.unit].rows.push(...rowsOf(bucket));
      found[bucket.unit].details.set(bucket.span.from, bucket.stays);
      open.delete(key);
    }
  }

  for (const monday of bucketsOf('week', { from, to })) {
    closeBefore(monday);
    const week = wholeSpan('week', { from: monday, to: monday });
    const stays = await readStays(tx, { ...reading, from: later(from, week.from), to: earlier(to, week.to) });
    for (const [day, ofDay] of Map.groupBy(stays, (stay) => stay.day)) {
      const buckets = bucketsAt(day);
      for (const stay of ofDay) {
        const number = numbers.get(stay.person) ?? numbers.size;
        numbers.set(stay.person, number);
        for (const bucket of buckets) {
          bucket.stays += 1;
          for (const { people } of groupsOf(bucket, stay)) people.add(number);
        }
      }
    }
  }
  closeBefore(undefined);
  return found;
}
