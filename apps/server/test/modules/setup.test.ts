import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contract } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { installation } from '../../src/modules/setup/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { PLATFORM_TENANT_ID } from '../../src/platform/db/index.ts';
import { clientOf, codeOf, encrypt, send } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { makeStore } from './support/store.ts';

const PASSWORD = 'Heron-over-7-lakes';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ isNew: true });
});
afterEach(() => server.close());

const linkFile = () => join(server.folder, 'setup-link');
const readSecret = (): string => readFileSync(linkFile(), 'utf8').trim().split('#')[1] ?? '';

/** Creates the link like a start, and returns its secret. */
async function newSecret(on = server): Promise<string> {
  await on.setupLink('https://192.0.2.7:3000');
  return readSecret();
}

async function answersOf(
  secret: string,
  values: {
    operator?: string;
    administrator?: string;
    password?: string;
    organisation?: string;
    publicUrl?: string | null;
  } = {},
  on = server,
) {
  const {
    operator = 'root',
    administrator = 'admin',
    password = PASSWORD,
    organisation = 'City hospital',
    publicUrl = null,
  } = values;
  return {
    secret,
    publicUrl,
    organisation: { name: organisation },
    operator: { account: operator, name: 'Root', password: await encrypt(on, password) },
    administrator: { account: administrator, name: 'Admin', password: await encrypt(on, password) },
  };
}

const complete = async (...given: Parameters<typeof answersOf>) =>
  clientOf(server).setup.complete({ body: await answersOf(...given) });
const login = async (name: string) => {
  const { token } = await clientOf(server).auth.login({
    body: { account: name, password: await encrypt(server, PASSWORD), deviceId: name },
  });
  return clientOf(server, token);
};

describe('the setup link', () => {
  test('creates the first operator and the organisation with its administrator, who sign in', async () => {
    const secret = await newSecret();
    expect(await clientOf(server).setup.state()).toEqual({ isOpen: true });
    expect(await clientOf(server).setup.begin({ body: { secret } })).toMatchObject({
      publicUrls: [],
      seenAs: server.origin,
      passwordRules: { minLength: 8 },
    });
    await complete(secret, { publicUrl: 'https://meet.example.org' });
    expect(await (await login('root')).operators.current()).toMatchObject({
      accountRole: 'superAdmin',
      tenantId: PLATFORM_TENANT_ID,
    });
    expect(await (await login('admin')).users.current()).toMatchObject({
      isTenantAdmin: true,
      tenantName: 'City hospital',
    });
    expect(server.publicUrls()).toEqual(['https://meet.example.org']);
    expect(await (await login('root')).operators.setup()).toEqual({ publicUrls: ['https://meet.example.org'] });
  });

  test('works once, and is deleted then', async () => {
    const secret = await newSecret();
    await complete(secret);
    expect(existsSync(linkFile())).toBe(false);
    expect(await clientOf(server).setup.state()).toEqual({ isOpen: false });
    for (const again of [
      () => clientOf(server).setup.begin({ body: { secret } }),
      () => complete(secret, { operator: 'second', administrator: 'other' }),
    ])
      expect(await codeOf(again())).toBe('SETUP_DONE');
    // A start of an installation with accounts creates none, and removes a leftover file.
    expect(await server.setupLink('https://192.0.2.7:3000')).toBeUndefined();
    expect(existsSync(linkFile())).toBe(false);
  });

  test('of an earlier start no longer works', async () => {
    const first = await newSecret();
    const second = await newSecret();
    expect(second).not.toBe(first);
    expect(await codeOf(clientOf(server).setup.begin({ body: { secret: first } }))).toBe('SETUP_LINK_INVALID');
    expect(await codeOf(complete(first))).toBe('SETUP_LINK_INVALID');
    await complete(second);
  });

  test('is readable by its owner alone, and the database holds its hash', async () => {
    const secret = await newSecret();
    expect(readFileSync(linkFile(), 'utf8')).toBe(`https://192.0.2.7:3000/setup/#${secret}\n`);
    expect(statSync(linkFile()).mode & 0o777).toBe(0o600);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(JSON.stringify(await server.db.platform((tx) => tx.find(installation)))).not.toContain(secret);
  });

  test('is invalid once an operator exists, however it was created', async () => {
    const secret = await newSecret();
    await server.db.platform((tx) =>
      tx.insert(account, {
        id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d77',
        tenantId: PLATFORM_TENANT_ID,
        kind: 'operator',
        account: 'ops',
        name: 'Ops',
        passwordHash: '',
        createdAt: server.clock.now(),
      }),
    );
    expect(await codeOf(complete(secret))).toBe('SETUP_DONE');
  });

  test('creates one installation for concurrent callers', async () => {
    const secret = await newSecret();
    const codes = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        codeOf(complete(secret, { operator: `root${i}`, administrator: `admin${i}`, organisation: `Hospital ${i}` })),
      ),
    );
    expect(codes.toSorted()).toEqual(['OK', ...Array.from({ length: 5 }, () => 'SETUP_DONE')]);
    const { accounts, tenants } = await server.db.platform(async (tx) => ({
      accounts: await tx.find(account),
      tenants: await tx.find(tenant),
    }));
    expect(accounts.filter(({ isSuperAdmin }) => isSuperAdmin)).toHaveLength(1);
    expect([accounts.length, tenants.length]).toEqual([2, 2]);
  });

  test('cannot be guessed, and guesses do not block others', async () => {
    const secret = await newSecret();
    const guess = (address: string) =>
      send(server, 'POST', contract.setup.begin.path, { body: { secret: 'guess' }, address });
    const codes = new Set<string>();
    for (let i = 0; i < 40; i += 1) codes.add((await guess('198.51.100.1')).statusCode);
    expect([...codes].toSorted()).toEqual(['SETUP_LINK_INVALID', 'TOO_MANY_REQUESTS']);
    expect(
      (await send(server, 'POST', contract.setup.begin.path, { body: { secret }, address: '198.51.100.2' })).statusCode,
    ).toBe('OK');
  });

  test('is of no use to another origin: its forms are refused, and its pages cannot read responses', async () => {
    const secret = await newSecret();
    const headers = { host: new URL(server.origin).host, origin: 'https://evil.example.net' };
    const form = await server.app.inject({
      method: 'POST',
      url: contract.setup.complete.path,
      headers: { ...headers, 'content-type': 'text/plain' },
      payload: JSON.stringify(await answersOf(secret)),
    });
    expect(form.statusCode).toBe(415);
    const asked = await server.app.inject({
      method: 'OPTIONS',
      url: contract.setup.complete.path,
      headers: { ...headers, 'access-control-request-method': 'POST' },
    });
    expect(asked.headers['access-control-allow-origin']).toBeUndefined();
    expect(await server.db.platform((tx) => tx.count(account))).toBe(0);
  });
});

