import { eq, lt } from 'drizzle-orm';
import type { PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import { hashToken, newToken } from '../../../platform/secrets/index.ts';
import type { HandedOver } from './sessions.ts';
import { handoverTicket } from './tables.ts';

const VALID_FOR = 60_000;

/** Creates a single-use ticket that signs the account in elsewhere. `from`: the requesting session. */
export async function makeTicket(
  tx: TenantTx,
  accountId: string,
  from: HandedOver,
  now: Date,
): Promise<{ sign: string; expiresAt: string }> {
  const sign = newToken();
  const expiresAt = new Date(now.getTime() + VALID_FOR);
  await tx.insert(handoverTicket, { hash: hashToken(sign), accountId, ...from, expiresAt });
  return { sign, expiresAt: expiresAt.toISOString() };
}

/** Uses up a ticket; undefined if there is none, or it has expired. */
export async function useTicket(
  tx: PlatformTx,
  sign: string,
  now: Date,
): Promise<{ accountId: string; from: HandedOver } | undefined> {
  const [row] = await tx.delete(handoverTicket, eq(handoverTicket.hash, hashToken(sign)));
  if (!row || row.expiresAt <= now) return undefined;
  const { accountId, deviceId, deviceKind, originId } = row;
  return { accountId, from: { deviceId, deviceKind, originId } };
}

export async function dropOldTickets(tx: PlatformTx, now: Date): Promise<void> {
  await tx.delete(handoverTicket, lt(handoverTicket.expiresAt, now));
}
