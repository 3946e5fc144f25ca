import { initialSecondFactor } from '@rmeet/contract';
import { removeFactors } from '../../../src/modules/accounts/auth/factors/repo.ts';
import { rememberedDevice } from '../../../src/modules/accounts/auth/factors/tables.ts';
import { codeOfStep, stepAt } from '../../../src/modules/accounts/auth/factors/totp.ts';
import { passkey } from '../../../src/modules/accounts/auth/passkeys/tables.ts';
import { newId } from '../../../src/platform/db/index.ts';
import { DEMO_PASSWORD } from '../../../src/seed/index.ts';
import { all, type Case, type Expected, type Setting } from './case-setting.ts';
import { encrypt } from './client.ts';
import { accountOf, type AccountName, type CallerName } from './world.ts';

/** The test server has no configured address. */
const elsewhere: Expected = { others: 'PASSKEYS_UNAVAILABLE' };
const used = {
  id: 'unknown',
  rawId: 'unknown',
  type: 'public-key' as const,
  response: { clientDataJSON: 'e30', authenticatorData: 'e30', signature: 'e30' },
};
const created = {
  id: 'unknown',
  rawId: 'unknown',
  type: 'public-key' as const,
  response: { clientDataJSON: 'e30', attestationObject: 'e30' },
};
const deviceId = 'a browser without a name';
/** A passkey of the caller. */
async function ownPasskey(setting: Setting, caller: CallerName) {
  const { id: accountId, tenantId } = rowOf(setting, caller);
  const id = newId();
  const row = {
    id,
    accountId,
    credentialId: id,
    rpId: 'meet.example.org',
    publicKey: '',
    counter: 0,
    transports: [],
    name: 'Laptop',
    userAgent: '',
    isBackedUp: false,
    createdAt: setting.server.clock.now(),
  };
  await setting.server.db.tenant(tenantId, (tx) => tx.insert(passkey, row));
  return { params: { id } };
}
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
  'passkeys.own': { expected: all, args: none },
  'passkeys.startAdding': { expected: elsewhere, args: none },
  'passkeys.add': { expected: elsewhere, args: () => ({ body: { name: 'Laptop', response: created } }) },
  'passkeys.rename': {
    expected: all,
    args: async (setting, caller) => ({ ...(await ownPasskey(setting, caller)), body: { name: 'Phone' } }),
    after: without,
  },
  'passkeys.remove': { expected: all, args: ownPasskey, after: without },
  'passkeys.startSignIn': { expected: elsewhere, args: () => ({ body: { deviceId } }) },
  'passkeys.signIn': { expected: elsewhere, args: () => ({ body: { deviceId, response: used } }) },
  'passkeys.startFactor': { expected: elsewhere, args: () => ({ body: { ticket: 'unknown' } }) },
  'passkeys.checkFactor': { expected: elsewhere, args: () => ({ body: { ticket: 'unknown', response: used } }) },
  'passkeys.startEnrolment': { expected: elsewhere, args: () => ({ body: { ticket: 'unknown' } }) },
  'passkeys.enrol': {
    expected: elsewhere,
    args: () => ({ body: { ticket: 'unknown', name: 'Laptop', response: created } }),
  },
  'passkeys.startProof': { expected: elsewhere, args: none },
  'passkeys.prove': { expected: elsewhere, args: () => ({ body: { response: used } }) },
  'multiauth.platformSettings': { expected: all, args: none },
  'multiauth.setPlatformSettings': {
    expected: { operator: 'FORBIDDEN', others: 'OK' },
    args: () => ({ body: initialSecondFactor }),
  },
};
