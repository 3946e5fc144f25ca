import { FACTOR_TRIES, type FactorWay } from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import type { PlatformTx } from '../../../../platform/db/index.ts';
import { AppError, type Context } from '../../../../platform/http/index.ts';
import { findTenant } from '../../tenants/index.ts';
import { findAccount } from '../../users/index.ts';
import { hashDevice } from '../devices.ts';
import { finishSignIn, type Membership, type SignedIn } from '../open-session.ts';
import { countPasskeys } from '../passkeys/repo.ts';
import type { Sessions } from '../sessions.ts';
import { canBeRemembered, findTicket } from './demand.ts';
import { findFactor, hasApp, remember } from './repo.ts';
import { factorTicket, type FactorTicketRow } from './tables.ts';

/** The answer to a ticket that has ended. */
export const over = (): AppError => new AppError('FACTOR_TICKET_INVALID');

/** A sign-in that waits for its second factor. */
export interface Waiting extends Membership {
  row: FactorTicketRow;
}

/**
 * The waiting sign-in of a ticket; undefined if it has ended. Tickets of other browsers and accounts that are gone are
 * answered like unknown ones.
 */
export async function waitingOf(
  tx: PlatformTx,
  { ticket, deviceId }: { ticket: string; deviceId?: string | undefined },
  now: Date,
): Promise<Waiting | undefined> {
  const row = await findTicket(tx, ticket, deviceId);
  if (!row || row.expiresAt <= now || row.tries >= FACTOR_TRIES) return undefined;
  const account = await findAccount(tx, row.accountId, true);
  const tenant = account && (await findTenant(tx, account.tenantId));
  return account && tenant && !account.deletedAt ? { row, account, tenant } : undefined;
}

/** A waiting sign-in that may set a factor up; not if the account has got one meanwhile. */
export async function enrollingOf(
  tx: PlatformTx,
  given: { ticket: string; deviceId?: string | undefined },
  now: Date,
): Promise<Waiting | undefined> {
  const waiting = await waitingOf(tx, given, now);
  if (!waiting?.row.mayEnrol) return undefined;
  const { row, account } = waiting;
  const own = tx.asTenant(account.tenantId);
  // Who has signed in by a passkey may add an app to it.
  const hasPasskey = row.method !== 'PASSKEY' && (await countPasskeys(own, account.id)) > 0;
  return hasPasskey || hasApp(await findFactor(own, account.id)) ? undefined : waiting;
}

/** Counts a wrong answer. */
export const countTry = (tx: PlatformTx, { row }: Waiting) =>
  tx.update(factorTicket, { tries: row.tries + 1 }, eq(factorTicket.ticketHash, row.ticketHash));

/** By which factor a waiting sign-in ends, and in which browser. */
interface Proof {
  way: FactorWay;
  remember: boolean;
  deviceId?: string | undefined;
}

/** Opens the session of a sign-in whose factor was right. */
export async function endWaitingSignIn(
  { sessions, now }: { sessions: Sessions; now: () => Date },
  tx: PlatformTx,
  context: Context,
  { row, account, tenant }: Waiting,
  { way, remember: remembers, deviceId }: Proof,
): Promise<SignedIn | AppError> {
  const own = tx.asTenant(account.tenantId);
  await tx.delete(factorTicket, eq(factorTicket.ticketHash, row.ticketHash));
  const device = { deviceId: hashDevice(deviceId), userAgent: context.userAgent, address: context.address };
  if (remembers && canBeRemembered(deviceId)) await remember(own, account.id, device, now());
  if (way === 'RECOVERY') {
    const event = { account, tenant, address: context.address, userAgent: context.userAgent, now: now() };
    await sessions.outside.tell(own, 'recoveryUsed', event);
  }
  const { method, originId } = row;
  const how = { method, deviceId, originId, now: now(), secondFactor: way };
  return finishSignIn(tx, sessions, context, { account, tenant }, how);
}
