import { eq } from 'drizzle-orm';
import type { MailServer } from '@rmeet/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { initialSecondFactor } from '@rmeet/contract';
import { createOutside, postNow } from '../../src/modules/accounts/auth/index.ts';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { suspendFactor } from '../../src/modules/setup/index.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { createMail } from '../../src/platform/mail/index.ts';
import { createSms } from '../../src/platform/sms/index.ts';
import { DEMO_PASSWORD } from '../../src/seed/index.ts';
import { clientOf, codeOf, encrypt, signIn } from './support/client.ts';
import { startServerWithMail } from './support/mail-server.ts';
import type { TestServer } from './support/server.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

let server: TestServer;
let mails: MailServer;
beforeAll(async () => {
  ({ server, mails } = await startServerWithMail());
  for (const name of ['alice', 'bob', 'admin'])
    await server.db.platform((tx) =>
      tx.update(account, { email: `${name}@example.org`, locale: 'en' }, eq(account.account, name)),
    );
});
afterAll(() => server.close());
beforeEach(() => {
  mails.received.length = 0;
  server.clock.advance({ hours: 24 });
});

const subjects = () => mails.received.map(({ to, subject }) => `${to.join()}: ${subject}`);
const set = (values: Partial<typeof tenant.$inferInsert>) =>
  server.db.platform((tx) =>
    tx.update(tenant, values, eq(tenant.tenantId, server.people.get('alice')?.tenantId ?? '')),
  );
const signInOn = async (name: string, deviceId: string, address?: string) =>
  clientOf(server, undefined, address, CHROME).auth.login({
    body: { account: name, password: await encrypt(server, DEMO_PASSWORD), deviceId },
  });

test('a sign-in on a new device is in a mail to its owner, but not the first one of all', async () => {
  await set({ secondFactor: { ...initialSecondFactor, places: [{ name: 'Beijing', networks: ['10.1.0.0/16'] }] } });
  await signInOn('alice', 'laptop');
  await signInOn('alice', 'laptop');
  await signInOn('alice', 'another laptop', '10.1.2.3');
  await expect.poll(subjects).toEqual(['alice@example.org: Sign-in on a new device']);
  const { text } = mails.received[0] ?? { text: '' };
  expect(text).toContain('The account alice signed in on a new device.');
  expect(text).toContain('Device: Chrome · Linux');
  expect(text).toContain('Place: Beijing (10.1.2.3)');
  expect(text).toContain('https://meet.example.org/#/userInfo?card=sessions');
  await set({ secondFactor: initialSecondFactor });
});

test('its owner can turn the mail off', async () => {
  const bob = await signIn(server, 'bob', 'laptop');
  expect((await bob.multiauth.own()).signInMail).toBe(true);
  await bob.multiauth.setSignInMail({ body: { enabled: false } });
  await signInOn('bob', 'another laptop');
  await signInOn('alice', 'a third laptop');
  await expect.poll(subjects).toEqual(['alice@example.org: Sign-in on a new device']);
});

test('an administrator who signs in by a password that is switched off is in a mail to administrators', async () => {
  await signInOn('admin', 'laptop');
  await set({ signInModes: ['QR'] });
  await signInOn('admin', 'laptop');
  await set({ signInModes: ['PASSWORD', 'QR', 'SMS'] });
  await expect.poll(subjects).toEqual(['admin@example.org: An administrator signed in by password']);
  expect(mails.received[0]?.text).toContain('https://meet.example.org/manage/#/audit');
});

test('the command on the server suspends a factor for an hour, loudly', async () => {
  await set({ secondFactor: { ...initialSecondFactor, askedOf: 'all' } });
  expect(await codeOf(signInOn('alice', 'laptop'))).toBe('MULTI_AUTH_REQUIRED');
  const { db, clock } = server;
  const mail = createMail({ url: `smtp://127.0.0.1:${mails.port}`, from: 'Rmeet <meet@example.org>' });
  const log = createLog('test', 'silent');
  const sms = createSms({ gateway: null, hosts: [] });
  const deps = { db, mail, sms, log, publicUrl: () => null, gatewayOf: async () => null };
  const { post, sent } = postNow(deps);
  const suspend = (name: string) =>
    suspendFactor({ db, now: clock.now, outside: createOutside(deps, post) }, name, undefined);
  await expect(suspend('nobody.of.us')).rejects.toThrow('There is no account');
  expect(await suspend('alice')).toMatchObject({ account: 'alice' });
  await sent();
  mail.close();
  expect(subjects()).toEqual(['admin@example.org: A second factor was switched off for an hour']);
  const [row] = await db.platform((tx) => tx.find(auditLog, eq(auditLog.action, 'setup.suspendFactor')));
  expect(row).toMatchObject({ targetId: server.people.get('alice')?.id, actorKind: 'system' });
  expect(await codeOf(signInOn('alice', 'laptop'))).toBe('OK');
  expect(await codeOf(signInOn('bob', 'laptop'))).toBe('MULTI_AUTH_REQUIRED');
  clock.advance({ minutes: 61 });
  expect(await codeOf(signInOn('alice', 'laptop'))).toBe('MULTI_AUTH_REQUIRED');
  await set({ secondFactor: initialSecondFactor });
});
