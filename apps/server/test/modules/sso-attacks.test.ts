import { createSecretKey } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IdentityProvider } from '@rmeet/contract';
import { startIdentityProvider, type RunningIdentityProvider } from '@rmeet/testkit/identity-provider';
import { freePort } from '@rmeet/testkit';
import { clientOf, codeOf, send, signIn, type Person } from './support/client.ts';
import {
  otherKey,
  rightClaims,
  signed,
  startForgingProvider,
  unsigned,
  type ForgingProvider,
} from './support/forging-provider.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { addProvider, answerOf } from './support/sso.ts';

let forger: ForgingProvider;
let inside: ForgingProvider;
let server: TestServer;
let admin: Person;
let provider: IdentityProvider;
let port: number;

beforeAll(async () => {
  [forger, inside, port] = [await startForgingProvider(), await startForgingProvider(), await freePort()];
  server = await startTestServer({
    publicUrls: ['https://meet.example.org'],
    ssoHosts: [forger.host, `127.0.0.1:${port}`],
  });
  admin = await signIn(server, 'admin');
  provider = await addProvider(admin, forger.issuer, { rules: { match: 'account' } });
});
afterAll(async () => {
  await server.close();
  await forger.close();
  await inside.close();
});

/** Signs in with the id_token that a test makes of the one that would be right. */
async function enter(
  forge: (claims: JWTPayload) => string | Promise<string>,
  {
    userInfo = { sub: '7', preferred_username: 'alice' },
    iss,
  }: { userInfo?: Record<string, unknown>; iss?: string } = {},
): Promise<string> {
  const { url, state, secret } = await clientOf(server).sso.start({ body: { providerId: provider.id } });
  const nonce = new URL(url).searchParams.get('nonce');
  forger.idToken = await forge(rightClaims(forger.issuer, nonce));
  forger.userInfo = userInfo;
  const body = { state, secret, code: 'any', ...(iss === undefined ? {} : { iss }) };
  return codeOf(clientOf(server).sso.verifyToToken({ body }));
}
const sign = (changes: JWTPayload) => (claims: JWTPayload) => signed({ ...claims, ...changes }, forger.key);

describe('an id_token', () => {
  test('that is right signs in', async () => {
    expect(await enter(sign({}))).toBe('OK');
  });

  test('is refused if it is for another audience, or was made for another party', async () => {
    expect(await enter(sign({ aud: 'another client' }))).toBe('SSO_REJECTED');
    expect(await enter(sign({ aud: ['another client', 'rmeet'], azp: 'another client' }))).toBe('SSO_REJECTED');
  });

  test('is refused with another nonce, or without one', async () => {
    expect(await enter(sign({ nonce: 'another' }))).toBe('SSO_REJECTED');
    expect(await enter(({ nonce, ...claims }) => (nonce === undefined ? '' : signed(claims, forger.key)))).toBe(
      'SSO_REJECTED',
    );
  });

  test('is refused from another issuer', async () => {
    expect(await enter(sign({ iss: inside.issuer }))).toBe('SSO_REJECTED');
  });

  test('is refused unsigned, signed by another key, or with the client secret', async () => {
    expect(await enter(unsigned)).toBe('SSO_REJECTED');
    expect(await enter((claims) => signed(claims, otherKey()))).toBe('SSO_REJECTED');
    const secret = createSecretKey(Buffer.from('a secret of the client, 32 bytes'));
    expect(await enter((claims) => signed(claims, secret, { alg: 'HS256' }))).toBe('SSO_REJECTED');
    expect(
      await enter(async (claims) => `${(await signed(claims, forger.key)).split('.').slice(0, 2).join('.')}.`),
    ).toBe('SSO_REJECTED');
  });

  test('is refused when it has expired, or is none', async () => {
    expect(await enter(sign({ exp: Math.floor(Date.now() / 1_000) - 120 }))).toBe('SSO_REJECTED');
    expect(await enter(() => '')).toBe('SSO_REJECTED');
  });

  test('is refused with details of another person', async () => {
    expect(await enter(sign({}), { userInfo: { sub: '8', preferred_username: 'alice' } })).toBe('SSO_REJECTED');
  });
});

test('an answer that names another issuer is refused (RFC 9207)', async () => {
  expect(await enter(sign({}), { iss: inside.issuer })).toBe('SSO_REJECTED');
});

