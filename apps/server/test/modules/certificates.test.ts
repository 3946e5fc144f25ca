import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CertRules } from '@rmeet/contract';
import { FOR_CLIENTS, TestAuthority, type Issued, type Wanted } from '@rmeet/testkit/certificate-authority';
import { auditLog } from '../../src/modules/audit/tables.ts';
import {
  accountCertificate,
  certificateAuthority,
  certificateChallenge,
} from '../../src/modules/accounts/certificates/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { enter, prove } from './support/certificates.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let admin: Person;
let root: TestAuthority;
let alice: Issued;
/** What the server of revocation lists answers. */
let served: Buffer | undefined;
let lists: Server;
let listUrl: string;
const made: TestAuthority[] = [];

const authority = async (wanted: Wanted): Promise<TestAuthority> => {
  const one = await TestAuthority.create(wanted);
  made.push(one);
  return one;
};
const trust = (one: TestAuthority, by = admin) =>
  by.certificateAuthorities.add({ body: { certificate: one.self.certificate } });
const setRules = (rules: Partial<CertRules>) =>
  admin.certificateAuthorities.setRules({ body: { match: 'commonName', ...rules } });
const idOf = async (one: TestAuthority): Promise<string> => {
  const subjects = await server.db.platform((tx) => tx.find(certificateAuthority));
  return subjects.find(({ certificate }) => certificate === one.self.der)?.id ?? '';
};

beforeAll(async () => {
  lists = createServer((_request, response) => {
    response.statusCode = served ? 200 : 404;
    response.end(served);
  }).listen(0, '127.0.0.1');
  await once(lists, 'listening');
  const { port } = lists.address() as AddressInfo;
  listUrl = `http://127.0.0.1:${port}/list.crl`;
  server = await startTestServer({
    publicUrls: ['https://meet.example.org'],
    certificateHosts: [`127.0.0.1:${port}`],
  });
  admin = await signIn(server, 'admin');
  root = await authority({ subject: '/O=North/CN=North CA' });
  alice = await root.issue({ subject: '/O=North/CN=alice' });
});
afterAll(async () => {
  await server.close();
  lists.close();
  for (const one of made) await one.remove();
});
beforeEach(async () => {
  served = undefined;
  await server.db.platform(async (tx) => {
    await tx.delete(certificateAuthority, eq(certificateAuthority.tenantId, certificateAuthority.tenantId));
    await tx.delete(accountCertificate, eq(accountCertificate.tenantId, accountCertificate.tenantId));
  });
  await trust(root);
  await setRules({});
});

