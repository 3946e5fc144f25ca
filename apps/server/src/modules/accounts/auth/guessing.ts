import type { contract, Input } from '@rmeet/contract';
import type { PlatformTx } from '../../../platform/db/index.ts';
import { AppError, networkOf } from '../../../platform/http/index.ts';
import type { AccountRow } from '../users/tables.ts';
import {
  limitWait,
  countFailure,
  forgetFailures,
  countOnLimit,
  standingOf,
  takeOneBack,
  type RateLimit,
  type Guesser,
} from './attempts.ts';
import { tryCaptcha } from './captcha.ts';
import { accountsKnownOn } from './devices.ts';

/*
 * Several tenants can have an account of the same name, and a caller must not learn which before the right password.
 * So attempts from unknown devices are counted by the typed name, whatever tenant they name. Three rules keep the owner
 * of a name in one tenant from guessing freely at the same name in another:
 * - A known device is known to one account (devices.ts) and has a counter for that account alone. For other accounts of
 *   the name it is unknown; failures at those, or at the name, do not block the account on its known device.
 * - A right password takes back its own attempt only: signing in to one account does not clear failures at another.
 *   Failures of a known device of that account are cleared.
 * - An attempt without a tenant is an attempt at two accounts. An owner who can set the password of one could use it to
 *   guess at the other. So the first time in a day that a password is right, such an attempt stays counted in the limit
 *   of the name, and in the counter of the other account if the device is known to that one too. People who sign in
 *   with the same password repeatedly do not notice.
 */

type Body = Pick<
  Input<typeof contract.auth.login>['body'],
  'account' | 'tenant' | 'deviceId' | 'captchaId' | 'captcha'
>;

/** Failures of one account from one address, or on one known device, before a captcha is required. */
const CAPTCHA_AFTER = 3;
/** Failures of one account from all addresses together before a captcha is required. */
const CAPTCHA_AFTER_ANYWHERE = 20;
const PATIENCE = { free: CAPTCHA_AFTER, delay: 2, maxDelay: 900 };

const guesserHere = (account: string, address: string): Guesser => ({
  scope: 'login',
  key: [account.toLowerCase(), networkOf(address)],
  ...PATIENCE,
});
/** Decides when a captcha is required; attempts are slowed down by the account's rate limit. */
const guesserAnywhere = (account: string): Guesser => ({
  scope: 'login-anywhere',
  key: [account.toLowerCase()],
  free: Infinity,
  delay: 0,
  maxDelay: 0,
});
const guesserOnDevice = (accountId: string, deviceId: string): Guesser => ({
  scope: 'login-device',
  key: [accountId, deviceId],
  ...PATIENCE,
});
/**
 * A password that was right for its account while another account was tried with it; forgotten after a day. Causes no
 * waiting.
 */
const provenOf = ({ id, passwordHash }: AccountRow): Guesser => ({
  scope: 'login-proven',
  key: [id, passwordHash],
  free: Infinity,
  delay: 0,
  maxDelay: 0,
});
/**
 * One account name from all addresses together, so that a thousand addresses guess no faster than one. Known devices
 * are exempt: otherwise anyone could lock the owner out.
 */
const accountLimitOf = (account: string): RateLimit => ({
  scope: 'login-account',
  key: [account.toLowerCase()],
  burst: 60,
  drain: 30,
});
/**
 * All accounts together, so that no one gets three attempts at each of thousands. An office may share an address, hence
 * the burst.
 */
const addressLimitOf = (address: string): RateLimit => ({
  scope: 'login-address',
  key: [networkOf(address)],
  burst: 30,
  drain: 20,
});

/**
 * Above the address limit a captcha admits an attempt at once, so that an office stays usable. Its failures have a
 * limit of their own, which bounds guessers who solve captchas.
 */
const captchaLimitOf = (address: string): RateLimit => ({
  scope: 'login-address-captcha',
  key: [networkOf(address)],
  burst: 30,
  drain: 5,
});

/**
 * An attempt to sign in, and where it is counted. Rows are always locked in the order of the fields, which prevents
 * deadlocks.
 */
export interface SignInAttempt {
  /** The accounts the password is tried at. */
  accounts: readonly AccountRow[];
  /** Those of them that have signed in on the device before. */
  known: readonly AccountRow[];
  /** Undefined on a known device: failures of others do not block it. */
  limit: RateLimit | undefined;
  /** One of the address; or one of each account the device is known to, by its id. */
  here: { guesser: Guesser; knownTo?: string }[];
  anywhere: Guesser;
  /** Undefined if all tried accounts know the device. */
  accountLimit: RateLimit | undefined;
  /** Whether the address has exceeded its limit without a captcha. */
  isLimited: boolean;
  /** Whether no tenant was named, so that accounts of several are tried at once. */
  isOpen: boolean;
}

async function attemptOf(
  tx: PlatformTx,
  { account, deviceId, tenant }: Body,
  accounts: readonly AccountRow[],
  address: string,
  now: Date,
): Promise<SignInAttempt> {
  const ids = await accountsKnownOn(tx, account, deviceId, now);
  const known = accounts.filter(({ id }) => ids.has(id));
  const common = {
    accounts,
    known,
    anywhere: guesserAnywhere(account),
    accountLimit: accountLimitOf(account),
    isOpen: tenant === undefined,
  };
  if (deviceId && known.length > 0) {
    const here = known.map(({ id }) => ({ guesser: guesserOnDevice(id, deviceId), knownTo: id }));
    return {
      ...common,
      limit: undefined,
      here,
      accountLimit: common.isOpen ? common.accountLimit : undefined,
      isLimited: false,
    };
  }
  const isLimited = (await limitWait(tx, addressLimitOf(address), now)) > 0;
  return {
    ...common,
    limit: (isLimited ? captchaLimitOf : addressLimitOf)(address),
    here: [{ guesser: guesserHere(account, address) }],
    isLimited,
  };
}

