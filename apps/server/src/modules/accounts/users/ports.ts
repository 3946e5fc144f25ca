import type { FeatureFlags } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';

/**
 * Why the sessions of an account are ended from here: it is disabled or deleted, its password changed, somebody wanted
 * it so.
 */
export type EndReason = 'disabled' | 'password' | 'ended';

export interface OpenSession {
  id: string;
  address: string;
  userAgent: string;
  createdAt: Date;
  lastSeenAt: Date;
}

/** What accounts need of sessions (module auth, which builds on this one). */
export interface AccountSessions {
  /** Ends what is open of these accounts but the one session named, on every server process. Answers how many. */
  endSessions(
    tx: TenantTx,
    accountIds: readonly string[],
    reason: EndReason,
    exceptSessionId?: string,
  ): Promise<number>;
  /** The account's kind, name or permissions changed: it is looked at anew everywhere, and its browsers are told. */
  accessChanged(tx: TenantTx, accountIds: readonly string[] | 'all'): Promise<void>;
  /** How many sessions are open; accounts without one are missing. */
  countOpen(tx: TenantTx, accountIds: readonly string[]): Promise<Map<string, number>>;
  /** What is open of one account, the last used first. */
  listOpen(tx: TenantTx, accountId: string): Promise<OpenSession[]>;
  /** Ends one session of the account; false when it has no such open one. */
  endOwn(tx: TenantTx, accountId: string, sessionId: string): Promise<boolean>;
}

/** A role as accounts are shown with it. */
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
  /** The codes for managing granted to accounts; accounts without any are missing. */
  managementCodesOf(tx: TenantTx, accountIds: readonly string[]): Promise<Map<string, string[]>>;
  flagsOf(codes: readonly string[]): FeatureFlags;
}

/** What accounts need against guesses at their passwords (module auth). */
export interface PasswordGuesses {
  /** Counts a try at the account's present password beforehand. Throws AppError TOO_MANY_REQUESTS after many. */
  admit(accountId: string): Promise<void>;
  /** The password was right: no try was a failure. */
  forget(accountId: string): Promise<void>;
}

export interface UserDeps {
  db: Db;
  now: () => Date;
  sessions: AccountSessions;
  rights: AccountRights;
  guesses: PasswordGuesses;
  /** Opens a password as browsers send it; undefined when it cannot be read. */
  openPassword: (ciphertext: string) => Promise<string | undefined>;
}
