import { randomBytes } from 'node:crypto';
import { RECOVERY_CODES, REMEMBERED_DAYS } from '@rmeet/contract';
import { and, desc, eq, gt, inArray, lt } from 'drizzle-orm';
import { allOf } from '../../../../platform/db/conditions.ts';
import { newId, type PlatformTx, type TenantTx } from '../../../../platform/db/index.ts';
import type { SecretBox } from '../../../../platform/secrets/index.ts';
import type { AccountRow } from '../../users/tables.ts';
import { countPasskeys } from '../passkeys/repo.ts';
import { passkey } from '../passkeys/tables.ts';
import { factorTicket, recoveryCode, rememberedDevice, secondFactor, signInPlace } from './tables.ts';
import { matchingStep, toBase32 } from './totp.ts';

const DAY = 86_400_000;
/** Bytes of a code for emergencies: 50 bits, in ten letters. */
const RECOVERY_LETTERS = 10;
const REMEMBERED_MAX = 20;

type FactorRow = typeof secondFactor.$inferSelect;
type Account = Pick<AccountRow, 'id' | 'tenantId'>;
type Reader = Pick<TenantTx, 'findOne'>;

export const findFactor = (tx: Reader, accountId: string): Promise<FactorRow | undefined> =>
  tx.findOne(secondFactor, eq(secondFactor.accountId, accountId));

/** Whether an account has an authenticator app. */
export const hasApp = (factor: FactorRow | undefined): boolean => (factor?.totpSealed ?? null) !== null;

export async function setFactor(
  tx: TenantTx,
  accountId: string,
  values: Partial<Omit<FactorRow, 'accountId' | 'tenantId'>>,
): Promise<void> {
  await tx.insert(secondFactor, { accountId, ...values }, { target: secondFactor.accountId, set: values });
}

export const countRecoveryCodes = (tx: Pick<TenantTx, 'count'>, accountId: string): Promise<number> =>
  tx.count(recoveryCode, eq(recoveryCode.accountId, accountId));

/** What the secret of an account's authenticator app is sealed with. */
export const totpBinding = ({ id }: Pick<Account, 'id'>): string => `totp ${id}`;

const macOf = (secrets: SecretBox, accountId: string, code: string): string =>
  secrets
    .mac(JSON.stringify([accountId, code.replaceAll(/[^a-z\d]/gi, '').toUpperCase()]), 'recovery-code')
    .toString('base64url');

/** Replaces the codes for emergencies; they are readable this once. */
export async function renewRecoveryCodes(tx: TenantTx, secrets: SecretBox, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const letters = toBase32(randomBytes(RECOVERY_LETTERS)).slice(0, RECOVERY_LETTERS);
    return `${letters.slice(0, 5)}-${letters.slice(5)}`;
  });
  await tx.delete(recoveryCode, eq(recoveryCode.accountId, accountId));
  await tx.insert(
    recoveryCode,
    codes.map((code) => ({ accountId, mac: macOf(secrets, accountId, code) })),
  );
  return codes;
}

/** Uses up a code of the authenticator app, or for emergencies; false if it is not right. */
export async function useOwnCode(
  tx: TenantTx,
  secrets: SecretBox,
  { id }: Pick<Account, 'id'>,
  { way, code }: { way: 'TOTP' | 'RECOVERY'; code: string },
  now: Date,
): Promise<boolean> {
  if (way === 'RECOVERY') {
    const which = allOf(eq(recoveryCode.accountId, id), eq(recoveryCode.mac, macOf(secrets, id, code)));
    return (await tx.delete(recoveryCode, which)).length > 0;
  }
  // Locked: of several requests with one code, one is accepted.
  const row = await tx.findOne(secondFactor, eq(secondFactor.accountId, id), { lock: 'update' });
  if (!row || row.totpSealed === null) return false;
  const step = matchingStep(secrets.open(row.totpSealed, totpBinding({ id })), code, row.totpStep, now);
  if (step === undefined) return false;
  await setFactor(tx, id, { totpStep: step });
  return true;
}

/** Sets up the authenticator app with a secret and the step of its first code. Returns the codes for emergencies. */
export async function addTotp(
  tx: TenantTx,
  secrets: SecretBox,
  accountId: string,
  { secret, step, now }: { secret: string; step: number; now: Date },
): Promise<string[]> {
  const totpSealed = secrets.seal(secret, totpBinding({ id: accountId }));
  await setFactor(tx, accountId, {
    totpSealed,
    totpSince: now,
    totpStep: step,
    pendingSealed: null,
    pendingUntil: null,
  });
  return renewRecoveryCodes(tx, secrets, accountId);
}

