import type { FactorMark, FeatureFlags, SignInMethod } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { TenantRow } from '../tenants/tables.ts';
import type { AccountRow } from './tables.ts';

/**
 * Why the sessions of an account end: it is disabled or deleted, its password changed, or they were ended on request.
 */
export type EndReason = 'disabled' | 'password' | 'ended';

export interface OpenSession {
  id: string;
  address: string;
  userAgent: string;
  method: SignInMethod;
  secondFactor: FactorMark | null;
  createdAt: Date;
  lastSeenAt: Date;
}

/** What accounts need of sessions (module auth, which builds on this one). */
export interface AccountSessions {
  /** Ends the open sessions of these accounts, except one, on every server process. Returns how many. */
  endSessions(
    tx: TenantTx,
    accountIds: readonly string[],
    reason: EndReason,
    exceptSessionId?: string,
  ): Promise<number>;
  /** Kind, name or permissions of accounts changed: caches are dropped, and their browsers are notified. */
  accessChanged(tx: TenantTx, accountIds: readonly string[] | 'all'): Promise<void>;
  /** The number of open sessions; accounts without one are missing. */
  countOpen(tx: TenantTx, accountIds: readonly string[]): Promise<Map<string, number>>;
  /** The open sessions of one account, the last used first. */
  listOpen(tx: TenantTx, accountId: string): Promise<OpenSession[]>;
  /** Whether the holder of a session has proved a password or second factor within the last ten minutes. */
  isProven(tx: Pick<TenantTx, 'findOne'>, sessionId: string): Promise<boolean>;
  /** Removes the second factor of an account and its remembered devices. */
  removeFactors(tx: TenantTx, accountId: string): Promise<void>;
  /** The same for an account that is erased, with all that is kept of its sign-ins. */
  eraseFactors(tx: TenantTx, accountId: string): Promise<void>;
  /** Ends one session of the account; false if it has no such open session. */
  endOwn(tx: TenantTx, accountId: string, sessionId: string): Promise<boolean>;
}

/** A role in lists of accounts. */
export interface RoleName {
  id: string;
  name: string;
  nameEn: string;
}

/** What accounts need of roles and permissions (modules that build on this one). */
export interface AccountRights {
  /** Throws AppError ROLE_UNKNOWN. */
  grantRoles(tx: TenantTx, accountId: string, kind: 'user', roleIds: readonly string[] | 'default'): Promise<void>;
  rolesOfAccounts(tx: TenantTx, accountIds: readonly string[]): Promise<Map<string, RoleName[]>>;
  /** The management codes granted to accounts; accounts without any are missing. */
  managementCodesOf(tx: TenantTx, accountIds: readonly string[]): Promise<Map<string, string[]>>;
  /** The roles for users, with their names in both languages. */
  userRoles(tx: TenantTx): Promise<RoleName[]>;
  flagsOf(codes: readonly string[]): FeatureFlags;
}

/** What accounts need against password guessing (module auth). */
export interface PasswordGuesses {
  /** Counts an attempt before the password is checked. @throws AppError TOO_MANY_REQUESTS */
  admit(accountId: string): Promise<void>;
  /** The password was right: resets the counter. */
  forget(accountId: string): Promise<void>;
}

/** What accounts need of directories (module directories, which builds on this one). */
export interface DirectoryPasswords {
  /**
   * Changes the password of an account in its directory.
   *
   * @throws AppError PASSWORD_WRONG, PASSWORD_IN_DIRECTORY, DIRECTORY_PASSWORD_REFUSED, DIRECTORY_UNREACHABLE
   */
  changePassword(account: Pick<AccountRow, 'id' | 'tenantId'>, from: string, to: string): Promise<void>;
}

export interface UserDeps {
  db: Db;
  now: () => Date;
  sessions: AccountSessions;
  rights: AccountRights;
  guesses: PasswordGuesses;
  directories: DirectoryPasswords;
  /** Tells the owner of an account about a change of its security, after the commit. */
  tell: (
    tx: TenantTx,
    message: 'factorReset',
    event: { account: AccountRow; tenant: TenantRow; address: string; userAgent: string; now: Date },
  ) => Promise<void>;
  /** Decrypts a password from the browser; undefined if it cannot be decrypted. */
  openPassword: (ciphertext: string) => Promise<string | undefined>;
}
