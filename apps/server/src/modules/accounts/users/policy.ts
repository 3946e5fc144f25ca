import { PERMISSION_CODES, PERMISSIONS, type User } from '@rmeet/contract';
import { AppError, type AccountCaller } from '../../../platform/http/index.ts';
import type { AccountRow } from './tables.ts';

const DAY = 86_400_000;
/** How long a deleted account can be restored. */
export const RESTORABLE_FOR = 30 * DAY;

/**
 * The tenant of a call: operators name it, for all others it is their own.
 *
 * @throws AppError TENANT_REQUIRED
 */
export function tenantMeant(caller: AccountCaller, tenantId: string | undefined): string {
  if (caller.kind === 'user') return caller.tenantId;
  if (tenantId === undefined) throw new AppError('TENANT_REQUIRED');
  return tenantId;
}

/** Whether a caller who manages users may manage administrators too: operators and administrators may. */
export function managesAdmins(caller: AccountCaller): boolean {
  return caller.kind === 'operator' || caller.isTenantAdmin;
}

/**
 * Whether a caller who manages users may manage an account. Accounts with more rights than the caller are excluded, so
 * that no one gains rights by resetting a password.
 *
 * @param managing - the management codes granted to the account
 */
export function reaches(
  caller: AccountCaller,
  of: Pick<AccountRow, 'isTenantAdmin'>,
  managing: readonly string[],
): boolean {
  return managesAdmins(caller) || (!of.isTenantAdmin && managing.every((code) => caller.permissions.includes(code)));
}

/** @throws AppError FORBIDDEN for an account that the caller may not manage */
export function mustReach(
  caller: AccountCaller,
  of: Pick<AccountRow, 'isTenantAdmin'>,
  managing: readonly string[],
): void {
  if (!reaches(caller, of, managing)) throw new AppError('FORBIDDEN');
}

/** @throws AppError FORBIDDEN: creating accounts with roles requires the right to grant */
export function mustMayGrant(caller: AccountCaller): void {
  if (!caller.permissions.includes('users:grant')) throw new AppError('FORBIDDEN');
}

/** @throws AppError OWN_ACCOUNT: callers cannot lock themselves out */
export function mustNotBeOwn(caller: AccountCaller, accountId: string): void {
  if (accountId === caller.userId) throw new AppError('OWN_ACCOUNT');
}

/** Whether an account can be invited to set its first password: it has none, or has never signed in with it. */
export function isInvitable(
  { enabled, lastLoginAt }: Pick<AccountRow, 'enabled' | 'lastLoginAt'>,
  isInvited: boolean,
): boolean {
  return enabled && (isInvited || lastLoginAt === null);
}

export function restorableUntil({ deletedAt }: Pick<AccountRow, 'deletedAt'>): Date | null {
  return deletedAt && new Date(deletedAt.getTime() + RESTORABLE_FOR);
}

/**
 * What a caller may do with an account of the managed tenant; `managing` are the management codes granted to the
 * account.
 */
export function abilities(
  caller: AccountCaller,
  of: AccountRow,
  { managing, isInvited }: { managing: readonly string[]; isInvited: boolean },
  now: Date,
): User['can'] {
  const isReached = caller.permissions.includes('users:manage') && reaches(caller, of, managing);
  const until = restorableUntil(of);
  const isThere = isReached && until === null;
  const isOther = isThere && of.id !== caller.userId;
  return {
    update: isThere,
    setEnabled: isOther,
    remove: isOther,
    restore: isReached && until !== null && until > now,
    invite: isOther && isInvitable(of, isInvited),
    grant: isThere && caller.permissions.includes('users:grant'),
    resetPassword: isOther,
    endSessions: isThere,
  };
}

/**
 * Whether an account has management rights only, so that the desktop client opens the management area.
 */
export function onlyManages(permissions: readonly string[]): boolean {
  const kinds = new Set(
    PERMISSION_CODES.filter((code) => permissions.includes(code)).map((code) => PERMISSIONS[code].kind),
  );
  return kinds.has('admin') && !kinds.has('feature');
}
