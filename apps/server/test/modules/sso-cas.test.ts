import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IdentityProvider } from '@rmeet/contract';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { startCas, type Cas } from './support/cas.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let cas: Cas;
let server: TestServer;
let admin: Person;
let provider: IdentityProvider;

beforeAll(async () => {
  cas = await startCas();
  server = await startTestServer({ publicUrls: ['https://meet.example.org'], ssoHosts: [cas.host] });
  admin = await signIn(server, 'admin');
  provider = await admin.identityProviders.create({
    body: { name: 'Campus', settings: settings(), rules: { match: 'account' } },
  });
  cas.people.set('alice', { cn: 'Alice', memberOf: ['staff', 'planners'] });
  cas.people.set('bob', { cn: 'Bob' });
});
afterAll(async () => {
  await server.close();
  await cas.close();
});

const settings = () => ({ kind: 'CAS' as const, server: `${cas.origin}/cas/login` });
const host = (): string => new URL(server.publicUrl).host;

/** Begins a sign-in, and comes back with the ticket that a test makes of the right one. */
async function come(user: string, change: (ticket: string) => string = (ticket) => ticket) {
  const { url, secret } = await clientOf(server).sso.start({ body: { providerId: provider.id } });
  const back = cas.signIn(url, user);
  const response = await server.app.inject({ url: back.pathname + back.search, headers: { host: host() } });
  const page = new URLSearchParams(String(response.headers.location).replace('/#/sso?', ''));
  const ticket = page.get('ticket') ?? '';
  const body = { state: page.get('state') ?? '', secret, ticket: change(ticket) };
  return { ticket, enter: () => clientOf(server).sso.verifyToToken({ body }) };
}
const outcome = async (user: string, change?: (ticket: string) => string) => codeOf((await come(user, change)).enter());
const logOut = async (message: string) => {
  const response = await server.app.inject({
    method: 'POST',
    url: `/api/sso/cas/${provider.id}?state=any`,
    headers: { host: host(), 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ logoutRequest: message }).toString(),
  });
  return response.json<{ statusCode: string }>().statusCode;
};
const isOpen = async (person: Person) => (await codeOf(person.users.current())) === 'OK';

describe('a sign-in by CAS', () => {
  test('signs in by a ticket for this service', async () => {
    const { user } = await (await come('alice')).enter();
    expect(user.account).toBe('alice');
  });

  test('is refused with a ticket that is unknown, used, or for another service', async () => {
    expect(await outcome('alice', () => 'ST-unknown')).toBe('SSO_EXPIRED');
    const { ticket, enter } = await come('alice');
    await enter();
    expect(await outcome('alice', () => ticket)).toBe('SSO_EXPIRED');
    // The ticket of another attempt was given out for another state.
    const stolen = await come('bob');
    expect(await outcome('alice', () => stolen.ticket)).toBe('SSO_SETUP_WRONG');
  });

  test('is refused if the answer is none of CAS, or has entities or comments', async () => {
    const success = (content: string) =>
      `<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas"><cas:authenticationSuccess>${content}` +
      '</cas:authenticationSuccess></cas:serviceResponse>';
    const answers = [
      'no XML',
      '<html></html>',
      success(''),
      success('<cas:user>bob<!-- -->.other</cas:user>'),
      `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${success('<cas:user>&x;</cas:user>')}`,
      `<cas:serviceResponse xmlns:cas="http://another.example">${success('<cas:user>bob</cas:user>')}` +
        '</cas:serviceResponse>',
    ];
    for (const body of answers) {
      cas.next.push({ body });
      expect([body, await outcome('alice')]).toEqual([body, 'SSO_REJECTED']);
    }
    cas.next.push({ status: 503, body: '' });
    expect(await outcome('alice')).toBe('SSO_UNREACHABLE');
  });
});

describe('a logout', () => {
  test('that begins here leads to the logout of CAS, which returns to this server', async () => {
    const { token } = await (await come('alice')).enter();
    const { next } = await clientOf(server, token).auth.logout();
    expect(next).toBe(`${cas.origin}/cas/logout?service=${encodeURIComponent(`${server.publicUrl}/`)}`);
  });

  test('that begins there ends the session of its ticket only', async () => {
    const [first, second] = [await come('alice'), await come('bob')];
    const [alice, bob] = [await first.enter(), await second.enter()].map(({ token }) => clientOf(server, token));
    if (!alice || !bob) throw new Error('Two people signed in.');
    expect(await logOut(cas.logoutRequest('ST-unknown'))).toBe('OK');
    expect([await isOpen(alice), await isOpen(bob)]).toEqual([true, true]);
    expect(await logOut(cas.logoutRequest(first.ticket))).toBe('OK');
    expect([await isOpen(alice), await isOpen(bob)]).toEqual([false, true]);
    for (const message of ['no XML', '<a/>', cas.logoutRequest(''), `<!DOCTYPE a>${cas.logoutRequest('ST-1')}`])
      expect(await logOut(message)).toBe('SSO_LOGOUT_INVALID');
  });
});

test('an administrator learns whether there is a CAS server', async () => {
  const check = async (address: string) =>
    (await admin.identityProviders.check({ body: { settings: { kind: 'CAS', server: address } } })).fault;
  expect(await check(`${cas.origin}/cas`)).toBeNull();
  expect(await check(`${cas.origin}/elsewhere`)).toBe('NOT_FOUND');
  expect(await check('https://127.0.0.1:9/cas')).toBe('ADDRESS_REFUSED');
  expect(await check('http://id.example.org/cas')).toBe('INSECURE');
});
