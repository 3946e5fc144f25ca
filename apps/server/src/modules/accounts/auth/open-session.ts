import type { FactorMark, LoginUser, SignInMethod } from '@rmeet/contract';
import type { PlatformTx } from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import type { TenantRow } from '../tenants/tables.ts';
import { markSignedIn } from '../users/index.ts';
import type { AccountRow } from '../users/tables.ts';
import { accountsKnownOn, deviceKindOf, hashDevice, rememberDevice } from './devices.ts';
import { meetDemand, notePlace } from './factors/demand.ts';
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

interface Way {
  method: SignInMethod;
  /** The mark of the browser. */
  deviceId: string | undefined;
  /** The session of an identity provider that it comes from. */
  originId?: string | null;
  now: Date;
}

/**
 * Signs an account in that has proved who it is: asks for a second factor if one is due (MULTI_AUTH_REQUIRED), else
 * ends its sessions on other devices of the kind, and opens one. A refusal is returned, not thrown: the transaction is
 * to be committed.
 */
export async function openSession(
  tx: PlatformTx,
  sessions: Sessions,
  context: Context,
  member: Membership,
  way: Way,
): Promise<SignedIn | AppError> {
  const refusal = refusalOf(member, way.method);
  if (refusal) return refusal;
  const outcome = await meetDemand(tx, member, { ...way, address: context.address }, sessions.outside.sentWaysOf);
  return outcome.isMet
    ? finishSignIn(tx, sessions, context, member, { ...way, secondFactor: outcome.by })
    : outcome.demand;
}

/** Signs an account in that has met the demand for a second factor, or of which none is demanded. */
export async function finishSignIn(
  tx: PlatformTx,
  sessions: Sessions,
  context: Context,
  { account, tenant }: Membership,
  { method, deviceId, originId = null, now, secondFactor }: Way & { secondFactor: FactorMark | null },
): Promise<SignedIn | AppError> {
  const refusal = refusalOf({ account, tenant }, method);
  if (refusal) return refusal;
  const { address, userAgent } = context;
  const own = tx.asTenant(account.tenantId);
  const isKnown = (await accountsKnownOn(tx, account.account, deviceId, now)).has(account.id);
  await rememberDevice(tx, account, deviceId, now);
  await notePlace(own, { account, tenant }, address, now);
  await markSignedIn(own, account.id, now);
  const device = { deviceId: hashDevice(deviceId), deviceKind: deviceKindOf(userAgent) };
  await sessions.endOtherDevices(own, account.id, device);
  if (!isOffered(tenant, method)) {
    await recordAudit(own, { ...context, caller: asCaller(account) }, now, {
      target: { kind: 'account', id: account.id, name: account.name },
      after: { signIn: method, signInModes: tenant.signInModes },
    });
    await sessions.outside.tellAdmins(own, 'emergencySignIn', { account, tenant, address, userAgent, now });
  }
  // The very first sign-in is no news to its owner.
  if (!isKnown && account.lastLoginAt !== null)
    await sessions.outside.tell(own, 'newSignIn', { account, tenant, address, userAgent, now });
  // Proved just now by something that its owner knows or has.
  const isProven =
    method === 'PASSWORD' || method === 'PASSKEY' || (secondFactor !== null && secondFactor !== 'REMEMBERED');
  const proof = { secondFactor, provenAt: isProven ? now : null };
  const token = await sessions.open(own, account, { address, userAgent, method, originId, ...proof, ...device });
  return { token, user: presentUser({ account, tenant }) };
}
