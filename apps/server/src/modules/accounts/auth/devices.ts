import { asc, eq, inArray, lt } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { PlatformTx } from '../../../platform/db/index.ts';
import { hashToken } from '../../../platform/secrets/index.ts';
import type { AccountRow } from '../users/tables.ts';
import { knownDevice, type DeviceKind } from './tables.ts';

/** How long a device is remembered after its last sign-in. */
const KNOWN_FOR = 180 * 86_400_000;
const DEVICES_MAX = 20;

/** The stored form of a browser's mark; empty for none. */
export function hashDevice(deviceId: string | undefined): string {
  return deviceId ? hashToken(deviceId) : '';
}

/** What a browser says it runs on; tablets count as phones. */
export function deviceKindOf(userAgent: string): DeviceKind {
  return /Mobi|Android|iPhone|iPad|HarmonyOS/i.test(userAgent) ? 'phone' : 'computer';
}

function keyOf(account: string, deviceId: string): string {
  return hashToken(JSON.stringify([account.toLowerCase(), deviceId]));
}

/**
 * The ids of the accounts of this name that have signed in on this device before: a device known to one tenant's
 * account is unknown to an account of the same name in another. Takes the same time for accounts that do not exist.
 */
export async function accountsKnownOn(
  tx: PlatformTx,
  account: string,
  deviceId: string | undefined,
  now: Date,
): Promise<ReadonlySet<string>> {
  if (!deviceId) return new Set();
  const rows = await tx.find(knownDevice, eq(knownDevice.key, keyOf(account, deviceId)));
  return new Set(
    rows.filter((row) => now.getTime() - row.lastUsedAt.getTime() < KNOWN_FOR).map((row) => row.accountId),
  );
}

/** The account has signed in on this device. */
export async function rememberDevice(
  tx: PlatformTx,
  account: AccountRow,
  deviceId: string | undefined,
  now: Date,
): Promise<void> {
  if (!deviceId) return;
  const values = {
    key: keyOf(account.account, deviceId),
    tenantId: account.tenantId,
    accountId: account.id,
    lastUsedAt: now,
  };
  await tx.insert(knownDevice, values, { target: [knownDevice.key, knownDevice.accountId], set: { lastUsedAt: now } });
  const all = await tx.find(knownDevice, eq(knownDevice.accountId, account.id), {
    orderBy: asc(knownDevice.lastUsedAt),
  });
  const dropped = all.slice(0, -DEVICES_MAX).map((row) => row.key);
  if (dropped.length > 0)
    await tx.delete(knownDevice, allOf(eq(knownDevice.accountId, account.id), inArray(knownDevice.key, dropped)));
}

export async function dropOldDevices(tx: PlatformTx, now: Date): Promise<void> {
  await tx.delete(knownDevice, lt(knownDevice.lastUsedAt, new Date(now.getTime() - KNOWN_FOR)));
}
