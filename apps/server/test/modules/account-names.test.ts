import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { eq, ne } from 'drizzle-orm';
import { contract, type Input } from '@rmeet/contract';
import { hashAnswer } from '../../src/modules/accounts/auth/captcha.ts';
import { captcha, failedAttempt, knownDevice } from '../../src/modules/accounts/auth/tables.ts';
import { PLATFORM_TENANT_ID } from '../../src/modules/accounts/tenants/index.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { hashPassword, mustHaveRoomToHash, verifyEach } from '../../src/modules/accounts/users/index.ts';
import { account, formerPassword } from '../../src/modules/accounts/users/tables.ts';
import { hashToken, newToken } from '../../src/platform/secrets/index.ts';
import { addPeople, addTenant } from '../../src/seed/index.ts';
import { call, codeOf, encrypt, signIn } from './support/client.ts';
import { hashing } from './support/hashing.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { makeStore, type Store } from './support/store.ts';

vi.mock('node:crypto', async (original) => (await import('./support/hashing.ts')).cheapHashes(original));

type Body = Input<typeof contract.auth.login>['body'];

let store: Store;
let server: TestServer;
const ids: Record<string, string> = {};

/** Adds an account to a tenant, one second after the previous ones. */
async function add(tenantName: string, name: string, password: string): Promise<void> {
  server.clock.advance({ seconds: 1 });
  const passwordHash = await hashPassword(password);
  await server.db.platform((tx) =>
    addPeople(
      tx,
      ids[tenantName] ?? '',
      [{ account: name, name: `${name} of ${tenantName}`, passwordHash }],
      server.clock.now(),
    ),
  );
}

beforeAll(async () => {
  // Its own people, whose passwords are also hashed the cheap way.
  store = await makeStore('tables');
  server = await startTestServer({ store });
  await server.db.platform(async (tx) => {
    for (const name of ['east', 'west']) ids[name] = await addTenant(tx, name, server.clock.now());
    for (const row of await tx.find(tenant)) ids[row.name] = row.tenantId;
  });
  for (const where of ['north', 'south']) await add(where, 'twice', `Of-${where}-1`);
  for (const where of ['north', 'south', 'east']) await add(where, 'thrice', `Of-${where}-1`);
  for (const where of ['north', 'south']) await add(where, 'same', 'Of-both-1');
});
afterAll(async () => {
  await server.close();
  await store.remove();
});
beforeEach(() => server.db.platform(async (tx) => void (await tx.delete(failedAttempt, ne(failedAttempt.scope, '')))));

const login = async (name: string, password: string, more: Partial<Body> = {}, address?: string) =>
  call(
    server,
    contract.auth.login,
    { body: { account: name, password: await encrypt(server, password), ...more } },
    undefined,
    address,
  );

/** The result of an attempt: the error code, or the tenant. */
const endOf = async (...args: Parameters<typeof login>): Promise<string> => {
  const { status, statusCode, data } = await login(...args);
  return status ? data.user.tenantName : statusCode;
};

/** The right answer to a captcha; the API does not give it away. */
async function solved(): Promise<Pick<Body, 'captchaId' | 'captcha'>> {
  const captchaId = newToken();
  const values = {
    id: hashToken(captchaId),
    tenantId: PLATFORM_TENANT_ID,
    answer: hashAnswer(captchaId, 'ABCD'),
    expiresAt: new Date(server.clock.now().getTime() + 300_000),
  };
  await server.db.platform((tx) => tx.insert(captcha, values, 'nothing'));
  return { captchaId, captcha: 'abcd' };
}

describe('an account name', () => {
  test('of another tenant is free, one of the same tenant is taken, whatever its case', async () => {
    const [admin, root] = [await signIn(server, 'admin'), await signIn(server, 'root')];
    expect(await codeOf(admin.users.create({ body: { account: 'Erin', name: 'Erin' } }))).toBe('OK');
    expect(await codeOf(admin.users.create({ body: { account: 'ERIN', name: 'Erin' } }))).toBe('ACCOUNT_TAKEN');
    expect(await codeOf(root.operators.create({ body: { account: 'erin', name: 'Erin' } }))).toBe('OK');
    const quotas = { users: null, terminals: null, recordingBytes: null, meetingFileBytes: null, meetingMinutes: null };
    const created = root.tenants.create({
      body: { name: 'Seaside', quotas, deniedFeatures: [], admin: { account: 'Alice', name: 'Alice' } },
    });
    expect(await codeOf(created)).toBe('OK');
  });
});

