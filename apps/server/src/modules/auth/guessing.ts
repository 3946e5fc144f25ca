import type { contract, Input } from '@rmeet/contract';
import type { PlatformTx } from '../../platform/db/index.ts';
import { AppError, networkOf } from '../../platform/http/index.ts';
import { brakeWait, countFailure, forgetFailures, pressBrake, standingOf, takeOneBack, type Brake, type Guesser } from './attempts.ts';
import { tryCaptcha } from './captcha.ts';
import { isKnownDevice } from './devices.ts';

type Body = Pick<Input<typeof contract.auth.login>['body'], 'account' | 'deviceId' | 'captchaId' | 'captcha'>;

/** Failures of one account from one address, or on one known device, before a captcha is asked. */
const CAPTCHA_AFTER = 3;
/** Failures of one account from all addresses together before a captcha is asked. */
const CAPTCHA_AFTER_ANYWHERE = 20;
const PATIENCE = { free: CAPTCHA_AFTER, delay: 2, maxDelay: 900 };

const guesserHere = (account: string, address: string): Guesser => ({ scope: 'login', key: [account.toLowerCase(), networkOf(address)], ...PATIENCE });
/** Counts when a captcha is asked; what it slows down is the brake of the account. */
const guesserAnywhere = (account: string): Guesser => ({ scope: 'login-anywhere', key: [account.toLowerCase()], free: Infinity, delay: 0, maxDelay: 0 });
const guesserOnDevice = (account: string, deviceId: string): Guesser => ({ scope: 'login-device', key: [account.toLowerCase(), deviceId], ...PATIENCE });
/**
 * One account from all addresses together, so that a thousand addresses guess no faster than one. A known device passes it:
 * else anybody could lock somebody out of their account.
 */
const accountBrakeOf = (account: string): Brake => ({ scope: 'login-account', key: [account.toLowerCase()], burst: 60, drain: 30 });
/** All accounts together, so that nobody gets three tries at each of thousands. A whole house may share an address: hence the burst. */
const brakeOf = (address: string): Brake => ({ scope: 'login-address', key: [networkOf(address)], burst: 30, drain: 20 });

/**
 * Past the brake a captcha lets a try through at once, so that an office that mistypes stays open to its people, and a brake
 * of its own counts those that fail: a guesser who pays for captchas with work gets no further than this.
 */
const provenBrakeOf = (address: string): Brake => ({ scope: 'login-address-captcha', key: [networkOf(address)], burst: 30, drain: 5 });

/** A try at signing in, and where it is counted. */
export interface Try {
  here: Guesser;
  anywhere: Guesser;
  /** Undefined on a device the account has signed in on, as the next: what others fail at does not hold it up. */
  brake: Brake | undefined;
  accountBrake: Brake | undefined;
  /** Whether the address has used up what it may fail at without a captcha. */
  isBraked: boolean;
}

async function tryOf(tx: PlatformTx, { account, deviceId }: Body, address: string, now: Date): Promise<Try> {
  const isKnown = await isKnownDevice(tx, account, deviceId, now);
  const isBraked = !isKnown && (await brakeWait(tx, brakeOf(address), now)) > 0;
  return {
    here: isKnown && deviceId ? guesserOnDevice(account, deviceId) : guesserHere(account, address),
    anywhere: guesserAnywhere(account), brake: isKnown ? undefined : (isBraked ? provenBrakeOf : brakeOf)(address), isBraked,
    accountBrake: isKnown ? undefined : accountBrakeOf(account),
  };
}

async function wantsCaptcha(tx: PlatformTx, { anywhere, brake, isBraked }: Try, failuresHere: number, now: Date): Promise<boolean> {
  const everywhere = await standingOf(tx, anywhere, now);
  return isBraked || failuresHere >= CAPTCHA_AFTER || (brake !== undefined && everywhere.failures >= CAPTCHA_AFTER_ANYWHERE);
}

/** Whether the next try of this account from here needs a captcha. */
export async function needsCaptcha(tx: PlatformTx, account: string, address: string, now: Date): Promise<boolean> {
  const wanted = await tryOf(tx, { account }, address, now);
  return wantsCaptcha(tx, wanted, (await standingOf(tx, wanted.here, now)).failures, now);
}

/**
 * Decides whether a try may go on, and counts it as failed beforehand, so that guesses made at once cannot slip past the
 * counter; a right password takes its count back. Answers the refusal instead of throwing it, because a used captcha has
 * to be committed.
 */
export async function admitTry(tx: PlatformTx, body: Body, address: string, now: Date): Promise<Try | AppError> {
  const wanted = await tryOf(tx, body, address, now);
  const hasCaptcha = body.captchaId !== undefined && body.captcha !== undefined;
  // First, since most of a flood ends here.
  if (wanted.isBraked && !hasCaptcha) return new AppError('CAPTCHA_REQUIRED');
  const standing = await standingOf(tx, wanted.here, now);
  if (standing.wait > 0) return new AppError('ACCOUNT_LOCKED', { seconds: standing.wait });
  const isCaptchaWanted = await wantsCaptcha(tx, wanted, standing.failures, now);
  // Before the captcha is used up: the same one is good once the wait is over.
  const braked = Math.max(
    wanted.isBraked && wanted.brake ? await brakeWait(tx, wanted.brake, now) : 0,
    wanted.accountBrake ? await brakeWait(tx, wanted.accountBrake, now) : 0,
  );
  if (braked > 0) return new AppError('TOO_MANY_REQUESTS', { seconds: braked });
  if (isCaptchaWanted) {
    if (!body.captchaId || !body.captcha) return new AppError('CAPTCHA_REQUIRED');
    if (!(await tryCaptcha(tx, body.captchaId, body.captcha, now))) return new AppError('CAPTCHA_WRONG');
  }
  await countFailure(tx, wanted.here, now);
  await countFailure(tx, wanted.anywhere, now);
  if (wanted.brake) await pressBrake(tx, wanted.brake, now);
  if (wanted.accountBrake) await pressBrake(tx, wanted.accountBrake, now);
  return wanted;
}

/** The password was right: the try is no failure. */
export async function takeBack(tx: PlatformTx, { here, anywhere, brake, accountBrake }: Try): Promise<void> {
  await forgetFailures(tx, here);
  await forgetFailures(tx, anywhere);
  if (brake) await takeOneBack(tx, brake);
  if (accountBrake) await takeOneBack(tx, accountBrake);
}
