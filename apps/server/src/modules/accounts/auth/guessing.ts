import type { contract, Input } from '@rmeet/contract';
import type { PlatformTx } from '../../../platform/db/index.ts';
import { AppError, networkOf } from '../../../platform/http/index.ts';
import type { AccountRow } from '../users/tables.ts';
import {
  brakeWait,
  countFailure,
  forgetFailures,
  pressBrake,
  standingOf,
  takeOneBack,
  type Brake,
  type Guesser,
} from './attempts.ts';
import { tryCaptcha } from './captcha.ts';
import { accountsKnownOn } from './devices.ts';

/*
 * Several tenants may have an account of one name, and nobody is to learn which before a password was right. So
 * strangers are counted by the name as it was typed, whatever tenant they name and however many have it. Three things
 * keep that from being a free pass for whoever owns the name in one tenant and guesses at the one of another:
 * - A known device is known to one account (devices.ts) and has a count for that account alone. At others of the name
 *   it is
 *   a stranger's; and what is failed at others, or at the name, does not hold the account up on it.
 * - A right password takes its own try back and no other, of all that is counted by name: signing in to one's own
 *   account
 *   does not clear what was guessed at another. What a known device of that very account failed at is forgotten.
 * - A try without a tenant is a try at two accounts. Whoever may set the password of one could guess at the other by
 *   it: so
 *   the first time in a day that a password is right, such a try stays on the brake of the account name, and on the
 * count of   the other account where the device is known to that one, too. People sign in with the same password again
 * and again, and   do not notice.
 */

type Body = Pick<
  Input<typeof contract.auth.login>['body'],
  'account' | 'tenant' | 'deviceId' | 'captchaId' | 'captcha'
>;

/** Failures of one account from one address, or on one known device, before a captcha is asked. */
const CAPTCHA_AFTER = 3;
/** Failures of one account from all addresses together before a captcha is asked. */
const CAPTCHA_AFTER_ANYWHERE = 20;
const PATIENCE = { free: CAPTCHA_AFTER, delay: 2, maxDelay: 900 };

const guesserHere = (account: string, address: string): Guesser => ({
  scope: 'login',
  key: [account.toLowerCase(), networkOf(address)],
  ...PATIENCE,
});
/** Counts when a captcha is asked; what it slows down is the brake of the account. */
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
 * A password that was right for its account beside another account that was tried with it; forgotten after a day.
 * Nobody waits by it.
 */
const provenOf = ({ id, passwordHash }: AccountRow): Guesser => ({
  scope: 'login-proven',
  key: [id, passwordHash],
  free: Infinity,
  delay: 0,
  maxDelay: 0,
});
/**
 * One account name from all addresses together, so that a thousand addresses guess no faster than one. A known device
 * passes it: else anybody could lock somebody out of their account.
 */
const accountBrakeOf = (account: string): Brake => ({
  scope: 'login-account',
  key: [account.toLowerCase()],
  burst: 60,
  drain: 30,
});
/**
 * All accounts together, so that nobody gets three tries at each of thousands. A whole house may share an address:
 * hence the burst.
 */
const brakeOf = (address: string): Brake => ({
  scope: 'login-address',
  key: [networkOf(address)],
  burst: 30,
  drain: 20,
});

/**
 * Past the brake a captcha lets a try through at once, so that an office that mistypes stays open to its people, and a
 * brake of its own counts those that fail: a guesser who pays for captchas with work gets no further than this.
 */
const provenBrakeOf = (address: string): Brake => ({
  scope: 'login-address-captcha',
  key: [networkOf(address)],
  burst: 30,
  drain: 5,
});

/**
 * A try at signing in, and where it is counted. Rows are held in the order of the fields, by all who count: so nobody
 * waits in a ring.
 */
export interface Try {
  /** The accounts the password is tried at. */
  accounts: readonly AccountRow[];
  /** Those of them that have signed in on the device before. */
  known: readonly AccountRow[];
  /** Undefined on a known device: what others fail at does not hold it up. */
  brake: Brake | undefined;
  /** One of the address; or one of each account the device is known to, by its id. */
  here: { guesser: Guesser; knownTo?: string }[];
  anywhere: Guesser;
  /** Undefined where no account is tried but those the device is known to. */
  accountBrake: Brake | undefined;
  /** Whether the address has used up what it may fail at without a captcha. */
  isBraked: boolean;
  /** Whether no tenant was named, so that accounts of several are tried at once. */
  isOpen: boolean;
}

async function tryOf(
  tx: PlatformTx,
  { account, deviceId, tenant }: Body,
  accounts: readonly AccountRow[],
  address: string,
  now: Date,
): Promise<Try> {
  const ids = await accountsKnownOn(tx, account, deviceId, now);
  const known = accounts.filter(({ id }) => ids.has(id));
  const common = {
    accounts,
    known,
    anywhere: guesserAnywhere(account),
    accountBrake: accountBrakeOf(account),
    isOpen: tenant === undefined,
  };
  if (deviceId && known.length > 0) {
    const here = known.map(({ id }) => ({ guesser: guesserOnDevice(id, deviceId), knownTo: id }));
    return {
      ...common,
      brake: undefined,
      here,
      accountBrake: common.isOpen ? common.accountBrake : undefined,
      isBraked: false,
    };
  }
  const isBraked = (await brakeWait(tx, brakeOf(address), now)) > 0;
  return {
    ...common,
    brake: (isBraked ? provenBrakeOf : brakeOf)(address),
    here: [{ guesser: guesserHere(account, address) }],
    isBraked,
  };
}

