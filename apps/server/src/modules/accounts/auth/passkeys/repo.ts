import { PASSKEY_CHALLENGE_LIFETIME } from '@rmeet/contract';
import { and, asc, count, eq, lte, notInArray } from 'drizzle-orm';
import { allOf } from '../../../../platform/db/conditions.ts';
import type { PlatformTx, TenantTx } from '../../../../platform/db/index.ts';
import { hashToken, newToken } from '../../../../platform/secrets/index.ts';
import { passkey, passkeyChallenge, type ChallengePurpose, type PasskeyRow } from './tables.ts';

/** What a challenge is for, and the browser, session or ticket that may answer it. */
export interface Asked {
  purpose: ChallengePurpose;
  boundTo: string;
  rpId: string;
}

export const listPasskeys = (tx: Pick<TenantTx, 'find'>, accountId: string): Promise<PasskeyRow[]> =>
  tx.find(passkey, eq(passkey.accountId, accountId), { orderBy: asc(passkey.createdAt) });

export const countPasskeys = (tx: Pick<TenantTx, 'count'>, accountId: string): Promise<number> =>
  tx.count(passkey, eq(passkey.accountId, accountId));

/** Makes a challenge of 256 bits. */
export async function makeChallenge(tx: TenantTx, { purpose, boundTo, rpId }: Asked, now: Date): Promise<string> {
  const challenge = newToken();
  await tx.insert(passkeyChallenge, {
    hash: hashToken(challenge),
    purpose,
    boundTo: hashToken(boundTo),
    rpId,
    expiresAt: new Date(now.getTime() + PASSKEY_CHALLENGE_LIFETIME),
  });
  return challenge;
}

/** Uses a challenge up, also for an answer that does not fit it. False if it may not be answered so. */
export async function useChallenge(
  tx: Pick<TenantTx, 'delete'>,
  challenge: string,
  { purpose, boundTo, rpId }: Asked,
  now: Date,
): Promise<boolean> {
  const [row] = await tx.delete(passkeyChallenge, eq(passkeyChallenge.hash, hashToken(challenge)));
  return (
    row !== undefined &&
    row.purpose === purpose &&
    row.boundTo === hashToken(boundTo) &&
    row.rpId === rpId &&
    row.expiresAt > now
  );
}

export const dropOldChallenges = (tx: PlatformTx, now: Date): Promise<unknown> =>
  tx.delete(passkeyChallenge, lte(passkeyChallenge.expiresAt, now));

/** False if the account has no such passkey. */
export async function renamePasskey(tx: TenantTx, accountId: string, id: string, name: string): Promise<boolean> {
  return (await tx.update(passkey, { name }, and(eq(passkey.accountId, accountId), eq(passkey.id, id)))).length > 0;
}

export async function removePasskey(tx: TenantTx, accountId: string, id: string): Promise<PasskeyRow | undefined> {
  const [row] = await tx.delete(passkey, allOf(eq(passkey.accountId, accountId), eq(passkey.id, id)));
  return row;
}

/**
 * How many passkeys stop working if the server has these addresses only, by the host name that they belong to. Those of
 * `localhost` are for tests and not counted.
 */
export async function passkeysOfOtherNames(
  tx: PlatformTx,
  publicUrls: readonly string[],
): Promise<Map<string, number>> {
  const names = [...publicUrls.map((url) => new URL(url).hostname), 'localhost'];
  const all = tx.scoped(passkey);
  const rows = await tx
    .select({ rpId: all.rpId, n: count() })
    .from(all)
    .where(notInArray(all.rpId, names))
    .groupBy(all.rpId);
  return new Map(rows.map(({ rpId, n }) => [rpId, n]));
}
