import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { eq } from 'drizzle-orm';
import { contract } from '@rmeet/contract';
import { hashAnswer } from '../../src/modules/accounts/auth/captcha.ts';
import { captcha, failedAttempt } from '../../src/modules/accounts/auth/tables.ts';
import { PLATFORM_TENANT_ID } from '../../src/modules/accounts/tenants/index.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { hashToken, newToken } from '../../src/platform/secrets/index.ts';
import { addPeople, DEMO_PASSWORD } from '../../src/seed/index.ts';
import { call, clientOf, codeOf, encrypt, send } from './support/client.ts';
import { hashing } from './support/hashing.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { makeStore, type Store } from './support/store.ts';

/** Hashes of an attempt without a tenant. */
const EACH = 2;

vi.mock('node:crypto', async (original) => (await import('./support/hashing.ts')).cheapHashes(original));

const ADDRESSES = 16;
const ACCOUNTS = 400;
/** In the test matrix 100,000, else enough that every address far exceeds what is hashed. */
const TRIES = process.env['RMEET_TEST_QUICK'] === '0' ? 100_000 : 1_500;

let store: Store;
let server: TestServer;
let wrong: string;
beforeAll(async () => {
  // Its own people, whose passwords are also hashed the cheap way.
  store = await makeStore('tables');
  server = await startTestServer({ store });
  const { tenantId = '', passwordHash = '' } = server.people.get('alice') ?? {};
  const people = Array.from({ length: ACCOUNTS / 2 }, (_, i) => ({
    account: `user${i}`,
    name: `User ${i}`,
    passwordHash,
  }));
  await server.db.platform((tx) => addPeople(tx, tenantId, people, server.clock.now()));
  wrong = await encrypt(server, 'not the password');
});
afterAll(async () => {
  await server.close();
  await store.remove();
});
beforeEach(() =>
  server.db.platform(
    async (tx) => void (await tx.delete(failedAttempt, eq(failedAttempt.tenantId, failedAttempt.tenantId))),
  ),
);

const login = (name: string, password: string, address: string, deviceId?: string) =>
  call(
    server,
    contract.auth.login,
    { body: { account: name, password, ...(deviceId ? { deviceId } : {}) } },
    undefined,
    address,
  );

/** The right password, encrypted again: each ciphertext can be used for one sign-in. */
const right = (): Promise<string> => encrypt(server, DEMO_PASSWORD);

/** Signs in with the right captcha answer: of a new one, or of the previous one. */
async function signInWithCaptcha(name: string, password: string, address: string, captchaId = newToken()) {
  const values = {
    id: hashToken(captchaId),
    tenantId: PLATFORM_TENANT_ID,
    answer: hashAnswer(captchaId, 'ABCD'),
    expiresAt: new Date(server.clock.now().getTime() + 300_000),
  };
  await server.db.platform((tx) => tx.insert(captcha, values, 'nothing'));
  const answer = await call(
    server,
    contract.auth.login,
    { body: { account: name, password, captchaId, captcha: 'abcd' } },
    undefined,
    address,
  );
  return { ...answer, captchaId };
}

/** How often each code was returned. */
async function attack(tries: number, one: (i: number) => Promise<string>): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  for (let i = 0; i < tries; i += 100) {
    const codes = await Promise.all(Array.from({ length: Math.min(100, tries - i) }, (_, j) => one(i + j)));
    for (const code of codes) answers[code] = (answers[code] ?? 0) + 1;
  }
  return answers;
}

test(
  'of many wrong passwords none signs in and few are hashed, while the owner signs in on a known device',
  { timeout: 300_000 },
  async () => {
    expect((await login('alice', await right(), '192.0.2.1', 'mark of the laptop')).statusCode).toBe('OK');
    hashing.count = 0;
    // Every address tries every account; half of them do not exist. The owner's own address is among them.
    const answers = await attack(TRIES, async (i) => {
      const n = Math.floor(i / ADDRESSES) % ACCOUNTS;
      const name = n === 0 ? 'alice' : n < ACCOUNTS / 2 ? `user${n}` : `nobody${n}`;
      return (
        await send(server, 'POST', '/api/login', {
          body: { account: name, password: wrong, deviceId: `guess ${i}` },
          address: `192.0.2.${1 + (i % ADDRESSES)}`,
        })
      ).statusCode;
    });
    for (const code of Object.keys(answers))
      expect(['ACCOUNT_LOCKED', 'BAD_CREDENTIALS', 'CAPTCHA_REQUIRED', 'TOO_MANY_REQUESTS']).toContain(code);
    expect(Object.values(answers).reduce((sum, n) => sum + n, 0)).toBe(TRIES);
    expect(hashing.count).toBe(EACH * (answers['BAD_CREDENTIALS'] ?? 0));
    expect(hashing.count).toBeLessThanOrEqual(EACH * ADDRESSES * 30);
    // The address has reached its limit for unknown devices without a captcha, but not for the laptop alice has signed
    // in on.
    server.clock.advance({ seconds: 1 });
    const owner = clientOf(server, undefined, '192.0.3.1');
    expect(
      await codeOf(
        owner.auth.login({ body: { account: 'Alice', password: await right(), deviceId: 'mark of the laptop' } }),
      ),
    ).toBe('OK');
    // A new device whose owner solves a captcha is admitted, too, after the flood, which blocks its address for a
    // minute at most.
    await vi.waitFor(
      async () =>
        expect(await signInWithCaptcha('bob', await right(), '192.0.2.1')).toMatchObject({
          httpStatus: 200,
          statusCode: 'OK',
        }),
      { timeout: 70_000, interval: 1_000 },
    );
  },
);