describe('two people with the same account name in two tenants', () => {
  test('sign in with their own passwords alone, or with their tenant by id or name', async () => {
    for (const where of ['north', 'south']) {
      expect(await endOf('Twice', `Of-${where}-1`)).toBe(where);
      expect(await endOf('twice', `Of-${where}-1`, { tenant: ` ${where.toUpperCase()} ` })).toBe(where);
      expect(await endOf('twice', `Of-${where}-1`, { tenant: ids[where] ?? '' })).toBe(where);
    }
  });

  test('cannot sign in with a tenant they do not belong to or that does not exist', async () => {
    for (const wrong of [
      'south',
      ids['south'],
      'east',
      'nowhere',
      PLATFORM_TENANT_ID,
      '0198f6a2-0000-7c40-9a11-5b1f0e3c2d10',
    ]) {
      expect(await endOf('twice', 'Of-north-1', { tenant: wrong ?? '' })).toBe('BAD_CREDENTIALS');
    }
  });

  test('are asked for their tenant if their passwords match, and nothing is counted or used up by that', async () => {
    const password = await encrypt(server, 'Of-both-1');
    const asked = await call(
      server,
      contract.auth.login,
      { body: { account: 'same', password } },
      undefined,
      '192.0.2.7',
    );
    expect(asked).toMatchObject({
      httpStatus: 409,
      statusCode: 'TENANT_AMBIGUOUS',
      message: 'Several organisations have this account. Choose one.',
    });
    expect(asked.data).toEqual({
      tenants: [
        { tenantId: ids['north'], name: 'north' },
        { tenantId: ids['south'], name: 'south' },
      ],
    });
    for (let i = 0; i < 5; i++) expect(await endOf('same', 'Of-both-1', {}, '192.0.2.7')).toBe('TENANT_AMBIGUOUS');
    for (const where of ['north', 'south'])
      expect(await endOf('same', 'Of-both-1', { tenant: ids[where] ?? '' }, '192.0.2.7')).toBe(where);
  });

  test('are not asked if one of them may not sign in: the other one signs in', async () => {
    const disable = (enabled: boolean) =>
      server.db.platform((tx) => tx.update(tenant, { enabled }, eq(tenant.name, 'north')));
    await disable(false);
    expect(await endOf('same', 'Of-both-1')).toBe('south');
    expect(await endOf('same', 'Of-both-1', { tenant: 'north' })).toBe('TENANT_DISABLED');
    expect(await endOf('twice', 'Of-north-1')).toBe('TENANT_DISABLED');
    await disable(true);
    await server.db.platform((tx) => tx.update(account, { enabled: false }, eq(account.name, 'same of south')));
    expect(await endOf('same', 'Of-both-1')).toBe('north');
    await server.db.platform((tx) => tx.update(account, { enabled: true }, eq(account.name, 'same of south')));
  });

  test('change an expired password only if the tenant is clear', async () => {
    await server.db.platform((tx) => tx.update(account, { passwordDue: true }, eq(account.name, 'same of south')));
    expect(await endOf('same', 'Of-both-1', { newPassword: await encrypt(server, 'Another-one-1') })).toBe(
      'TENANT_AMBIGUOUS',
    );
    expect(await endOf('same', 'Of-both-1', { tenant: 'south' })).toBe('PWD_EXPIRED');
    expect(
      await endOf('same', 'Of-both-1', { tenant: 'south', newPassword: await encrypt(server, 'Another-one-1') }),
    ).toBe('south');
    expect(await endOf('same', 'Of-both-1')).toBe('north');
    const passwordHash = await hashPassword('Of-both-1');
    await server.db.platform(async (tx) => {
      await tx.update(account, { passwordHash }, eq(account.name, 'same of south'));
      await tx.delete(formerPassword, ne(formerPassword.passwordHash, ''));
    });
  });
});

