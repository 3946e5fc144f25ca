import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENTRY_TYPES, type FactorDemand, type IdentityProvider } from '@rmeet/contract';
import { startIdentityProvider, type RunningIdentityProvider } from '@rmeet/testkit/identity-provider';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { secondFactor } from '../../src/modules/accounts/auth/factors/tables.ts';
import { session } from '../../src/modules/accounts/auth/tables.ts';
import { permission } from '../../src/modules/accounts/permissions/tables.ts';
import { role } from '../../src/modules/accounts/roles/tables.ts';
import { codeOfStep, stepAt } from '../../src/modules/accounts/auth/factors/totp.ts';
import { accountIdentity, identityProvider, ssoAttempt, ssoSession } from '../../src/modules/accounts/sso/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { newId, PLATFORM_TENANT_ID } from '../../src/platform/db/index.ts';
import { CallFailed, clientOf, codeOf, send, signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { addProvider, answerOf, comeBack, setRules } from './support/sso.ts';

let idp: RunningIdentityProvider;
let server: TestServer;
/** Administrators of `north` and `south`. */
let admin: Person;
let dave: Person;
let north: IdentityProvider;

beforeAll(async () => {
  const publicUrl = 'https://meet.example.org';
  idp = await startIdentityProvider({ origins: [publicUrl], people: {} });
  server = await startTestServer({ publicUrls: [publicUrl], ssoHosts: [idp.host] });
  admin = await signIn(server, 'admin');
  dave = await signIn(server, 'dave');
  north = await addProvider(admin, idp.issuer);
});
afterAll(async () => {
  await server.close();
  await idp.close();
});
beforeEach(async () => {
  await setRules(admin, north.id, {});
  await server.db.platform((tx) => tx.delete(accountIdentity, eq(accountIdentity.providerId, north.id)));
  idp.people.clear();
});

const verify = async (subject: string, providerId = north.id) => {
  const answer = await comeBack(server, idp, providerId, subject);
  return clientOf(server).sso.verifyToToken({ body: { ...answer, deviceId: `device of ${subject}` } });
};
const find = (name: string) => server.db.platform((tx) => tx.find(account, eq(account.account, name)));
const idOf = (name: string) => server.people.get(name)?.id ?? '';
const newest = async (action: string) =>
  (await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.action, action)))).at(-1);