describe('a sign-in by certificate', () => {
  test('signs in the account that the certificate names, and says how', async () => {
    const { token, user } = await enter(server, alice);
    expect(user.account).toBe('alice');
    const sessions = await clientOf(server, token).users.sessions();
    expect(sessions.find(({ isCurrent }) => isCurrent)?.method).toBe('CERTIFICATE');
  });

  test.each([
    ['RSA', 'RS256', 'der'],
    ['RSA', 'PS256', 'der'],
    ['P-256', 'ES256', 'der'],
    ['P-256', 'ES256', 'ieee-p1363'],
    ['P-384', 'ES384', 'der'],
    ['P-384', 'ES384', 'ieee-p1363'],
    ['P-521', 'ES512', 'der'],
    ['P-521', 'ES512', 'ieee-p1363'],
    ['SM2', 'SM2', 'der'],
  ] as const)('accepts keys of kind %s with %s (%s)', async (key, algorithm, form) => {
    const own = await authority({ subject: `/CN=CA of ${key}`, key });
    await trust(own);
    const bob = await own.issue({ subject: '/CN=bob', key });
    expect((await enter(server, bob, { algorithm, form })).user.account).toBe('bob');
  });

  test('follows a chain with an authority that the person sends along', async () => {
    const middle = await root.below({ subject: '/CN=Department CA', key: 'RSA' });
    made.push(middle);
    const bob = await middle.issue({ subject: '/CN=bob' });
    expect(await codeOf(enter(server, bob))).toBe('CERT_NOT_TRUSTED');
    expect((await enter(server, bob, { chain: [middle.self] })).user.account).toBe('bob');
  });

  test('is offered while the organisation trusts an authority', async () => {
    const modesOf = async (tenantUri: string) =>
      (await clientOf(server).auth.loginMode({ query: { tenantUri } })).modes;
    expect(await modesOf('north')).toContain('CERTIFICATE');
    expect(await modesOf('south')).not.toContain('CERTIFICATE');
    await admin.certificateAuthorities.remove({ params: { id: await idOf(root) } });
    expect(await modesOf('north')).not.toContain('CERTIFICATE');
  });

  test('is refused where the organisation does not offer it, to unknown organisations alike', async () => {
    const offer = (signInModes: ('PASSWORD' | 'CERTIFICATE')[]) =>
      server.db.platform((tx) => tx.update(tenant, { signInModes }, eq(tenant.name, 'north')));
    const answer = await prove(server, alice);
    await offer(['PASSWORD']);
    for (const tenantUri of ['north', 'unknown'])
      expect(await codeOf(clientOf(server).certs.getCodeData({ query: { tenantUri } }))).toBe('SIGN_IN_MODE_OFF');
    expect(await codeOf(clientOf(server).certs.verifyToToken({ body: answer }))).toBe('SIGN_IN_MODE_OFF');
    await offer(['PASSWORD', 'CERTIFICATE']);
  });

  test('is refused to a disabled account with its reason, and to a deleted one as unknown', async () => {
    const set = (values: Partial<typeof account.$inferInsert>) =>
      server.db.platform((tx) => tx.update(account, values, eq(account.account, 'carol')));
    const carol = await root.issue({ subject: '/CN=carol' });
    await set({ enabled: false });
    expect(await codeOf(enter(server, carol))).toBe('ACCOUNT_DISABLED');
    await set({ deletedAt: server.clock.now() });
    expect(await codeOf(enter(server, carol))).toBe('CERT_NOT_KNOWN');
    await set({ enabled: true, deletedAt: null });
  });
});

describe('the account of a certificate', () => {
  const named = (subject: string, ...names: string[]) =>
    root.issue({
      subject,
      extensions: [...FOR_CLIENTS, ...(names.length === 0 ? [] : [`subjectAltName=${names.join(',')}`])],
    });
  const upn = (name: string) => `otherName:1.3.6.1.4.1.311.20.2.3;UTF8:${name}`;

  test.each([
    ['commonName', '/CN=Bob', []],
    ['serialNumber', '/CN=Robert/serialNumber=bob', []],
    ['userId', '/CN=Robert/UID=bob', []],
    ['mail', '/CN=alice', ['email:Bob@Example.org']],
    ['upn', '/CN=alice', [upn('bob@corp.example')]],
  ] as const)('is found by %s', async (match, subject, names) => {
    await setRules({ match, domains: ['corp.example'] });
    await server.db.platform((tx) => tx.update(account, { email: 'bob@example.org' }, eq(account.account, 'bob')));
    expect((await enter(server, await named(subject, ...names))).user.account).toBe('bob');
  });

  test.each([
    ['an unknown name', 'commonName', '/CN=no.such.person', []],
    ['two names', 'commonName', '/CN=alice/CN=bob', []],
    ['no such attribute', 'userId', '/CN=alice', []],
    ['a name of another organisation', 'commonName', '/CN=erin', []],
    ['an operator', 'commonName', '/CN=root', []],
    ['a mail address in the subject only', 'mail', '/CN=x/emailAddress=bob@example.org', []],
    ['two mail addresses', 'mail', '/CN=x', ['email:bob@example.org', 'email:alice@example.org']],
    ['a principal in a domain that is not listed', 'upn', '/CN=x', [upn('bob@other.example')]],
    ['bound certificates only', 'bound', '/CN=alice', []],
  ] as const)('is not found by %s', async (_what, match, subject, names) => {
    await setRules({ match, domains: ['corp.example'] });
    expect(await codeOf(enter(server, await named(subject, ...names)))).toBe('CERT_NOT_KNOWN');
  });

  test('is not found by a mail address that two accounts have', async () => {
    await setRules({ match: 'mail' });
    for (const name of ['bob', 'carol'])
      await server.db.platform((tx) => tx.update(account, { email: 'team@example.org' }, eq(account.account, name)));
    expect(await codeOf(enter(server, await named('/CN=x', 'email:team@example.org')))).toBe('CERT_NOT_KNOWN');
  });
});