/** Failures and waiting time of an attempt: the maximum of its counters. */
async function stateHere(
  tx: PlatformTx,
  { here }: SignInAttempt,
  now: Date,
): Promise<{ failures: number; wait: number }> {
  const worst = { failures: 0, wait: 0 };
  for (const { guesser } of here) {
    const { failures, wait } = await standingOf(tx, guesser, now);
    worst.failures = Math.max(worst.failures, failures);
    worst.wait = Math.max(worst.wait, wait);
  }
  return worst;
}

async function wantsCaptcha(
  tx: PlatformTx,
  { anywhere, limit, isLimited }: SignInAttempt,
  failuresHere: number,
  now: Date,
): Promise<boolean> {
  const everywhere = await standingOf(tx, anywhere, now);
  return (
    isLimited || failuresHere >= CAPTCHA_AFTER || (limit !== undefined && everywhere.failures >= CAPTCHA_AFTER_ANYWHERE)
  );
}

/** Whether the next attempt at this account from this address needs a captcha. */
export async function needsCaptcha(tx: PlatformTx, account: string, address: string, now: Date): Promise<boolean> {
  const attempt = await attemptOf(tx, { account }, [], address, now);
  return wantsCaptcha(tx, attempt, (await stateHere(tx, attempt, now)).failures, now);
}

/**
 * Decides whether an attempt at these accounts may proceed, and counts it as failed in advance, so that concurrent
 * guesses cannot bypass the counter; a right password takes it back. Returns a refusal instead of throwing it, because
 * a used captcha must be committed.
 */
export async function admitAttempt(
  tx: PlatformTx,
  body: Body,
  accounts: readonly AccountRow[],
  address: string,
  now: Date,
): Promise<SignInAttempt | AppError> {
  const attempt = await attemptOf(tx, body, accounts, address, now);
  const hasCaptcha = body.captchaId !== undefined && body.captcha !== undefined;
  // First, because most of a flood ends here.
  if (attempt.isLimited && !hasCaptcha) return new AppError('CAPTCHA_REQUIRED');
  const standing = await stateHere(tx, attempt, now);
  if (standing.wait > 0) return new AppError('ACCOUNT_LOCKED', { seconds: standing.wait });
  const isCaptchaWanted = await wantsCaptcha(tx, attempt, standing.failures, now);
  // Before the captcha is used up: the same one is good once the wait is over.
  const ofAddress = attempt.isLimited && attempt.limit ? await limitWait(tx, attempt.limit, now) : 0;
  const ofAccount = attempt.accountLimit ? await limitWait(tx, attempt.accountLimit, now) : 0;
  const isKnown = attempt.known.length > 0;
  if (!isKnown && ofAddress + ofAccount > 0)
    return new AppError('TOO_MANY_REQUESTS', { seconds: Math.max(ofAddress, ofAccount) });
  if (isCaptchaWanted) {
    if (!body.captchaId || !body.captcha) return new AppError('CAPTCHA_REQUIRED');
    if (!(await tryCaptcha(tx, body.captchaId, body.captcha, now))) return new AppError('CAPTCHA_WRONG');
  }
  // Above the limit of the name only accounts that know the device are tried.
  const admitted = ofAccount > 0 ? { ...attempt, accounts: attempt.known, accountLimit: undefined } : attempt;
  await count(tx, admitted, now);
  return admitted;
}

async function count(tx: PlatformTx, { limit, here, anywhere, accountLimit }: SignInAttempt, now: Date): Promise<void> {
  if (limit) await countOnLimit(tx, limit, now);
  for (const { guesser } of here) await countFailure(tx, guesser, now);
  await countFailure(tx, anywhere, now);
  if (accountLimit) await countOnLimit(tx, accountLimit, now);
}

/** Whether one of these passwords is right for the first time in a day. */
async function recordProof(tx: PlatformTx, right: readonly AccountRow[], now: Date): Promise<boolean> {
  let isNew = false;
  for (const account of right) {
    const proven = provenOf(account);
    if ((await standingOf(tx, proven, now)).failures > 0) continue;
    await countFailure(tx, proven, now);
    isNew = true;
  }
  return isNew;
}

/** The password was right for these accounts: the attempt is no failure. */
export async function refundAttempt(
  tx: PlatformTx,
  { here, anywhere, limit, accountLimit, isOpen }: SignInAttempt,
  right: readonly AccountRow[],
  now: Date,
): Promise<void> {
  const mayBeGuess = isOpen && (await recordProof(tx, right, now));
  if (limit) await takeOneBack(tx, limit);
  for (const { guesser, knownTo } of here) {
    if (right.some(({ id }) => id === knownTo)) await forgetFailures(tx, guesser);
    else if (knownTo === undefined || !mayBeGuess) await takeOneBack(tx, guesser);
  }
  await takeOneBack(tx, anywhere);
  if (accountLimit && !mayBeGuess) await takeOneBack(tx, accountLimit);
}
