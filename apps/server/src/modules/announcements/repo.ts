import { and, asc, count, desc, eq, gt, ilike, inArray, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import {
  ANNOUNCEMENT_LIMITS,
  TOTAL_COUNT_LIMIT,
  type AnnouncementReader,
  type AnnouncementStatus,
  type contract,
  type Input,
} from '@rmeet/contract';
import { allOf } from '../../platform/db/conditions.ts';
import { containing, newId, type PlatformTx, type TenantTx } from '../../platform/db/index.ts';
import { accountRole } from '../accounts/roles/tables.ts';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';
import { isAimedAt, levelsOf, type Aim, type Reader } from './audience.ts';
import { announcement, announcementAudience, announcementRead, type AnnouncementRow } from './tables.ts';

type ListQuery = Input<typeof contract.announcements.list>['query'];
export type AnnouncementValues = Pick<
  AnnouncementRow,
  'title' | 'body' | 'url' | 'important' | 'wholeTenant' | 'startsAt' | 'endsAt'
>;

const begins = sql`coalesce(${announcement.startsAt}, ${announcement.publishedAt})`;
const isPublished = eq(announcement.state, 'published');
const hasBegun = (now: Date): SQL => or(isNull(announcement.startsAt), lte(announcement.startsAt, now)) ?? sql`false`;
const isNotOver = (now: Date): SQL => or(isNull(announcement.endsAt), gt(announcement.endsAt, now)) ?? sql`false`;

/** Published ones whose time has come and is not over. */
const isRunning = (now: Date): SQL => allOf(isPublished, hasBegun(now), isNotOver(now));

function ofStatus(status: AnnouncementStatus, now: Date): SQL | undefined {
  switch (status) {
    case 'draft':
    case 'withdrawn':
      return eq(announcement.state, status);
    case 'running':
      return isRunning(now);
    case 'scheduled':
      return and(isPublished, gt(announcement.startsAt, now), isNotOver(now));
    case 'over':
      return and(isPublished, lte(announcement.endsAt, now));
  }
}

/** The status of an announcement at a time. */
export function statusOf(row: Pick<AnnouncementRow, 'state' | 'startsAt' | 'endsAt'>, now: Date): AnnouncementStatus {
  if (row.state !== 'published') return row.state;
  if (row.endsAt !== null && row.endsAt <= now) return 'over';
  return row.startsAt !== null && row.startsAt > now ? 'scheduled' : 'running';
}

/** One page of the tenant's announcements, the newest first, and their number, counted to one past the limit. */
export async function listAnnouncements(
  tx: TenantTx,
  { keyword, status, current, size }: ListQuery,
  now: Date,
): Promise<{ rows: AnnouncementRow[]; total: number }> {
  const pattern = keyword && containing(keyword);
  const where = and(
    pattern ? or(ilike(announcement.title, pattern), ilike(announcement.body, pattern)) : undefined,
    status && ofStatus(status, now),
  );
  const rows = await tx.find(announcement, where, {
    orderBy: [desc(announcement.createdAt), desc(announcement.id)],
    limit: size,
    offset: (current - 1) * size,
  });
  return { rows, total: await tx.count(announcement, where, TOTAL_COUNT_LIMIT + 1) };
}

/** One announcement; it cannot be changed by others until the end of the transaction. */
export function lockAnnouncement(tx: TenantTx, id: string): Promise<AnnouncementRow | undefined> {
  return tx.findOne(announcement, eq(announcement.id, id), { lock: 'update' });
}

export const findAnnouncement = (tx: TenantTx, id: string): Promise<AnnouncementRow | undefined> =>
  tx.findOne(announcement, eq(announcement.id, id));

export async function insertAnnouncement(
  tx: TenantTx,
  values: AnnouncementValues & Pick<AnnouncementRow, 'authorName' | 'createdAt'>,
): Promise<AnnouncementRow> {
  const [row] = await tx.insert(announcement, { id: newId(), ...values });
  if (!row) throw new Error('A new announcement was lost.');
  return row;
}

/** Changes an announcement and counts the edit; undefined if `version` is no longer the newest. */
export async function updateAnnouncement(
  tx: TenantTx,
  id: string,
  version: number,
  values: Partial<AnnouncementValues & Pick<AnnouncementRow, 'state' | 'publishedAt' | 'dueAt'>>,
): Promise<AnnouncementRow | undefined> {
  const [row] = await tx.update(
    announcement,
    { ...values, version: version + 1 },
    allOf(eq(announcement.id, id), eq(announcement.version, version)),
  );
  return row;
}

export async function deleteAnnouncement(tx: TenantTx, id: string): Promise<void> {
  await tx.delete(announcement, eq(announcement.id, id));
}

/** Where a person belongs: what announcements can be aimed at. */
export interface Place {
  accountId: string;
  department: string;
  roleIds: string[];
}

export async function placeOf(tx: TenantTx, accountId: string): Promise<Place> {
  const [person, roles] = [
    await tx.findOne(account, eq(account.id, accountId)),
    await tx.find(accountRole, eq(accountRole.accountId, accountId)),
  ];
  return { accountId, department: person?.department ?? '', roleIds: roles.map(({ roleId }) => roleId) };
}

/** The newest running announcements of the transaction's tenant that are aimed at a person; or the one with `id`. */
export function runningFor(tx: TenantTx, place: Place, now: Date, id?: string): Promise<AnnouncementRow[]> {
  const audience = tx.scoped(announcementAudience);
  const levels = levelsOf(place.department);
  const hit = or(
    eq(audience.accountId, place.accountId),
    levels.length > 0 ? inArray(audience.department, levels) : undefined,
    place.roleIds.length > 0 ? inArray(audience.roleId, place.roleIds) : undefined,
  );
  const aimed = tx.select({ id: audience.announcementId }).from(audience).where(hit);
  return tx.find(
    announcement,
    and(
      isRunning(now),
      or(eq(announcement.wholeTenant, true), inArray(announcement.id, aimed)),
      id === undefined ? undefined : eq(announcement.id, id),
    ),
    { orderBy: [desc(begins), desc(announcement.id)], limit: ANNOUNCEMENT_LIMITS.current },
  );
}

/** When an account read announcements; unread ones are missing. */
export async function readsOf(tx: TenantTx, accountId: string, ids: readonly string[]): Promise<Map<string, Date>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.find(
    announcementRead,
    and(eq(announcementRead.accountId, accountId), inArray(announcementRead.announcementId, [...ids])),
  );
  return new Map(rows.map((row) => [row.announcementId, row.readAt]));
}