test('one address that tries all accounts is limited before hashing, and delays no known device', async () => {
  const address = '198.51.100.1';
  expect((await login('bob', await right(), address, 'mark of the phone')).statusCode).toBe('OK');
  hashing.count = 0;
  const first = await attack(50, async (i) => (await login(`nobody${i}`, wrong, address)).statusCode);
  expect(first).toEqual({ BAD_CREDENTIALS: 30, CAPTCHA_REQUIRED: 20 });
  expect(hashing.count).toBe(EACH * 30);
  expect((await login('carol', await right(), address)).statusCode).toBe('CAPTCHA_REQUIRED');
  expect(await clientOf(server, undefined, address).auth.captchaRequired({ params: { account: 'carol' } })).toBe(true);
  expect((await login('bob', await right(), address, 'mark of the phone')).statusCode).toBe('OK');
  server.clock.advance({ seconds: 20 });
  expect((await login('nobody', wrong, address)).statusCode).toBe('BAD_CREDENTIALS');
  expect((await login('carol', await right(), address)).statusCode).toBe('CAPTCHA_REQUIRED');
  server.clock.advance({ seconds: 20 });
  expect((await login('carol', await right(), address)).statusCode).toBe('OK');
  // A right password refunds only its own attempt.
  expect((await login('carol', await right(), address)).statusCode).toBe('OK');
  expect((await login('nobody', wrong, address)).statusCode).toBe('BAD_CREDENTIALS');
  expect((await login('nobody', wrong, address)).statusCode).toBe('CAPTCHA_REQUIRED');
});

test('after 30 wrong passwords from its address, the right one on a new device passes with a captcha', async () => {
  const address = '198.51.100.90';
  expect(await attack(30, async (i) => (await login(`nobody${i}`, wrong, address)).statusCode)).toEqual({
    BAD_CREDENTIALS: 30,
  });
  expect((await login('alice', await right(), address, 'mark of a new phone')).statusCode).toBe('CAPTCHA_REQUIRED');
  expect((await signInWithCaptcha('alice', await right(), address)).statusCode).toBe('OK');
});

test('a thousand addresses guess at one account only twice a minute, and its known devices still sign in', async () => {
  expect((await login('carol', await right(), '192.0.2.200', 'mark of the desk')).statusCode).toBe('OK');
  const guess = async (i: number) => (await signInWithCaptcha('carol', wrong, `10.${i >> 8}.${i & 255}.1`)).statusCode;
  // The first sign-in of the day counts as one, because it named no tenant.
  expect(await attack(1_000, guess)).toEqual({ BAD_CREDENTIALS: 59, TOO_MANY_REQUESTS: 941 });
  expect((await login('carol', await right(), '192.0.2.201', 'mark of the desk')).statusCode).toBe('OK');
  server.clock.advance({ seconds: 30 });
  expect(await attack(10, guess)).toEqual({ BAD_CREDENTIALS: 1, TOO_MANY_REQUESTS: 9 });
  server.clock.advance({ seconds: 30 });
  expect((await signInWithCaptcha('carol', await right(), '192.0.2.202')).statusCode).toBe('OK');
});

test('a guesser who solves captchas is still slowed down, for seconds', async () => {
  const address = '198.51.100.91';
  await attack(30, async (i) => (await login(`nobody${i}`, wrong, address)).statusCode);
  hashing.count = 0;
  const answers = await attack(100, async (i) => (await signInWithCaptcha(`other${i}`, wrong, address)).statusCode);
  expect(answers).toEqual({ BAD_CREDENTIALS: 30, TOO_MANY_REQUESTS: 70 });
  expect(hashing.count).toBe(EACH * 30);
  const answer = await signInWithCaptcha('carol', await right(), address);
  expect(answer).toMatchObject({ httpStatus: 429, data: { seconds: 5 } });
  server.clock.advance({ seconds: 5 });
  // The response that requires waiting did not use up the captcha.
  expect((await signInWithCaptcha('carol', await right(), address, answer.captchaId)).statusCode).toBe('OK');
});

test('a known device has its own attempts, as many as an address', async () => {
  const mark = 'mark of the tablet';
  expect((await login('chair', await right(), '198.51.100.2', mark)).statusCode).toBe('OK');
  const many = await attack(25, async (i) => (await login('chair', wrong, `198.51.100.${10 + i}`)).statusCode);
  expect(many).toEqual({ BAD_CREDENTIALS: 20, CAPTCHA_REQUIRED: 5 });
  // An attacker with a stolen mark needs a captcha after three attempts, from any address.
  const stolen = await attack(5, async (i) => (await login('chair', wrong, `198.51.100.${40 + i}`, mark)).statusCode);
  expect(stolen).toEqual({ BAD_CREDENTIALS: 3, CAPTCHA_REQUIRED: 2 });
  expect((await login('alice', wrong, '198.51.100.60', mark)).statusCode).toBe('BAD_CREDENTIALS');
});

test('an existing and an unknown account answer alike, with as many hashes', async () => {
  await server.db.platform((tx) => tx.update(account, { enabled: false }, eq(account.account, 'user7')));
  const answers = [];
  for (const [i, name] of ['alice', 'user7', 'nobody at all'].entries()) {
    hashing.count = 0;
    const { auth } = clientOf(server, undefined, `203.0.113.${i}`);
    const required = await auth.captchaRequired({ params: { account: name } });
    answers.push({ required, answer: await login(name, wrong, `203.0.113.${i}`), hashes: hashing.count });
  }
  expect(answers[0]).toMatchObject({
    required: false,
    hashes: EACH,
    answer: { httpStatus: 406, statusCode: 'BAD_CREDENTIALS' },
  });
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
});
