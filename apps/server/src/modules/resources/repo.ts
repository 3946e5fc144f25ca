import { and, asc, desc, eq, gt, gte, ilike, inArray, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type contract, type Input } from '@rmeet/contract';
import { allOf } from '../../platform/db/conditions.ts';
import { containing, newId, type TenantTx } from '../../platform/db/index.ts';
import { monthOf } from './month.ts';
import {
  meetingResource,
  resourceAssignment,
  resourceBooking,
  type MeetingResourceRow,
  type ResourceAssignmentRow,
} from './tables.ts';

export type ResourceQuery = Input<typeof contract.resources.list>['query'];
type ResourceValues = Omit<MeetingResourceRow, 'id' | 'tenantId' | 'version' | 'createdAt' | 'deletedAt'>;

const isThere = isNull(meetingResource.deletedAt);
const byName = sql`lower(${meetingResource.name})`;

/** One resource; with `lock`, it cannot be changed or booked until the end of the transaction. */
export function findResource(tx: TenantTx, id: string, lock = false): Promise<MeetingResourceRow | undefined> {
  return tx.findOne(meetingResource, and(eq(meetingResource.id, id), isThere), lock ? { lock: 'update' } : {});
}

function orderOf({ sort, order }: ResourceQuery): SQL[] {
  const direction = order === 'ASC' ? asc : desc;
  const column = {
    name: byName,
    zone: meetingResource.zone,
    ports: sql`coalesce(${meetingResource.ports}, 2147483647)`,
    hours: sql`coalesce(${meetingResource.hours}, 2147483647)`,
  }[sort];
  return [direction(column), direction(byName), direction(meetingResource.id)];
}

/**
 * One page of resources, and their number, counted to one past the limit; `only` limits them to these. A keyword is
 * part of a name or zone.
 */
export async function listResources(
  tx: TenantTx,
  query: ResourceQuery,
  only: readonly string[] | null,
): Promise<{ rows: MeetingResourceRow[]; total: number }> {
  const { keyword, status, current, size } = query;
  if (only?.length === 0) return { rows: [], total: 0 };
  const pattern = keyword && containing(keyword);
  const where = and(
    isThere,
    only === null ? undefined : inArray(meetingResource.id, [...only]),
    pattern ? or(ilike(meetingResource.name, pattern), ilike(meetingResource.zone, pattern)) : undefined,
    status === undefined ? undefined : eq(meetingResource.enabled, status === 'enabled'),
  );
  const rows = await tx.find(meetingResource, where, {
    orderBy: orderOf(query),
    limit: size,
    offset: (current - 1) * size,
  });
  return { rows, total: await tx.count(meetingResource, where, TOTAL_COUNT_LIMIT + 1) };
}

export async function insertResource(
  tx: TenantTx,
  values: ResourceValues & Pick<MeetingResourceRow, 'createdAt'>,
): Promise<MeetingResourceRow> {
  const [row] = await tx.insert(meetingResource, { id: newId(), ...values });
  if (!row) throw new Error('A new resource was lost.');
  return row;
}

/** Changes a resource and counts the edit; undefined if `version` is no longer the newest. */
export async function updateResource(
  tx: TenantTx,
  id: string,
  version: number,
  values: ResourceValues,
): Promise<MeetingResourceRow | undefined> {
  const [row] = await tx.update(
    meetingResource,
    { ...values, version: version + 1 },
    allOf(eq(meetingResource.id, id), eq(meetingResource.version, version)),
  );
  return row;
}

export async function deleteResource(tx: TenantTx, id: string, now: Date): Promise<void> {
  await tx.update(meetingResource, { deletedAt: now }, eq(meetingResource.id, id));
  await tx.delete(resourceAssignment, eq(resourceAssignment.resourceId, id));
}

/** The assignments of resources, in the order they were chosen. */
export function findAssignments(tx: TenantTx, resourceIds: readonly string[]): Promise<ResourceAssignmentRow[]> {
  if (resourceIds.length === 0) return Promise.resolve([]);
  return tx.find(resourceAssignment, inArray(resourceAssignment.resourceId, [...resourceIds]), {
    orderBy: resourceAssignment.id,
  });
}

export async function replaceAssignments(
  tx: TenantTx,
  resourceId: string,
  { userIds, departments }: { userIds: readonly string[]; departments: readonly string[] },
): Promise<void> {
  await tx.delete(resourceAssignment, eq(resourceAssignment.resourceId, resourceId));
  const rows = [
    ...userIds.map((accountId) => ({ id: newId(), resourceId, accountId, department: null })),
    ...departments.map((department) => ({ id: newId(), resourceId, accountId: null, department })),
  ];
  if (rows.length > 0) await tx.insert(resourceAssignment, rows);
}

/** How many meetings on a resource are not over. */
export function countToCome(tx: TenantTx, resourceId: string, now: Date): Promise<number> {
  return tx.count(
    resourceBooking,
    and(
      eq(resourceBooking.resourceId, resourceId),
      isNull(resourceBooking.releasedAt),
      gt(resourceBooking.endTime, now),
    ),
  );
}

export interface Usage {
  portsUsed: number;
  minutesUsed: number;
}

/**
 * The current usage of each resource, and that of this month in local time of its zone; resources without bookings are
 * missing.
 */
export async function usageOf(
  tx: TenantTx,
  rows: readonly MeetingResourceRow[],
  now: Date,
): Promise<Map<string, Usage>> {
  const usage = new Map<string, Usage>();
  const taken = or(isNull(resourceBooking.releasedAt), gt(resourceBooking.endTime, resourceBooking.startTime));
  for (const [timeZone, ofZone] of Map.groupBy(rows, (row) => row.timeZone)) {
    const { from, until } = monthOf(now, timeZone);
    // A meeting that began in the previous month may still be running.
    const near = and(gte(resourceBooking.endTime, from), lt(resourceBooking.startTime, until));
    const bookings = await tx.find(
      resourceBooking,
      and(
        inArray(
          resourceBooking.resourceId,
          ofZone.map(({ id }) => id),
        ),
        near,
        taken,
      ),
    );
    for (const [id, list] of Map.groupBy(bookings, (booking) => booking.resourceId)) {
      const running = list.filter(({ startTime, endTime }) => startTime <= now && endTime > now);
      const inMonth = list.filter(({ startTime }) => startTime >= from);
      usage.set(id, {
        portsUsed: running.reduce((sum, { ports }) => sum + ports, 0),
        minutesUsed: inMonth.reduce(
          (sum, { startTime, endTime }) => sum + Math.ceil((endTime.getTime() - startTime.getTime()) / 60_000),
          0,
        ),
      });
    }
  }
  return usage;
}
