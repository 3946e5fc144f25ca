import {
  FACTOR_TICKET_LIFETIME,
  type FactorDemand,
  type FactorMark,
  type FactorWay,
  type SentWay,
  type SignInMethod,
} from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import { allOf } from '../../../../platform/db/conditions.ts';
import type { PlatformTx, TenantTx } from '../../../../platform/db/index.ts';
import { AppError } from '../../../../platform/http/index.ts';
import { hashToken, newToken } from '../../../../platform/secrets/index.ts';
import { rolesOfAccounts } from '../../roles/index.ts';
import { isInNetworks, placeOf } from '../../tenants/index.ts';
import type { TenantRow } from '../../tenants/tables.ts';
import type { AccountRow } from '../../users/tables.ts';
import { accountsKnownOn, hashDevice } from '../devices.ts';
import { countPasskeys } from '../passkeys/repo.ts';
import { countRecoveryCodes, findFactor, hasApp, useRemembered } from './repo.ts';
import { factorTicket, signInPlace } from './tables.ts';

/** A device is remembered by the mark of its browser, which must be too long to be guessed. */
const MARK_MIN = 16;

interface SignIn {
  method: SignInMethod;
  /** The mark of the browser. */
  deviceId: string | undefined;
  /** Of the session that will be opened. */
  originId?: string | null;
  address: string;
  now: Date;
}

interface Member {
  account: AccountRow;
  tenant: TenantRow;
}

/** By which ways codes can be sent to an account. */
type SentWaysOf = (tx: TenantTx, account: AccountRow) => Promise<SentWay[]>;

/** Whether the organisation asks the account for a second factor; `hasOwn`: it has set one up. */
export async function isAskedOf(tx: TenantTx, { account, tenant }: Member, hasOwn: boolean): Promise<boolean> {
  const { askedOf, roleIds } = tenant.secondFactor;
  if (askedOf === 'off') return false;
  if (askedOf === 'all' || hasOwn) return true;
  if (askedOf === 'admins') return account.isTenantAdmin || account.isSuperAdmin;
  if (askedOf !== 'roles') return false;
  const roles = (await rolesOfAccounts(tx, [account.id])).get(account.id) ?? [];
  return roles.some(({ id }) => roleIds.includes(id));
}

/** Whether the account has signed in before, but not in this place; the tenant names places. */
async function isNewPlace(tx: PlatformTx, { account, tenant }: Member, address: string): Promise<boolean> {
  const { places } = tenant.secondFactor;
  if (places.length === 0) return false;
  const known = await tx.find(signInPlace, eq(signInPlace.accountId, account.id));
  return known.length > 0 && !known.some(({ place }) => place === (placeOf(places, address) ?? ''));
}

/** Notes where an account has signed in. */
export async function notePlace(tx: TenantTx, { account, tenant }: Member, address: string, now: Date): Promise<void> {
  const { places } = tenant.secondFactor;
  if (places.length === 0) return;
  const values = { accountId: account.id, place: placeOf(places, address) ?? '', lastUsedAt: now };
  await tx.insert(signInPlace, values, {
    target: [signInPlace.accountId, signInPlace.place],
    set: { lastUsedAt: now },
  });
}

/** The ways that an account has, the most usual one first. */
export async function waysOf(
  tx: TenantTx,
  { account, tenant }: Member,
  sentWaysOf: SentWaysOf,
  method?: SignInMethod,
): Promise<{ own: FactorWay[]; all: FactorWay[] }> {
  const hasPasskey = (await countPasskeys(tx, account.id)) > 0;
  const isApp = hasApp(await findFactor(tx, account.id));
  const own: FactorWay[] = [...(hasPasskey ? (['PASSKEY'] as const) : []), ...(isApp ? (['TOTP'] as const) : [])];
  const sendable = await sentWaysOf(tx, account);
  const sent = tenant.secondFactor.codes.filter((way) => sendable.includes(way));
  const recovery: FactorWay[] = own.length > 0 && (await countRecoveryCodes(tx, account.id)) > 0 ? ['RECOVERY'] : [];
  // The phone or passkey that has just signed in proves nothing more.
  return { own, all: [...own, ...sent, ...recovery].filter((way) => way !== method) };
}