test('if three tenants have one name, the youngest account signs in with its tenant', async () => {
  expect(await endOf('thrice', 'Of-north-1')).toBe('north');
  expect(await endOf('thrice', 'Of-south-1')).toBe('south');
  expect(await login('thrice', 'Of-east-1')).toMatchObject({
    statusCode: 'BAD_CREDENTIALS',
    message: 'The account, password or organisation is wrong. Check them and try again.',
  });
  expect(await endOf('thrice', 'Of-east-1', { tenant: 'east' })).toBe('east');
});

describe('callers without a password', () => {
  const NAMES = ['in-none', 'alice', 'twice', 'thrice'];

  /** Everything in the response to a wrong password, and its cost. */
  async function answerTo(name: string, tenantName: string | undefined, address: string) {
    const payload = {
      account: name,
      password: await encrypt(server, 'not the password'),
      ...(tenantName ? { tenant: tenantName } : {}),
    };
    hashing.count = 0;
    const required = await call(
      server,
      contract.auth.captchaRequired,
      { params: { account: name } },
      undefined,
      address,
    );
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/login',
      headers: { host: new URL(server.publicUrl).host },
      remoteAddress: address,
      payload,
    });
    const { date: _, 'x-request-id': __, ...headers } = response.headers;
    return { required, status: response.statusCode, body: response.body, headers, hashes: hashing.count };
  }

  test.each([
    [undefined, 2],
    ['north', 1],
    ['south', 1],
    ['nowhere', 1],
  ])('cannot learn how many tenants have a name, naming %s: %i hashes', async (tenantName, hashes) => {
    const answers = [];
    // After the third attempt, the response requires a captcha: this must be the same for all of them.
    for (const [i, name] of NAMES.entries()) {
      const tries = [];
      for (let n = 0; n < 5; n++) tries.push(await answerTo(name, tenantName, `198.51.100.${i}`));
      answers.push(tries);
    }
    expect(answers[0]?.map((one) => one.hashes)).toEqual([hashes, hashes, hashes, 0, 0]);
    expect(answers[0]?.[0]).toMatchObject({ status: 406, body: expect.stringContaining('BAD_CREDENTIALS') });
    for (const other of answers) expect(other).toEqual(answers[0]);
  });

  test('wait for as many hashes with the right password of the first, of the second and with none', async () => {
    for (const password of ['Of-north-1', 'Of-south-1', 'no']) {
      hashing.count = 0;
      await login('twice', password);
      expect(hashing.count).toBe(2);
    }
  });
});

test('an attempt that needs two hashes is refused if there is room for one only', async () => {
  const hash = await hashPassword('anything');
  // Three at a time, and 200 in the queue.
  const others = Array.from({ length: 202 }, () => hashPassword('others'));
  expect(() => mustHaveRoomToHash()).not.toThrow();
  expect(() => mustHaveRoomToHash(2)).toThrow('SERVICE_BUSY');
  const started = hashing.count;
  await expect(verifyEach('anything', [hash, hash])).rejects.toThrow('SERVICE_BUSY');
  expect(hashing.count).toBe(started);
  await Promise.all(others);
  expect(await verifyEach('anything', [hash, await hashPassword('else'), hash])).toEqual([true, false, true]);
});

test('simultaneous sign-ins of strangers and known devices under one name do not deadlock', async () => {
  const deviceId = 'of a busy office';
  for (const where of ['north', 'south']) await endOf('twice', `Of-${where}-1`, { deviceId });
  const ways: Partial<Body>[] = [{}, { deviceId }, { tenant: 'north' }, { tenant: 'north', deviceId }];
  const codes = await Promise.all(
    Array.from({ length: 48 }, (_, i) => endOf('twice', 'Of-north-1', ways[i % 4], `192.0.2.${i % 8}`)),
  );
  // Open attempts count as failed: of many concurrent ones, some require a captcha. The database aborts a deadlock with
  // an error.
  expect(codes).toContain('north');
  expect(codes.filter((code) => code !== 'north' && code !== 'CAPTCHA_REQUIRED')).toEqual([]);
});

