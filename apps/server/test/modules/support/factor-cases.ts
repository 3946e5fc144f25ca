import { initialSecondFactor } from '@rmeet/contract';
import { removeFactors } from '../../../src/modules/accounts/auth/factors/repo.ts';
import { rememberedDevice } from '../../../src/modules/accounts/auth/factors/tables.ts';
import { codeOfStep, stepAt } from '../../../src/modules/accounts/auth/factors/totp.ts';
import { newId } from '../../../src/platform/db/index.ts';
import { DEMO_PASSWORD } from '../../../src/seed/index.ts';
import { all, type Case, type Expected, type Setting } from './case-setting.ts';
import { encrypt } from './client.ts';
import { accountOf, type AccountName, type CallerName } from './world.ts';

const unknown: Expected = { others: 'FACTOR_TICKET_INVALID' };
const none = () => ({});
const rowOf = ({ server }: Setting, caller: CallerName) => {
  const row = server.people.get(accountOf(caller as AccountName));
  if (!row) throw new Error(`${caller} has no account.`);
  return row;
};

/** The first code of an authenticator app that the caller sets up. */
async function firstCode({ server, cast }: Setting, caller: CallerName) {
  const { secret } = await cast[caller as AccountName].multiauth.startTotp();
  return { body: { code: codeOfStep(secret, stepAt(server.clock.now())) } };
}
/** The caller has an authenticator app. */
async function withApp(setting: Setting, caller: CallerName) {
  await setting.cast[caller as AccountName].multiauth.addTotp(await firstCode(setting, caller));
  return {};
}
const without = async (setting: Setting, caller: AccountName): Promise<void> => {
  const { id, tenantId } = rowOf(setting, caller);
  await setting.server.db.tenant(tenantId, (tx) => removeFactors(tx, id));
};

/** The calls of the second factor; `multiauth.reset` is with those about users. */
export const factorCases: Record<string, Case> = {
  'multiauth.sendCode': { expected: unknown, args: () => ({ query: { ticket: 'unknown', way: 'MAIL' } }) },
  'multiauth.checkCode': {
    expected: unknown,
    args: () => ({ query: { ticket: 'unknown', way: 'TOTP', code: '123456' } }),
  },
  'multiauth.startEnrolment': { expected: unknown, args: () => ({ body: { ticket: 'unknown' } }) },
  'multiauth.enrol': { expected: unknown, args: () => ({ body: { ticket: 'unknown', code: '123456' } }) },
  'multiauth.own': { expected: all, args: none },
  'multiauth.startTotp': { expected: all, args: none },
  'multiauth.addTotp': { expected: all, args: firstCode, after: without },
  'multiauth.removeTotp': { expected: all, args: withApp },
  'multiauth.renewRecovery': { expected: all, args: withApp, after: without },
  'multiauth.setSignInMail': { expected: all, args: () => ({ body: { enabled: false } }) },
  'multiauth.forgetDevice': {
    expected: all,
    args: async (setting, caller) => {
      const { id: accountId, tenantId } = rowOf(setting, caller);
      const id = newId();
      const at = setting.server.clock.now();
      const times = { rememberedAt: at, lastUsedAt: at, expiresAt: new Date(at.getTime() + 60_000) };
      const row = { id, accountId, deviceId: id, userAgent: '', address: '192.0.2.1', ...times };
      await setting.server.db.tenant(tenantId, (tx) => tx.insert(rememberedDevice, row));
      return { params: { id } };
    },
  },
  'multiauth.prove': {
    expected: all,
    args: async ({ server }) => ({ body: { password: await encrypt(server, DEMO_PASSWORD) } }),
  },
  'multiauth.platformSettings': { expected: all, args: none },
  'multiauth.setPlatformSettings': {
    expected: { operator: 'FORBIDDEN', others: 'OK' },
    args: () => ({ body: initialSecondFactor }),
  },
};
