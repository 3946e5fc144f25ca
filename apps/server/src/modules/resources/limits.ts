import { and, eq, isNull } from 'drizzle-orm';
import { LIMITS, type BookLimit, type contract, type Data, type Input, type PermissionCode } from '@rmeet/contract';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import { findTenant, presentTenantInfo } from '../accounts/tenants/index.ts';
import type { TenantRow } from '../accounts/tenants/tables.ts';
import { freeOf, resourcesFor } from './booking.ts';
import type { ResourceMeetings } from './ports.ts';
import { findResource } from './repo.ts';
import { resourceBooking, type MeetingResourceRow } from './tables.ts';

type UserContext = Context<UserCaller>;
type BookQuery = Input<typeof contract.resources.bookLimit>['query'];

const MINUTE = 60_000;

export interface LimitDeps {
  db: Db;
  /** Maximum number of terminals of one conference on this server. */
  capacity: number;
  meetings: Pick<ResourceMeetings, 'findMeeting' | 'isManagedBy'>;
}

/** The permission to book a meeting of a type. */
export const MEETING_CODES: Record<BookQuery['type'], PermissionCode> = {
  NETWORK_MEETING: 'sys:network',
  VIDEO_MEETING: 'sys:video',
  LIVE_MEETING: 'sys:bookLive',
  PHONE_MEETING: 'sys:tel',
  LOCAL_MEETING: 'sys:local',
};

const timesOf = (startTime: Date, duration: number) => ({
  startTime,
  endTime: new Date(startTime.getTime() + duration * MINUTE),
});

interface Choice {
  hasAny: boolean;
  choosable: MeetingResourceRow[];
  /** The meeting that is edited, whose own share counts as free. */
  except: string[];
}

/** The resources for a new booking, or for a meeting the caller manages: those of its host, and its current one. */
async function choiceFor(
  tx: TenantTx,
  caller: UserCaller,
  meetings: LimitDeps['meetings'],
  except?: string,
): Promise<Choice> {
  const edited = except === undefined ? undefined : await meetings.findMeeting(tx, except);
  const isOwn = edited !== undefined && (await meetings.isManagedBy(tx, caller, edited));
  if (!edited || !isOwn) {
    const { hasAny, assigned } = await resourcesFor(tx, caller.userId);
    return { hasAny, choosable: assigned, except: [] };
  }
  const { hasAny, assigned } = await resourcesFor(tx, edited.hostId);
  const booking = await tx.findOne(
    resourceBooking,
    and(eq(resourceBooking.meetingId, edited.id), isNull(resourceBooking.releasedAt)),
  );
  const present =
    booking && !assigned.some(({ id }) => id === booking.resourceId)
      ? await findResource(tx, booking.resourceId)
      : undefined;
  return { hasAny, choosable: present ? [...assigned, present] : assigned, except: [edited.id] };
}

/** @throws AppError RESOURCE_UNKNOWN */
function chosen({ choosable }: Choice, resourceId: string | undefined): MeetingResourceRow | undefined {
  const found = choosable.find(({ id }) => id === resourceId);
  if (resourceId !== undefined && !found) throw new AppError('RESOURCE_UNKNOWN');
  return found;
}

async function ownTenant(tx: TenantTx): Promise<TenantRow> {
  const tenant = await findTenant(tx, tx.tenantId);
  if (!tenant) throw new AppError('NOT_FOUND');
  return tenant;
}

/** Maximum number of terminals of one conference of the tenant. */
const insideAtOnce = ({ maxTerminals }: TenantRow, capacity: number): number =>
  Math.min(capacity, maxTerminals ?? capacity);

/** The first limit that a booking would exceed; null if there is none. */
async function brokenLimit(
  tx: TenantTx,
  { capacity, meetings }: LimitDeps,
  caller: UserCaller,
  tenant: TenantRow,
  query: BookQuery,
): Promise<{ limit: BookLimit; value: number | null } | null> {
  const choice = await choiceFor(tx, caller, meetings, query.except);
  const resource = chosen(choice, query.resourceId);
  const isNew = choice.except.length === 0;
  if (isNew && !caller.permissions.includes(MEETING_CODES[query.type])) return { limit: 'type', value: null };
  if (tenant.maxMeetingMinutes !== null && query.duration > tenant.maxMeetingMinutes)
    return { limit: 'duration', value: tenant.maxMeetingMinutes };
  if (query.type === 'LOCAL_MEETING') return null;
  if (isNew && choice.hasAny && choice.choosable.length === 0) return { limit: 'resource', value: null };
  const atOnce = insideAtOnce(tenant, capacity);
  if (query.terminals > atOnce) return { limit: 'terminals', value: atOnce };
  if (!resource) return null;
  const startTime = new Date(query.startTime);
  const { portsFree, minutesFree } = await freeOf(tx, resource, timesOf(startTime, query.duration), choice.except);
  if (portsFree !== null && query.terminals > portsFree) return { limit: 'ports', value: portsFree };
  return minutesFree !== null && query.duration > minutesFree ? { limit: 'hours', value: minutesFree } : null;
}

/** What can be booked, for forms. */
export function createBookLimits(deps: LimitDeps) {
  const { db, capacity, meetings } = deps;
  return {
    choose: (
      { caller }: UserContext,
      { startTime, duration, except }: Input<typeof contract.resources.choose>['query'],
    ): Promise<Data<typeof contract.resources.choose>> =>
      db.tenant(caller.tenantId, async (tx) => {
        const choice = await choiceFor(tx, caller, meetings, except);
        const start = new Date(startTime);
        const resources = [];
        for (const row of choice.choosable) {
          const { id, name, zone, ports, hours } = row;
          resources.push({
            id,
            name,
            zone,
            ports,
            hours,
            ...(await freeOf(tx, row, timesOf(start, duration), choice.except)),
          });
        }
        return { hasAny: choice.hasAny, resources };
      }),

    /** @throws AppError RESOURCE_UNKNOWN */
    inviteLimit: ({ caller }: UserContext, resourceId?: string): Promise<Data<typeof contract.resources.inviteLimit>> =>
      db.tenant(caller.tenantId, async (tx) => {
        const choice = await choiceFor(tx, caller, meetings);
        const resource = chosen(choice, resourceId);
        if (choice.hasAny && choice.choosable.length === 0) return { people: 0, terminals: 0 };
        // One place is the host's.
        const others = Math.max(
          0,
          Math.min(insideAtOnce(await ownTenant(tx), capacity), resource?.ports ?? capacity) - 1,
        );
        return { people: Math.min(LIMITS.participants, others), terminals: Math.min(LIMITS.terminals, others) };
      }),

    /** @throws AppError RESOURCE_UNKNOWN */
    bookLimit: ({ caller }: UserContext, query: BookQuery): Promise<Data<typeof contract.resources.bookLimit>> =>
      db.tenant(caller.tenantId, async (tx) => {
        const tenant = await ownTenant(tx);
        const broken = await brokenLimit(tx, deps, caller, tenant, query);
        const { meetingAdmin, serviceDesk } = presentTenantInfo(tenant);
        return {
          allowed: broken === null,
          limit: broken?.limit ?? null,
          value: broken?.value ?? null,
          contacts: { meetingAdmin, serviceDesk },
        };
      }),
  };
}

export type BookLimits = ReturnType<typeof createBookLimits>;
