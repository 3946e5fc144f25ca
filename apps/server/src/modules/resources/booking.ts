import { and, eq, gt, gte, inArray, isNull, lt, notInArray, or, sql } from 'drizzle-orm';
import { LIMITS, type Meeting } from '@rmeet/contract';
import type { TenantTx } from '../../platform/db/index.ts';
import { AppError } from '../../platform/http/index.ts';
import { findAccount } from '../accounts/users/index.ts';
import { meetingParticipant, type MeetingRow } from '../meetings/tables.ts';
import { meetingTerminal } from '../terminals/tables.ts';
import { monthOf } from './month.ts';
import {
  meetingResource,
  resourceAssignment,
  resourceBooking,
  type MeetingResourceRow,
  type ResourceBookingRow,
} from './tables.ts';

const MINUTE = 60_000;

type Times = Pick<MeetingRow, 'startTime' | 'endTime'>;

const isThere = isNull(meetingResource.deletedAt);
/** Active bookings, and released ones for the time they were used. */
const isTaken = or(isNull(resourceBooking.releasedAt), gt(resourceBooking.endTime, resourceBooking.startTime));

/** A department and all above it. */
function levelsOf(department: string): string[] {
  const levels = department.split('/');
  return department === '' ? [] : levels.map((_, at) => levels.slice(0, at + 1).join('/'));
}

/** Whether the tenant has resources, and which of them an account may book. */
export async function resourcesFor(
  tx: TenantTx,
  accountId: string,
): Promise<{ hasAny: boolean; assigned: MeetingResourceRow[] }> {
  const all = await tx.find(meetingResource, isThere, {
    orderBy: [sql`lower(${meetingResource.name})`, meetingResource.id],
  });
  const open = all.filter((row) => row.enabled);
  if (open.every((row) => row.everybody)) return { hasAny: all.length > 0, assigned: open };
  const levels = levelsOf((await findAccount(tx, accountId))?.department ?? '');
  const own = or(
    eq(resourceAssignment.accountId, accountId),
    levels.length > 0 ? inArray(resourceAssignment.department, levels) : undefined,
  );
  const named = new Set((await tx.find(resourceAssignment, own)).map((row) => row.resourceId));
  return { hasAny: all.length > 0, assigned: open.filter((row) => row.everybody || named.has(row.id)) };
}

/** The peak of a resource's ports taken by other meetings in an interval. */
async function portsTaken(
  tx: TenantTx,
  resourceId: string,
  { startTime, endTime }: Times,
  except: readonly string[],
): Promise<number> {
  // No meeting is longer than a day, so the index by start can exclude meetings that ended long ago.
  const near = and(
    gt(resourceBooking.startTime, new Date(startTime.getTime() - LIMITS.durationMax * MINUTE)),
    gt(resourceBooking.endTime, startTime),
    lt(resourceBooking.startTime, endTime),
  );
  const rows = await tx.find(
    resourceBooking,
    and(
      eq(resourceBooking.resourceId, resourceId),
      near,
      isTaken,
      except.length > 0 ? notInArray(resourceBooking.meetingId, [...except]) : undefined,
    ),
  );
  // At the same time, ends sort before starts: an ended meeting makes room for the next.
  const steps = rows
    .flatMap((row) => [
      { at: Math.max(row.startTime.getTime(), startTime.getTime()), ports: row.ports },
      { at: row.endTime.getTime(), ports: -row.ports },
    ])
    .toSorted((a, b) => a.at - b.at || a.ports - b.ports);
  let [taken, most] = [0, 0];
  for (const { at, ports } of steps) {
    taken += ports;
    if (at < endTime.getTime()) most = Math.max(most, taken);
  }
  return most;
}

/** Minutes booked on a resource in a month; a meeting counts in the month of its start. */
export async function minutesTaken(
  tx: TenantTx,
  { id, timeZone }: Pick<MeetingResourceRow, 'id' | 'timeZone'>,
  moment: Date,
  except: readonly string[] = [],
): Promise<number> {
  const { from, until } = monthOf(moment, timeZone);
  const bookings = tx.scoped(resourceBooking);
  const minutes = sql<number>`coalesce(sum(ceil(extract(epoch from (${bookings.endTime} - ${bookings.startTime}))
    / 60)), 0)::int`;
  const others = except.length > 0 ? notInArray(bookings.meetingId, [...except]) : undefined;
  const [row] = await tx
    .select({ minutes })
    .from(bookings)
    .where(and(eq(bookings.resourceId, id), gte(bookings.startTime, from), lt(bookings.startTime, until), others));
  return row?.minutes ?? 0;
}

/**
 * The free capacity of a resource in an interval; null if unlimited. The share of the meetings `except` counts as free.
 */
export async function freeOf(
  tx: TenantTx,
  resource: MeetingResourceRow,
  times: Times,
  except: readonly string[] = [],
): Promise<{ portsFree: number | null; minutesFree: number | null }> {
  return {
    portsFree:
      resource.ports === null ? null : Math.max(0, resource.ports - (await portsTaken(tx, resource.id, times, except))),
    minutesFree:
      resource.hours === null
        ? null
        : Math.max(0, resource.hours * 60 - (await minutesTaken(tx, resource, times.startTime, except))),
  };
}

