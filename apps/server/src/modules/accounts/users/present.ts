import {
  accountRoleOf,
  encodeContact,
  localName,
  type FeatureFlags,
  type Locale,
  type Person,
  type Profile,
  type User,
} from '@rmeet/contract';
import type { AccountCaller } from '../../../platform/http/index.ts';
import { brandingOf, passwordRulesOf } from '../tenants/index.ts';
import type { TenantRow } from '../tenants/tables.ts';
import { passwordExpiry } from './password-rules.ts';
import { abilities, restorableUntil } from './policy.ts';
import type { RoleName } from './ports.ts';
import type { AccountRow, InvitationRow } from './tables.ts';

/** The data about an account besides its row. */
export interface Around {
  roles: readonly RoleName[];
  /** Management codes granted to it. */
  managing: readonly string[];
  sessions: number;
  invitation: InvitationRow | undefined;
}

/** The state of an invitation. */
function presentInvitation({ expiresAt, dueAt, sentAt, revokedAt }: InvitationRow, now: Date): User['invitation'] {
  const stateOf = (): NonNullable<User['invitation']>['state'] => {
    if (revokedAt) return 'revoked';
    if (dueAt) return 'waiting';
    if (!sentAt) return 'failed';
    return expiresAt && expiresAt > now ? 'sent' : 'expired';
  };
  return { state: stateOf(), expiresAt: sentAt && expiresAt ? expiresAt.toISOString() : null };
}

export function presentUser(
  row: AccountRow,
  { roles, managing, sessions, invitation }: Around,
  caller: AccountCaller,
  locale: Locale,
  now: Date,
): User {
  return {
    id: row.id,
    account: row.account,
    name: row.name,
    phoneNumber: encodeContact(row.phone),
    email: encodeContact(row.email),
    department: row.department,
    locale: row.locale,
    isTenantAdmin: row.isTenantAdmin,
    enabled: row.enabled,
    restorableUntil: restorableUntil(row)?.toISOString() ?? null,
    invitation: invitation ? presentInvitation(invitation, now) : null,
    lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    roles: roles.map((role) => ({ id: role.id, name: localName(role, locale) })),
    sessions,
    version: row.version,
    can: abilities(caller, row, { managing, isInvited: invitation !== undefined }, now),
  };
}

export function presentPerson(row: AccountRow): Person {
  return {
    id: row.id,
    account: row.account,
    name: row.name,
    department: row.department,
    phoneNumber: encodeContact(row.phone),
    email: encodeContact(row.email),
  };
}

/** The signed-in account with everything the browser needs to know about it. */
export function presentProfile(row: AccountRow, tenant: TenantRow, flags: FeatureFlags): Profile {
  const passwordRules = passwordRulesOf(tenant);
  return {
    id: row.id,
    account: row.account,
    name: row.name,
    phoneNumber: encodeContact(row.phone),
    email: encodeContact(row.email),
    department: row.department,
    locale: row.locale,
    accountRole: accountRoleOf(row),
    tenantId: tenant.tenantId,
    tenantName: tenant.name,
    isTenantAdmin: row.isTenantAdmin,
    branding: brandingOf(tenant),
    passwordRules,
    passwordExpiresAt:
      row.managedBy === 'directory' ? null : (passwordExpiry(row, passwordRules)?.toISOString() ?? null),
    flags,
  };
}
