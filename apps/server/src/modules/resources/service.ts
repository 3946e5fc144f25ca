import {
  TOTAL_COUNT_LIMIT,
  type contract,
  type Data,
  type Input,
  type Meeting,
  type MeetingResource,
} from '@rmeet/contract';
import { isUniqueViolation, type Db, type TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Push } from '../../platform/push/index.ts';
import { findAccounts } from '../accounts/users/index.ts';
import { changed, recordAudit } from '../audit/index.ts';
import type { MeetingRow } from '../meetings/tables.ts';
import { bookResource, countExpected, resourcesFor, resourcesOfMeetings } from './booking.ts';
import type { ResourceMeetings } from './ports.ts';
import { presentResource } from './present.ts';
import {
  countToCome,
  deleteResource,
  findAssignments,
  findResource,
  insertResource,
  listResources,
  replaceAssignments,
  updateResource,
  usageOf,
  type ResourceQuery,
} from './repo.ts';
import type { MeetingResourceRow } from './tables.ts';

type UserContext = Context<UserCaller>;
type ResourceBody = Input<typeof contract.resources.create>['body'];

export interface ResourceDeps {
  db: Db;
  push: Push;
  now: () => Date;
  meetings: Omit<ResourceMeetings, 'findMeeting' | 'isManagedBy'> & {
    /** Shows a meeting to its caller. */
    detail(context: UserContext, id: string): Promise<Meeting>;
  };
}

const FIELDS = [
  'name',
  'zone',
  'ports',
  'hours',
  'timeZone',
  'enabled',
  'assignedTo',
] as const satisfies readonly (keyof MeetingResource)[];
const targetOf = ({ id, name }: MeetingResourceRow) => ({ kind: 'resource', id, name });

/** A resource for the audit log, with its assignees by name. */
function audited({ assignedTo: { everybody, accounts, departments }, ...resource }: MeetingResource) {
  return {
    ...resource,
    assignedTo: [...(everybody ? ['*'] : []), ...departments, ...accounts.map(({ name }) => name)],
  };
}
const auditedResource = (resource: MeetingResource) =>
  Object.fromEntries(FIELDS.map((field) => [field, audited(resource)[field]]));

/** @throws AppError NAME_TAKEN on a unique violation */
async function orNameTaken<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error, 'meeting_resource_name_key')) throw new AppError('NAME_TAKEN', { name });
    throw error;
  }
}

async function present(tx: TenantTx, rows: readonly MeetingResourceRow[], now: Date): Promise<MeetingResource[]> {
  const assignments = Map.groupBy(
    await findAssignments(
      tx,
      rows.map(({ id }) => id),
    ),
    (row) => row.resourceId,
  );
  const people = new Set([...assignments.values()].flat().flatMap(({ accountId }) => accountId ?? []));
  const names = new Map((await findAccounts(tx, [...people])).map(({ id, name }) => [id, name]));
  const usage = await usageOf(tx, rows, now);
  return rows.map((row) => presentResource(row, assignments.get(row.id) ?? [], names, usage.get(row.id)));
}

async function presentOne(tx: TenantTx, row: MeetingResourceRow, now: Date): Promise<MeetingResource> {
  const [resource] = await present(tx, [row], now);
  if (!resource) throw new Error('A resource disappeared while it was presented.');
  return resource;
}

/**
 * The assignees of a resource without duplicates; none if it is for everyone.
 *
 * @throws AppError RESOURCE_ASSIGNEE_UNKNOWN
 */
async function assigneesOf(tx: TenantTx, { assignedTo: { everybody, userIds, departments } }: ResourceBody) {
  const wanted = [...new Set(userIds)];
  const known = await findAccounts(tx, wanted);
  if (known.length < wanted.length || known.some((row) => row.kind !== 'user'))
    throw new AppError('RESOURCE_ASSIGNEE_UNKNOWN');
  return everybody ? { userIds: [], departments: [] } : { userIds: wanted, departments: [...new Set(departments)] };
}

const valuesOf = ({ assignedTo, ...values }: ResourceBody) => ({ ...values, everybody: assignedTo.everybody });
const nameOn = async (tx: TenantTx, row: MeetingRow): Promise<string> =>
  (await resourcesOfMeetings(tx, [row])).get(row.id)?.name ?? '';

