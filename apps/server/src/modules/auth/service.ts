import type { Data, Input, contract, LoginUser } from '@rmeet/contract';
import type { Db } from '../../platform/db/index.ts';
import { AppError, networkOf, type Context, type UserCaller } from '../../platform/http/index.ts';
import { findTenant } from '../tenants/index.ts';
import type { TenantRow } from '../tenants/tables.ts';
import { findAccountByName, hashPassword, verifyPassword } from '../users/index.ts';
import type { AccountRow } from '../users/tables.ts';
import { countFailure, forgetFailures, standingOf, type Guesser } from './attempts.ts';
import { makeCaptcha, tryCaptcha } from './captcha.ts';
import type { Sessions } from './sessions.ts';
import type { TransitKey } from './transit.ts';

type Login = Input<typeof contract.auth.login>;

/** Failures of one account from one address before a captcha is asked. */
const CAPTCHA_AFTER = 3;
/** Failures of one account from all addresses together before a captcha is asked. */
const CAPTCHA_AFTER_ANYWHERE = 20;

const guesserHere = (account: string, address: string): Guesser => ({
  scope: 'login', key: [account.toLowerCase(), networkOf(address)], free: CAPTCHA_AFTER, delay: 2, maxDelay: 900,
});
/** Never delayed: else anybody could lock somebody out of their account. */
const guesserAnywhere = (account: string): Guesser => ({ scope: 'login-anywhere', key: [account.toLowerCase()], free: Infinity, delay: 0, maxDelay: 0 });

function presentUser(account: AccountRow, tenant: TenantRow): LoginUser {
  return {
    id: account.id, account: account.account, name: account.name, tenantId: tenant.tenantId, tenantName: tenant.name,
    isTenantAdmin: account.isTenantAdmin, locale: account.locale,
  };
}

export interface AuthDeps {
  db: Db;
  now: () => Date;
  sessions: Sessions;
  transit: TransitKey;
}

export async function createAuthService({ db, now, sessions, transit }: AuthDeps) {
  /** Hashed against when there is no such account, so that both cases take as long. */
  const nobodysHash = await hashPassword('nobody');

  async function needsCaptcha(account: string, address: string): Promise<boolean> {
    return db.platform(async (tx) => {
      const here = await standingOf(tx, guesserHere(account, address), now());
      const anywhere = await standingOf(tx, guesserAnywhere(account), now());
      return here.failures >= CAPTCHA_AFTER || anywhere.failures >= CAPTCHA_AFTER_ANYWHERE;
    });
  }

  /**
   * Decides whether this try may go on, and counts it as failed beforehand, so that guesses made at once cannot slip
   * past the counter; a right password takes its count back. Answers the refusal instead of throwing it, because a used
   * captcha has to be committed.
   */
  async function admitTry({ account, captchaId, captcha }: Login['body'], address: string): Promise<AppError | null> {
    const here = guesserHere(account, address);
    return db.platform(async (tx) => {
      const standing = await standingOf(tx, here, now());
      if (standing.wait > 0) return new AppError('ACCOUNT_LOCKED', { seconds: standing.wait });
      const anywhere = await standingOf(tx, guesserAnywhere(account), now());
      if (standing.failures >= CAPTCHA_AFTER || anywhere.failures >= CAPTCHA_AFTER_ANYWHERE) {
        if (!captchaId || !captcha) return new AppError('CAPTCHA_REQUIRED');
        if (!(await tryCaptcha(tx, captchaId, captcha, now()))) return new AppError('CAPTCHA_WRONG');
      }
      await countFailure(tx, here, now());
      await countFailure(tx, guesserAnywhere(account), now());
      return null;
    });
  }

  return {
    needsCaptcha,

    publicKey: transit.publicKey,

    captcha: () => db.platform((tx) => makeCaptcha(tx, now())),

    /** Signs in. Known and unknown accounts are told apart neither by the answer nor by the time it takes. */
    async login(context: Context, { body }: Login): Promise<Data<typeof contract.auth.login>> {
      const password = transit.open(body.password);
      if (password === undefined) throw new AppError('PASSWORD_UNREADABLE');
      const refusal = await admitTry(body, context.address);
      if (refusal) throw refusal;

      const found = await db.platform((tx) => findAccountByName(tx, body.account));
      const right = await verifyPassword(password, found?.passwordHash ?? nobodysHash);
      if (!found || !right) throw new AppError('BAD_CREDENTIALS');

      return db.platform(async (tx) => {
        const account = await findAccountByName(tx, body.account);
        const tenant = account && (await findTenant(tx, account.tenantId));
        if (!account || !tenant) throw new AppError('BAD_CREDENTIALS');
        if (!tenant.enabled) throw new AppError('TENANT_DISABLED');
        if (!account.enabled) throw new AppError('ACCOUNT_DISABLED');
        await forgetFailures(tx, guesserHere(body.account, context.address));
        await forgetFailures(tx, guesserAnywhere(body.account));
        await sessions.endOthers(tx, account, 'anotherDevice', body.deviceId);
        const token = await sessions.open(tx, account, { address: context.address, deviceId: body.deviceId ?? '' });
        return { token, user: presentUser(account, tenant) };
      });
    },

    logout: (caller: UserCaller) => sessions.endOne(caller.sessionId),
  };
}

export type AuthService = Awaited<ReturnType<typeof createAuthService>>;
