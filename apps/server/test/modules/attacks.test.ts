import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { session } from '../../src/modules/accounts/auth/tables.ts';
import { accountPermission, permission } from '../../src/modules/accounts/permissions/tables.ts';
import { role } from '../../src/modules/accounts/roles/tables.ts';
import { hashPassword, setPassword } from '../../src/modules/accounts/users/index.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { allOf } from '../../src/platform/db/conditions.ts';
import { drizzleOf } from '../../src/platform/db/scope.ts';
import { DEMO_PASSWORD } from '../../src/seed/index.ts';
import { clientOf, codeOf, encrypt, send, signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, 'admin');
});
afterAll(() => server.close());

const idOf = (name: string): string => server.people.get(name)?.id ?? '';
const north = (): string => server.people.get('admin')?.tenantId ?? '';

async function entryIds(...codes: string[]): Promise<string[]> {
  return (
    await server.db.platform((tx) => tx.find(permission, and(inArray(permission.code, codes), eq(permission.type, 2))))
  ).map((row) => row.id);
}

const grant = async (name: string, ...codes: string[]) => {
  const ids = await entryIds(...codes);
  await server.db.tenant(north(), (tx) =>
    tx.insert(
      accountPermission,
      ids.map((permissionId) => ({ accountId: idOf(name), permissionId })),
    ),
  );
};

describe('an account that manages users without the right to grant', () => {
  let bob: Person;
  beforeAll(async () => {
    await grant('bob', 'users:manage');
    bob = await signIn(server, 'bob');
  });

  test('cannot give roles to accounts it creates, nor can such an operator', async () => {
    const root = await signIn(server, 'root');
    const settings = await root.roles.create({
      body: { name: 'Settings', kind: 'user', permissionIds: await entryIds('tenants:settings') },
    });
    const managers = await root.roles.create({
      body: { name: 'User managers', kind: 'operator', permissionIds: await entryIds('users:manage') },
    });
    const { records } = await root.operators.list({ query: { keyword: 'ops' } });
    await root.operators.update({
      body: { id: idOf('ops'), name: 'Ops', roleIds: [managers.id], version: records[0]?.version ?? 0 },
    });
    const ops = await signIn(server, 'ops');
    expect(
      await codeOf(bob.users.create({ body: { account: 'puppet', name: 'Puppet', roleIds: [settings.id] } })),
    ).toBe('FORBIDDEN');
    expect(
      await codeOf(
        ops.users.create({ body: { tenantId: north(), account: 'puppet', name: 'Puppet', roleIds: [settings.id] } }),
      ),
    ).toBe('FORBIDDEN');
    const [standard] = await server.db.platform((tx) => tx.find(role, eq(role.isDefault, true)));
    expect(
      (await bob.users.create({ body: { account: 'puppet', name: 'Puppet' } })).user.roles.map(({ id }) => id),
    ).toEqual([standard?.id]);
    expect(
      await codeOf(admin.users.create({ body: { account: 'helper', name: 'Helper', roleIds: [settings.id] } })),
    ).toBe('OK');
  });

  test('cannot change accounts with more rights than its own', async () => {
    await grant('alice', 'users:manage');
    await grant('carol', 'tenants:settings');
    const canOf = async (by: Person, keyword: string) => (await by.users.list({ query: { keyword } })).records[0]?.can;
    expect(new Set(Object.values((await canOf(bob, 'carol')) ?? {}))).toEqual(new Set([false]));
    expect(await canOf(bob, 'alice')).toMatchObject({ update: true, resetPassword: true });
    expect(await canOf(admin, 'carol')).toMatchObject({ update: true, resetPassword: true });
    expect(await codeOf(bob.users.resetPassword({ body: { id: idOf('carol') } }))).toBe('FORBIDDEN');
    expect(await codeOf(bob.users.remove({ query: { id: idOf('carol') } }))).toBe('FORBIDDEN');
    expect(await codeOf(bob.users.endSessions({ body: { ids: [idOf('alice')] } }))).toBe('OK');
  });
});

