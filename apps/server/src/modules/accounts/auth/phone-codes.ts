import { randomInt } from 'node:crypto';
import {
  CODE_LIFETIME,
  CODE_PAUSE,
  CODE_TRIES,
  type contract,
  type Data,
  type Input,
  type SignInMode,
} from '@rmeet/contract';
import { eq, lte } from 'drizzle-orm';
import { PLATFORM_TENANT_ID, type Db, type PlatformTx, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, networkOf, type Context, type Handlers } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import { hashToken, newToken } from '../../../platform/secrets/index.ts';
import type { Gateway, Sms } from '../../../platform/sms/index.ts';
import { findTenant, passwordRulesOf } from '../tenants/index.ts';
import {
  checkNewPassword,
  digitsOf,
  findAccount,
  findAccountsByPhone,
  hashPassword,
  mustHaveRoomToHash,
  setOwnPassword,
  spentPasswords,
} from '../users/index.ts';
import type { AccountRow } from '../users/tables.ts';
import { countOnLimit, limitWait, type RateLimit } from './attempts.ts';
import { accountsKnownOn } from './devices.ts';
import { asCaller, openSession, refusalOf, unlessRefused, type Membership } from './open-session.ts';
import type { Sessions } from './sessions.ts';
import { phoneCode } from './tables.ts';
import type { TransitKeys } from './transit.ts';

type Calls = typeof contract.hrsms;

export interface PhoneCodeDeps {
  db: Db;
  log: Log;
  now: () => Date;
  sessions: Sessions;
  transit: TransitKeys;
  sms: Sms;
  /** The gateway for text messages of a tenant. */
  gatewayOf: (tx: TenantTx) => Promise<Gateway | null>;
}

const DIGITS = 6;
/** Again to the same number from the same network. */
const again = (phone: string, address: string): RateLimit => ({
  scope: 'phone-code-again',
  key: [phone, networkOf(address)],
  burst: 1,
  drain: CODE_PAUSE,
});
/** To one number from all devices that its account does not know: five at once, then one in ten minutes. */
const ofNumber = (phone: string): RateLimit => ({ scope: 'phone-code-number', key: [phone], burst: 5, drain: 600 });
/** The same for one device that the account knows, so that strangers do not keep its owner from getting a code. */
const ofDevice = (phone: string, deviceId: string): RateLimit => ({
  scope: 'phone-code-device',
  key: [phone, deviceId],
  burst: 5,
  drain: 600,
});
/** From one network: an office may share it. */
const ofAddress = (address: string): RateLimit => ({
  scope: 'phone-code-address',
  key: [networkOf(address)],
  burst: 30,
  drain: 120,
});
/** Text messages cost money: 2,000 a day for a tenant. */
const ofTenant = (tenantId: string): RateLimit => ({
  scope: 'phone-code-tenant',
  key: [tenantId],
  burst: 500,
  drain: 43,
});

const TEXTS = {
  zh: (code: string) => `Rmeet 验证码 ${code}，5 分钟内有效。如非本人操作，请忽略，切勿告知他人。`,
  en: (code: string) =>
    `${code} is your Rmeet code, valid for 5 minutes. Do not share it. If you did not ask, ignore it.`,
};

const hashOf = (ticket: string, code: string): string => hashToken(JSON.stringify([ticket, code]));

/** Deletes codes that have expired. */
export const dropOldCodes = (tx: PlatformTx, now: Date): Promise<unknown> =>
  tx.delete(phoneCode, lte(phoneCode.expiresAt, now));

/** Counts a message on its limits. @throws AppError TOO_MANY_REQUESTS if one is exceeded; then none is counted */
async function count(tx: PlatformTx, limits: readonly RateLimit[], now: Date): Promise<void> {
  for (const limit of limits) {
    const seconds = await limitWait(tx, limit, now);
    if (seconds > 0) throw new AppError('TOO_MANY_REQUESTS', { seconds });
  }
  for (const limit of limits) await countOnLimit(tx, limit, now);
}

/** The account with a right code, whose row is deleted; the error of a wrong one is returned, so that it is counted. */
async function redeem(
  tx: PlatformTx,
  { phoneNumber, code, ticket }: { phoneNumber: string; code: string; ticket: string },
  { method, now, keeps = false }: { method: SignInMode; now: Date; keeps?: boolean },
): Promise<Membership | AppError> {
  const which = eq(phoneCode.ticketHash, hashToken(ticket));
  const row = await tx.findOne(phoneCode, which, { lock: 'update' });
  if (!row || row.tries >= CODE_TRIES || row.expiresAt <= now) return new AppError('CODE_WRONG');
  const account = await findAccount(tx, row.accountId);
  const isRight = row.codeHash === hashOf(ticket, code) && account && digitsOf(account.phone) === digitsOf(phoneNumber);
  if (!isRight) {
    await tx.update(phoneCode, { tries: row.tries + 1 }, which);
    return new AppError('CODE_WRONG');
  }
  if (!keeps) await tx.delete(phoneCode, which);
  const tenant = await findTenant(tx, account.tenantId);
  if (!tenant || account.deletedAt) return new AppError('CODE_WRONG');
  return refusalOf({ account, tenant }, method) ?? { account, tenant };
}

