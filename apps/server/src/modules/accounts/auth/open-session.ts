import type { LoginUser } from '@rmeet/contract';
import type { PlatformTx } from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../../platform/http/index.ts';
import type { TenantRow } from '../tenants/tables.ts';
import { markSignedIn } from '../users/index.ts';
import type { AccountRow } from '../users/tables.ts';
import { deviceKindOf, hashDevice, rememberDevice } from './devices.ts';
import type { Sessions } from './sessions.ts';

/** An account with its tenant. */
export interface Membership {
  account: AccountRow;
  tenant: TenantRow;
}

export function presentUser({ account, tenant }: Membership): LoginUser {
  return {
    id: account.id,
    account: account.account,
    name: account.name,
    tenantId: tenant.tenantId,
    tenantName: tenant.name,
    isTenantAdmin: account.isTenantAdmin,
    locale: account.locale,
    kind: account.kind === 'operator' ? 'operator' : 'user',
  };
}

/** Why an account may not sign in, whatever it knows. */
export function refusalOf({ account, tenant }: Membership): AppError | undefined {
  if (!tenant.enabled) return new AppError('TENANT_DISABLED');
  return account.enabled ? undefined : new AppError('ACCOUNT_DISABLED');
}

/** The caller in the audit log during a sign-in. */
export function asCaller({ id, tenantId, account, name }: AccountRow): AccountCaller {
  return { kind: 'user', userId: id, tenantId, account, name, sessionId: '', permissions: [], isTenantAdmin: false };
}

/**
 * Signs an account in that has proved who it is: ends its sessions on other devices of the kind, and opens one.
 * `deviceId` is the mark of the browser.
 */
export async function openSession(
  tx: PlatformTx,
  sessions: Sessions,
  { address, userAgent }: Pick<Context, 'address' | 'userAgent'>,
  { account, tenant }: Membership,
  { deviceId, now }: { deviceId: string | undefined; now: Date },
): Promise<{ token: string; user: LoginUser }> {
  const own = tx.asTenant(account.tenantId);
  await rememberDevice(tx, account, deviceId, now);
  await markSignedIn(own, account.id, now);
  const device = { deviceId: hashDevice(deviceId), deviceKind: deviceKindOf(userAgent) };
  await sessions.endOtherDevices(own, account.id, device);
  const token = await sessions.open(own, account, { address, userAgent, ...device });
  return { token, user: presentUser({ account, tenant }) };
}
