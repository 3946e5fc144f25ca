import type { SsoField } from '@rmeet/contract';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import { holdKey, newId, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context } from '../../../platform/http/index.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import { asCaller, type Sessions } from '../auth/index.ts';
import { grantRoles, rolesOfAccounts } from '../roles/index.ts';
import { role } from '../roles/tables.ts';
import { addAccount, changeDetails, findAccount, findOwnTenant, mustHaveRoom } from '../users/index.ts';
import { account, isUserThere, type AccountRow } from '../users/tables.ts';
import { isMailAdmitted, labelOf, readClaims, type Said } from './claims.ts';
import type { Person } from './kinds.ts';
import { accountIdentity, type AccountIdentityRow, type IdentityProviderRow } from './tables.ts';

/** A person who comes from an identity provider. */
export interface Arrival {
  provider: IdentityProviderRow;
  person: Person;
  said: Said;
  label: string;
}

export interface PeopleDeps {
  sessions: Pick<Sessions, 'accessChanged'>;
  now: () => Date;
}

const AUDITED = ['account', 'name', 'email', 'phone', 'department'] as const satisfies readonly SsoField[];
const targetOf = ({ id, name }: AccountRow) => ({ kind: 'account', id, name });

/** @throws AppError SSO_MAIL_REFUSED */
export function arrivalOf(provider: IdentityProviderRow, person: Person): Arrival {
  const said = readClaims(person, provider.rules);
  if (!isMailAdmitted(said, provider.rules)) throw new AppError('SSO_MAIL_REFUSED', { name: provider.name });
  return { provider, person, said, label: labelOf(person, said) };
}

/** The identity of a person. Others with the same subject wait until the end of the transaction. */
export async function findIdentity(
  tx: TenantTx,
  { id: providerId }: IdentityProviderRow,
  { subject }: Person,
): Promise<AccountIdentityRow | undefined> {
  await holdKey(tx, `sso ${providerId} ${subject}`);
  return tx.findOne(
    accountIdentity,
    allOf(eq(accountIdentity.providerId, providerId), eq(accountIdentity.subject, subject)),
  );
}

/** Links an identity. @throws AppError SSO_LINKED_ELSEWHERE if the account has another one of the provider */
export async function addIdentity(
  tx: TenantTx,
  { provider, person, label }: Arrival,
  accountId: string,
  { madeAccount, now }: { madeAccount: boolean; now: Date },
): Promise<void> {
  const values = { id: newId(), providerId: provider.id, accountId, subject: person.subject, label, madeAccount };
  const [row] = await tx.insert(accountIdentity, { ...values, since: now }, 'nothing');
  if (!row) throw new AppError('SSO_LINKED_ELSEWHERE', { name: provider.name });
}

/** The one user that an unknown person may be, by the provider's rules, without an identity there. */
async function matching(tx: TenantTx, { provider, said }: Arrival): Promise<AccountRow | undefined> {
  const { match } = provider.rules;
  const value = { link: undefined, account: said.account, mail: said.verifiedMail }[match];
  if (value === undefined) return undefined;
  const column = match === 'account' ? account.account : account.email;
  const found = await tx.find(account, and(isUserThere, eq(sql`lower(${column})`, value.toLowerCase())), { limit: 2 });
  const [one] = found;
  // An address of two accounts says nothing about who has it.
  if (!one || found.length > 1) return undefined;
  const other = await tx.findOne(
    accountIdentity,
    allOf(eq(accountIdentity.accountId, one.id), eq(accountIdentity.providerId, provider.id)),
  );
  return other ? undefined : one;
}

/** Creates the account of an unknown person. @throws AppError SSO_ACCOUNT_TAKEN, QUOTA_USERS */
async function create(
  tx: TenantTx,
  { said, label }: Arrival,
  { locale }: Context,
  passwordHash: string,
  now: Date,
): Promise<AccountRow | undefined> {
  if (said.account === undefined) return undefined;
  const tenant = await findOwnTenant(tx, true);
  if (!tenant) return undefined;
  await mustHaveRoom(tx, tenant);
  const isTaken = await tx.findOne(account, eq(sql`lower(${account.account})`, said.account.toLowerCase()));
  if (isTaken) throw new AppError('SSO_ACCOUNT_TAKEN', { account: said.account });
  const row = await addAccount(
    tx,
    {
      kind: 'user',
      account: said.account,
      name: said.name ?? label.slice(0, 60),
      phone: said.phone ?? '',
      email: said.email ?? '',
      department: said.department ?? '',
      locale,
      isTenantAdmin: false,
      isSuperAdmin: false,
      passwordHash,
      passwordDue: false,
    },
    now,
  );
  await grantRoles(tx, row.id, 'user', 'default');
  return row;
}