describe('a sign-in at an identity provider', () => {
  test('signs in the account that the provider names, returns to the page, and links both', async () => {
    await setRules(admin, north.id, { match: 'account' });
    idp.people.set('7', { preferred_username: 'Alice', name: 'Alice of the directory' });
    const started = await clientOf(server).sso.start({ body: { providerId: north.id, redirect: '/userInfo?a=1' } });
    const answer = answerOf(await idp.signIn(started.url, '7'), started);
    const { token, user, redirect } = await clientOf(server).sso.verifyToToken({ body: answer });
    expect([user.account, user.name, redirect]).toEqual(['alice', 'Alice', '/userInfo?a=1']);
    expect((await clientOf(server, token).users.current()).account).toBe('alice');
    const opened = (await clientOf(server, token).users.sessions()).find(({ isCurrent }) => isCurrent);
    expect(opened?.method).toBe('SSO');

    // From now on by the subject, whatever the account there is called.
    idp.people.set('7', { preferred_username: 'bob' });
    expect((await verify('7')).user.account).toBe('alice');
  });

  test('ends at the page of the app, with what the provider sent in the fragment', async () => {
    const response = await server.app.inject({
      url: '/api/sso/callback?state=s&code=c%26d&error=x&other=1',
      headers: { host: new URL(server.publicUrl).host },
    });
    expect([response.statusCode, response.headers.location]).toEqual([302, '/#/sso?state=s&error=x&code=c%26d']);
  });

  test('is refused to an unknown person, in words that say what to do', async () => {
    idp.people.set('stranger', { preferred_username: 'alice', email: 'alice@example.org', email_verified: true });
    const answer = await comeBack(server, idp, north.id, 'stranger');
    const { statusCode, message } = await send(server, 'POST', '/api/sso/verifyToToken', { body: answer });
    expect(statusCode).toBe('SSO_NOT_KNOWN');
    expect(message).toContain('Your identity at North (alice) is not linked');
  });

  test('finds an account by verified mail, never by one that is not verified', async () => {
    await setRules(admin, north.id, { match: 'mail' });
    await server.db.platform((tx) => tx.update(account, { email: 'Bob@Example.org' }, eq(account.account, 'bob')));
    idp.people.set('8', { email: 'bob@example.org', email_verified: false });
    expect(await codeOf(verify('8'))).toBe('SSO_NOT_KNOWN');
    idp.people.set('8', { email: 'bob@example.org' });
    expect(await codeOf(verify('8'))).toBe('SSO_NOT_KNOWN');
    idp.people.set('8', { email: 'bob@example.org', email_verified: true });
    expect((await verify('8')).user.account).toBe('bob');
    // A second person with the same address is not bob.
    idp.people.set('9', { email: 'bob@example.org', email_verified: true });
    expect(await codeOf(verify('9'))).toBe('SSO_NOT_KNOWN');
  });

  test('is refused for an address of two accounts', async () => {
    await setRules(admin, north.id, { match: 'mail' });
    for (const name of ['bob', 'carol'])
      await server.db.platform((tx) => tx.update(account, { email: 'team@example.org' }, eq(account.account, name)));
    idp.people.set('10', { email: 'team@example.org', email_verified: true });
    expect(await codeOf(verify('10'))).toBe('SSO_NOT_KNOWN');
  });

  test('admits verified addresses of the listed domains only', async () => {
    await setRules(admin, north.id, { match: 'account', domains: ['north.example'] });
    const person = { preferred_username: 'alice' };
    for (const said of [
      person,
      { ...person, email: 'alice@north.example' },
      { ...person, email: 'alice@other.example', email_verified: true },
      { ...person, email: 'alice@sub.north.example', email_verified: true },
    ]) {
      idp.people.set('11', said);
      expect(await codeOf(verify('11'))).toBe('SSO_MAIL_REFUSED');
    }
    idp.people.set('11', { ...person, email: 'alice@North.example', email_verified: true });
    expect((await verify('11')).user.account).toBe('alice');
  });

  test('creates an account if the rules say so, within the quota, and never one whose name is taken', async () => {
    await setRules(admin, north.id, { admission: 'create' });
    idp.people.set('12', { preferred_username: 'frank', name: 'Frank', email: 'frank@example.org' });
    const { user, token } = await verify('12');
    expect(user).toMatchObject({ account: 'frank', name: 'Frank', isTenantAdmin: false });
    expect((await newest('sso.verifyToToken'))?.after).toMatchObject({ account: 'frank', identity: 'North: frank' });
    // The roles of every new account.
    expect((await clientOf(server, token).users.current()).id).toBe(user.id);

    idp.people.set('13', { preferred_username: 'Bob' });
    expect(await codeOf(verify('13'))).toBe('SSO_ACCOUNT_TAKEN');
    idp.people.set('14', { name: 'without an account name' });
    expect(await codeOf(verify('14'))).toBe('SSO_NOT_KNOWN');

    await server.db.platform((tx) => tx.update(tenant, { maxUsers: 1 }, eq(tenant.name, 'north')));
    idp.people.set('15', { preferred_username: 'grace' });
    expect(await codeOf(verify('15'))).toBe('QUOTA_USERS');
    await server.db.platform((tx) => tx.update(tenant, { maxUsers: null }, eq(tenant.name, 'north')));
  });

  test('creates one account of a person who comes twice at once', async () => {
    await setRules(admin, north.id, { admission: 'create' });
    idp.people.set('16', { preferred_username: 'heidi' });
    const answers = [await comeBack(server, idp, north.id, '16'), await comeBack(server, idp, north.id, '16')];
    const both = await Promise.all(answers.map((body) => codeOf(clientOf(server).sso.verifyToToken({ body }))));
    expect(both).toEqual(['OK', 'OK']);
    expect(await find('heidi')).toHaveLength(1);
  });

  test('takes over what the provider owns; a taken account name stays, and is logged', async () => {
    await setRules(admin, north.id, { match: 'account', owned: ['account', 'name', 'department'] });
    idp.people.set('17', { preferred_username: 'carol' });
    await verify('17');
    await setRules(admin, north.id, {
      owned: ['account', 'name', 'department'],
      claims: {
        account: 'preferred_username',
        name: 'name',
        email: 'email',
        phone: '',
        department: 'department',
        roles: '',
      },
    });
    idp.people.set('17', {
      preferred_username: 'carol.new',
      name: 'Carol Newname',
      email: 'new@example.org',
      department: ['Surgery', 'Ward 3'],
    });
    expect((await verify('17')).user).toMatchObject({ account: 'carol.new', name: 'Carol Newname' });
    // The mail address belongs to the account's owner.
    expect((await find('carol.new'))[0]).toMatchObject({ department: 'Surgery/Ward 3', email: 'team@example.org' });
    idp.people.set('17', { preferred_username: 'alice', name: 'Carol' });
    expect((await verify('17')).user).toMatchObject({ account: 'carol.new', name: 'Carol' });
    expect((await newest('sso.verifyToToken'))?.after).toMatchObject({ accountTaken: 'alice', name: 'Carol' });
    idp.people.set('17', { preferred_username: 'carol', name: 'Carol' });
    expect((await verify('17')).user.account).toBe('carol');
  });

  test('grants and withdraws the roles of its groups, and leaves others alone', async () => {
    const [planner, other] = [newId(), newId()];
    await server.db.platform(async (tx) => {
      for (const [id, name] of [
        [planner, 'Planner'],
        [other, 'Other'],
      ] as const)
        await tx.insert(role, { id, tenantId: PLATFORM_TENANT_ID, name, kind: 'user', createdAt: server.clock.now() });
    });
    const alice = server.people.get('alice')?.id ?? '';
    const granted = async () => (await admin.users.grants({ params: { id: alice }, query: {} })).roleIds;
    await admin.users.setGrants({ params: { id: alice }, body: { roleIds: [other], permissionIds: [] } });
    const claims = {
      account: 'preferred_username',
      name: '',
      email: '',
      phone: '',
      department: '',
      roles: 'groups',
    };
    await setRules(admin, north.id, { match: 'account', claims, roles: [{ value: 'planners', roleId: planner }] });
    idp.people.set('18', { preferred_username: 'alice', groups: ['staff', 'planners'] });
    await verify('18');
    expect((await granted()).toSorted()).toEqual([planner, other].toSorted());
    idp.people.set('18', { preferred_username: 'alice', groups: ['staff'] });
    await verify('18');
    expect(await granted()).toEqual([other]);
    expect(await newest('sso.verifyToToken')).toMatchObject({ after: { roles: ['Other'] } });
  });

  test('is refused to a disabled account, a deleted one, and where the organisation does not offer it', async () => {
    await setRules(admin, north.id, { match: 'account', admission: 'create' });
    idp.people.set('19', { preferred_username: 'bob' });
    await verify('19');
    const set = (values: Partial<typeof account.$inferInsert>) =>
      server.db.platform((tx) => tx.update(account, values, eq(account.account, 'bob')));
    await set({ enabled: false });
    expect(await codeOf(verify('19'))).toBe('ACCOUNT_DISABLED');
    await set({ deletedAt: server.clock.now() });
    expect(await codeOf(verify('19'))).toBe('SSO_NOT_KNOWN');
    await set({ enabled: true, deletedAt: null });
    expect(await codeOf(verify('19'))).toBe('OK');

    const offer = (signInModes: ('PASSWORD' | 'SSO')[]) =>
      server.db.platform((tx) => tx.update(tenant, { signInModes }, eq(tenant.name, 'north')));
    await offer(['PASSWORD']);
    expect(await codeOf(clientOf(server).sso.start({ body: { providerId: north.id } }))).toBe('SSO_UNKNOWN');
    expect((await clientOf(server).auth.loginMode({ query: { tenantUri: 'north' } })).providers).toEqual([]);
    await offer(['SSO', 'PASSWORD']);
    expect(await clientOf(server).auth.loginMode({ query: { tenantUri: 'north' } })).toMatchObject({
      modes: ['SSO', 'PASSWORD'],
      providers: [{ id: north.id, name: 'North', kind: 'OIDC' }],
    });
    expect((await clientOf(server).auth.loginMode({ query: { tenantUri: 'south' } })).modes).not.toContain('SSO');
  });

  test('is offered by its provider only while that is enabled', async () => {
    const other = await addProvider(admin, idp.issuer, { name: 'Other', enabled: false });
    expect(await codeOf(clientOf(server).sso.start({ body: { providerId: other.id } }))).toBe('SSO_UNKNOWN');
    expect(await codeOf(clientOf(server).sso.start({ body: { providerId: newId() } }))).toBe('SSO_UNKNOWN');
    await admin.identityProviders.remove({ params: { id: other.id } });
  });
});

