import { and, asc, count, desc, eq, gt, inArray, isNull, lte, ne, not, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { LIMITS, TOTAL_COUNT_LIMIT, type contract, type Data, type Input } from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import { searchPage, type PlatformTx, type TenantTx } from '../../../platform/db/index.ts';
import { accountRole } from '../roles/tables.ts';
import { tenant, type TenantRow } from '../tenants/tables.ts';
import {
  account,
  department,
  invitation,
  isUserThere,
  phoneDigits,
  type AccountRow,
  type InvitationRow,
} from './tables.ts';

type Reader = Pick<TenantTx, 'findOne'>;
export type UserQuery = Input<typeof contract.users.list>['query'];
export type UserFilter = Omit<Input<typeof contract.users.export>['query'], 'format'>;

const PICK_LIMIT = 20;
const SEARCH_LIMIT = 50;
const DEPARTMENTS_LIMIT = 5_000;

const isUser = eq(account.kind, 'user');

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** For the tenant with this id or this name (case-insensitive). A name that looks like an id counts as one. */
function inTenant(tx: PlatformTx, named: string): SQL {
  if (UUID.test(named)) return eq(account.tenantId, named);
  const tenants = tx.scoped(tenant);
  return inArray(
    account.tenantId,
    tx
      .select({ id: tenants.tenantId })
      .from(tenants)
      .where(eq(sql`lower(${tenants.name})`, sql`lower(${named})`)),
  );
}

/**
 * The accounts with a name (case-insensitive): the oldest over all tenants, or if a tenant is named, only that one's.
 * Deleted accounts, and those of API clients, are not found. One statement that reads at most `limit` rows, so that it
 * takes equally long for any name.
 */
export function findAccountsByName(
  tx: PlatformTx,
  name: string,
  inside: string | undefined,
  limit: number,
): Promise<AccountRow[]> {
  const named = allOf(
    eq(sql`lower(${account.account})`, name.toLowerCase()),
    isNull(account.deletedAt),
    ne(account.kind, 'service'),
  );
  const where = inside === undefined ? named : allOf(named, inTenant(tx, inside));
  return tx.find(account, where, { orderBy: [asc(account.createdAt), asc(account.id)], limit });
}

/** Digits of a phone number as they are compared: without separators, and without China's country code. */
export const digitsOf = (phone: string): string => phone.replaceAll(/[\s-]/g, '').replace(/^\+86/, '');

/** Users with a phone number, in a tenant if one is named, the oldest first. Must match the expression of the index. */
export function findAccountsByPhone(
  tx: PlatformTx,
  phone: string,
  inside: string | undefined,
  limit: number,
): Promise<AccountRow[]> {
  const known = allOf(eq(phoneDigits(account.phone), digitsOf(phone)), ne(account.phone, ''), isUserThere);
  const where = inside === undefined ? known : allOf(known, inTenant(tx, inside));
  return tx.find(account, where, { orderBy: [asc(account.createdAt), asc(account.id)], limit });
}

/** With `lock`, changes of the account wait until the end of the transaction. */
export function findAccount(tx: Reader, id: string, lock = false): Promise<AccountRow | undefined> {
  return tx.findOne(account, eq(account.id, id), lock ? { lock: 'no key update' } : {});
}

export function findAccounts(tx: TenantTx, ids: readonly string[]): Promise<AccountRow[]> {
  return ids.length === 0 ? Promise.resolve([]) : tx.find(account, inArray(account.id, [...ids]));
}

const NAMED_BY = [account.name, account.account] as const;
const KNOWN_BY = [account.name, account.account, account.phone, account.email] as const;

/** The rows of a search result, in its order. */
async function inOrder(tx: TenantTx, ids: readonly string[]): Promise<AccountRow[]> {
  const rows = new Map((await findAccounts(tx, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** Users who can sign in, by a keyword in the columns; all of them if it is empty. */
async function searchMembers(
  tx: TenantTx,
  columns: readonly [PgColumn, ...PgColumn[]],
  keyword: string,
  limit: number,
): Promise<AccountRow[]> {
  const where = allOf(isUserThere, eq(account.enabled, true));
  const orderBy = [asc(account.name), asc(account.id)];
  if (keyword === '') return tx.find(account, where, { orderBy, limit });
  return inOrder(tx, (await searchPage(tx, columns, keyword, { where, orderBy, limit })).ids);
}

/** People of the tenant who can be invited, by part of their name or account. */
export function searchPeople(tx: TenantTx, keyword: string): Promise<AccountRow[]> {
  return searchMembers(tx, NAMED_BY, keyword, PICK_LIMIT);
}

/** Whether an account can be invited. */
export function isInvitable({ kind, enabled, deletedAt }: Pick<AccountRow, 'kind' | 'enabled' | 'deletedAt'>): boolean {
  return kind === 'user' && enabled && deletedAt === null;
}

/** The people of a department and of all below it who can be invited, by part of their name or account. */
export async function peopleOfDepartment(tx: TenantTx, path: string, keyword: string): Promise<AccountRow[]> {
  const where = allOf(isUserThere, eq(account.enabled, true), inDepartment(path));
  const page = { orderBy: [asc(account.name), asc(account.id)], limit: LIMITS.participants };
  if (keyword === '') return tx.find(account, where, page);
  return inOrder(tx, (await searchPage(tx, NAMED_BY, keyword, { where, ...page })).ids);
}

/** How many users, or users who can be invited, are directly in each department; those without any are left out. */
export async function countByDepartment(tx: TenantTx, who: 'all' | 'invitable'): Promise<Map<string, number>> {
  const people = tx.scoped(account);
  const there = and(eq(people.kind, 'user'), isNull(people.deletedAt), ne(people.department, ''));
  const rows = await tx
    .select({ department: people.department, n: count() })
    .from(people)
    .where(who === 'all' ? there : and(there, eq(people.enabled, true)))
    .groupBy(people.department);
  return new Map(rows.map(({ department: path, n }) => [path, n]));
}

/** Colleagues who can sign in, by part of their name, account, phone number, mail address or department. */
export function searchColleagues(tx: TenantTx, keyword: string): Promise<AccountRow[]> {
  return searchMembers(tx, [...KNOWN_BY, account.department], keyword, SEARCH_LIMIT);
}

/** The transaction's own tenant if it is a customer's. With `lock`, changes of its accounts run one after the other. */
export function findOwnTenant(tx: TenantTx, lock = false): Promise<TenantRow | undefined> {
  return tx.findOne(
    tenant,
    allOf(eq(tenant.tenantId, tx.tenantId), eq(tenant.kind, 'customer')),
    lock ? { lock: 'no key update' } : {},
  );
}

export function findUser(tx: TenantTx, id: string): Promise<AccountRow | undefined> {
  return tx.findOne(account, allOf(eq(account.id, id), isUser));
}

/** Users that are not deleted; deleted ones and other accounts are missing. */
export function findMembers(tx: TenantTx, ids: readonly string[]): Promise<AccountRow[]> {
  return tx.find(account, allOf(inArray(account.id, [...ids]), isUserThere));
}

/** The invitations of accounts that have no password yet, by account. */
export async function findInvitations(tx: TenantTx, ids: readonly string[]): Promise<Map<string, InvitationRow>> {
  const rows = ids.length === 0 ? [] : await tx.find(invitation, inArray(invitation.accountId, [...ids]));
  return new Map(rows.map((row) => [row.accountId, row]));
}

const isInvited = sql`exists (select 1 from ${invitation} where ${invitation.accountId} = ${account.id})`;

/** How many users count against the quota, counted up to `atMost`. */
export function countMembers(tx: TenantTx, atMost: number): Promise<number> {
  return tx.count(account, isUserThere, atMost);
}

/** Whether another enabled administrator, who has a password, exists besides these accounts. */
export async function hasOtherAdmin(tx: TenantTx, ids: readonly string[]): Promise<boolean> {
  const others = ids.map((id) => ne(account.id, id));
  return (
    (await tx.count(
      account,
      allOf(isUserThere, eq(account.isTenantAdmin, true), eq(account.enabled, true), not(isInvited), ...others),
      1,
    )) > 0
  );
}

/** A department and all below it; as a range, so that the index finds it. */
function inDepartment(path: string): SQL {
  const top = path.replace(/\/+$/, '');
  return (
    or(
      eq(account.department, top),
      sql`${account.department} ~>=~ ${`${top}/`} and ${account.department} ~<~ ${`${top}0`}`,
    ) ?? sql`false`
  );
}

function havingRole(tx: TenantTx, roleId: string): SQL {
  const granted = tx.scoped(accountRole);
  return inArray(account.id, tx.select({ id: granted.accountId }).from(granted).where(eq(granted.roleId, roleId)));
}

/** The accounts of a status that are not deleted. */
function ofStatus(status: Exclude<UserFilter['status'], 'deleted'>): SQL | undefined {
  if (status === undefined) return undefined;
  if (status === 'disabled') return eq(account.enabled, false);
  return and(eq(account.enabled, true), status === 'invited' ? isInvited : not(isInvited));
}

/** The filter without its keyword. */
function filtered(
  tx: TenantTx,
  { department: path, status, roleId }: Pick<UserFilter, 'department' | 'status' | 'roleId'>,
  restorableFrom: Date,
): SQL {
  const more = [
    status === 'deleted' ? undefined : ofStatus(status),
    path ? inDepartment(path) : undefined,
    roleId ? havingRole(tx, roleId) : undefined,
  ];
  return allOf(
    status === 'deleted'
      ? allOf(isUser, gt(account.deletedAt, restorableFrom), ne(account.passwordHash, ''))
      : isUserThere,
    ...more.filter((condition) => condition !== undefined),
  );
}

function orderOf({ sort, order }: Pick<UserFilter, 'sort' | 'order'>): SQL[] {
  const direction = order === 'ASC' ? asc : desc;
  // Those who never signed in count as absent for the longest time. The expression must be exactly the index's.
  if (sort === 'lastLoginAt') {
    return order === 'ASC'
      ? [sql`${account.lastLoginAt} asc nulls first`, sql`${account.id} asc nulls first`]
      : [sql`${account.lastLoginAt} desc nulls last`, sql`${account.id} desc nulls last`];
  }
  return [direction(account[sort]), direction(account.id)];
}

/** One page of users, and their number, counted to one past the limit. */
export async function listUsers(
  tx: TenantTx,
  query: UserQuery,
  restorableFrom: Date,
): Promise<{ rows: AccountRow[]; total: number }> {
  const where = filtered(tx, query, restorableFrom);
  const page = { orderBy: orderOf(query), limit: query.size, offset: (query.current - 1) * query.size };
  if (!query.keyword)
    return { rows: await tx.find(account, where, page), total: await tx.count(account, where, TOTAL_COUNT_LIMIT + 1) };
  const { ids, total } = await searchPage(tx, KNOWN_BY, query.keyword, { where, ...page });
  return { rows: await inOrder(tx, ids), total };
}

/** Users that meet the filter, ordered by account name, after the given one; at most `size`. */
export async function usersAfter(
  tx: TenantTx,
  filter: Omit<UserFilter, 'sort' | 'order'>,
  restorableFrom: Date,
  after: Pick<AccountRow, 'account' | 'id'> | undefined,
  size: number,
): Promise<AccountRow[]> {
  // Deleted accounts may share a name.
  const later = after && sql`(${account.account}, ${account.id}) > (${after.account}, ${after.id})`;
  const where = allOf(filtered(tx, filter, restorableFrom), ...(later ? [later] : []));
  const orderBy = [asc(account.account), asc(account.id)];
  if (!filter.keyword) return tx.find(account, where, { orderBy, limit: size });
  return inOrder(tx, (await searchPage(tx, KNOWN_BY, filter.keyword, { where, orderBy, limit: size })).ids);
}

/** The departments by path, with the number of users directly in each. */
export async function departmentSizes(tx: TenantTx): Promise<Data<typeof contract.users.departments>> {
  const rows = await tx.find(department, undefined, { orderBy: asc(department.path), limit: DEPARTMENTS_LIMIT });
  const users = await countByDepartment(tx, 'all');
  return rows.map(({ path }) => ({ path, users: users.get(path) ?? 0 }));
}

/** Colleagues by id, sorted by name. */
export function colleaguesById(
  tx: TenantTx,
  ids: readonly string[],
  order: 'ASC' | 'DESC',
  size: number,
): Promise<AccountRow[]> {
  const direction = order === 'ASC' ? asc : desc;
  return tx.find(account, allOf(inArray(account.id, [...ids]), isUserThere), {
    orderBy: [direction(account.name), direction(account.id)],
    limit: size,
  });
}

/** Deleted accounts that can no longer be restored and still have personal data. */
export function accountsToPurge(tx: PlatformTx, deletedUntil: Date, limit: number): Promise<AccountRow[]> {
  return tx.find(account, allOf(lte(account.deletedAt, deletedUntil), ne(account.passwordHash, '')), { limit });
}

/** The transaction's own tenant, even if it is the platform's. */
export function findTenantOf(tx: TenantTx): Promise<TenantRow | undefined> {
  return tx.findOne(tenant, eq(tenant.tenantId, tx.tenantId));
}