/** How a try stands where it is counted: by the worst of them. */
async function standingHere(tx: PlatformTx, { here }: Try, now: Date): Promise<{ failures: number; wait: number }> {
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
  { anywhere, brake, isBraked }: Try,
  failuresHere: number,
  now: Date,
): Promise<boolean> {
  const everywhere = await standingOf(tx, anywhere, now);
  return (
    isBraked || failuresHere >= CAPTCHA_AFTER || (brake !== undefined && everywhere.failures >= CAPTCHA_AFTER_ANYWHERE)
  );
}

/** Whether the next try of this account from here needs a captcha. */
export async function needsCaptcha(tx: PlatformTx, account: string, address: string, now: Date): Promise<boolean> {
  const wanted = await tryOf(tx, { account }, [], address, now);
  return wantsCaptcha(tx, wanted, (await standingHere(tx, wanted, now)).failures, now);
}

/**
 * Decides whether a try at these accounts may go on, and counts it as failed beforehand, so that guesses made at once
 * cannot slip past the counter; a right password takes its count back. Answers the refusal instead of throwing it,
 * because a used captcha has to be committed.
 */
export async function admitTry(
  tx: PlatformTx,
  body: Body,
  accounts: readonly AccountRow[],
  address: string,
  now: Date,
): Promise<Try | AppError> {
  const wanted = await tryOf(tx, body, accounts, address, now);
  const hasCaptcha = body.captchaId !== undefined && body.captcha !== undefined;
  // First, since most of a flood ends here.
  if (wanted.isBraked && !hasCaptcha) return new AppError('CAPTCHA_REQUIRED');
  const standing = await standingHere(tx, wanted, now);
  if (standing.wait > 0) return new AppError('ACCOUNT_LOCKED', { seconds: standing.wait });
  const isCaptchaWanted = await wantsCaptcha(tx, wanted, standing.failures, now);
  // Before the captcha is used up: the same one is good once the wait is over.
  const ofAddress = wanted.isBraked && wanted.brake ? await brakeWait(tx, wanted.brake, now) : 0;
  const ofAccount = wanted.accountBrake ? await brakeWait(tx, wanted.accountBrake, now) : 0;
  const isKnown = wanted.known.length > 0;
  if (!isKnown && ofAddress + ofAccount > 0)
    return new AppError('TOO_MANY_REQUESTS', { seconds: Math.max(ofAddress, ofAccount) });
  if (isCaptchaWanted) {
    if (!body.captchaId || !body.captcha) return new AppError('CAPTCHA_REQUIRED');
    if (!(await tryCaptcha(tx, body.captchaId, body.captcha, now))) return new AppError('CAPTCHA_WRONG');
  }
  // Somebody guesses at the name: those who are known here get in, and nobody else is tried.
  const admitted = ofAccount > 0 ? { ...wanted, accounts: wanted.known, accountBrake: undefined } : wanted;
  await count(tx, admitted, now);
  return admitted;
}

async function count(tx: PlatformTx, { brake, here, anywhere, accountBrake }: Try, now: Date): Promise<void> {
  if (brake) await pressBrake(tx, brake, now);
  for (const { guesser } of here) await countFailure(tx, guesser, now);
  await countFailure(tx, anywhere, now);
  if (accountBrake) await pressBrake(tx, accountBrake, now);
}

/** Whether one of these passwords is right for the first time in a day. */
async function proveAnew(tx: PlatformTx, right: readonly AccountRow[], now: Date): Promise<boolean> {
  let isNew = false;
  for (const account of right) {
    const proven = provenOf(account);
    if ((await standingOf(tx, proven, now)).failures > 0) continue;
    await countFailure(tx, proven, now);
    isNew = true;
  }
  return isNew;
}

/** The password was right for these accounts: the try is no failure of theirs. */
export async function takeBack(
  tx: PlatformTx,
  { here, anywhere, brake, accountBrake, isOpen }: Try,
  right: readonly AccountRow[],
  now: Date,
): Promise<void> {
  const mayBeGuess = isOpen && (await proveAnew(tx, right, now));
  if (brake) await takeOneBack(tx, brake);
  for (const { guesser, knownTo } of here) {
    if (right.some(({ id }) => id === knownTo)) await forgetFailures(tx, guesser);
    else if (knownTo === undefined || !mayBeGuess) await takeOneBack(tx, guesser);
  }
  await takeOneBack(tx, anywhere);
  if (accountBrake && !mayBeGuess) await takeOneBack(tx, accountBrake);
}