/** Sends codes. */
function createSending(deps: PhoneCodeDeps) {
  const { db, now } = deps;
  return {
    /** Unknown numbers are answered alike, and count alike. @throws AppError TOO_MANY_REQUESTS */
    async sendCode(
      { address }: Context,
      { query: { phoneNumber, tenantUri, deviceId } }: Input<Calls['sendCode']>,
    ): Promise<Data<Calls['sendCode']>> {
      const [ticket, code] = [newToken(), String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')];
      const expiresAt = new Date(now().getTime() + CODE_LIFETIME);
      const phone = digitsOf(phoneNumber);
      await db.platform(async (tx) => {
        const found = await findAccountsByPhone(tx, phoneNumber, tenantUri, 2);
        // A number of several accounts says nothing about who has the phone.
        const account = found.length === 1 ? found[0] : undefined;
        const known = await accountsKnownOn(tx, account?.account ?? phone, deviceId, now());
        const isKnown = account !== undefined && deviceId !== undefined && known.has(account.id);
        await count(
          tx,
          [again(phone, address), ofAddress(address), isKnown ? ofDevice(phone, deviceId) : ofNumber(phone)],
          now(),
        );
        // Also counted for unknown numbers, so that these take as long.
        const money = ofTenant(account?.tenantId ?? PLATFORM_TENANT_ID);
        const isSpent = (await limitWait(tx, money, now())) > 0;
        await countOnLimit(tx, money, now());
        if (!account?.enabled || isSpent) return;
        const row = { ticketHash: hashToken(ticket), accountId: account.id, codeHash: hashOf(ticket, code), expiresAt };
        await tx.asTenant(account.tenantId).insert(phoneCode, row);
        // Not awaited: the time of the answer must not tell whether a message is sent.
        tx.afterCommit(() => void send(deps, account, code));
      });
      return { ticket, seconds: CODE_PAUSE, expiresAt: expiresAt.toISOString() };
    },
  };
}

/** Sets new passwords by codes. */
function createReset({ db, now, sessions, transit }: PhoneCodeDeps) {
  return {
    /** @throws AppError CODE_WRONG, PASSWORD_UNREADABLE, PASSWORD_TOO_WEAK, PASSWORD_REUSED, ACCOUNT_DISABLED */
    async setPassword(context: Context, { body }: Input<Calls['setPassword']>): Promise<Data<Calls['setPassword']>> {
      const password = await transit.open(body.password);
      if (password === undefined) throw new AppError('PASSWORD_UNREADABLE');
      mustHaveRoomToHash();
      const found = await db.platform(async (tx) => {
        const member = await redeem(tx, body, { method: 'PASSWORD', now: now(), keeps: true });
        if (member instanceof AppError) return member;
        if (member.account.managedBy === 'directory') return new AppError('PASSWORD_IN_DIRECTORY');
        const rules = passwordRulesOf(member.tenant);
        return {
          ...member,
          rules,
          spent: await spentPasswords(tx.asTenant(member.account.tenantId), member.account, rules),
        };
      });
      if (found instanceof AppError) throw found;
      await checkNewPassword(password, found.account.account, found.rules, found.spent);
      const hash = await hashPassword(password);
      const after = await db.platform(async (tx) => {
        const member = await redeem(tx, body, { method: 'PASSWORD', now: now() });
        if (member instanceof AppError) return member;
        const { account } = member;
        const own = tx.asTenant(account.tenantId);
        const change = { of: account, passwordHash: hash, now: now() };
        await setOwnPassword(own, sessions, { ...context, caller: asCaller(account) }, change);
        return { account: account.account, tenantId: account.tenantId };
      });
      return unlessRefused(after);
    },
  };
}

/** Sign-in and new passwords by codes in text messages. */
export function createPhoneCodes(deps: PhoneCodeDeps) {
  const { db, now, sessions } = deps;
  const routes: Handlers<Calls> = {
    ...createSending(deps),
    ...createReset(deps),

    /** @throws AppError CODE_WRONG, ACCOUNT_DISABLED, TENANT_DISABLED */
    async login(context: Context, { body }: Input<Calls['login']>): Promise<Data<Calls['login']>> {
      const answer = await db.platform(async (tx) => {
        const found = await redeem(tx, body, { method: 'SMS', now: now() });
        if (found instanceof AppError) return found;
        return openSession(tx, sessions, context, found, { method: 'SMS', deviceId: body.deviceId, now: now() });
      });
      return unlessRefused(answer);
    },
  };

  return {
    routes,
    /** Whether codes are sent to people of a tenant; without one, by the platform's gateway. */
    canSend: async (tenantId: string | undefined): Promise<boolean> =>
      (tenantId === undefined ? deps.sms.ofPlatform : await db.tenant(tenantId, deps.gatewayOf)) !== null,
  };
}

export type PhoneCodes = ReturnType<typeof createPhoneCodes>;

/** Sends a code. A failure is logged without number and code; people ask for another one. */
async function send({ db, sms, log, gatewayOf }: PhoneCodeDeps, account: AccountRow, code: string): Promise<void> {
  const { tenantId, phone, locale } = account;
  try {
    const gateway = await db.tenant(tenantId, gatewayOf);
    if (gateway) await sms.send(gateway, { phone, text: TEXTS[locale](code), code });
    else log.warn({ tenantId }, 'A code could not be sent: there is no gateway for text messages');
  } catch (error) {
    log.warn({ error, tenantId }, 'A code could not be sent');
  }
}
