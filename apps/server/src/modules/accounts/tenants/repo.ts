import { and, asc, count, desc, eq, ilike, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type contract, type Input, type Tenant } from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import { containing, type PlatformTx, type TenantTx } from '../../../platform/db/index.ts';
import { terminalSession } from '../../conferences/tables.ts';
import { session } from '../auth/tables.ts';
import { account } from '../users/tables.ts';
import { tenant, tenantLogo, type TenantRow } from './tables.ts';

type ListQuery = Input<typeof contract.tenants.list>['query'];
type Reader = Pick<TenantTx, 'findOne'>;
/** The fields of a tenant that a change may set. */
export type TenantValues = Partial<Omit<TenantRow, 'tenantId' | 'kind' | 'createdAt' | 'version'>>;

const OPTIONS = 50;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The platform's own tenant is neither listed nor changed. */
const isCustomer = eq(tenant.kind, 'customer');

export function findTenant(tx: Reader, tenantId: string): Promise<TenantRow | undefined> {
  return tx.findOne(tenant, eq(tenant.tenantId, tenantId));
}

/** The tenant with this id or this name (case-insensitive). */
export function findTenantBy(tx: PlatformTx, named: string): Promise<TenantRow | undefined> {
  const isNamed = eq(sql`lower(${tenant.name})`, sql`lower(${named})`);
  return tx.findOne(tenant, UUID.test(named) ? eq(tenant.tenantId, named) : isNamed);
}

/** The tenant of an installation that has only one. */
export async function findOnlyTenant(tx: PlatformTx): Promise<TenantRow | undefined> {
  const [one, another] = await tx.find(tenant, isCustomer, { limit: 2 });
  return another ? undefined : one;
}

/** The tenant of a row that refers to it. */
export async function tenantOf(tx: Reader, tenantId: string): Promise<TenantRow> {
  const row = await findTenant(tx, tenantId);
  if (!row) throw new Error(`there is no tenant ${tenantId}`);
  return row;
}

export function findCustomer(tx: Reader, tenantId: string): Promise<TenantRow | undefined> {
  return tx.findOne(tenant, allOf(eq(tenant.tenantId, tenantId), isCustomer));
}

const named = (keyword: string | undefined): SQL | undefined =>
  keyword ? ilike(tenant.name, containing(keyword)) : undefined;

/** One page of tenants, and their number, counted to one past the limit. */
export async function listTenants(
  tx: PlatformTx,
  { keyword, status, sort, order, current, size }: ListQuery,
): Promise<{ rows: TenantRow[]; total: number }> {
  const where = and(isCustomer, named(keyword), status && eq(tenant.enabled, status === 'enabled'));
  const direction = order === 'ASC' ? asc : desc;
  const rows = await tx.find(tenant, where, {
    orderBy: [direction(sort === 'name' ? sql`lower(${tenant.name})` : tenant.createdAt), direction(tenant.tenantId)],
    limit: size,
    offset: (current - 1) * size,
  });
  return { rows, total: await tx.count(tenant, where, TOTAL_COUNT_LIMIT + 1) };
}

export function findOptions(
  tx: PlatformTx,
  { keyword, id }: { keyword: string; id?: string | undefined },
): Promise<TenantRow[]> {
  return tx.find(tenant, and(isCustomer, named(keyword), id === undefined ? undefined : eq(tenant.tenantId, id)), {
    orderBy: [asc(sql`lower(${tenant.name})`)],
    limit: OPTIONS,
  });
}

/** Number of people and of terminals in conferences, by tenant; tenants without any are missing. */
export async function usageOf(
  tx: Pick<TenantTx, 'select' | 'scoped'>,
  tenantIds: readonly string[],
): Promise<Map<string, Tenant['usage']>> {
  const usage = new Map<string, Tenant['usage']>(tenantIds.map((id) => [id, { users: 0, terminals: 0 }]));
  if (tenantIds.length === 0) return usage;
  const [people, terminals] = [tx.scoped(account), tx.scoped(terminalSession)];
  const users = await tx
    .select({ id: people.tenantId, n: count() })
    .from(people)
    .where(and(inArray(people.tenantId, [...tenantIds]), eq(people.kind, 'user'), isNull(people.deletedAt)))
    .groupBy(people.tenantId);
  const inside = await tx
    .select({ id: terminals.tenantId, n: count() })
    .from(terminals)
    .where(and(inArray(terminals.tenantId, [...tenantIds]), eq(terminals.state, 'admitted')))
    .groupBy(terminals.tenantId);
  for (const { id, n } of users) usage.set(id, { users: n, terminals: 0 });
  for (const { id, n } of inside) usage.set(id, { users: usage.get(id)?.users ?? 0, terminals: n });
  return usage;
}

/** Undefined if the name is taken. */
export async function insertTenant(tx: PlatformTx, values: typeof tenant.$inferInsert): Promise<TenantRow | undefined> {
  const [row] = await tx.insert(tenant, values, 'nothing');
  return row;
}

/** Changes the transaction's tenant; undefined if `version` is no longer the newest. */
export async function updateTenant(
  tx: TenantTx,
  version: number,
  values: TenantValues,
): Promise<TenantRow | undefined> {
  const [row] = await tx.update(
    tenant,
    { ...values, version: version + 1 },
    allOf(eq(tenant.tenantId, tx.tenantId), eq(tenant.version, version)),
  );
  return row;
}

/** Undefined if nothing changes. */
export async function setTenantEnabled(tx: TenantTx, enabled: boolean): Promise<TenantRow | undefined> {
  const [row] = await tx.update(
    tenant,
    { enabled, version: sql`${tenant.version} + 1` },
    allOf(eq(tenant.tenantId, tx.tenantId), eq(tenant.enabled, !enabled)),
  );
  return row;
}

/** Accounts of the transaction's tenant with open sessions, a limited number at a time. */
export async function accountsSignedIn(tx: TenantTx, sessions: number): Promise<string[]> {
  const open = await tx.find(session, isNull(session.endedAt), { limit: sessions });
  return [...new Set(open.map((row) => row.accountId))];
}

export async function findLogo(tx: TenantTx): Promise<{ type: string; data: string } | undefined> {
  return tx.findOne(tenantLogo);
}

export async function setLogo(tx: TenantTx, logo: { type: string; data: string } | null): Promise<void> {
  if (logo === null) await tx.delete(tenantLogo, eq(tenantLogo.tenantId, tx.tenantId));
  else await tx.insert(tenantLogo, logo, { target: tenantLogo.tenantId, set: logo });
}
