import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scanLogon } from '../../src/modules/accounts/auth/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { eq } from 'drizzle-orm';
import { DEMO_PASSWORD } from '../../src/seed/index.ts';
import { clientOf, codeOf, encrypt, signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const COMPUTER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
const PHONE =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36';

let server: TestServer;
/** A browser on a computer, which is not signed in. */
let browser: Person;
beforeAll(async () => {
  server = await startTestServer();
  browser = clientOf(server, undefined, '10.1.2.3', COMPUTER);
});
afterAll(() => server.close());

/** Signs an account in by password with the browser of a device. */
async function signInOn(userAgent: string, name: string, deviceId: string): Promise<Person> {
  const { token } = await clientOf(server, undefined, undefined, userAgent).auth.login({
    body: { account: name, password: await encrypt(server, DEMO_PASSWORD), deviceId },
  });
  return clientOf(server, token, undefined, userAgent);
}
const codeIn = (content: string): string => content.split('code=')[1] ?? '';
/** A code on a sign-in page. */
async function show(): Promise<{ id: string; code: string; content: string }> {
  const { id, content } = await browser.scanLogon.getAuthQr();
  return { id, code: codeIn(content), content };
}
const stateOf = async (id: string) => (await browser.scanLogon.authExecute({ body: { id, known: 'expired' } })).state;
const isOpen = async (person: Person) => (await codeOf(person.users.current())) === 'OK';

describe('a QR code', () => {
  test('signs a computer in when the phone that scanned it confirms, and both stay signed in', async () => {
    const phone = await signInOn(PHONE, 'alice', 'phone of alice');
    const { id, code, content } = await show();
    expect(content).toBe(`${server.publicUrl}/#/scan?code=${code}`);
    const scanned = browser.scanLogon.authExecute({ body: { id } });
    expect(await phone.scanLogon.scan({ body: { code } })).toMatchObject({ address: '10.1.2.3', userAgent: COMPUTER });
    expect(await scanned).toEqual({ state: 'scanned', name: 'Alice' });
    expect(await codeOf(browser.scanLogon.login({ body: { id } }))).toBe('QR_INVALID');
    const confirmed = browser.scanLogon.authExecute({ body: { id, known: 'scanned' } });
    await phone.scanLogon.answer({ body: { code, accept: true } });
    expect(await confirmed).toMatchObject({ state: 'confirmed' });
    const { token, user } = await browser.scanLogon.login({ body: { id, deviceId: 'computer of alice' } });
    expect(user.account).toBe('alice');
    const computer = clientOf(server, token);
    expect([await isOpen(phone), await isOpen(computer)]).toEqual([true, true]);
    // Once.
    expect(await codeOf(browser.scanLogon.login({ body: { id } }))).toBe('QR_INVALID');
    expect(await stateOf(id)).toBe('expired');
  });

  test('that is refused signs no one in', async () => {
    const phone = await signInOn(PHONE, 'bob', 'phone of bob');
    const { id, code } = await show();
    await phone.scanLogon.scan({ body: { code } });
    await phone.scanLogon.answer({ body: { code, accept: false } });
    expect((await browser.scanLogon.authExecute({ body: { id } })).state).toBe('refused');
    expect(await codeOf(browser.scanLogon.login({ body: { id } }))).toBe('QR_INVALID');
    expect(await codeOf(phone.scanLogon.answer({ body: { code, accept: true } }))).toBe('QR_INVALID');
  });

  test('is worthless later, and to who only sees the picture', async () => {
    const phone = await signInOn(PHONE, 'carol', 'phone of carol');
    const old = await show();
    server.clock.advance({ seconds: 120 });
    expect(await codeOf(phone.scanLogon.scan({ body: { code: old.code } }))).toBe('QR_INVALID');
    expect(await stateOf(old.id)).toBe('expired');

    const { id, code } = await show();
    await phone.scanLogon.scan({ body: { code } });
    await phone.scanLogon.answer({ body: { code, accept: true } });
    expect(await codeOf(browser.scanLogon.login({ body: { id: code } }))).toBe('QR_INVALID');
    server.clock.advance({ seconds: 120 });
    expect(await codeOf(browser.scanLogon.login({ body: { id } }))).toBe('QR_INVALID');
  });

  test('belongs to the first account that scans it', async () => {
    const alice = await signInOn(PHONE, 'alice', 'phone of alice');
    const bob = await signInOn(PHONE, 'bob', 'phone of bob');
    const { id, code } = await show();
    await alice.scanLogon.scan({ body: { code } });
    expect(await codeOf(bob.scanLogon.scan({ body: { code } }))).toBe('QR_INVALID');
    expect(await codeOf(bob.scanLogon.answer({ body: { code, accept: true } }))).toBe('QR_INVALID');
    await alice.scanLogon.scan({ body: { code } });
    await alice.scanLogon.answer({ body: { code, accept: true } });
    // Sent again after a lost answer.
    await alice.scanLogon.answer({ body: { code, accept: true } });
    const twice = [1, 2].map(() => codeOf(browser.scanLogon.login({ body: { id } })));
    expect((await Promise.all(twice)).toSorted()).toEqual(['OK', 'QR_INVALID']);
  });

  test('is not answered before it was scanned', async () => {
    const alice = await signInOn(PHONE, 'alice', 'phone of alice');
    const { code } = await show();
    expect(await codeOf(alice.scanLogon.answer({ body: { code, accept: true } }))).toBe('QR_INVALID');
  });

  test('does not sign in an account that was disabled meanwhile', async () => {
    const phone = await signInOn(PHONE, 'bob', 'phone of bob');
    const { id, code } = await show();
    await phone.scanLogon.scan({ body: { code } });
    await phone.scanLogon.answer({ body: { code, accept: true } });
    const set = (enabled: boolean) =>
      server.db.platform((tx) => tx.update(account, { enabled }, eq(account.account, 'bob')));
    await set(false);
    expect(await codeOf(browser.scanLogon.login({ body: { id } }))).toBe('ACCOUNT_DISABLED');
    await set(true);
  });

  test('is stored as hashes, and deleted when it is over', async () => {
    const { id, code } = await show();
    const rows = await server.db.platform((tx) => tx.find(scanLogon));
    expect(JSON.stringify(rows)).not.toContain(id);
    expect(JSON.stringify(rows)).not.toContain(code);
    server.clock.advance({ seconds: 121 });
    await server.rounds.clearExpired();
    expect(await server.db.platform((tx) => tx.find(scanLogon))).toEqual([]);
  });
});

describe('an account', () => {
  test('is signed in on one computer and one phone', async () => {
    const computer = await signInOn(COMPUTER, 'carol', 'laptop');
    const phone = await signInOn(PHONE, 'carol', 'phone');
    expect([await isOpen(computer), await isOpen(phone)]).toEqual([true, true]);
    const otherPhone = await signInOn(PHONE, 'carol', 'other phone');
    expect(await codeOf(phone.users.current())).toBe('USER_LOGIN_ANOTHER_DEVICE');
    expect([await isOpen(computer), await isOpen(otherPhone)]).toEqual([true, true]);
    const otherComputer = await signIn(server, 'carol', 'desktop');
    expect(await codeOf(computer.users.current())).toBe('USER_LOGIN_ANOTHER_DEVICE');
    expect([await isOpen(otherComputer), await isOpen(otherPhone)]).toEqual([true, true]);
  });
});
