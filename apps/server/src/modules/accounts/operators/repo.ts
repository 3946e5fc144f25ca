import { and, asc, desc, eq, gt, ilike, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type contract, type Input } from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import { containing, type TenantTx } from '../../../platform/db/index.ts';
import { tenant, type TenantRow } from '../tenants/tables.ts';
import { account, type AccountRow } from '../users/tables.ts';

export type OperatorQuery = Input<typeof contract.operators.list>['query'];
export type OperatorFilter = Input<typeof contract.operators.export>['query'];

const isOperator = allOf(eq(account.kind, 'operator'), isNull(account.deletedAt));

/** The platform's own tenant. With `lock`, changes of its operators run one after the other. */
export async function platformTenant(tx: TenantTx, lock = false): Promise<TenantRow> {
  const row = await tx.findOne(tenant, eq(tenant.tenantId, tx.tenantId), lock ? { lock: 'no key update' } : {});
  if (!row) throw new Error('The platform has no tenant of its own.');
  return row;
}

/** The operators with these ids, as far as they exist. */
export function findOperators(tx: TenantTx, ids: readonly string[]): Promise<AccountRow[]> {
  return tx.find(account, allOf(inArray(account.id, [...ids]), isOperator));
}

function filtered({ keyword, status }: Pick<OperatorFilter, 'keyword' | 'status'>): SQL | undefined {
  const pattern = keyword && containing(keyword);
  return and(
    isOperator,
    pattern
      ? or(
          ilike(account.name, pattern),
          ilike(account.account, pattern),
          ilike(account.phone, pattern),
          ilike(account.email, pattern),
        )
      : undefined,
    status === undefined ? undefined : eq(account.enabled, status === 'enabled'),
  );
}

function orderOf({ sort, order }: Pick<OperatorFilter, 'sort' | 'order'>): SQL[] {
  const direction = order === 'ASC' ? asc : desc;
  // Those who never signed in count as absent for the longest time.
  if (sort === 'lastLoginAt')
    return [
      order === 'ASC' ? sql`${account.lastLoginAt} asc nulls first` : sql`${account.lastLoginAt} desc nulls last`,
      direction(account.id),
    ];
  return [direction(account[sort]), direction(account.id)];
}

/** One page of operators, and their number, counted to one past the limit. */
export async function listOperators(
  tx: TenantTx,
  query: OperatorQuery,
): Promise<{ rows: AccountRow[]; total: number }> {
  const where = filtered(query);
  const rows = await tx.find(account, where, {
    orderBy: orderOf(query),
    limit: query.size,
    offset: (query.current - 1) * query.size,
  });
  return { rows, total: await tx.count(account, where, TOTAL_COUNT_LIMIT + 1) };
}

/** Operators that meet the filter, ordered by account name, after the given one; at most `size`. */
export function operatorsAfter(
  tx: TenantTx,
  filter: OperatorFilter,
  after: string,
  size: number,
): Promise<AccountRow[]> {
  return tx.find(account, and(filtered(filter), gt(account.account, after)), {
    orderBy: asc(account.account),
    limit: size,
  });
}

/** Whether another enabled superAdmin exists besides these accounts. */
export async function hasOtherSuperAdmin(tx: TenantTx, ids: readonly string[]): Promise<boolean> {
  const others = ids.map((id) => ne(account.id, id));
  return (
    (await tx.count(
      account,
      allOf(isOperator, eq(account.isSuperAdmin, true), eq(account.enabled, true), ...others),
      1,
    )) > 0
  );
}

/** Changes an operator and counts the edit; undefined if `version` is no longer the newest. */
export async function updateOperator(
  tx: TenantTx,
  id: string,
  version: number,
  values: Pick<AccountRow, 'name' | 'phone' | 'email' | 'locale' | 'isSuperAdmin'>,
): Promise<AccountRow | undefined> {
  const [row] = await tx.update(
    account,
    { ...values, version: version + 1 },
    allOf(eq(account.id, id), eq(account.version, version)),
  );
  return row;
}
