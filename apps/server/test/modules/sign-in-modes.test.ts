import type { SignInMode } from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { DEMO_PASSWORD } from '../../src/seed/index.ts';
import { clientOf, codeOf, encrypt, signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let admin: Person;
let tenant: { id: string; name: string };
beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, 'admin');
  tenant = await admin.tenants.own();
});
afterAll(() => server.close());
beforeEach(() => offer(['PASSWORD', 'QR', 'SMS']));

async function offer(modes: SignInMode[]): Promise<void> {
  const { id: _, name: _name, enabled: _enabled, ...own } = await admin.tenants.own();
  await admin.tenants.updateOwn({ body: { ...own, signIn: { modes } } });
}
async function enter(account: string, password = DEMO_PASSWORD): Promise<string> {
  const body = { account, password: await encrypt(server, password), deviceId: `device of ${account}` };
  return codeOf(clientOf(server).auth.login({ body }));
}
const modesOf = async (tenantUri?: string): Promise<string[]> =>
  (await clientOf(server).auth.loginMode({ query: tenantUri === undefined ? {} : { tenantUri } })).modes;

test('the sign-in page shows the ways of a tenant in its order, by id and by name', async () => {
  await offer(['QR', 'PASSWORD']);
  expect(await modesOf(tenant.id)).toEqual(['QR', 'PASSWORD']);
  expect(await modesOf(tenant.name.toUpperCase())).toEqual(['QR', 'PASSWORD']);
  // Without a gateway no codes can be sent.
  expect(await modesOf()).toEqual(['PASSWORD', 'QR']);
  expect(await modesOf('unknown')).toEqual(['PASSWORD', 'QR']);
  expect(await modesOf('0198f6a2-0000-7c40-9a11-5b1f0e3c2d10')).toEqual(['PASSWORD', 'QR']);
});

test('a way that is off is rejected after the right password only, which is no failed attempt', async () => {
  await offer(['QR']);
  expect(await enter('alice', 'Not-her-password-1')).toBe('BAD_CREDENTIALS');
  for (let n = 0; n < 30; n += 1) expect(await enter('alice')).toBe('SIGN_IN_MODE_OFF');
  await offer(['PASSWORD']);
  expect(await enter('alice')).toBe('OK');
});

test('a QR code of a tenant that does not offer them signs in no computer', async () => {
  const bob = await signIn(server, 'bob');
  const { id, content } = await clientOf(server).scanLogon.getAuthQr();
  const code = content.split('code=')[1] ?? '';
  await bob.scanLogon.scan({ body: { code } });
  await bob.scanLogon.answer({ body: { code, accept: true } });
  await offer(['PASSWORD']);
  expect(await codeOf(clientOf(server).scanLogon.login({ body: { id } }))).toBe('SIGN_IN_MODE_OFF');
});

test('administrators can always use their password, and the audit log tells it', async () => {
  await offer(['QR']);
  expect(await enter('admin')).toBe('OK');
  const rows = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.action, 'auth.login')));
  expect(rows.at(-1)).toMatchObject({ after: { signIn: 'PASSWORD', signInModes: ['QR'] } });
});

test('at least one way is offered, and none twice', async () => {
  expect(await codeOf(offer([]))).toBe('INVALID_INPUT');
  expect(await codeOf(offer(['QR', 'QR']))).toBe('INVALID_INPUT');
});

test('sessions tell how they were opened', async () => {
  const chair = await signIn(server, 'chair');
  const { sign } = await chair.auth.handover();
  await clientOf(server).auth.ticketToToken({ query: {}, body: { sign } });
  const methods = (await chair.users.sessions()).map(({ method }) => method);
  expect(methods.toSorted()).toEqual(['PASSWORD', 'TICKET']);
});
