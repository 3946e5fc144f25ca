import type { PasswordRules } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import type { AccountRow } from '../users/tables.ts';

/** The first administrator of a new tenant. */
export type FirstAccount = Pick<
  AccountRow,
  | 'kind'
  | 'account'
  | 'name'
  | 'phone'
  | 'email'
  | 'department'
  | 'locale'
  | 'isTenantAdmin'
  | 'isSuperAdmin'
  | 'passwordHash'
  | 'passwordDue'
>;

/** What tenants need of users, a module that builds on this one. */
export interface TenantAccounts {
  makePassword(rules: Pick<PasswordRules, 'minLength'>): string;
  hashPassword(password: string): Promise<string>;
  addAccount(tx: TenantTx, values: FirstAccount, now: Date): Promise<{ id: string }>;
  grantRoles(tx: TenantTx, accountId: string, kind: 'user', roleIds: 'default'): Promise<void>;
}

/** What tenants need of sessions (module auth, which builds on this one). */
export interface TenantSessions {
  /** Ends the open sessions of these accounts; returns how many. */
  endSessions(tx: TenantTx, accountIds: readonly string[], reason: 'disabled'): Promise<number>;
  /** Whether the holder of a session has proved a password or second factor within the last ten minutes. */
  isProven(tx: Pick<TenantTx, 'findOne'>, sessionId: string): Promise<boolean>;
  /** The permissions of the tenant's people have changed. */
  accessChanged(tx: TenantTx, accountIds: 'all'): Promise<void>;
}

/** What tenants need of running conferences. */
export interface TenantConferences {
  /** Ends all running conferences; their meetings may be opened again during their time. */
  endAll(tenantId: string): Promise<void>;
  /** Notifies all terminals of the new maximum duration of their conferences. */
  limitChanged(tenantId: string): Promise<void>;
}
