import { grantRoles } from '../modules/accounts/roles/index.ts';
import { tenant } from '../modules/accounts/tenants/tables.ts';
import { hashPassword } from '../modules/accounts/users/index.ts';
import { account, department as departments, type AccountRow } from '../modules/accounts/users/tables.ts';
import type { PlatformTx } from '../platform/db/index.ts';
import { newId } from '../platform/db/index.ts';

/** The published password of all demo accounts. */
export const DEMO_PASSWORD = 'Rmeet-demo-1';

export interface Person {
  account: string;
  name: string;
  department?: string;
  isTenantAdmin?: boolean;
  /** Of the platform's staff; a superAdmin is anyway. */
  isOperator?: boolean;
  isSuperAdmin?: boolean;
}

/** Makes a customer's tenant and answers its id. */
export async function addTenant(tx: PlatformTx, name: string, now: Date): Promise<string> {
  const tenantId = newId();
  await tx.insert(tenant, { tenantId, name, createdAt: now });
  return tenantId;
}

/**
 * Accounts with the demo password, in the order given. Hashing takes about 40 ms each, so it comes before the
 * transaction.
 */
export async function preparePeople(people: readonly Person[]): Promise<(Person & { passwordHash: string })[]> {
  return Promise.all(people.map(async (person) => ({ ...person, passwordHash: await hashPassword(DEMO_PASSWORD) })));
}

/** Makes the accounts, with the roles new accounts get. */
export async function addPeople(
  tx: PlatformTx,
  tenantId: string,
  people: readonly (Person & { passwordHash: string })[],
  now: Date,
): Promise<AccountRow[]> {
  const rows = people.map(
    ({ isTenantAdmin = false, isSuperAdmin = false, isOperator = isSuperAdmin, department = '', ...person }) => ({
      id: newId(),
      tenantId,
      kind: isOperator ? ('operator' as const) : ('user' as const),
      isTenantAdmin,
      isSuperAdmin,
      department,
      isDemo: true,
      createdAt: now,
      ...person,
    }),
  );
  const accounts = await tx.insert(account, rows);
  const ofTenant = tx.asTenant(tenantId);
  const paths = new Set(accounts.flatMap(({ department }) => (department === '' ? [] : [department])));
  await ofTenant.insert(
    departments,
    [...paths].map((path) => ({ path })),
    'nothing',
  );
  for (const { id, kind } of accounts)
    await grantRoles(ofTenant, id, kind === 'operator' ? 'operator' : 'user', 'default');
  return accounts;
}
