import type { SentWay } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import type { TenantRow } from '../tenants/tables.ts';
import type { AccountRow } from '../users/tables.ts';

/** What people are told about an account. */
export type SecurityMessage =
  | 'newSignIn'
  | 'factorAdded'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'factorRemoved'
  | 'factorReset'
  | 'recoveryUsed'
  | 'emergencySignIn'
  | 'factorSuspended';

/** What happened, to which account, and from where; an empty address for the command line. */
export interface SecurityEvent {
  account: AccountRow;
  tenant: Pick<TenantRow, 'tenantId' | 'name' | 'secondFactor'>;
  address: string;
  userAgent: string;
  now: Date;
}

/** What sign-in needs of mail and text messages, which are built on it. Messages are sent after the commit. */
export interface Outside {
  /** By which ways codes can be sent to an account. */
  sentWaysOf: (tx: TenantTx, account: AccountRow) => Promise<SentWay[]>;
  /** Sends a code, after the commit. */
  sendCode: (tx: TenantTx, account: AccountRow, way: SentWay, code: string) => void;
  /** Tells the owner of an account. */
  tell: (tx: TenantTx, message: SecurityMessage, event: SecurityEvent) => Promise<void>;
  /** Tells the administrators of the account's organisation. */
  tellAdmins: (tx: TenantTx, message: SecurityMessage, event: SecurityEvent) => Promise<void>;
}

/** For programs that send nothing. */
export const NOTHING_OUTSIDE: Outside = {
  sentWaysOf: async () => [],
  sendCode: () => undefined,
  tell: async () => undefined,
  tellAdmins: async () => undefined,
};
