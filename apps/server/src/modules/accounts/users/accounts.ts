import { asc, eq, inArray, isNull } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import { newId, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import type { FirstAccount } from '../tenants/index.ts';
import { enterDepartment, leaveDepartment } from './departments.ts';
import type { AccountSessions } from './ports.ts';
import { account, formerPassword, invitation, type AccountRow } from './tables.ts';

/** Number of former passwords stored per account: the maximum a tenant may require. */
const FORMER_KEPT = 24;

/** The hash of no password: for accounts whose password a directory keeps. */
export const NO_PASSWORD = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

export type NewAccount = FirstAccount;

/**
 * Creates an account of the transaction's tenant. The caller checks quotas and passwords; `passwordDue` requires a new
 * password at the first sign-in.
 *
 * @throws AppError ACCOUNT_TAKEN: names are unique within a tenant, case-insensitive, deleted accounts excepted
 */
export async function addAccount(tx: TenantTx, values: NewAccount, now: Date): Promise<AccountRow> {
  const [row] = await tx.insert(account, { id: newId(), ...values, createdAt: now }, 'nothing');
  if (!row) throw new AppError('ACCOUNT_TAKEN', { account: values.account });
  await enterDepartment(tx, row.department);
  return row;
}

/**
 * Creates an account that a directory has pushed, without a password; undefined if its name is taken. The caller checks
 * quotas.
 */
export async function addPushedAccount(
  tx: TenantTx,
  person: Pick<AccountRow, 'account' | 'name' | 'email' | 'phone' | 'department' | 'enabled'>,
  now: Date,
): Promise<AccountRow | undefined> {
  const values = { id: newId(), ...person, kind: 'user' as const, passwordHash: NO_PASSWORD, createdAt: now };
  const [row] = await tx.insert(account, values, 'nothing');
  if (row) await enterDepartment(tx, row.department);
  return row;
}

/**
 * Creates accounts of people in a directory, which checks their passwords. Those whose name is taken are missing from
 * the result. The caller checks quotas.
 */
export async function addDirectoryAccounts(
  tx: TenantTx,
  people: readonly Pick<AccountRow, 'account' | 'name' | 'email' | 'phone' | 'department'>[],
  now: Date,
): Promise<AccountRow[]> {
  const values = people.map((person) => ({
    id: newId(),
    ...person,
    kind: 'user' as const,
    managedBy: 'directory' as const,
    passwordHash: NO_PASSWORD,
    createdAt: now,
  }));
  const rows = await tx.insert(account, values, 'nothing');
  for (const path of new Set(rows.map((row) => row.department))) await enterDepartment(tx, path);
  return rows;
}

/**
 * Sets a new password, hashed before by `hashPassword` (it takes about 40 ms, too long for a transaction). The current
 * one is added to the former ones, and an invitation to set the first one is used up. The caller ends the sessions.
 */
export async function setPassword(
  tx: TenantTx,
  of: AccountRow,
  passwordHash: string,
  { due }: { due: boolean },
  now: Date,
): Promise<void> {
  const invited = await tx.delete(invitation, eq(invitation.accountId, of.id));
  // Invited people had no password before.
  if (invited.length === 0)
    await tx.insert(formerPassword, { id: newId(), accountId: of.id, passwordHash: of.passwordHash, replacedAt: now });
  const former = await tx.find(formerPassword, eq(formerPassword.accountId, of.id), {
    orderBy: [asc(formerPassword.replacedAt), asc(formerPassword.id)],
  });
  const dropped = former.slice(0, -FORMER_KEPT).map((row) => row.id);
  if (dropped.length > 0) await tx.delete(formerPassword, inArray(formerPassword.id, dropped));
  await tx.update(account, { passwordHash, passwordDue: due, passwordChangedAt: now }, eq(account.id, of.id));
}

/**
 * Sets the password that the owner of an account chose, records it, and ends the account's sessions, except that of the
 * caller, if it has one. `passwordHash` as in `setPassword`.
 */
export async function setOwnPassword(
  tx: TenantTx,
  sessions: Pick<AccountSessions, 'endSessions'>,
  context: Context<AccountCaller>,
  { of, passwordHash, now }: { of: AccountRow; passwordHash: string; now: Date },
): Promise<void> {
  await setPassword(tx, of, passwordHash, { due: false }, now);
  await passwordChanged(tx, sessions, context, of, now);
}

/** Records a password that the owner of an account changed, here or in its directory; its other sessions end. */
export async function passwordChanged(
  tx: TenantTx,
  sessions: Pick<AccountSessions, 'endSessions'>,
  context: Context<AccountCaller>,
  { id, name }: AccountRow,
  now: Date,
): Promise<void> {
  const password = '***';
  await recordAudit(tx, context, now, {
    target: { kind: 'account', id, name },
    before: { password },
    after: { password },
  });
  await sessions.endSessions(tx, [id], 'password', context.caller.sessionId || undefined);
}

/**
 * Enables or disables accounts of the transaction's tenant; the sessions of disabled ones end at once. Deleted accounts
 * stay unchanged. The caller checks the rights.
 *
 * @returns the accounts that changed
 */
export async function setAccountsEnabled(
  tx: TenantTx,
  ids: readonly string[],
  enabled: boolean,
  sessions: AccountSessions,
): Promise<AccountRow[]> {
  const changed = await tx.update(
    account,
    { enabled },
    allOf(inArray(account.id, [...ids]), eq(account.enabled, !enabled), isNull(account.deletedAt)),
  );
  if (!enabled)
    await sessions.endSessions(
      tx,
      changed.map((row) => row.id),
      'disabled',
    );
  return changed;
}

/** The fields that user managers, the account itself, or its identity provider may set. */
export type Details = Pick<
  AccountRow,
  'account' | 'name' | 'phone' | 'email' | 'department' | 'locale' | 'isTenantAdmin'
>;

/** Changes an account; undefined if `version` is no longer the newest. */
export async function changeDetails(
  tx: TenantTx,
  of: AccountRow,
  values: Partial<Details>,
  version = of.version,
): Promise<AccountRow | undefined> {
  const [row] = await tx.update(
    account,
    { ...values, version: version + 1 },
    allOf(eq(account.id, of.id), eq(account.version, version)),
  );
  if (row && row.department !== of.department) {
    await enterDepartment(tx, row.department);
    await leaveDepartment(tx, of.department);
  }
  return row;
}

/** Deletes an account so that it can be restored. The caller ends its sessions. */
export async function removeAccount(tx: TenantTx, of: AccountRow, now: Date): Promise<void> {
  await tx.update(account, { enabled: false, deletedAt: now }, eq(account.id, of.id));
  await leaveDepartment(tx, of.department);
}

/** Restores an account under a name; a taken name violates `account_tenant_account_key`. */
export async function restoreAccount(tx: TenantTx, of: AccountRow, name: string): Promise<void> {
  await tx.update(account, { account: name, enabled: true, deletedAt: null }, eq(account.id, of.id));
  await enterDepartment(tx, of.department);
}

export async function markSignedIn(tx: TenantTx, id: string, now: Date): Promise<void> {
  await tx.update(account, { lastLoginAt: now }, eq(account.id, id));
}