/** The details that a sign-in changes. A taken account name stays as it is. */
async function newDetails(tx: TenantTx, of: AccountRow, { provider, said }: Arrival) {
  const owned = AUDITED.filter((field) => provider.rules.owned.includes(field));
  const values = Object.fromEntries(
    owned.flatMap((field) => {
      const value = said[field];
      return value === undefined || value === of[field] ? [] : [[field, value]];
    }),
  ) as Partial<Record<SsoField, string>>;
  const { account: wanted, ...others } = values;
  if (wanted === undefined || wanted.toLowerCase() === of.account.toLowerCase()) return { values, taken: undefined };
  const other = await tx.findOne(account, eq(sql`lower(${account.account})`, wanted.toLowerCase()));
  return other ? { values: others, taken: wanted } : { values, taken: undefined };
}

/** Grants and withdraws the roles that the provider's groups decide; returns their names before and after. */
async function regrant(tx: TenantTx, of: AccountRow, { provider, said: { groups } }: Arrival) {
  const mapped = provider.rules.roles;
  if (mapped.length === 0 || groups === undefined) return undefined;
  const rows = await tx.find(
    role,
    allOf(inArray(role.id, [...new Set(mapped.map(({ roleId }) => roleId))]), eq(role.kind, 'user')),
  );
  // A role that was deleted since is no reason to refuse the sign-in.
  const known = new Set(rows.map(({ id }) => id));
  const granted = mapped.filter(({ value, roleId }) => known.has(roleId) && groups.includes(value));
  const before = (await rolesOfAccounts(tx, [of.id])).get(of.id) ?? [];
  const kept = before.filter(({ id }) => !known.has(id)).map(({ id }) => id);
  const wanted = new Set([...kept, ...granted.map(({ roleId }) => roleId)]);
  if (wanted.size === before.length && before.every(({ id }) => wanted.has(id))) return undefined;
  await grantRoles(tx, of.id, 'user', [...wanted]);
  const after = (await rolesOfAccounts(tx, [of.id])).get(of.id) ?? [];
  return { before: before.map(({ name }) => name), after: after.map(({ name }) => name) };
}

/** Takes over what the provider owns of an account. */
async function update(
  tx: TenantTx,
  of: AccountRow,
  arrival: Arrival,
  context: Context,
  { sessions, now }: PeopleDeps,
): Promise<AccountRow> {
  const { values, taken } = await newDetails(tx, of, arrival);
  const after = Object.keys(values).length === 0 ? of : ((await changeDetails(tx, of, values)) ?? of);
  const roles = await regrant(tx, of, arrival);
  if (after === of && !roles && taken === undefined) return of;
  const difference = changed(of, after, AUDITED);
  const by = { ...context, caller: asCaller(after) };
  await recordAudit(tx, by, now(), {
    target: targetOf(after),
    before: { ...difference.before, ...(roles ? { roles: roles.before } : {}) },
    after: {
      ...difference.after,
      ...(roles ? { roles: roles.after } : {}),
      ...(taken === undefined ? {} : { accountTaken: taken }),
    },
  });
  if (roles || after.name !== of.name || after.account !== of.account) await sessions.accessChanged(tx, [of.id]);
  return after;
}

/** The account of a known person, or of an unknown one whom the rules let in. */
async function accountOf(
  tx: TenantTx,
  arrival: Arrival,
  context: Context,
  passwordHash: string | undefined,
  { now }: PeopleDeps,
): Promise<AccountRow | undefined> {
  const { provider, person } = arrival;
  const identity = await findIdentity(tx, provider, person);
  if (identity) {
    await tx.update(accountIdentity, { lastUsedAt: now(), label: arrival.label }, eq(accountIdentity.id, identity.id));
    return findAccount(tx, identity.accountId, true);
  }
  const known = await matching(tx, arrival);
  const found =
    known ?? (passwordHash === undefined ? undefined : await create(tx, arrival, context, passwordHash, now()));
  if (!found) return undefined;
  await addIdentity(tx, arrival, found.id, { madeAccount: !known, now: now() });
  await recordAudit(tx, { ...context, caller: asCaller(found) }, now(), {
    target: targetOf(found),
    before: known ? {} : null,
    after: {
      identity: `${provider.name}: ${arrival.label}`,
      ...(known ? {} : changed({} as AccountRow, found, AUDITED).after),
    },
  });
  return found;
}

/**
 * The account of a person who comes from an identity provider, brought up to date. `passwordHash`: of an account that
 * may be created.
 *
 * @throws AppError SSO_NOT_KNOWN, SSO_ACCOUNT_TAKEN, QUOTA_USERS
 */
export async function admit(
  tx: TenantTx,
  arrival: Arrival,
  context: Context,
  passwordHash: string | undefined,
  deps: PeopleDeps,
): Promise<AccountRow> {
  const { provider, label } = arrival;
  const found = await accountOf(tx, arrival, context, passwordHash, deps);
  if (!found || found.deletedAt) throw new AppError('SSO_NOT_KNOWN', { name: provider.name, who: label });
  // Refused with a reason of its own (refusalOf); nothing about it changes.
  return found.enabled ? update(tx, found, arrival, context, deps) : found;
}