/** Creates, changes and deletes resources. */
function createResourceEditing({ db, now }: ResourceDeps) {
  return {
    /** @throws AppError NAME_TAKEN, RESOURCE_ASSIGNEE_UNKNOWN */
    create: (context: UserContext, body: ResourceBody): Promise<MeetingResource> =>
      orNameTaken(
        body.name,
        db.tenant(context.caller.tenantId, async (tx) => {
          const assignees = await assigneesOf(tx, body);
          const row = await insertResource(tx, { ...valuesOf(body), createdAt: now() });
          await replaceAssignments(tx, row.id, assignees);
          const made = await presentOne(tx, row, now());
          await recordAudit(tx, context, now(), { target: targetOf(row), after: auditedResource(made) });
          return made;
        }),
      ),

    /**
     * Changes a resource. Its bookings stay, even if they exceed it now.
     *
     * @throws AppError NOT_FOUND, NAME_TAKEN, RESOURCE_ASSIGNEE_UNKNOWN, CHANGED_MEANWHILE
     */
    update: (
      context: UserContext,
      { id, version, ...body }: ResourceBody & { id: string; version: number },
    ): Promise<MeetingResource> =>
      orNameTaken(
        body.name,
        db.tenant(context.caller.tenantId, async (tx) => {
          const found = await findResource(tx, id, true);
          if (!found) throw new AppError('NOT_FOUND');
          const before = await presentOne(tx, found, now());
          const assignees = await assigneesOf(tx, body);
          const row = await updateResource(tx, id, version, valuesOf(body));
          if (!row) throw new AppError('CHANGED_MEANWHILE');
          await replaceAssignments(tx, id, assignees);
          const after = await presentOne(tx, row, now());
          await recordAudit(tx, context, now(), {
            target: targetOf(row),
            ...changed(audited(before), audited(after), FIELDS),
          });
          return after;
        }),
      ),

    /** @throws AppError NOT_FOUND, RESOURCE_BOOKED */
    remove: (context: UserContext, id: string): Promise<void> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const row = await findResource(tx, id, true);
        if (!row) throw new AppError('NOT_FOUND');
        const toCome = await countToCome(tx, id, now());
        if (toCome > 0) throw new AppError('RESOURCE_BOOKED', { count: toCome });
        const before = auditedResource(await presentOne(tx, row, now()));
        await deleteResource(tx, id, now());
        await recordAudit(tx, context, now(), { target: targetOf(row), before });
      }),
  };
}

/** Assigns booked meetings to resources. */
function createAssignment({ db, push, now, meetings }: ResourceDeps) {
  return {
    /**
     * Moves a booked meeting to another resource, or to none.
     *
     * @throws AppError NOT_FOUND, FORBIDDEN, MEETING_ENDED, MEETING_IS_LOCAL, MEETING_NOT_APPROVED for a refused one,
     * RESOURCE_UNKNOWN, RESOURCE_FULL, RESOURCE_HOURS
     */
    assign: async (context: UserContext, meetId: string, resourceId: string | null): Promise<Meeting> => {
      await db.tenant(context.caller.tenantId, async (tx) => {
        const row = await meetings.manageMeeting(tx, meetId, context.caller, { lock: true });
        if (meetings.isOver(row, now())) throw new AppError('MEETING_ENDED');
        if (row.type === 'LOCAL_MEETING') throw new AppError('MEETING_IS_LOCAL');
        if (!row.hasConference) throw new AppError('MEETING_WITHOUT_CONFERENCE');
        if (row.approval === 'refused') throw new AppError('MEETING_NOT_APPROVED');
        const before = await nameOn(tx, row);
        await bookResource(tx, [row], {
          resourceId,
          ports: await countExpected(tx, meetId),
          takesAny: context.caller.permissions.includes('resources:manage'),
        });
        await recordAudit(tx, context, now(), {
          target: { kind: 'meeting', id: meetId, name: row.subject },
          before: { resource: before },
          after: { resource: await nameOn(tx, row) },
        });
        await meetings.announceMeeting(push, tx, meetId);
      });
      return meetings.detail(context, meetId);
    },
  };
}

/** Media resources, for those who manage them and for those who book on them. */
export function createResourceService(deps: ResourceDeps) {
  const { db, now } = deps;
  return {
    ...createResourceEditing(deps),
    ...createAssignment(deps),

    list: ({ caller }: UserContext, query: ResourceQuery): Promise<Data<typeof contract.resources.list>> =>
      db.tenant(caller.tenantId, async (tx) => {
        const isManaged = query.tenantWide && caller.permissions.includes('resources:manage');
        const only = isManaged ? null : (await resourcesFor(tx, caller.userId)).assigned.map(({ id }) => id);
        const { rows, total } = await listResources(tx, query, only);
        const page = {
          records: await present(tx, rows, now()),
          total: Math.min(total, TOTAL_COUNT_LIMIT),
          current: query.current,
          size: query.size,
        };
        return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
      }),
  };
}

export type ResourceService = ReturnType<typeof createResourceService>;