describe('the answer of an identity provider', () => {
  beforeEach(async () => {
    await setRules(admin, north.id, { match: 'account' });
    idp.people.set('20', { preferred_username: 'alice' });
    idp.people.set('21', { preferred_username: 'bob' });
  });

  test('is worth nothing in another browser than the one that began it', async () => {
    const start = () => clientOf(server).sso.start({ body: { providerId: north.id } });
    const [mine, theirs] = [await start(), await start()];
    const [back, theirBack] = [await idp.signIn(mine.url, '20'), await idp.signIn(theirs.url, '21')];
    const enter = (body: Parameters<Person['sso']['verifyToToken']>[0]['body']) =>
      codeOf(clientOf(server).sso.verifyToToken({ body }));
    // The other's code and state, and the other's code with the own state.
    expect(await enter(answerOf(theirBack, mine))).toBe('SSO_EXPIRED');
    expect(await enter({ ...answerOf(back, mine), code: theirBack.searchParams.get('code') ?? '' })).toBe(
      'SSO_REJECTED',
    );
    expect(await enter(answerOf(theirBack, theirs))).toBe('OK');
  });

  test('works once, and for ten minutes', async () => {
    const answer = await comeBack(server, idp, north.id, '20');
    const both = [1, 2].map(() => codeOf(clientOf(server).sso.verifyToToken({ body: answer })));
    expect((await Promise.all(both)).toSorted()).toEqual(['OK', 'SSO_EXPIRED']);
    expect(await codeOf(clientOf(server).sso.verifyToToken({ body: answer }))).toBe('SSO_EXPIRED');
    const late = await comeBack(server, idp, north.id, '20');
    server.clock.advance({ minutes: 10 });
    expect(await codeOf(clientOf(server).sso.verifyToToken({ body: late }))).toBe('SSO_EXPIRED');
  });

  test('does not name an address outside the app to return to', async () => {
    for (const redirect of ['https://evil.example/', '//evil.example/', '/\\evil.example/', 'javascript:alert(1)'])
      expect(await codeOf(clientOf(server).sso.start({ body: { providerId: north.id, redirect } }))).toBe(
        'INVALID_INPUT',
      );
  });

  test('claims no one of another organisation', async () => {
    const south = await addProvider(dave, idp.issuer, { rules: { match: 'account', admission: 'create' } });
    idp.people.set('22', { preferred_username: 'chair', email: 'chair@example.org', email_verified: true });
    const { user } = await verify('22', south.id);
    expect(user).toMatchObject({ account: 'chair', tenantName: 'south' });
    expect(user.id).not.toBe(server.people.get('chair')?.id);
    // A subject of one provider is unknown to the other.
    await setRules(admin, north.id, {});
    expect(await codeOf(verify('22'))).toBe('SSO_NOT_KNOWN');
    // Nor does the other tenant see or change the provider.
    expect((await dave.identityProviders.list()).records.map(({ id }) => id)).toEqual([south.id]);
    expect(await codeOf(dave.identityProviders.remove({ params: { id: north.id } }))).toBe('NOT_FOUND');
  });

  test('is kept as hashes and sealed texts, and deleted when it is over', async () => {
    server.clock.advance({ minutes: 11 });
    await server.rounds.clearExpired();
    const { state, secret, url } = await clientOf(server).sso.start({ body: { providerId: north.id } });
    const rows = await server.db.platform((tx) => tx.find(ssoAttempt));
    expect(rows).toHaveLength(1);
    for (const known of [state, secret, new URL(url).searchParams.get('nonce') ?? 'x'])
      expect(JSON.stringify(rows)).not.toContain(known);
    server.clock.advance({ minutes: 11 });
    await server.rounds.clearExpired();
    expect(await server.db.platform((tx) => tx.find(ssoAttempt))).toEqual([]);
  });
});