const minutesOf = ({ startTime, endTime }: Times): number =>
  Math.ceil((endTime.getTime() - startTime.getTime()) / MINUTE);

/** Whether a meeting has its ports at this time already, and so keeps them even if the resource has become smaller. */
function isKept(
  row: ResourceBookingRow | undefined,
  resourceId: string,
  ports: number,
  { startTime, endTime }: Times,
): boolean {
  return (
    row !== undefined &&
    row.resourceId === resourceId &&
    row.releasedAt === null &&
    row.ports >= ports &&
    row.startTime.getTime() === startTime.getTime() &&
    row.endTime.getTime() === endTime.getTime()
  );
}

/**
 * A resource, locked to the end of the transaction: enabled and assigned, or the one that the meetings have already.
 *
 * @throws AppError RESOURCE_UNKNOWN
 */
async function lockBookable(
  tx: TenantTx,
  resourceId: string,
  {
    earlier,
    assigned,
    takesAny,
  }: { earlier: readonly ResourceBookingRow[]; assigned: readonly MeetingResourceRow[]; takesAny: boolean },
): Promise<MeetingResourceRow> {
  const resource = await tx.findOne(meetingResource, and(eq(meetingResource.id, resourceId), isThere), {
    lock: 'no key update',
  });
  const wasOn = earlier.some((row) => row.resourceId === resourceId && row.releasedAt === null);
  if (!resource || !(wasOn || (resource.enabled && (takesAny || assigned.some(({ id }) => id === resourceId)))))
    throw new AppError('RESOURCE_UNKNOWN');
  return resource;
}

/** Meetings without a conference need no media capacity. */
const needsCapacity = ({ type, hasConference }: MeetingRow): boolean => hasConference && type !== 'LOCAL_MEETING';

/**
 * Books a resource for meetings, all or none; null removes it. The resource is locked to the end of the transaction, so
 * that concurrent bookings cannot exceed it. A host without an assigned resource, in a tenant that has some, cannot
 * book conferences, but existing meetings can be edited.
 *
 * @param isNew the meetings are booked, not changed
 * @param ports all expected terminals, including the host, called parties and room terminals
 * @param takesAny the caller manages resources and may take any of the tenant
 * @throws AppError NO_RESOURCES, RESOURCE_UNKNOWN, RESOURCE_FULL, RESOURCE_HOURS
 */
export async function bookResource(
  tx: TenantTx,
  meetings: readonly MeetingRow[],
  {
    resourceId,
    ports,
    isNew = false,
    takesAny = false,
  }: { resourceId: string | null; ports: number; isNew?: boolean; takesAny?: boolean },
): Promise<void> {
  const [first] = meetings;
  if (!first || !needsCapacity(first)) return;
  const ids = meetings.map(({ id }) => id);
  const earlier = isNew ? [] : await tx.find(resourceBooking, inArray(resourceBooking.meetingId, ids));
  if (!isNew && earlier.length === 0 && resourceId === null) return;
  const { hasAny, assigned } = await resourcesFor(tx, first.hostId);
  if (isNew && hasAny && assigned.length === 0) throw new AppError('NO_RESOURCES');
  const resource =
    resourceId === null ? undefined : await lockBookable(tx, resourceId, { earlier, assigned, takesAny });
  if (earlier.length > 0) await tx.delete(resourceBooking, inArray(resourceBooking.meetingId, ids));
  if (resource) await storeBookings(tx, resource, meetings, ports, earlier);
}

/** @throws AppError RESOURCE_FULL, RESOURCE_HOURS */
async function storeBookings(
  tx: TenantTx,
  resource: MeetingResourceRow,
  meetings: readonly MeetingRow[],
  ports: number,
  earlier: readonly ResourceBookingRow[],
): Promise<void> {
  const rows = new Map(earlier.map((row) => [row.meetingId, row]));
  for (const meeting of meetings) {
    const { id: meetingId, startTime, endTime } = meeting;
    if (!isKept(rows.get(meetingId), resource.id, ports, meeting)) await mustFit(tx, resource, meeting, ports);
    await tx.insert(resourceBooking, { meetingId, resourceId: resource.id, ports, startTime, endTime });
  }
}

/** @throws AppError RESOURCE_FULL, RESOURCE_HOURS */
async function mustFit(tx: TenantTx, resource: MeetingResourceRow, meeting: MeetingRow, ports: number): Promise<void> {
  const { portsFree, minutesFree } = await freeOf(tx, resource, meeting, [meeting.id]);
  if (portsFree !== null && ports > portsFree)
    throw new AppError('RESOURCE_FULL', { resource: resource.name, ports: portsFree });
  if (minutesFree !== null && minutesOf(meeting) > minutesFree)
    throw new AppError('RESOURCE_HOURS', { resource: resource.name, minutes: minutesFree });
}

/**
 * The resources of meetings by the contract, without those released before the end of the meeting.
 */
