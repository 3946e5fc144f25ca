import type { PlatformTx } from '../../../../platform/db/index.ts';
import { AppError } from '../../../../platform/http/index.ts';
import type { AccountRow } from '../../users/tables.ts';
import {
  countFailure,
  countOnLimit,
  forgetFailures,
  limitWait,
  standingOf,
  type Guesser,
  type RateLimit,
} from '../attempts.ts';
import { accountsKnownOn } from '../devices.ts';

/**
 * Codes compared for one account: five at once, then one in five minutes. A code of an authenticator app is accepted
 * for 90 s, so at most five guesses meet it, from however many addresses. Devices that the account knows have a limit
 * of their own each: strangers who know the password do not keep the owner out.
 */
export async function guessLimitOf(
  tx: PlatformTx,
  { id, account }: AccountRow,
  deviceId: string | undefined,
  now: Date,
): Promise<RateLimit> {
  const isKnown = deviceId !== undefined && (await accountsKnownOn(tx, account, deviceId, now)).has(id);
  return { scope: 'factor-guess', key: isKnown ? [id, deviceId] : [id], burst: 5, drain: 300 };
}

/** Codes sent to one account, limited in the same way: five at once, then one in ten minutes. */
export async function sendLimitOf(
  tx: PlatformTx,
  account: AccountRow,
  deviceId: string | undefined,
  now: Date,
): Promise<RateLimit> {
  return { ...(await guessLimitOf(tx, account, deviceId, now)), scope: 'factor-send', drain: 600 };
}

/** Counts a use of a limit; the refusal above it is returned, so that the transaction is committed. */
export async function countUse(tx: PlatformTx, limit: RateLimit, now: Date): Promise<AppError | undefined> {
  const wait = await limitWait(tx, limit, now);
  if (wait > 0) return new AppError('TOO_MANY_REQUESTS', { seconds: wait });
  await countOnLimit(tx, limit, now);
  return undefined;
}

/** Guesses at an account's own codes from its sessions. */
const ofSessions = (accountId: string): Guesser => ({
  scope: 'own-factor',
  key: [accountId],
  free: 4,
  delay: 30,
  maxDelay: 900,
});

/** Counts a code that a session proves itself with. The refusal is returned. */
export async function countOwnGuess(tx: PlatformTx, accountId: string, now: Date): Promise<AppError | undefined> {
  const { wait } = await standingOf(tx, ofSessions(accountId), now);
  if (wait > 0) return new AppError('TOO_MANY_REQUESTS', { seconds: wait });
  await countFailure(tx, ofSessions(accountId), now);
  return undefined;
}

export const forgetOwnGuesses = (tx: PlatformTx, accountId: string): Promise<void> =>
  forgetFailures(tx, ofSessions(accountId));