describe('an identity', () => {
  const link = async (person: Person, subject: string, by = person) => {
    const started = await person.sso.startLink({ body: { providerId: north.id } });
    const body = answerOf(await idp.signIn(started.url, subject), started);
    return by.sso.link({ body });
  };

  test('is linked and unlinked by the owner of the account', async () => {
    const alice = await signIn(server, 'alice');
    idp.people.set('30', { preferred_username: 'alice.k' });
    expect((await alice.sso.identities()).offered).toEqual([{ id: north.id, name: 'North', kind: 'OIDC' }]);
    const { linked, offered } = await link(alice, '30');
    expect([linked[0]?.label, offered]).toEqual(['alice.k', []]);
    expect((await newest('sso.link'))?.after).toEqual({ identity: 'North: alice.k' });
    expect((await verify('30')).user.account).toBe('alice');

    const bob = await signIn(server, 'bob');
    expect(await codeOf(link(bob, '30'))).toBe('SSO_LINKED_ELSEWHERE');
    expect(await codeOf(bob.sso.unlink({ params: { id: linked[0]?.id ?? '' } }))).toBe('NOT_FOUND');
    const again = await signIn(server, 'alice');
    expect(await codeOf(link(again, '31'))).toBe('SSO_LINKED_ELSEWHERE');
    expect((await again.sso.unlink({ params: { id: linked[0]?.id ?? '' } })).linked).toEqual([]);
    expect(await codeOf(verify('30'))).toBe('SSO_NOT_KNOWN');
  });

  test('is linked only to the account that began it, and an answer for it signs no one in', async () => {
    const [alice, bob] = [await signIn(server, 'alice'), await signIn(server, 'bob')];
    idp.people.set('32', {});
    expect(await codeOf(link(alice, '32', bob))).toBe('SSO_EXPIRED');
    const started = await alice.sso.startLink({ body: { providerId: north.id } });
    const body = answerOf(await idp.signIn(started.url, '32'), started);
    expect(await codeOf(clientOf(server).sso.verifyToToken({ body }))).toBe('SSO_EXPIRED');
    const signInAnswer = await comeBack(server, idp, north.id, '32');
    expect(await codeOf(alice.sso.link({ body: signInAnswer }))).toBe('SSO_EXPIRED');
  });

  test('is not unlinked if it is the only way in', async () => {
    await setRules(admin, north.id, { admission: 'create' });
    idp.people.set('33', { preferred_username: 'ivan' });
    const ivan = clientOf(server, (await verify('33')).token);
    const { linked, hasOtherWay } = await ivan.sso.identities();
    expect(hasOtherWay).toBe(false);
    const [own] = linked;
    expect(await codeOf(ivan.sso.unlink({ params: { id: own?.id ?? '' } }))).toBe('SSO_ONLY_WAY');
    await server.db.platform((tx) =>
      tx.update(account, { passwordChangedAt: server.clock.now() }, eq(account.account, 'ivan')),
    );
    expect(await codeOf(ivan.sso.unlink({ params: { id: own?.id ?? '' } }))).toBe('OK');
  });
});