/** Removes all factors of an account, its remembered devices, and sign-ins that wait for a factor. */
export async function removeFactors(tx: TenantTx, accountId: string): Promise<void> {
  await tx.delete(passkey, eq(passkey.accountId, accountId));
  await removeApp(tx, accountId);
}

/** Erases the factors of an account, what its owner chose about them, and where it has signed in. */
export async function eraseFactors(tx: TenantTx, accountId: string): Promise<void> {
  await removeFactors(tx, accountId);
  await tx.delete(secondFactor, eq(secondFactor.accountId, accountId));
  await tx.delete(signInPlace, eq(signInPlace.accountId, accountId));
}

/** Removes the authenticator app of an account, and with the last factor what belongs to factors. */
export async function removeApp(tx: TenantTx, accountId: string): Promise<void> {
  await tx.update(
    secondFactor,
    { totpSealed: null, totpSince: null, totpStep: null, pendingSealed: null, pendingUntil: null },
    eq(secondFactor.accountId, accountId),
  );
  await tidyFactors(tx, accountId);
}

/** Whether an account has a factor of its own. */
export const hasOwnFactor = async (tx: TenantTx, accountId: string): Promise<boolean> =>
  hasApp(await findFactor(tx, accountId)) || (await countPasskeys(tx, accountId)) > 0;

/** Once the last factor is removed, removes the codes for emergencies and the remembered devices. */
export async function tidyFactors(tx: TenantTx, accountId: string): Promise<void> {
  if (await hasOwnFactor(tx, accountId)) {
    await endWaiting(tx, [accountId], false);
    return;
  }
  await tx.delete(recoveryCode, eq(recoveryCode.accountId, accountId));
  await endWaiting(tx, [accountId], true);
}

/** Asks no factor of an account until then. */
export const suspendFactorOf = (tx: TenantTx, accountId: string, until: Date): Promise<void> =>
  setFactor(tx, accountId, { suspendedUntil: until });

/** Ends sign-ins that wait for a factor, and with `devices` the remembered devices, too. */
export async function endWaiting(tx: TenantTx, accountIds: readonly string[], devices: boolean): Promise<void> {
  await tx.delete(factorTicket, inArray(factorTicket.accountId, [...accountIds]));
  if (devices) await tx.delete(rememberedDevice, inArray(rememberedDevice.accountId, [...accountIds]));
}

/** Whether this browser is remembered for the account; counts as a use. `deviceId` is hashed. */
export async function useRemembered(tx: PlatformTx, account: Account, deviceId: string, now: Date): Promise<boolean> {
  if (deviceId === '') return false;
  const rows = await tx.update(
    rememberedDevice,
    { lastUsedAt: now },
    and(
      eq(rememberedDevice.accountId, account.id),
      eq(rememberedDevice.deviceId, deviceId),
      gt(rememberedDevice.expiresAt, now),
    ),
  );
  return rows.length > 0;
}

/** Remembers a browser for an account; of too many, the one not used for longest is forgotten. */
export async function remember(
  tx: TenantTx,
  accountId: string,
  { deviceId, userAgent, address }: { deviceId: string; userAgent: string; address: string },
  now: Date,
): Promise<void> {
  const values = {
    userAgent,
    address,
    rememberedAt: now,
    lastUsedAt: now,
    expiresAt: new Date(now.getTime() + REMEMBERED_DAYS * DAY),
  };
  await tx.insert(
    rememberedDevice,
    { id: newId(), accountId, deviceId, ...values },
    { target: [rememberedDevice.accountId, rememberedDevice.deviceId], set: values },
  );
  const all = await listRemembered(tx, accountId, now);
  for (const { id } of all.slice(REMEMBERED_MAX)) await tx.delete(rememberedDevice, eq(rememberedDevice.id, id));
}

export const listRemembered = (tx: TenantTx, accountId: string, now: Date) =>
  tx.find(rememberedDevice, allOf(eq(rememberedDevice.accountId, accountId), gt(rememberedDevice.expiresAt, now)), {
    orderBy: desc(rememberedDevice.lastUsedAt),
  });

/** False if the account has no such device. */
export async function forgetRemembered(tx: TenantTx, accountId: string, id: string): Promise<boolean> {
  const which = allOf(eq(rememberedDevice.accountId, accountId), eq(rememberedDevice.id, id));
  return (await tx.delete(rememberedDevice, which)).length > 0;
}

export async function dropOldFactorRows(tx: PlatformTx, now: Date): Promise<void> {
  await tx.delete(factorTicket, lt(factorTicket.expiresAt, now));
  await tx.delete(rememberedDevice, lt(rememberedDevice.expiresAt, now));
}
