import { and, asc, eq, ilike, inArray, or, sql } from 'drizzle-orm';
import { containing, type PlatformTx, type TenantTx } from '../../platform/db/index.ts';
import { account, type AccountRow } from './tables.ts';

const LOOKUP_LIMIT = 20;

/** By account name, whatever its case, over all tenants. */
export function findAccountByName(tx: PlatformTx, name: string): Promise<AccountRow | undefined> {
  return tx.findOne(account, eq(sql`lower(${account.account})`, name.toLowerCase()));
}

export function findAccount(tx: Pick<TenantTx, 'findOne'>, id: string): Promise<AccountRow | undefined> {
  return tx.findOne(account, eq(account.id, id));
}

export function findAccounts(tx: TenantTx, ids: readonly string[]): Promise<AccountRow[]> {
  return ids.length === 0 ? Promise.resolve([]) : tx.find(account, inArray(account.id, [...ids]));
}

/** People of the tenant who can be invited, by part of their name or account. */
export function searchPeople(tx: TenantTx, keyword: string): Promise<AccountRow[]> {
  const matching = keyword === '' ? undefined : or(ilike(account.name, containing(keyword)), ilike(account.account, containing(keyword)));
  return tx.find(account, and(eq(account.kind, 'user'), eq(account.enabled, true), matching), {
    orderBy: [asc(account.name), asc(account.account)], limit: LOOKUP_LIMIT,
  });
}