describe('invalid answers', () => {
  test.each([
    ['a password that is too weak', { password: 'heron' }, 'PASSWORD_TOO_WEAK'],
    ['one account for both', { operator: 'admin', administrator: 'Admin' }, 'ACCOUNT_TAKEN'],
    ["the platform's name", { organisation: 'rmeet' }, 'TENANT_NAME_TAKEN'],
    ['an address with a path', { publicUrl: 'https://meet.example.org/rooms' }, 'INVALID_INPUT'],
    ['an address that is none', { publicUrl: 'meet.example.org' }, 'INVALID_INPUT'],
    ['an account name with spaces', { operator: 'the root' }, 'INVALID_INPUT'],
  ] as const)('%s: nothing is created, and the link still works', async (_, values, code) => {
    const secret = await newSecret();
    expect(await codeOf(complete(secret, values))).toBe(code);
    expect(await server.db.platform((tx) => tx.count(account))).toBe(0);
    await complete(secret);
  });

  test('a password that cannot be decrypted', async () => {
    const body = await answersOf(await newSecret());
    expect(
      await codeOf(
        clientOf(server).setup.complete({ body: { ...body, operator: { ...body.operator, password: 'bm9uZQ==' } } }),
      ),
    ).toBe('PASSWORD_UNREADABLE');
  });
});

test('the audit log records what was created, without account and secrets', async () => {
  const secret = await newSecret();
  await complete(secret, { publicUrl: 'https://meet.example.org' });
  const rows = await server.db.platform((tx) => tx.find(auditLog));
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    action: 'setup.complete',
    actorKind: 'system',
    targetName: 'Root',
    after: {
      account: 'root',
      organisation: 'City hospital',
      admin: 'admin',
      publicUrl: 'https://meet.example.org',
      password: '***',
    },
  });
  for (const hidden of [secret, PASSWORD]) expect(JSON.stringify(rows)).not.toContain(hidden);
});

test('the address is known on every server as soon as it is stored; RMEET_PUBLIC_URL overrides it', async () => {
  const store = await makeStore('tables');
  const [east, west] = [await startTestServer({ isNew: true, store }), await startTestServer({ isNew: true, store })];
  const configured = await startTestServer({ isNew: true, store, publicUrls: ['https://other.example.org'] });
  try {
    const ask = async (at: TestServer, host: string) =>
      (await send(at, 'GET', contract.auth.loginMode.path, { host })).statusCode;
    expect(await ask(west, 'meet.example.org')).toBe('HOST_UNKNOWN');
    await east.setupLink(east.origin);
    const secret = readFileSync(join(store.folder, 'setup-link'), 'utf8').trim().split('#')[1] ?? '';
    await clientOf(east).setup.complete({
      body: await answersOf(secret, { publicUrl: 'https://meet.example.org' }, east),
    });
    expect(await ask(east, 'meet.example.org')).toBe('OK');
    await expect.poll(() => ask(west, 'meet.example.org')).toBe('OK');
    expect(await ask(west, 'evil.example.net')).toBe('HOST_NOT_SERVED');
    expect(await ask(configured, 'meet.example.org')).toBe('HOST_NOT_SERVED');
    expect(await clientOf(west).setup.state()).toEqual({ isOpen: false });
  } finally {
    for (const one of [configured, west, east]) await one.close();
    await store.remove();
  }
});