describe('guesses at the name of another tenant', () => {
  const guess = async (more: Partial<Body>, address: string) =>
    (await login('twice', 'a guess', { tenant: 'south', ...more }, address)).statusCode;

  test("are not cleared by signing in to one's own account", async () => {
    const address = '203.0.113.1';
    const codes = [];
    for (let i = 0; i < 4; i++) {
      codes.push(await guess({}, address));
      await login('twice', 'Of-north-1', { ...(await solved()), tenant: 'north' }, address);
    }
    expect(codes).toEqual(['BAD_CREDENTIALS', 'BAD_CREDENTIALS', 'BAD_CREDENTIALS', 'CAPTCHA_REQUIRED']);
  });

  test("gain nothing from the known device of one's own account, and do not delay the other device", async () => {
    const [mine, theirs] = [{ deviceId: 'mine' }, { deviceId: 'theirs' }];
    expect(await endOf('twice', 'Of-north-1', mine)).toBe('north');
    expect(await endOf('twice', 'Of-south-1', theirs)).toBe('south');
    const guesses = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => guess({ ...mine, ...(await solved()) }, `203.0.${i}.2`)),
    );
    // The first sign-ins of the day are two of sixty.
    expect(guesses.filter((code) => code === 'BAD_CREDENTIALS')).toHaveLength(58);
    expect(guesses.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(42);
    expect(await endOf('twice', 'Of-south-1', { ...theirs, tenant: 'south' })).toBe('south');
    expect(await endOf('twice', 'Of-south-1', theirs)).toBe('south');
    // On a device known to one account, the other account is no longer tried.
    expect(await endOf('twice', 'Of-north-1', mine)).toBe('north');
    expect(await endOf('twice', 'Of-south-1', mine)).toBe('BAD_CREDENTIALS');
    expect(await endOf('twice', 'Of-south-1', { deviceId: 'new' })).toBe('TOO_MANY_REQUESTS');
  });

  test("by setting the password of one's own account are counted like all others", async () => {
    // An owner who can set the password makes every attempt right for one of the two accounts; whether it is right for
    // the other one is the guess.
    const set = async (i: number) => {
      const passwordHash = await hashPassword(`Guess-${i}`);
      await server.db.platform((tx) => tx.update(account, { passwordHash }, eq(account.name, 'twice of north')));
      return endOf('twice', `Guess-${i}`);
    };
    const codes = [];
    for (let i = 0; i < 62; i++) codes.push(await set(i));
    expect(codes.filter((code) => code === 'north')).toHaveLength(60);
    expect(codes.slice(60)).toEqual(['TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS']);
    const passwordHash = await hashPassword('Of-north-1');
    await server.db.platform((tx) => tx.update(account, { passwordHash }, eq(account.name, 'twice of north')));
  });

  test('do not count against people who sign in repeatedly', async () => {
    for (let i = 0; i < 70; i++) expect(await endOf('twice', 'Of-north-1')).toBe('north');
  });

  test('in a shared browser delay only the account that is guessed at', async () => {
    const shared = { deviceId: 'of the reception' };
    for (const where of ['north', 'south']) expect(await endOf('twice', `Of-${where}-1`, shared)).toBe(where);
    const codes = [];
    for (let i = 0; i < 4; i++) codes.push(await guess(shared, '203.0.113.9'));
    expect(codes).toEqual(['BAD_CREDENTIALS', 'BAD_CREDENTIALS', 'BAD_CREDENTIALS', 'CAPTCHA_REQUIRED']);
    expect(await endOf('twice', 'Of-north-1', { ...shared, tenant: 'north' })).toBe('north');
    expect(
      await server.db.platform((tx) => tx.count(knownDevice, eq(knownDevice.tenantId, ids['south'] ?? ''))),
    ).toBeGreaterThan(0);
  });
});
