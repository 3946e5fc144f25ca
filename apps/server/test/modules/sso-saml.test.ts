import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { IdentityProvider } from '@rmeet/contract';
import { startSamlProvider, type RunningSamlProvider } from '@rmeet/testkit/saml-provider';
import { accountIdentity, identityProvider, ssoAttempt } from '../../src/modules/accounts/sso/tables.ts';
import { readMetadata } from '../../src/modules/accounts/sso/saml/metadata.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { addSaml, answerBy, enterBy, get, post, wrapped } from './support/saml.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { setRules } from './support/sso.ts';

let idp: RunningSamlProvider;
let other: RunningSamlProvider;
let server: TestServer;
let admin: Person;
let dave: Person;
let provider: IdentityProvider;

beforeAll(async () => {
  [idp, other] = [await startSamlProvider(), await startSamlProvider()];
  server = await startTestServer({ publicUrls: ['https://meet.example.org'], ssoHosts: [idp.host, other.host] });
  [admin, dave] = [await signIn(server, 'admin'), await signIn(server, 'dave')];
  provider = await addSaml(server, admin, idp, { rules: { match: 'account' } });
});
afterAll(async () => {
  await server.close();
  await idp.close();
  await other.close();
});
beforeEach(async () => {
  await server.db.platform((tx) => tx.delete(accountIdentity, eq(accountIdentity.providerId, provider.id)));
  idp.people.clear();
  idp.people.set('a-7', { uid: 'alice', displayName: 'Alice', mail: 'alice@example.org' });
  idp.people.set('b-8', { uid: 'bob' });
});

const start = () => clientOf(server).sso.start({ body: { providerId: provider.id } });
/** Signs in; the session is opened. */
async function enter(person: string): Promise<{ token: string; client: Person }> {
  const { url, secret } = await start();
  const page = await post(server, await idp.signIn(url, person));
  const { token } = await clientOf(server).sso.verifyToToken({ body: answerBy(page, secret) });
  return { token, client: clientOf(server, token) };
}
const isOpen = async (person: Person) => (await codeOf(person.users.current())) === 'OK';