describe('what a session has created ends with it', () => {
  const exchange = (sign: string) => codeOf(clientOf(server).auth.ticketToToken({ query: { sign }, body: undefined }));

  test('tickets to sign in elsewhere: by sign-out, by its owner, or by a sign-in on another device', async () => {
    const chair = await signIn(server, 'chair');
    const stolen = clientOf(
      server,
      (await clientOf(server).auth.ticketToToken({ query: {}, body: { sign: (await chair.auth.handover()).sign } }))
        .token,
    );
    const { sign: kept } = await stolen.auth.handover();
    const other = (await chair.users.sessions({})).find((row) => !row.isCurrent);
    await chair.users.endSession({ params: { id: other?.id ?? '' } });
    expect(await exchange(kept)).toBe('SIGN_INVALID');

    const { sign: left } = await chair.auth.handover();
    await chair.auth.logout();
    expect(await exchange(left)).toBe('SIGN_INVALID');

    const again = await signIn(server, 'chair');
    const { sign: old } = await again.auth.handover();
    const elsewhere = await signIn(server, 'chair', 'another device');
    expect(await exchange(old)).toBe('SIGN_INVALID');
    expect(await exchange((await elsewhere.auth.handover()).sign)).toBe('OK');
  });

  test('tickets for downloads, also if only the rights of their holder have changed', async () => {
    const path = '/api/api/v1/users/export';
    const download = async (ticket: string) => (await send(server, 'GET', `${path}?ticket=${ticket}`)).statusCode;
    await grant('chair', 'users:manage');
    const chair = await signIn(server, 'chair');
    const ticketOf = async () => (await chair.downloads.ticket({ body: { path } })).ticket;
    expect(await download(await ticketOf())).toBe('OK');

    const late = await ticketOf();
    const granted = await admin.users.grants({ params: { id: idOf('chair') }, query: {} });
    await admin.users.setGrants({ params: { id: idOf('chair') }, body: { ...granted, permissionIds: [] } });
    expect(await download(late)).toBe('FORBIDDEN');

    await admin.users.setGrants({ params: { id: idOf('chair') }, body: granted });
    const left = await ticketOf();
    await admin.users.status({ body: { ids: [idOf('chair')], enabled: false } });
    expect(await download(left)).toBe('TICKET_INVALID');
    await admin.users.status({ body: { ids: [idOf('chair')], enabled: true } });
  });
});

test('the holder of a session cannot guess its password by trying to change it', async () => {
  const alice = await signIn(server, 'alice');
  const wrong = await encrypt(server, 'not the password');
  const guess = async () => codeOf(alice.users.changePassword({ body: { oldPassword: wrong, newPassword: wrong } }));
  const codes: string[] = [];
  for (let i = 0; i < 7; i += 1) codes.push(await guess());
  expect(codes).toEqual([...Array<string>(5).fill('PASSWORD_WRONG'), 'PASSWORD_WRONG', 'TOO_MANY_REQUESTS']);
  const change = async () =>
    alice.users.changePassword({
      body: {
        oldPassword: await encrypt(server, DEMO_PASSWORD),
        newPassword: await encrypt(server, 'Another-password-1'),
      },
    });
  expect(await codeOf(change())).toBe('TOO_MANY_REQUESTS');
  server.clock.advance({ seconds: 5 });
  expect(await codeOf(change())).toBe('OK');
});

test('an account named like the id of a deleted one does not stop its personal data from being removed', async () => {
  const { user } = await admin.users.create({ body: { account: 'leaver', name: 'Leaver' } });
  await admin.users.remove({ query: { id: user.id } });
  await admin.users.create({ body: { account: user.id, name: 'Squatter' } });
  server.clock.advance({ minutes: 31 * 24 * 60 });
  await server.rounds.purgeDeleted();
  expect(await server.db.platform((tx) => tx.findOne(account, eq(account.id, user.id)))).toMatchObject({
    name: '',
    passwordHash: '',
  });
});

// The embedded database runs one transaction at a time.
test('a sign-in in progress does not outlive the password it was started with', async () => {
  const row = server.people.get('carol');
  if (!row) throw new Error('There is no carol.');
  const [replaced, signingIn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const reset = server.db.tenant(row.tenantId, async (tx) => {
    await setPassword(tx, row, await hashPassword('Another-password-1'), { due: true }, server.clock.now());
    await tx.update(
      session,
      { endedAt: server.clock.now(), endReason: 'password' },
      allOf(eq(session.accountId, row.id), isNull(session.endedAt)),
    );
    replaced.resolve();
    await signingIn.promise;
  });
  await replaced.promise;
  const login = codeOf(signIn(server, 'carol'));
  const waiting = () =>
    server.db.platform(
      async (tx) =>
        ((await drizzleOf(tx).execute(sql`select pid from pg_locks where not granted`)) as { rows: unknown[] }).rows
          .length,
    );
  await vi.waitUntil(async () => (await waiting()) > 0, { timeout: 10_000 });
  signingIn.resolve();
  await reset;
  expect(await login).toBe('BAD_CREDENTIALS');
});