describe('a bound certificate', () => {
  test('signs in to its account, whatever it names, until its owner ends it', async () => {
    await setRules({ match: 'bound' });
    const bob = await signIn(server, 'bob');
    const answer = await prove(server, alice, {}, bob);
    const { bound } = await bob.certs.bind({ body: answer });
    expect(bound).toMatchObject([{ subject: 'CN=alice, O=North', lastUsedAt: null }]);
    expect((await enter(server, alice)).user.account).toBe('bob');
    await setRules({ match: 'commonName' });
    expect((await enter(server, alice)).user.account).toBe('bob');
    const [row] = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.action, 'certs.bind')));
    expect(row?.after).toMatchObject({ certificate: 'CN=alice, O=North' });

    const again = await signIn(server, 'bob');
    expect((await again.certs.own()).bound[0]?.lastUsedAt).not.toBeNull();
    await again.certs.unbind({ params: { id: bound[0]?.id ?? '' } });
    expect((await enter(server, alice)).user.account).toBe('alice');
  });

  test('belongs to one account only, and to the caller who signed', async () => {
    const bob = await signIn(server, 'bob');
    const carol = await signIn(server, 'carol');
    await bob.certs.bind({ body: await prove(server, alice, {}, bob) });
    expect(await codeOf(carol.certs.bind({ body: await prove(server, alice, {}, carol) }))).toBe(
      'CERT_BOUND_ELSEWHERE',
    );
    const ofBob = await prove(server, await root.issue({ subject: '/CN=other' }), {}, bob);
    expect(await codeOf(carol.certs.bind({ body: ofBob }))).toBe('CERT_CHALLENGE_INVALID');
    const signedIn = await prove(server, alice);
    expect(await codeOf(bob.certs.bind({ body: signedIn }))).toBe('CERT_CHALLENGE_INVALID');
  });

  test('is bound by administrators of the organisation, listed and ended', async () => {
    await setRules({ match: 'bound' });
    const card = await root.issue({ subject: '/CN=card 4711' });
    const body = { account: 'Carol', certificate: card.certificate };
    const { id } = await admin.certificateAuthorities.bind({ body });
    expect((await enter(server, card)).user.account).toBe('carol');
    const { records } = await admin.certificateAuthorities.bindings({ query: { account: 'carol' } });
    expect(records).toMatchObject([{ id, account: 'carol', subject: 'CN=card 4711' }]);
    const dave = await signIn(server, 'dave');
    expect(await codeOf(dave.certificateAuthorities.unbind({ params: { id } }))).toBe('NOT_FOUND');
    await admin.certificateAuthorities.unbind({ params: { id } });
    expect(await codeOf(enter(server, card))).toBe('CERT_NOT_KNOWN');
  });
});