describe('metadata', () => {
  /** Metadata are kept for ten minutes. */
  const withMetadata = async (metadata: Record<string, unknown>, work: () => Promise<unknown>) => {
    server.clock.advance({ minutes: 11 });
    forger.metadata = metadata;
    await work();
    forger.metadata = {};
    server.clock.advance({ minutes: 11 });
  };

  test('that lead inside are refused: no address there is called', async () => {
    await withMetadata({ token_endpoint: `${inside.issuer}/token` }, async () => {
      expect(await enter(sign({}))).toBe('SSO_UNREACHABLE');
    });
    await withMetadata({ jwks_uri: `${inside.issuer}/keys` }, async () => {
      expect(await enter(sign({}))).toBe('SSO_UNREACHABLE');
      const { settings } = provider;
      expect((await admin.identityProviders.check({ body: { settings } })).fault).toBe('INSECURE');
    });
    server.clock.advance({ minutes: 11 });
    forger.redirectTo = `${inside.issuer}/.well-known/openid-configuration`;
    expect(await codeOf(clientOf(server).sso.start({ body: { providerId: provider.id } }))).not.toBe('OK');
    expect((await admin.identityProviders.check({ body: { settings: provider.settings } })).fault).toBe('REDIRECTS');
    forger.redirectTo = undefined;
    expect(inside.asked).toEqual([]);
  });

  test('of another issuer are refused', async () => {
    await withMetadata({ issuer: 'https://another.example' }, async () => {
      expect(await codeOf(clientOf(server).sso.start({ body: { providerId: provider.id } }))).toBe('SSO_REJECTED');
      const found = await admin.identityProviders.check({ body: { settings: provider.settings } });
      expect([found.fault, found.detail]).toEqual(['ISSUER_DIFFERS', 'https://another.example']);
    });
  });

  test('cannot make a page run code', async () => {
    await withMetadata({ authorization_endpoint: 'javascript:alert(1)' }, async () => {
      expect(await codeOf(clientOf(server).sso.start({ body: { providerId: provider.id } }))).toBe('SSO_REJECTED');
    });
  });
});

describe('a logout token', () => {
  const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
  const open = async () => {
    const { url, state, secret } = await clientOf(server).sso.start({ body: { providerId: provider.id } });
    const nonce = new URL(url).searchParams.get('nonce');
    forger.idToken = await signed({ ...rightClaims(forger.issuer, nonce), sid: 'session 1' }, forger.key);
    forger.userInfo = { sub: '7', preferred_username: 'alice' };
    const { token } = await clientOf(server).sso.verifyToToken({ body: { state, secret, code: 'any' } });
    return clientOf(server, token);
  };
  const right = (jti: string): JWTPayload => {
    const { nonce: _, ...claims } = rightClaims(forger.issuer, null);
    return { ...claims, jti, sid: 'session 1', events: { [EVENT]: {} } };
  };
  const logOut = (token: string) =>
    codeOf(
      clientOf(server).sso.backchannelLogout({ params: { providerId: provider.id }, body: { logout_token: token } }),
    );
  const isOpen = async (person: Person) => (await codeOf(person.users.current())) === 'OK';

  test('ends the session, once', async () => {
    const alice = await open();
    const token = await signed(right('1'), forger.key);
    expect(await logOut(token)).toBe('OK');
    expect(await isOpen(alice)).toBe(false);
    expect(await logOut(token)).toBe('SSO_LOGOUT_INVALID');
  });

  test('ends nothing if it is forged, an id_token, or about another session', async () => {
    const alice = await open();
    const { events: _, ...withoutEvent } = right('2');
    const refused = [
      unsigned(right('3')),
      await signed(right('4'), otherKey()),
      await signed({ ...right('5'), aud: 'another client' }, forger.key),
      await signed({ ...right('6'), iss: inside.issuer }, forger.key),
      await signed({ ...right('7'), nonce: 'of an id_token' }, forger.key),
      await signed({ ...right('8'), exp: Math.floor(Date.now() / 1_000) - 120 }, forger.key),
      await signed(withoutEvent, forger.key),
    ];
    for (const token of refused) expect(await logOut(token)).toBe('SSO_LOGOUT_INVALID');
    expect(await logOut(await signed({ ...right('9'), sid: 'session 2' }, forger.key))).toBe('OK');
    expect(await isOpen(alice)).toBe(true);
    // A subject alone ends all of a person's sessions.
    const { sid: __, ...ofPerson } = right('10');
    expect(await logOut(await signed(ofPerson, forger.key))).toBe('OK');
    expect(await isOpen(alice)).toBe(false);
  });

  test('comes from a real provider when its session ends there, as a form', async () => {
    const real = await addProvider(admin, `http://127.0.0.1:${port}`, { name: 'Real', rules: { match: 'account' } });
    const idp: RunningIdentityProvider = await startIdentityProvider({
      port,
      origins: [server.publicUrl],
      people: { b: { preferred_username: 'bob' } },
      backchannelLogoutUri: `${server.origin}/api/sso/backchannel-logout/${real.id}`,
    });
    const browser = idp.browser();
    const started = await clientOf(server).sso.start({ body: { providerId: real.id } });
    const body = answerOf(await browser.signIn(started.url, 'b'), started);
    const { token } = await clientOf(server).sso.verifyToToken({ body });
    const bob = clientOf(server, token);
    const other = await send(server, 'GET', '/api/logout', { token });
    const { next } = other.data as { next: string };
    const again = await clientOf(server).sso.start({ body: { providerId: real.id } });
    const second = answerOf(await browser.signIn(again.url, 'b'), again);
    const later = clientOf(server, (await clientOf(server).sso.verifyToToken({ body: second })).token);
    expect([await isOpen(bob), await isOpen(later)]).toEqual([false, true]);
    expect((await browser.signOut(next)).href).toBe(`${server.publicUrl}/`);
    await expect.poll(() => isOpen(later)).toBe(false);
    expect(idp.failures).toEqual([]);
    await idp.close();
  });

  test('is only taken as a form where the contract says so', async () => {
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/login',
      headers: { host: 'meet.example.org', 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'account=alice&password=x',
    });
    expect(response.json()).toMatchObject({ statusCode: 'UNSUPPORTED_MEDIA_TYPE' });
  });
});