/** Whether something about a sign-in is new that the tenant wants to be proved. */
async function isRisky(
  tx: PlatformTx,
  member: Member,
  { deviceId, address, now }: SignIn,
): Promise<'no' | 'device' | 'place'> {
  const { onNewDevice, onNewPlace } = member.tenant.secondFactor;
  if (onNewPlace && (await isNewPlace(tx, member, address))) return 'place';
  if (!onNewDevice) return 'no';
  const known = await accountsKnownOn(tx, member.account.account, deviceId, now);
  return known.has(member.account.id) ? 'no' : 'device';
}

type Outcome = { isMet: true; by: FactorMark | null } | { isMet: false; demand: AppError };

/**
 * Whether an account that has proved who it is by one way must do so by another. If so, the sign-in waits with a ticket
 * that is in the error, which is to be returned.
 */
export async function meetDemand(
  tx: PlatformTx,
  member: Member,
  signIn: SignIn,
  sentWaysOf: SentWaysOf,
): Promise<Outcome> {
  const { account, tenant } = member;
  const { method, deviceId, address, now } = signIn;
  // Its device has verified the person: that is two factors.
  if (method === 'PASSKEY' && tenant.secondFactor.passkeyAlone) return { isMet: true, by: null };
  const own = tx.asTenant(account.tenantId);
  const factor = await findFactor(own, account.id);
  if (factor?.suspendedUntil && factor.suspendedUntil > now) return { isMet: true, by: null };
  const risk = await isRisky(tx, member, signIn);
  const ways = await waysOf(own, member, sentWaysOf, method);
  const isAsked =
    !isInNetworks(address, tenant.secondFactor.networks) && (await isAskedOf(own, member, ways.own.length > 0));
  // Risk alone asks only those who can answer.
  if (!isAsked && (risk === 'no' || ways.all.length === 0)) return { isMet: true, by: null };
  const isRemembered = risk !== 'place' && (await useRemembered(tx, account, hashDevice(deviceId), now));
  if (isRemembered) return { isMet: true, by: 'REMEMBERED' };
  // The password alone must not add a factor to those of the account.
  const mayEnrol = ways.all.length === 0 && (ways.own.length === 0 || method === 'PASSKEY');
  return { isMet: false, demand: await makeTicket(own, account, signIn, { ways: ways.all, mayEnrol }) };
}

async function makeTicket(
  tx: TenantTx,
  account: AccountRow,
  { method, deviceId, originId = null, now }: SignIn,
  { ways, mayEnrol }: { ways: FactorWay[]; mayEnrol: boolean },
): Promise<AppError> {
  const ticket = newToken();
  await tx.insert(factorTicket, {
    ticketHash: hashToken(ticket),
    accountId: account.id,
    method,
    originId,
    deviceId: hashDevice(deviceId),
    ways,
    mayEnrol,
    expiresAt: new Date(now.getTime() + FACTOR_TICKET_LIFETIME),
  });
  const canRemember = canBeRemembered(deviceId);
  const demand: FactorDemand = { ticket, ways, canRemember, ...(mayEnrol ? { enrol: true } : {}) };
  return new AppError('MULTI_AUTH_REQUIRED', {}, undefined, undefined, { ...demand });
}

export const canBeRemembered = (deviceId: string | undefined): boolean => (deviceId ?? '').length >= MARK_MIN;

/** The waiting sign-in of a ticket and its browser, locked to the end of the transaction. */
export function findTicket(tx: PlatformTx, ticket: string, deviceId: string | undefined) {
  return tx.findOne(
    factorTicket,
    allOf(eq(factorTicket.ticketHash, hashToken(ticket)), eq(factorTicket.deviceId, hashDevice(deviceId))),
    { lock: 'update' },
  );
}