describe('a revocation list', () => {
  const setList = async (list: Buffer) =>
    admin.certificateAuthorities.setList({
      params: { id: await idOf(root) },
      body: { list: list.toString('base64') },
    });

  test('ends certificates that it names', async () => {
    const bob = await root.issue({ subject: '/CN=bob' });
    const { records } = await setList(await root.list());
    expect(records[0]?.list).toMatchObject({ isStale: false, address: '' });
    await enter(server, bob);
    await root.revoke(bob);
    expect((await setList(await root.list())).records[0]?.list?.revoked).toBeGreaterThan(0);
    expect(await codeOf(enter(server, bob))).toBe('CERT_REVOKED');
    await enter(server, alice);
  });

  test('that is overdue stops sign-ins, unless the rules say otherwise', async () => {
    await setList(await root.list({ from: -7_200_000, until: -3_600_000 }));
    expect(await codeOf(enter(server, alice))).toBe('CERT_LIST_STALE');
    await setRules({ refuseStale: false });
    await enter(server, alice);
  });

  test('is refused if it is another file, of another authority, or older than the one that is there', async () => {
    const other = await authority({ subject: '/O=North/CN=North CA' });
    for (const list of [Buffer.from('no list'), await other.list(), Buffer.from(alice.der, 'base64')])
      expect(await codeOf(setList(list))).toBe('CERT_LIST_INVALID');
    await setList(await root.list({ from: -3_600_000 }));
    expect(await codeOf(setList(await root.list({ from: -7_200_000 })))).toBe('CERT_LIST_OLDER');
  });

  test('is also needed of the authorities between, as soon as one of them has one', async () => {
    const middle = await root.below({ subject: '/CN=Middle CA' });
    made.push(middle);
    const bob = await middle.issue({ subject: '/CN=bob' });
    await setList(await root.list());
    expect(await codeOf(enter(server, bob, { chain: [middle.self] }))).toBe('CERT_LIST_STALE');
    await trust(middle);
    const list = (await middle.list()).toString('base64');
    await admin.certificateAuthorities.setList({ params: { id: await idOf(middle) }, body: { list } });
    await enter(server, bob);
    await root.revoke(middle.self);
    await setList(await root.list());
    expect(await codeOf(enter(server, bob))).toBe('CERT_REVOKED');
  });

  test('is fetched from its address, at once and every hour; what failed is shown', async () => {
    const id = await idOf(root);
    const setAddress = (address: string) => admin.certificateAuthorities.setList({ params: { id }, body: { address } });
    const missing = (await setAddress(listUrl)).records[0]?.list;
    expect(missing).toMatchObject({ fault: 'UNREACHABLE', isStale: true });
    expect(await codeOf(enter(server, alice))).toBe('CERT_LIST_STALE');
    served = await root.list();
    await server.rounds.fetchRevocationLists();
    await enter(server, alice);
    served = Buffer.from('<html>');
    await server.rounds.fetchRevocationLists();
    const { records } = await admin.certificateAuthorities.list();
    expect(records[0]?.list).toMatchObject({ fault: 'INVALID', isStale: false });
    await enter(server, alice);
    for (const address of ['http://169.254.169.254/list', 'http://127.0.0.1:1/list', 'file:///etc/passwd', 'list'])
      expect(await codeOf(setAddress(address))).toBe('CERT_ADDRESS_REFUSED');
    expect((await setAddress('')).records[0]?.list).toBeNull();
  });
});

test('administration: what is no authority is refused, and everything is recorded', async () => {
  const add = (certificate: string) => codeOf(admin.certificateAuthorities.add({ body: { certificate } }));
  expect(await add('no certificate')).toBe('CERT_UNREADABLE');
  expect(await add(alice.certificate)).toBe('CERT_NOT_AUTHORITY');
  expect(await add(root.self.certificate)).toBe('CERT_AUTHORITY_KNOWN');
  const past = await authority({ subject: '/CN=Past CA', from: -7_200_000, until: -3_600_000 });
  const weak = await authority({ subject: '/CN=Weak CA', key: 'RSA-1024' });
  for (const one of [past, weak]) expect(await add(one.self.certificate)).toBe('CERT_NOT_AUTHORITY');
  const rows = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.action, 'certificateAuthorities.add')));
  expect(rows.at(-1)?.after).toMatchObject({ subject: 'CN=North CA, O=North' });
});

test('challenges that have expired are deleted', async () => {
  await prove(server, alice);
  server.clock.advance({ minutes: 6 });
  await server.rounds.clearExpired();
  expect(await server.db.platform((tx) => tx.count(certificateChallenge))).toBe(0);
});