export async function resourcesOfMeetings(
  tx: TenantTx,
  meetings: readonly MeetingRow[],
): Promise<Map<string, NonNullable<Meeting['resource']>>> {
  if (meetings.length === 0) return new Map();
  const over = new Set(meetings.filter(({ status }) => status === 'OFFLINE').map(({ id }) => id));
  const [bookings, resources] = [tx.scoped(resourceBooking), tx.scoped(meetingResource)];
  const rows = await tx
    .select({
      meetingId: bookings.meetingId,
      id: bookings.resourceId,
      name: resources.name,
      releasedAt: bookings.releasedAt,
    })
    .from(bookings)
    .innerJoin(resources, eq(resources.id, bookings.resourceId))
    .where(
      inArray(
        bookings.meetingId,
        meetings.map(({ id }) => id),
      ),
    );
  return new Map(
    rows.flatMap(({ meetingId, id, name, releasedAt }) =>
      releasedAt === null || over.has(meetingId) ? [[meetingId, { id, name }]] : [],
    ),
  );
}

/** Releases the resources of meetings: the rest of their time becomes free, the past stays counted. */
export async function giveResourcesBack(tx: TenantTx, meetingIds: readonly string[], now: Date): Promise<void> {
  if (meetingIds.length === 0) return;
  const at = sql`${now.toISOString()}::timestamptz`;
  const endTime = sql`greatest(${resourceBooking.startTime}, least(${resourceBooking.endTime}, ${at}))`;
  await tx.update(
    resourceBooking,
    { releasedAt: now, endTime },
    and(inArray(resourceBooking.meetingId, [...meetingIds]), isNull(resourceBooking.releasedAt)),
  );
}

/** Releases the share of a meeting that was not used at all. */
export async function giveUnusedResourceBack(tx: TenantTx, meetingId: string, now: Date): Promise<void> {
  await tx.update(
    resourceBooking,
    { releasedAt: now, endTime: sql`${resourceBooking.startTime}` },
    eq(resourceBooking.meetingId, meetingId),
  );
}

/**
 * The name of a meeting's resource, if other bookings leave too little of it between the booked end and `until`. Locks
 * the resource.
 */
export async function resourceBusy(
  tx: TenantTx,
  { id, endTime }: Pick<MeetingRow, 'id' | 'endTime'>,
  until: Date,
): Promise<string[]> {
  const own = await tx.findOne(
    resourceBooking,
    and(eq(resourceBooking.meetingId, id), isNull(resourceBooking.releasedAt)),
  );
  const resource =
    own && (await tx.findOne(meetingResource, eq(meetingResource.id, own.resourceId), { lock: 'no key update' }));
  if (!own || !resource || resource.ports === null || until <= endTime) return [];
  return own.ports > resource.ports - (await portsTaken(tx, resource.id, { startTime: endTime, endTime: until }, [id]))
    ? [resource.name]
    : [];
}

/** Prolongs the booking of a meeting, after `resourceBusy` has found enough free. */
export async function prolongResource(tx: TenantTx, meetingId: string, endTime: Date): Promise<void> {
  await tx.update(
    resourceBooking,
    { endTime },
    and(eq(resourceBooking.meetingId, meetingId), isNull(resourceBooking.releasedAt)),
  );
}

/** Takes ports for all who are expected by now, if the meeting has a resource. @throws AppError RESOURCE_FULL */
export async function recountPorts(tx: TenantTx, meeting: MeetingRow): Promise<void> {
  const booked = await tx.findOne(
    resourceBooking,
    and(eq(resourceBooking.meetingId, meeting.id), isNull(resourceBooking.releasedAt)),
  );
  if (booked)
    await bookResource(tx, [meeting], { resourceId: booked.resourceId, ports: await countExpected(tx, meeting.id) });
}

/** Moves the booking of a meeting to another time. @throws AppError RESOURCE_FULL, RESOURCE_HOURS */
export async function retimeResource(tx: TenantTx, meeting: MeetingRow): Promise<void> {
  const own = await tx.findOne(
    resourceBooking,
    and(eq(resourceBooking.meetingId, meeting.id), isNull(resourceBooking.releasedAt)),
  );
  if (own) await bookResource(tx, [meeting], { resourceId: own.resourceId, ports: own.ports });
}

/**
 * The number of ports of a resource; null if unlimited, undefined if the tenant has no such resource.
 */
export async function portsOf(tx: TenantTx, resourceId: string): Promise<number | null | undefined> {
  return (await tx.findOne(meetingResource, and(eq(meetingResource.id, resourceId), isThere)))?.ports;
}

/** How many terminals a meeting is expected to have: host, participants, called parties and room terminals. */
export function terminalsExpected(
  invited: readonly unknown[],
  { terminalIds }: { terminalIds: readonly string[] },
): number {
  return 1 + invited.length + new Set(terminalIds).size;
}

/** The same for a stored meeting. */
export async function countExpected(tx: TenantTx, meetingId: string): Promise<number> {
  return (
    1 +
    (await tx.count(meetingParticipant, eq(meetingParticipant.meetingId, meetingId))) +
    (await tx.count(meetingTerminal, eq(meetingTerminal.meetingId, meetingId)))
  );
}
