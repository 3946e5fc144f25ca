import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { TenantTx } from '../../../platform/db/index.ts';
import { accountRole, role } from '../roles/tables.ts';
import { addDirectoryAccounts, countMembers, findOwnTenant } from '../users/index.ts';
import { account, isUserThere, type AccountRow } from '../users/tables.ts';
import type { DirectoryPerson } from './ldap/person.ts';
import { directoryAccount } from './tables.ts';

/** How many more accounts the tenant may have. Its row is locked until the end of the transaction. */
export async function roomFor(tx: TenantTx): Promise<number> {
  const tenant = await findOwnTenant(tx, true);
  if (!tenant || tenant.maxUsers === null) return Infinity;
  return Math.max(0, tenant.maxUsers - (await countMembers(tx, tenant.maxUsers)));
}

/** The accounts that are in the way of new people: of the same name, or not of a directory and with the same mail. */
export interface Taken {
  byName: Map<string, AccountRow>;
  byMail: Map<string, AccountRow>;
}

const lower = (text: string): string => text.toLowerCase();

export async function takenBy(tx: TenantTx, people: readonly DirectoryPerson[]): Promise<Taken> {
  const names = [...new Set(people.map((person) => lower(person.account)))];
  const mails = [...new Set(people.map(({ email }) => lower(email)).filter((mail) => mail !== ''))];
  const named = names.length === 0 ? [] : await tx.find(account, inArray(sql`lower(${account.account})`, names));
  const mailed =
    mails.length === 0
      ? []
      : await tx.find(
          account,
          allOf(
            inArray(sql`lower(${account.email})`, mails),
            ne(account.email, ''),
            isUserThere,
            eq(account.managedBy, 'local'),
          ),
        );
  return {
    byName: new Map(named.map((row) => [lower(row.account), row])),
    byMail: new Map(mailed.map((row) => [lower(row.email), row])),
  };
}

/** Why a new person gets no account, and which account is in the way; undefined if none is. */
export function collisionOf(
  { account: name, email }: DirectoryPerson,
  { byName, byMail }: Taken,
): { reason: 'accountTaken' | 'mailTaken' | 'deletedHere'; other: AccountRow } | undefined {
  const named = byName.get(lower(name));
  if (named) return { reason: named.deletedAt ? 'deletedHere' : 'accountTaken', other: named };
  const mailed = byMail.get(lower(email));
  return mailed && { reason: 'mailTaken', other: mailed };
}

/** Creates accounts with the default roles for people of a directory; those whose name is taken are missing. */
export async function createAccounts(
  tx: TenantTx,
  directoryId: string,
  people: readonly DirectoryPerson[],
  { roundId, now }: { roundId: string | null; now: Date },
): Promise<Map<string, AccountRow>> {
  if (people.length === 0) return new Map();
  const rows = await addDirectoryAccounts(
    tx,
    people.map((person) => ({
      account: person.account,
      name: person.name,
      email: person.email,
      phone: person.phone,
      department: person.department,
    })),
    now,
  );
  const byName = new Map(rows.map((row) => [lower(row.account), row]));
  const created = new Map<string, AccountRow>();
  for (const { account: name, uniqueId } of people) {
    const row = byName.get(lower(name));
    // Of two people of one name, the first one has the account.
    if (row && byName.delete(lower(name))) created.set(uniqueId, row);
  }
  await tx.insert(
    directoryAccount,
    people.flatMap(({ uniqueId, dn, passwordStamp }) => {
      const row = created.get(uniqueId);
      return row
        ? [{ accountId: row.id, directoryId, uniqueId, dn, passwordStamp, seenIn: roundId, lastSeenAt: now }]
        : [];
    }),
  );
  const defaults = await tx.find(role, and(eq(role.kind, 'user'), eq(role.isDefault, true)));
  await tx.insert(
    accountRole,
    rows.flatMap(({ id }) => defaults.map((one) => ({ accountId: id, roleId: one.id }))),
    'nothing',
  );
  return created;
}

/**
 * Grants accounts the roles of their groups, and takes back those that the directory gives to others. Roles that no
 * group gives stay as they are. Returns the accounts that changed.
 */
export async function setGroupRoles(
  tx: TenantTx,
  wanted: ReadonlyMap<string, readonly string[]>,
  given: readonly string[],
): Promise<string[]> {
  if (given.length === 0 || wanted.size === 0) return [];
  const known = new Set(
    (await tx.find(role, allOf(inArray(role.id, [...given]), eq(role.kind, 'user')))).map((r) => r.id),
  );
  const ids = [...wanted.keys()];
  const has = await tx.find(
    accountRole,
    allOf(inArray(accountRole.accountId, ids), inArray(accountRole.roleId, [...given])),
  );
  const keyOf = (accountId: string, roleId: string): string => `${accountId} ${roleId}`;
  const before = new Set(has.map(({ accountId, roleId }) => keyOf(accountId, roleId)));
  const missing = [...wanted].flatMap(([accountId, roleIds]) =>
    roleIds
      .filter((roleId) => known.has(roleId) && !before.has(keyOf(accountId, roleId)))
      .map((roleId) => ({ accountId, roleId })),
  );
  const surplus = has.filter(({ accountId, roleId }) => !wanted.get(accountId)?.includes(roleId));
  await tx.insert(accountRole, missing, 'nothing');
  for (const [roleId, rows] of Map.groupBy(surplus, (row) => row.roleId))
    await tx.delete(
      accountRole,
      allOf(
        eq(accountRole.roleId, roleId),
        inArray(
          accountRole.accountId,
          rows.map((row) => row.accountId),
        ),
      ),
    );
  return [...new Set([...missing, ...surplus].map(({ accountId }) => accountId))];
}
