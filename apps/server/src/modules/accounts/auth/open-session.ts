import type { LoginUser, SignInMethod } from '@rmeet/contract';
import type { PlatformTx } from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
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
    kind: account.kind,
  };
}

/** What a sign-in answers. */
export interface SignedIn {
  token: string;
  user: LoginUser;
}

/** Whether the tenant offers a way to sign in. A session that is handed over was opened by one of its ways. */
const isOffered = (tenant: TenantRow, method: SignInMethod): boolean =>
  method === 'TICKET' || tenant.signInModes.includes(method);

/**
 * Why an account may not sign in, whatever it knows. The tenant's administrators may always use their password: a
 * wrong setting, or an identity provider that is down, would lock them out.
 */
export function refusalOf({ account, tenant }: Membership, method: SignInMethod): AppError | undefined {
  if (!tenant.enabled) return new AppError('TENANT_DISABLED');
  if (!account.enabled) return new AppError('ACCOUNT_DISABLED');
  const isEmergency = method === 'PASSWORD' && account.isTenantAdmin;
  return isOffered(tenant, method) || isEmergency ? undefined : new AppError('SIGN_IN_MODE_OFF');
}

/** Throws a returned refusal after the transaction, so that the transaction is committed. */
export function unlessRefused<T>(answer: T | AppError): T {
  if (answer instanceof AppError) throw answer;
  return answer;
}

/** The caller in the audit log during a sign-in. */
export function asCaller({ id, tenantId, account, name }: AccountRow): AccountCaller {
  return { kind: 'user', userId: id, tenantId, account, name, sessionId: '', permissions: [], isTenantAdmin: false };
}

/**
 * Signs an account in that has proved who it is: ends its sessions on other devices of the kind, and opens one.
 * `deviceId` is the mark of the browser. A refusal is returned, not thrown: the transaction is to be committed.
 */
export async function openSession(
  tx: PlatformTx,
  sessions: Sessions,
  context: Context,
  { account, tenant }: Membership,
  { method, deviceId, now }: { method: SignInMethod; deviceId: string | undefined; now: Date },
): Promise<SignedIn | AppError> {
  const refusal = refusalOf({ account, tenant }, method);
  if (refusal) return refusal;
  const { address, userAgent } = context;
  const own = tx.asTenant(account.tenantId);
  await rememberDevice(tx, account, deviceId, now);
  await markSignedIn(own, account.id, now);
  const device = { deviceId: hashDevice(deviceId), deviceKind: deviceKindOf(userAgent) };
  await sessions.endOtherDevices(own, account.id, device);
  if (!isOffered(tenant, method))
    await recordAudit(own, { ...context, caller: asCaller(account) }, now, {
      target: { kind: 'account', id: account.id, name: account.name },
      after: { signIn: method, signInModes: tenant.signInModes },
    });
  const token = await sessions.open(own, account, { address, userAgent, method, ...device });
  return { token, user: presentUser({ account, tenant }) };
}