describe('metadata', () => {
  test('of the provider give its name, addresses and certificate', async () => {
    expect(provider).toMatchObject({
      kind: 'SAML',
      hasSecret: false,
      settings: {
        entityId: idp.entityId,
        signInUrl: `http://${idp.host}/sso`,
        logoutUrl: `http://${idp.host}/logout`,
        certificates: [idp.cert.replaceAll(/-----[^-]+-----|\s/g, '')],
      },
    });
    const check = await admin.identityProviders.check({ body: { settings: provider.settings } });
    expect(check).toMatchObject({ fault: 'INSECURE' });
  });

  test('of this product name its addresses and its key, which is the same every time', async () => {
    const path = `/api/sso/saml/${provider.id}/metadata`;
    const [first, second] = [await get(server, path), await get(server, path)];
    expect(first.body).toBe(second.body);
    expect(first.headers['content-type']).toBe('application/samlmetadata+xml');
    for (const part of [
      `entityID="${server.publicUrl}${path}"`,
      `Location="${server.publicUrl}/api/sso/saml/${provider.id}/acs"`,
      'WantAssertionsSigned="true"',
    ])
      expect(first.body).toContain(part);
    const row = await server.db.platform((tx) => tx.findOne(identityProvider, eq(identityProvider.id, provider.id)));
    expect(row?.secretSealed).not.toContain('PRIVATE');
  });

  test('are refused if they are none, lead inside, or define entities', async () => {
    const read = (body: { xml?: string; url?: string }) => codeOf(admin.identityProviders.readSamlMetadata({ body }));
    expect(await read({ url: 'http://127.0.0.1:9/metadata' })).toBe('SSO_ADDRESS_REFUSED');
    expect(await read({ url: `http://${idp.host}/nowhere` })).toBe('SSO_METADATA_UNREACHABLE');
    const bomb = '<!DOCTYPE a [<!ENTITY x "xx"><!ENTITY y "&x;&x;">]><a>&y;</a>';
    for (const xml of ['no XML', '<a/>', bomb]) expect(await read({ xml })).toBe('SSO_METADATA_INVALID');
    expect(await read({})).toBe('INVALID_INPUT');
  });

  test('may have comments, and several entities', () => {
    const entity = (id: string, role: string) => `<EntityDescriptor entityID="${id}">${role}</EntityDescriptor>`;
    const key = '<k:KeyInfo><k:X509Data><k:X509Certificate>MIIB\n AA==</k:X509Certificate></k:X509Data></k:KeyInfo>';
    const role =
      `<IDPSSODescriptor><!-- --><KeyDescriptor use="encryption">${key}</KeyDescriptor>` +
      `<KeyDescriptor>${key}</KeyDescriptor><SingleSignOnService Location="javascript:x" Binding="BINDING"/>` +
      '<SingleSignOnService Location="https://id.example/sso" Binding="BINDING"/></IDPSSODescriptor>';
    const xml =
      '<?xml version="1.0"?><!-- x --><EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" ' +
      `xmlns:k="http://www.w3.org/2000/09/xmldsig#">${entity('sp', '')}${entity('idp', role)}</EntitiesDescriptor>`;
    expect(readMetadata(xml.replaceAll('BINDING', 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'))).toEqual({
      entityId: 'idp',
      signInUrl: 'https://id.example/sso',
      logoutUrl: '',
      certificates: ['MIIBAA=='],
    });
  });
});

describe('a sign-in by SAML', () => {
  test('signs in the account, and remembers the person by the name that does not change', async () => {
    const { client } = await enter('a-7');
    expect((await client.users.current()).account).toBe('alice');
    idp.people.set('a-7', { uid: 'bob' });
    expect((await (await enter('a-7')).client.users.current()).account).toBe('alice');
    expect(idp.failures).toEqual([]);
  });

  test('takes mail addresses for verified ones only if the administrator says so', async () => {
    await server.db.platform((tx) => tx.update(account, { email: 'alice@example.org' }, eq(account.account, 'alice')));
    const south = await addSaml(server, dave, other, { rules: { admission: 'create', match: 'mail' } });
    other.people.set('x', { uid: 'new.person', mail: 'new@south.example' });
    expect(await enterBy(server, south.id, (url) => other.signIn(url, 'x'))).toBe('OK');
    await setRules(admin, provider.id, { match: 'mail' });
    expect(await enterBy(server, provider.id, (url) => idp.signIn(url, 'a-7'))).toBe('SSO_NOT_KNOWN');
    const { records } = await admin.identityProviders.list();
    const { name, enabled, sort, settings, rules, version } = records[0] as IdentityProvider;
    const trusting = { ...settings, trustsMail: true } as typeof settings;
    const body = { name, enabled, sort, settings: trusting, rules, version };
    await admin.identityProviders.update({ params: { id: provider.id }, body });
    expect(await enterBy(server, provider.id, (url) => idp.signIn(url, 'a-7'))).toBe('OK');
    await setRules(admin, provider.id, { match: 'account' });
  });

  test('accepts clocks that differ by less than a minute', async () => {
    const late = (seconds: number) =>
      enterBy(server, provider.id, (url) => idp.signIn(url, 'a-7', { lifetimeInSeconds: -seconds }));
    expect(await late(30)).toBe('OK');
    expect(await late(90)).toBe('SSO_REJECTED');
  });
});

describe('an answer is refused', () => {
  const forged = (changes: Parameters<RunningSamlProvider['signIn']>[2]) =>
    enterBy(server, provider.id, (url) => idp.signIn(url, 'a-7', changes));
  const changed = (change: (xml: string) => string) =>
    enterBy(server, provider.id, async (url) => {
      const form = await idp.signIn(url, 'a-7');
      const xml = change(form.xml);
      expect(xml).not.toBe(form.xml);
      return { ...form, xml };
    });

  test('with an unsigned response, an unsigned assertion, or signatures of another key', async () => {
    expect(await forged({ signResponse: false })).toBe('SSO_REJECTED');
    expect(await forged({ signAssertion: false })).toBe('SSO_REJECTED');
    expect(await forged({ signResponse: false, signAssertion: false })).toBe('SSO_REJECTED');
    expect(await forged({ key: other.key, cert: other.cert })).toBe('SSO_REJECTED');
    expect(await forged({ signatureAlgorithm: 'rsa-sha1' })).toBe('SSO_REJECTED');
    expect(await forged({ digestAlgorithm: 'sha1' })).toBe('SSO_REJECTED');
    expect(await forged({})).toBe('OK');
  });

  test('for another audience, recipient, address or request, or of another provider', async () => {
    expect(await forged({ audience: 'https://another.example' })).toBe('SSO_REJECTED');
    expect(await forged({ recipient: 'https://another.example/acs' })).toBe('SSO_REJECTED');
    expect(await forged({ destination: 'https://another.example/acs' })).toBe('SSO_REJECTED');
    expect(await forged({ inResponseTo: '_of_another' })).toBe('SSO_REJECTED');
    expect(await forged({ issuer: other.entityId })).toBe('SSO_REJECTED');
  });

  test('with wrapped signatures', async () => {
    const names = Object.keys(wrapped('', 'a', 'b'));
    for (const name of names) {
      const outcome = await changed((xml) => wrapped(xml, 'a-7', 'b-8')[name] ?? '');
      expect([name, outcome]).toEqual([name, 'SSO_REJECTED']);
    }
  });

  test('with a changed text, comments in a name, entities or instructions', async () => {
    expect(await changed((xml) => xml.replaceAll('a-7', 'b-8'))).toBe('SSO_REJECTED');
    // Canonical XML has no comments, so that the signatures stay right.
    expect(await changed((xml) => xml.replaceAll('a-7', 'a-<!---->7'))).toBe('SSO_REJECTED');
    expect(await changed((xml) => xml.replaceAll('a-7', 'a-<?x?>7'))).toBe('SSO_REJECTED');
    const bomb = '<!DOCTYPE a [<!ENTITY x0 "xxxxxxxxxx"><!ENTITY x1 "&x0;&x0;&x0;&x0;">]>';
    expect(await changed((xml) => `${bomb}${xml}`)).toBe('SSO_REJECTED');
    const file = '<!DOCTYPE a [<!ENTITY file SYSTEM "file:///etc/passwd">]>';
    expect(await changed((xml) => `${file}${xml.replace('a-7', '&file;')}`)).toBe('SSO_REJECTED');
    expect(await changed((xml) => xml.replace('<samlp:Status>', `${'<a>'.repeat(5_000)}<samlp:Status>`))).toBe(
      'SSO_REJECTED',
    );
    expect(await changed(() => 'no XML')).toBe('SSO_REJECTED');
  });

  test('in another browser, a second time, or for a later request', async () => {
    const [mine, theirs] = [await start(), await start()];
    const form = await idp.signIn(mine.url, 'a-7');
    const page = await post(server, form);
    const body = answerBy(page, theirs.secret);
    expect(await codeOf(clientOf(server).sso.verifyToToken({ body }))).toBe('SSO_EXPIRED');
    // Posted again: the first one counts.
    expect((await post(server, form)).has('code')).toBe(false);
    const right = answerBy(page, mine.secret);
    const both = [1, 2].map(() => codeOf(clientOf(server).sso.verifyToToken({ body: right })));
    expect((await Promise.all(both)).toSorted()).toEqual(['OK', 'SSO_EXPIRED']);
    const again = await post(server, { ...form, relayState: theirs.state });
    expect(await codeOf(clientOf(server).sso.verifyToToken({ body: answerBy(again, theirs.secret) }))).toBe(
      'SSO_REJECTED',
    );
  });

  test('that no browser waits for, or another provider sends', async () => {
    const { url, state } = await start();
    const form = await idp.signIn(url, 'a-7');
    for (const relayState of ['', 'unknown'])
      expect((await post(server, { ...form, relayState })).has('code')).toBe(false);
    const south = await dave.identityProviders.list();
    const action = form.action.replace(provider.id, south.records[0]?.id ?? '');
    expect((await post(server, { ...form, action })).has('code')).toBe(false);
    const rows = await server.db.platform((tx) => tx.find(ssoAttempt, eq(ssoAttempt.providerId, provider.id)));
    expect(rows.every(({ answerSealed }) => answerSealed === null)).toBe(true);
    expect((await post(server, form)).get('state')).toBe(state);
  });

  test('about a name that is another one next time', async () => {
    const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
    const profileMapper = () => ({
      getClaims: () => ({ uid: 'alice' }),
      getNameIdentifier: () => ({ nameIdentifier: '_1', nameIdentifierFormat: transient }),
    });
    expect(await forged({ profileMapper })).toBe('SSO_REJECTED');
  });
});

describe('a logout', () => {
  const bring = (url: URL) => get(server, url.pathname + url.search);

  test('that begins here ends the session there, and comes back', async () => {
    const { client } = await enter('a-7');
    const { next } = await client.auth.logout();
    expect(new URL(next ?? '').host).toBe(idp.host);
    const back = await idp.follow(next ?? '');
    expect(idp.failures).toEqual([]);
    const response = await bring(back ?? new URL(server.publicUrl));
    expect([response.statusCode, response.headers.location]).toEqual([302, '/']);
  });

  test('that begins there ends the sessions of the person here, once', async () => {
    const [alice, bob] = [(await enter('a-7')).client, (await enter('b-8')).client];
    const url = await idp.signOut('b-8');
    const response = await bring(url);
    expect([await isOpen(alice), await isOpen(bob)]).toEqual([true, false]);
    expect(await idp.follow(String(response.headers.location))).toBeUndefined();
    expect(idp.failures).toEqual([]);
    expect((await bring(url)).json()).toMatchObject({ statusCode: 'SSO_LOGOUT_INVALID' });
  });

  test('ends nothing if it is unsigned, changed, or of another provider', async () => {
    const { client } = await enter('a-7');
    const right = await idp.signOut('a-7');
    const change = (work: (params: URLSearchParams) => void): URL => {
      const url = new URL(right);
      work(url.searchParams);
      return url;
    };
    const refused = [
      change((params) => params.delete('Signature')),
      change((params) => params.delete('SigAlg')),
      change((params) => params.set('RelayState', 'another')),
      change((params) => params.set('SigAlg', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1')),
    ];
    for (const url of refused) expect((await bring(url)).json()).toMatchObject({ statusCode: 'SSO_LOGOUT_INVALID' });
    const twice = change((params) => params.append('SAMLRequest', 'another'));
    expect((await bring(twice)).json()).toMatchObject({ statusCode: 'INVALID_INPUT' });
    expect(await isOpen(client)).toBe(true);
    expect((await bring(right)).statusCode).toBe(302);
    expect(await isOpen(client)).toBe(false);
  });
});
