import type { PasswordRules } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import type { NewAccount } from '../users/index.ts';

/** What tenants need of accounts, which build on them and are therefore handed in. */
export interface TenantAccounts {
  makePassword(rules: Pick<PasswordRules, 'minLength'>): string;
  hashPassword(password: string): Promise<string>;
  addAccount(tx: TenantTx, values: NewAccount, now: Date): Promise<{ id: string }>;
  grantRoles(tx: TenantTx, accountId: string, kind: 'user', roleIds: 'default'): Promise<void>;
}

/** Likewise of sessions. */
export interface TenantSessions {
  /** Ends what is open of these accounts; answers how many. */
  endSessions(tx: TenantTx, accountIds: readonly string[], reason: 'disabled'): Promise<number>;
  /** What the tenant's people may do has changed. */
  accessChanged(tx: TenantTx, accountIds: 'all'): Promise<void>;
}

/** Likewise of running conferences. */
export interface TenantConferences {
  /** Ends all that run; their meetings may be opened again while it is their time. */
  endAll(tenantId: string): Promise<void>;
  /** Tells everybody inside how long their conferences may last now. */
  limitChanged(tenantId: string): Promise<void>;
}