/** Marks announcements as read; those that were read keep their time. Returns how many are new. */
export async function insertReads(
  tx: TenantTx,
  accountId: string,
  ids: readonly string[],
  readAt: Date,
): Promise<number> {
  const rows = await tx.insert(
    announcementRead,
    ids.map((announcementId) => ({ announcementId, accountId, readAt })),
    'nothing',
  );
  return rows.length;
}

interface ReadersQuery {
  id: string;
  aim: Aim;
  /** Those who have read it, or those who have not. */
  read: boolean;
  /** People are of several tenants. */
  namesTenants: boolean;
  current: number;
  size: number;
}

/** One page of the people who have read an announcement, the latest first, or of those who have not, by name. */
export async function listReaders(
  tx: Reader,
  { id, aim, read, namesTenants, current, size }: ReadersQuery,
): Promise<{ rows: AnnouncementReader[]; total: number }> {
  const [people, reads, tenants] = [tx.scoped(account), tx.scoped(announcementRead), tx.scoped(tenant)];
  const readIt = and(eq(reads.accountId, people.id), eq(reads.announcementId, id));
  const where = and(isAimedAt(tx, people, aim), read ? undefined : isNull(reads.readAt));
  const fields = {
    userId: people.id,
    name: people.name,
    department: people.department,
    tenantName: tenants.name,
    readAt: reads.readAt,
  };
  const ofTenant = eq(tenants.tenantId, people.tenantId);
  const page = { limit: size, offset: (current - 1) * size };
  const rows = read
    ? await tx
        .select(fields)
        .from(people)
        .innerJoin(reads, readIt)
        .innerJoin(tenants, ofTenant)
        .where(where)
        .orderBy(desc(reads.readAt), desc(people.id))
        .limit(page.limit)
        .offset(page.offset)
    : await tx
        .select(fields)
        .from(people)
        .leftJoin(reads, readIt)
        .innerJoin(tenants, ofTenant)
        .where(where)
        .orderBy(asc(people.name), asc(people.id))
        .limit(page.limit)
        .offset(page.offset);
  const total = read
    ? await tx.select({ n: count() }).from(people).innerJoin(reads, readIt).where(where)
    : await tx.select({ n: count() }).from(people).leftJoin(reads, readIt).where(where);
  return {
    rows: rows.map(({ userId, name, department, tenantName, readAt }) => ({
      userId,
      name,
      department,
      tenantName: namesTenants ? tenantName : '',
      readAt: readAt?.toISOString() ?? null,
    })),
    total: total[0]?.n ?? 0,
  };
}

const DUE_AT_ONCE = 200;
/** Published announcements of all tenants that appear or disappear now. */
export function findDue(tx: PlatformTx, now: Date): Promise<AnnouncementRow[]> {
  return tx.find(announcement, lte(announcement.dueAt, now), { orderBy: asc(announcement.dueAt), limit: DUE_AT_ONCE });
}

/** Sets when open pages are notified next, unless the announcement was changed meanwhile. */
export async function setDue(tx: TenantTx, { id, version }: AnnouncementRow, dueAt: Date | null): Promise<void> {
  await tx.update(announcement, { dueAt }, allOf(eq(announcement.id, id), eq(announcement.version, version)));
}

/** The tenants that have people: all except the platform's and disabled ones, in the order of their ids. */
export async function customerIds(tx: PlatformTx): Promise<string[]> {
  const rows = await tx.find(tenant, and(ne(tenant.kind, 'platform'), eq(tenant.enabled, true)), {
    orderBy: asc(tenant.tenantId),
  });
  return rows.map(({ tenantId }) => tenantId);
}