describe('signing out', () => {
  test('leads to the logout of the provider, which returns to this server', async () => {
    await setRules(admin, north.id, { match: 'account' });
    idp.people.set('40', { preferred_username: 'alice' });
    const { token } = await verify('40');
    const rows = await server.db.platform((tx) => tx.find(ssoSession));
    expect(rows.at(-1)?.hintSealed).not.toContain('eyJ');
    const { next } = await clientOf(server, token).auth.logout();
    const url = new URL(next ?? '');
    expect(url.origin + url.pathname).toBe(`${idp.issuer}/session/end`);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${server.publicUrl}/`);
    expect(url.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
    expect(await codeOf(clientOf(server, token).users.current())).toBe('UNAUTHORIZED');
    // Sessions by password have none.
    expect(await (await signIn(server, 'bob')).auth.logout()).toEqual({ next: null });
  });
});

describe('the session of the provider', () => {
  /** Whether signing out of a session leads there. */
  const leadsThere = async (token: string) =>
    ((await clientOf(server, token).auth.logout()).next ?? '').startsWith(`${idp.issuer}/session/end`);
  const ticketOf = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => undefined,
      (failed: unknown) => failed,
    );
    if (!(error instanceof CallFailed)) throw new Error('No second factor was asked.');
    expect(error.answer.statusCode).toBe('MULTI_AUTH_REQUIRED');
    return (error.answer.data as FactorDemand).ticket;
  };

  test('is known after a second factor, too', async () => {
    await setRules(admin, north.id, { match: 'account' });
    idp.people.set('41', { preferred_username: 'carol' });
    const carol = await signIn(server, 'carol');
    const { secret } = await carol.multiauth.startTotp();
    const codeNow = () => codeOfStep(secret, stepAt(server.clock.now()));
    await carol.multiauth.addTotp({ body: { code: codeNow() } });
    server.clock.advance({ seconds: 30 });
    const ticket = await ticketOf(verify('41'));
    const body = { ticket, way: 'TOTP' as const, code: codeNow(), deviceId: 'device of 41' };
    const { token } = await clientOf(server).multiauth.checkCode({ query: body });
    expect(await leadsThere(token)).toBe(true);
    await server.db.platform((tx) => tx.delete(secondFactor, eq(secondFactor.accountId, idOf('carol'))));
  });

  test('is known in a session that was handed over, and ends it', async () => {
    await setRules(admin, north.id, { match: 'account' });
    idp.people.set('42', { preferred_username: 'alice' });
    const { token } = await verify('42');
    const { sign } = await clientOf(server, token).auth.handover();
    const other = await clientOf(server).auth.ticketToToken({ query: { sign }, body: undefined });
    expect(await leadsThere(other.token)).toBe(true);
    const rows = await server.db.platform((tx) => tx.find(session, eq(session.method, 'TICKET')));
    expect(rows.at(-1)?.originId).not.toBeNull();
  });

  test('is forgotten once no session here is left', async () => {
    await setRules(admin, north.id, { match: 'account' });
    idp.people.set('43', { preferred_username: 'alice' });
    await verify('43');
    const known = () => server.db.platform((tx) => tx.find(ssoSession, eq(ssoSession.subject, '43')));
    server.clock.advance({ hours: 24 * 6 });
    await server.rounds.clearExpired();
    expect(await known()).toHaveLength(1);
    server.clock.advance({ hours: 24 * 2 });
    await server.rounds.clearExpired();
    await server.rounds.clearExpired();
    expect(await known()).toEqual([]);
    admin = await signIn(server, 'admin');
    dave = await signIn(server, 'dave');
  });
});

describe('an administrator', () => {
  test('sees no secret, and enters it again when it would go to another server', async () => {
    expect(JSON.stringify(await admin.identityProviders.list())).not.toContain('a secret of the client');
    const row = await server.db.platform((tx) => tx.findOne(identityProvider, eq(identityProvider.id, north.id)));
    expect(row?.secretSealed).not.toContain('a secret of the client');
    const { records } = await admin.identityProviders.list();
    const { name, enabled, sort, settings, rules, version } = records[0] as IdentityProvider;
    const moved = { ...settings, issuer: 'https://evil.example' };
    const body = { name, enabled, sort, settings: moved, rules, version };
    expect(await codeOf(admin.identityProviders.update({ params: { id: north.id }, body }))).toBe(
      'SSO_SECRET_REQUIRED',
    );
    const audited = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetKind, 'identityProvider')));
    expect(JSON.stringify(audited)).not.toContain('a secret of the client');
  });

  test('cannot have addresses inside the network that the operator did not list, or http', async () => {
    const add = (issuer: string) => codeOf(addProvider(admin, issuer, { name: 'Inside' }));
    for (const issuer of ['https://127.0.0.1:1', 'https://10.0.0.1', 'https://localhost', 'http://id.example.org'])
      expect(await add(issuer)).toBe('SSO_ADDRESS_REFUSED');
  });

  test('is needed to change providers: the right to settings alone would let people sign in as anyone', async () => {
    const bob = server.people.get('bob')?.id ?? '';
    const entry = await server.db.platform((tx) =>
      tx.findOne(permission, and(eq(permission.code, 'tenants:settings'), eq(permission.type, ENTRY_TYPES.permission))),
    );
    await admin.users.setGrants({ params: { id: bob }, body: { roleIds: [], permissionIds: [entry?.id ?? ''] } });
    const manager = await signIn(server, 'bob');
    expect((await manager.identityProviders.list()).can).toEqual({ update: false });
    expect(await codeOf(addProvider(manager, idp.issuer, { name: 'Mine' }))).toBe('FORBIDDEN');
    expect(await codeOf(setRules(manager, north.id, {}))).toBe('FORBIDDEN');
    expect(await codeOf(manager.identityProviders.remove({ params: { id: north.id } }))).toBe('FORBIDDEN');
  });

  test('learns what is wrong with a provider', async () => {
    const check = async (issuer: string) =>
      (await admin.identityProviders.check({ body: { settings: { kind: 'OIDC', issuer, clientId: 'x' } } })).fault;
    expect(await admin.identityProviders.check({ body: { settings: { ...north.settings } } })).toEqual({
      fault: null,
      detail: idp.issuer,
      canLogOut: true,
    });
    expect(await check(`${idp.issuer}/.well-known/openid-configuration`)).toBe(null);
    expect(await check('https://127.0.0.1:9')).toBe('ADDRESS_REFUSED');
    expect(await check('http://id.example.org')).toBe('INSECURE');
    expect(await check(`${idp.issuer}/nowhere`)).toBe('NOT_FOUND');
  });
});
