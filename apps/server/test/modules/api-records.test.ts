import { createPublicKey, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_SCOPES, contract, pathOf, TOKEN_PATH, type Route, type Routes } from '@rmeet/contract';
import { apiAssertion, apiCall, apiSecret, apiToken } from '../../src/modules/accounts/api-records/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { hashToken } from '../../src/platform/secrets/index.ts';
import { addClient, askForToken, machineOf } from './support/api-clients.ts';
import { codeOf, encrypt, prove, send, signIn, clientOf, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let admin: Person;
let alice: Person;
let bob: Person;
beforeAll(async () => {
  server = await startTestServer();
  [admin, alice, bob] = [await signIn(server, 'admin'), await signIn(server, 'alice'), await signIn(server, 'bob')];
});
afterAll(() => server.close());

const booking = () => ({ subject: 'Round', startTime: server.clock.in(60), duration: 30, waitingRoom: true });
const setTenant = (enabled: boolean) =>
  server.db.platform((tx) => tx.update(tenant, { enabled }, eq(tenant.name, 'north')));

describe('an API client', () => {
  test('gets a token for its secret, and books a meeting as itself', async () => {
    const made = await addClient(admin, { name: 'Ward planner' });
    const { status, headers, body } = await askForToken(server, {
      basic: { id: made.client.id, secret: made.secret },
    });
    expect({ status, ...body }).toMatchObject({
      status: 200,
      token_type: 'Bearer',
      expires_in: 3_600,
      scope: 'meetings:read meetings:write',
    });
    expect(headers['cache-control']).toBe('no-store');
    const machine = clientOf(server, body.access_token);
    const meeting = await machine.meetings.createNetwork({ body: booking() });
    expect(meeting.host.name).toBe('Ward planner');
    expect((await machine.meetings.list({ query: {} })).records.map((one) => one.meetId)).toEqual([meeting.meetId]);
    // Meetings of others are none of its business.
    const other = await alice.meetings.createNetwork({ body: booking() });
    expect(await codeOf(machine.meetings.detail({ params: { id: other.meetId } }))).toBe('NOT_FOUND');
  });

  test('of the whole organisation sees all of its meetings, and none of others', async () => {
    const machine = await machineOf(server, await addClient(admin, { wholeTenant: true }));
    const own = await alice.meetings.createNetwork({ body: booking() });
    const foreign = await (await signIn(server, 'erin')).meetings.createNetwork({ body: booking() });
    expect((await machine.meetings.detail({ params: { id: own.meetId } })).subject).toBe('Round');
    expect(await codeOf(machine.meetings.detail({ params: { id: foreign.meetId } }))).toBe('NOT_FOUND');
  });

  test('is in no list of people, counts against no quota and signs in nowhere', async () => {
    const { client } = await addClient(admin, { name: 'Hidden robot' });
    const row = await server.db.platform((tx) => tx.findOne(account, eq(account.account, `api:${client.id}`)));
    expect(row).toMatchObject({ kind: 'service', passwordHash: '' });
    expect((await admin.users.list({ query: { keyword: 'Hidden robot' } })).total).toBe(0);
    expect(await alice.meetings.invitees({ query: { keyword: 'Hidden robot' } })).toEqual([]);
    for (const password of ['', 'x'])
      expect(
        await codeOf(
          clientOf(server).auth.login({
            body: { account: `api:${client.id}`, password: await encrypt(server, password) },
          }),
        ),
      ).toBe('BAD_CREDENTIALS');
    const participants = [{ kind: 'user' as const, userId: row?.id ?? '' }];
    expect(await codeOf(alice.meetings.createNetwork({ body: { ...booking(), participants } }))).toBe(
      'PARTICIPANT_UNKNOWN',
    );
  });

  test('is listed with search, state and last use', async () => {
    const made = await addClient(admin, { name: 'Listed one', description: 'for the wards' });
    await (await machineOf(server, made)).meetings.list({ query: {} });
    await server.rounds.keepApiCalls();
    const { records } = await admin.apiRecords.query({ query: { keyword: 'the WARDS' } });
    expect(records).toMatchObject([{ id: made.client.id, state: 'active', lastUsedAt: server.clock.in(0) }]);
    expect((await admin.apiRecords.query({ query: { keyword: made.client.id } })).total).toBe(1);
    expect((await admin.apiRecords.query({ query: { keyword: 'wards', state: 'ended' } })).total).toBe(0);
    const root = await signIn(server, 'root');
    expect((await root.apiRecords.query({ query: { keyword: 'wards' } })).records[0]?.tenantName).toBe('north');
    expect(await codeOf(admin.apiRecords.create({ body: { name: 'LISTED one', scopes: ['rooms:read'] } }))).toBe(
      'NAME_TAKEN',
    );
  });

  test('keeps its former secret for the overlap that was chosen', async () => {
    const { client, secret } = await addClient(admin);
    const ask = async (one: string) => (await askForToken(server, { basic: { id: client.id, secret: one } })).status;
    const rotate = (overlapHours: number) =>
      admin.apiRecords.rotate({ params: { id: client.id }, body: { overlapHours } });
    const { secret: second, client: after } = await rotate(2);
    expect(after.secrets).toMatchObject([{ expiresAt: null }, { expiresAt: server.clock.in(120) }]);
    expect([await ask(secret), await ask(second ?? '')]).toEqual([200, 200]);
    server.clock.advance({ minutes: 120 });
    expect(await codeOf(rotate(0))).toBe('STEP_UP_REQUIRED');
    expect(await codeOf(addClient(admin))).toBe('STEP_UP_REQUIRED');
    await prove(server, admin);
    expect([await ask(secret), await ask(second ?? '')]).toEqual([401, 200]);
    const held = await machineOf(server, { client, secret: second ?? '' });
    const { secret: third } = await rotate(0);
    expect([await ask(second ?? ''), await ask(third ?? '')]).toEqual([401, 200]);
    expect(await codeOf(held.meetings.list({ query: {} }))).toBe('API_TOKEN_INVALID');
  });

  test('has its secrets and tokens stored as hashes', async () => {
    const { client, secret } = await addClient(admin);
    const machine = await machineOf(server, { client, secret });
    const of = { secrets: eq(apiSecret.clientId, client.id), tokens: eq(apiToken.clientId, client.id) };
    const [secrets, tokens] = await server.db.platform(async (tx) => [
      await tx.find(apiSecret, of.secrets),
      await tx.find(apiToken, of.tokens),
    ]);
    expect(secrets.map((row) => row.hash)).toEqual([hashToken(secret)]);
    expect(tokens.map((row) => row.hash)).toEqual([hashToken(machine.token)]);
  });
});

describe('a call of a client is refused', () => {
  test('by every route without a scope, and without the scope of the route', async () => {
    const all = await machineOf(server, await addClient(admin, { scopes: [...API_SCOPES], wholeTenant: true }));
    const one = await machineOf(server, await addClient(admin, { scopes: ['webhooks:read'], perMinute: 6_000 }));
    const walked = Object.entries(contract as Record<string, Routes>).flatMap(([domain, routes]) =>
      Object.entries(routes).map(([name, route]): [string, Route] => [`${domain}.${name}`, route]),
    );
    for (const [name, route] of walked) {
      if (!route.callers.includes('user') && !route.callers.includes('operator')) continue;
      const { example, method } = route;
      const call = (token: string) =>
        send(server, method, pathOf(route, example as never), { token, body: example.body });
      if (route.scope === undefined) {
        expect(await call(all.token), name).toMatchObject({ httpStatus: 403, statusCode: 'FORBIDDEN' });
      } else if (route.scope !== 'webhooks:read') {
        expect(await call(one.token), name).toMatchObject({ httpStatus: 403, statusCode: 'SCOPE_MISSING' });
      }
    }
  });

  test('as RFC 6750 says', async () => {
    const machine = await machineOf(server, await addClient(admin, { scopes: ['rooms:read'] }));
    const headersOf = async (token: string) =>
      (
        await server.app.inject({
          url: contract.meetings.list.path,
          headers: { host: new URL(server.publicUrl).host, authorization: `Bearer ${token}` },
        })
      ).headers['www-authenticate'];
    expect(await headersOf(machine.token)).toBe(
      'Bearer realm="Rmeet", error="insufficient_scope", scope="meetings:read"',
    );
    expect(await headersOf('rma_unknown')).toBe('Bearer realm="Rmeet", error="invalid_token"');
  });

  test('from another network, also with a token that was issued in the right one', async () => {
    const made = await addClient(admin, { networks: ['198.51.100.0/24', '2001:db8:7::/48'] });
    const ask = (address: string) =>
      askForToken(server, { basic: { id: made.client.id, secret: made.secret }, address });
    expect((await ask('192.0.2.10')).body).toMatchObject({ error: 'invalid_client' });
    const { token } = await machineOf(server, made, { address: '198.51.100.9' });
    const from = (address: string) => codeOf(clientOf(server, token, address).meetings.list({ query: {} }));
    expect([await from('198.51.100.200'), await from('2001:db8:7:1::5'), await from('::ffff:198.51.100.3')]).toEqual([
      'OK',
      'OK',
      'OK',
    ]);
    expect([await from('198.51.101.1'), await from('2001:db8:8::5')]).toEqual(['NETWORK_REFUSED', 'NETWORK_REFUSED']);
  });

  test.each([
    ['disabled', { enabled: false }],
    ['expired', { expiresAt: '2020-01-01T00:00:00Z' }],
  ])('of a client that is %s, with its tokens, and allowed again afterwards', async (state, values) => {
    const made = await addClient(admin);
    const machine = await machineOf(server, made);
    const body = { id: made.client.id, name: made.client.name, scopes: made.client.scopes };
    const changed = await admin.apiRecords.update({ body: { ...body, ...values, version: 1 } });
    expect(changed.state).toBe(state);
    const { status, body: answer } = await askForToken(server, { basic: { id: made.client.id, secret: made.secret } });
    expect([status, answer.error, answer.error_description]).toEqual([
      401,
      'invalid_client',
      `The client is ${state}.`,
    ]);
    expect(await codeOf(machine.meetings.list({ query: {} }))).toBe('API_TOKEN_INVALID');
    await admin.apiRecords.update({ body: { ...body, version: 2 } });
    expect(await codeOf(machine.meetings.list({ query: {} }))).toBe('OK');
  });

  test('of a client that has ended, for ever', async () => {
    const made = await addClient(admin);
    const machine = await machineOf(server, made);
    expect((await admin.apiRecords.end({ params: { id: made.client.id } })).state).toBe('ended');
    expect(await codeOf(machine.meetings.list({ query: {} }))).toBe('API_TOKEN_INVALID');
    expect((await askForToken(server, { basic: { id: made.client.id, secret: made.secret } })).status).toBe(401);
    const again = { id: made.client.id, name: 'x', scopes: made.client.scopes, version: 2 };
    expect(await codeOf(admin.apiRecords.update({ body: again }))).toBe('API_CLIENT_ENDED');
    expect(await codeOf(admin.apiRecords.rotate({ params: { id: made.client.id }, body: { overlapHours: 0 } }))).toBe(
      'API_CLIENT_ENDED',
    );
  });

  test('of a disabled organisation, and after an hour', async () => {
    const made = await addClient(admin);
    const machine = await machineOf(server, made);
    await setTenant(false);
    expect(await codeOf(machine.meetings.list({ query: {} }))).toBe('API_TOKEN_INVALID');
    const refused = await askForToken(server, { basic: { id: made.client.id, secret: made.secret } });
    expect(refused.body.error_description).toBe('The organisation is disabled.');
    await setTenant(true);
    expect(await codeOf(machine.meetings.list({ query: {} }))).toBe('OK');
    server.clock.advance({ minutes: 60 });
    await prove(server, admin);
    expect(await codeOf(machine.meetings.list({ query: {} }))).toBe('API_TOKEN_INVALID');
  });

  test('above its limit, with the time to wait', async () => {
    const machine = await machineOf(server, await addClient(admin, { perMinute: 3 }));
    const list = () =>
      send(server, 'GET', contract.meetings.list.path, { token: machine.token, address: '192.0.2.10' });
    const answers = [await list(), await list(), await list(), await list()];
    expect(answers.map((one) => one.statusCode)).toEqual(['OK', 'OK', 'OK', 'TOO_MANY_REQUESTS']);
    expect(answers.at(-1)).toMatchObject({ httpStatus: 429, data: { seconds: expect.any(Number) as number } });
    // A client of its own is not slowed down.
    const other = await machineOf(server, await addClient(admin));
    expect(await codeOf(other.meetings.list({ query: {} }))).toBe('OK');
  });
});

describe('the token endpoint', () => {
  test('takes the secret in the body, and scopes of the client alone', async () => {
    const { client, secret } = await addClient(admin);
    const fields = { client_id: client.id, client_secret: secret };
    expect((await askForToken(server, { fields: { ...fields, scope: 'meetings:read' } })).body.scope).toBe(
      'meetings:read',
    );
    for (const scope of ['users:read', 'meetings:read everything'])
      expect((await askForToken(server, { fields: { ...fields, scope } })).body.error).toBe('invalid_scope');
  });

  test('answers as RFC 6749 says', async () => {
    const { client, secret } = await addClient(admin);
    const basic = { id: client.id, secret };
    const refused = async (request: Parameters<typeof askForToken>[1]) => {
      const { status, headers, body } = await askForToken(server, request);
      return [status, body.error, headers['www-authenticate'] ?? null];
    };
    expect(await refused({ basic: { ...basic, secret: 'rms_wrong' } })).toEqual([
      401,
      'invalid_client',
      'Basic realm="Rmeet"',
    ]);
    expect(await refused({ fields: { client_id: client.id, client_secret: 'wrong' } })).toEqual([
      401,
      'invalid_client',
      null,
    ]);
    expect(await refused({ basic, fields: { grant_type: 'password' } })).toEqual([400, 'unsupported_grant_type', null]);
    expect(await refused({})).toEqual([401, 'invalid_client', null]);
    expect(await refused({ basic, fields: { client_secret: secret } })).toEqual([
      401,
      'invalid_client',
      'Basic realm="Rmeet"',
    ]);
    const twice: [string, string][] = [
      ['grant_type', 'client_credentials'],
      ['grant_type', 'client_credentials'],
    ];
    expect(await refused({ basic, fields: twice })).toEqual([400, 'invalid_request', null]);
    const json = await server.app.inject({
      method: 'POST',
      url: TOKEN_PATH,
      headers: { host: new URL(server.publicUrl).host },
      payload: { grant_type: 'client_credentials' },
    });
    expect([json.statusCode, json.json<{ error: string }>().error]).toEqual([415, 'invalid_request']);
    const get = await server.app.inject({ url: TOKEN_PATH, headers: { host: new URL(server.publicUrl).host } });
    expect(get.statusCode).toBe(405);
  });

  test('slows down guesses at one client, while its owner still gets in', async () => {
    const { client, secret } = await addClient(admin);
    const other = await addClient(admin);
    const guess = (id: string, address: string) => askForToken(server, { basic: { id, secret: 'rms_x' }, address });
    const answers = [];
    for (let i = 0; i < 12; i += 1) answers.push(await guess(client.id, '203.0.113.5'));
    expect(answers.map((one) => one.status)).toEqual([...Array.from({ length: 11 }, () => 401), 429]);
    expect(answers.at(-1)?.headers['retry-after']).toBe('2');
    // Neither the owner, even from the same address, nor another client of that address has to wait.
    expect((await askForToken(server, { basic: { id: client.id, secret }, address: '203.0.113.5' })).status).toBe(200);
    const { secret: known, client: beside } = other;
    expect(
      (await askForToken(server, { basic: { id: beside.id, secret: known }, address: '203.0.113.5' })).status,
    ).toBe(200);
    expect((await guess(beside.id, '203.0.113.5')).status).toBe(401);
    // Many clients from one address are slowed down as well.
    const many = [];
    for (let i = 0; i < 100; i += 1) many.push((await guess(randomUUID(), '203.0.113.5')).status);
    expect(many.at(-1)).toBe(429);
  });
});

describe('a client with a key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
  const claims = (id: string, values: object = {}) => ({
    iss: id,
    sub: id,
    aud: `${server.publicUrl}${TOKEN_PATH}`,
    jti: randomUUID(),
    exp: Math.floor(server.clock.now().getTime() / 1_000) + 60,
    ...values,
  });
  const sign = (payload: object, { key = privateKey, alg = 'ES256' } = {}) =>
    new SignJWT({ ...payload }).setProtectedHeader({ alg }).sign(key);
  const ask = (assertion: string) =>
    askForToken(server, {
      fields: {
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
      },
    });

  test('signs its request (RFC 7523), each once', async () => {
    const { client, secret } = await addClient(admin, { publicKey: pem(publicKey) });
    expect([secret, client.secrets]).toEqual(['', []]);
    const assertion = await sign(claims(client.id));
    const { status, body } = await ask(assertion);
    expect(status).toBe(200);
    expect(await codeOf(clientOf(server, body.access_token).meetings.list({ query: {} }))).toBe('OK');
    expect((await ask(assertion)).body.error).toBe('invalid_client');
    const rows = await server.db.platform((tx) => tx.count(apiAssertion));
    server.clock.advance({ minutes: 5 });
    await prove(server, admin);
    await server.rounds.clearApiRecords();
    expect([rows > 0, await server.db.platform((tx) => tx.count(apiAssertion))]).toEqual([true, 0]);
  });

  test('is refused for another audience, client or key, too long a time, and without a number', async () => {
    const { client } = await addClient(admin, { publicKey: pem(publicKey) });
    const other = await addClient(admin, { publicKey: pem(publicKey) });
    const seconds = Math.floor(server.clock.now().getTime() / 1_000);
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const unsigned = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const wrong = {
      audience: await sign(claims(client.id, { aud: 'https://other.example.org/api/oauth2/token' })),
      issuer: await sign(claims(client.id, { iss: other.client.id })),
      key: await sign(claims(client.id), { key: stranger }),
      expired: await sign(claims(client.id, { exp: seconds - 60 })),
      'too long': await sign(claims(client.id, { exp: seconds + 7_200 })),
      'no expiry': await sign(claims(client.id, { exp: undefined })),
      'no jti': await sign(claims(client.id, { jti: undefined })),
      'not yet': await sign(claims(client.id, { nbf: seconds + 120 })),
      none: `${unsigned({ alg: 'none' })}.${unsigned(claims(client.id))}.`,
      // The public key as the secret of an HMAC.
      hmac: await new SignJWT(claims(client.id)).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(pem(publicKey))),
      text: 'x.y.z',
    };
    for (const [name, assertion] of Object.entries(wrong))
      expect((await ask(assertion)).body.error, name).toBe('invalid_client');
    // A number that was used by another client is no replay.
    const jti = randomUUID();
    const both = [
      await ask(await sign(claims(client.id, { jti }))),
      await ask(await sign(claims(other.client.id, { jti }))),
    ];
    expect(both.map((one) => one.status)).toEqual([200, 200]);
  });

  test('may be RSA, a JWK or a set of two while it changes; private and weak keys are refused', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey;
    const set = { keys: [publicKey.export({ format: 'jwk' }), rsa.publicKey.export({ format: 'jwk' })] };
    const { client } = await addClient(admin, { publicKey: JSON.stringify(set) });
    expect((await ask(await sign(claims(client.id)))).status).toBe(200);
    for (const alg of ['RS256', 'PS256'])
      expect((await ask(await sign(claims(client.id), { key: rsa.privateKey, alg }))).status).toBe(200);
    const refused = [
      pem(weak),
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      JSON.stringify(privateKey.export({ format: 'jwk' })),
      pem(generateKeyPairSync('ed25519').publicKey),
      JSON.stringify({ keys: [] }),
      JSON.stringify({ kty: 'oct', k: 'AAAA' }),
      'x',
    ];
    for (const text of refused)
      expect(await codeOf(addClient(admin, { publicKey: text })), text.slice(0, 60)).toBe('PUBLIC_KEY_INVALID');
    expect(createPublicKey({ key: set.keys[0] ?? {}, format: 'jwk' }).asymmetricKeyType).toBe('ec');
  });

  test('loses its secrets when it gets a key, and has none to rotate', async () => {
    const { client, secret } = await addClient(admin);
    const body = { id: client.id, name: client.name, scopes: client.scopes, publicKey: pem(publicKey), version: 1 };
    expect((await admin.apiRecords.update({ body })).secrets).toEqual([]);
    expect((await askForToken(server, { basic: { id: client.id, secret } })).status).toBe(401);
    expect(await codeOf(admin.apiRecords.rotate({ params: { id: client.id }, body: { overlapHours: 1 } }))).toBe(
      'API_CLIENT_HAS_KEY',
    );
    const back = await admin.apiRecords.update({ body: { ...body, publicKey: '', version: 2 } });
    expect(back.secrets).toEqual([]);
    const { secret: made } = await admin.apiRecords.rotate({ params: { id: client.id }, body: { overlapHours: 0 } });
    expect((await askForToken(server, { basic: { id: client.id, secret: made ?? '' } })).status).toBe(200);
  });
});

describe('acting for a user', () => {
  const subjectOf = async (made: Awaited<ReturnType<typeof addClient>>, subject: string) =>
    (await askForToken(server, { basic: { id: made.client.id, secret: made.secret }, fields: { subject } })).body;

  test('needs their consent, which they end at any time', async () => {
    const made = await addClient(admin, { actsForUsers: true, name: 'Calendar' });
    expect(await subjectOf(made, 'alice')).toMatchObject({ error: 'invalid_grant' });
    await alice.apiRecords.grantOwn({ body: { clientId: made.client.id } });
    const machine = await machineOf(server, made, { subject: 'alice' });
    const meeting = await machine.meetings.createNetwork({ body: booking() });
    expect(meeting.host.name).toBe('Alice');
    expect(await subjectOf(made, 'bob')).toMatchObject({ error: 'invalid_grant' });
    const offered = async (person: Person) =>
      (await person.apiRecords.offered()).find((one) => one.clientId === made.client.id);
    expect(await offered(alice)).toMatchObject({ name: 'Calendar', grant: { lastUsedAt: server.clock.in(0) } });
    expect(await offered(bob)).toMatchObject({ grant: null });
    const grantId = (await offered(alice))?.grant?.id ?? '';
    expect(await codeOf(bob.apiRecords.endOwnGrant({ params: { id: grantId } }))).toBe('NOT_FOUND');
    await alice.apiRecords.endOwnGrant({ params: { id: grantId } });
    expect(await codeOf(machine.meetings.list({ query: {} }))).toBe('API_TOKEN_INVALID');
    expect(await subjectOf(made, 'alice')).toMatchObject({ error: 'invalid_grant' });
  });

  test('is allowed for everyone by an administrator, and answers alike for unknown people', async () => {
    const made = await addClient(admin, { actsForUsers: true });
    await admin.apiRecords.grantForTenant({ params: { id: made.client.id } });
    const machine = await machineOf(server, made, { subject: server.people.get('bob')?.id ?? '' });
    expect(await codeOf(machine.meetings.list({ query: {} }))).toBe('OK');
    const unknown = await subjectOf(made, 'no-one');
    // Of another organisation, and staff of the platform.
    for (const subject of ['erin', 'root', server.people.get('dave')?.id ?? '', `api:${made.client.id}`])
      expect(await subjectOf(made, subject), subject).toEqual(unknown);
    const { records } = await admin.apiRecords.grants({ params: { id: made.client.id }, query: {} });
    expect(records).toMatchObject([{ user: null, grantedBy: 'Admin' }]);
    const params = { id: made.client.id, grantId: records[0]?.id ?? '' };
    await admin.apiRecords.endGrant({ params });
    expect(await codeOf(machine.meetings.list({ query: {} }))).toBe('API_TOKEN_INVALID');
  });

  test('gives no more than the person may do, and ends with the account', async () => {
    const made = await addClient(admin, {
      actsForUsers: true,
      scopes: ['meetings:read', 'users:read'],
      wholeTenant: true,
    });
    await bob.apiRecords.grantOwn({ body: { clientId: made.client.id } });
    const machine = await machineOf(server, made, { subject: 'bob' });
    // bob does not manage users, though the client itself may list them.
    expect(await codeOf(machine.users.list({ query: {} }))).toBe('FORBIDDEN');
    expect(await codeOf((await machineOf(server, made)).users.list({ query: {} }))).toBe('OK');
    const id = server.people.get('bob')?.id ?? '';
    await admin.users.status({ body: { ids: [id], enabled: false } });
    expect(await codeOf(machine.meetings.list({ query: {} }))).toBe('API_TOKEN_INVALID');
    expect(await subjectOf(made, 'bob')).toMatchObject({ error: 'invalid_grant' });
    await admin.users.status({ body: { ids: [id], enabled: true } });
    bob = await signIn(server, 'bob');
  });

  test('is offered by clients that were made for it, and by others to no one', async () => {
    const made = await addClient(admin);
    expect(await codeOf(alice.apiRecords.grantOwn({ body: { clientId: made.client.id } }))).toBe('NOT_OFFERED');
    expect(await subjectOf(made, 'alice')).toMatchObject({ error: 'unauthorized_client' });
    const erin = await signIn(server, 'erin');
    const offering = await addClient(admin, { actsForUsers: true });
    expect(await codeOf(erin.apiRecords.grantOwn({ body: { clientId: offering.client.id } }))).toBe('NOT_FOUND');
    expect(await erin.apiRecords.offered()).toEqual([]);
  });
});

describe('what a client does', () => {
  test('is recorded: every call, and every change beside the account', async () => {
    const made = await addClient(admin, { actsForUsers: true, name: 'Recorded' });
    await alice.apiRecords.grantOwn({ body: { clientId: made.client.id } });
    const machine = await machineOf(server, made, { subject: 'alice' });
    const meeting = await machine.meetings.createNetwork({ body: booking() });
    await codeOf(machine.meetings.detail({ params: { id: randomUUID() } }));
    await codeOf(machine.users.current());
    await server.rounds.keepApiCalls();
    const calls = (query: object = {}) => admin.apiRecords.calls({ params: { id: made.client.id }, query });
    const recorded = (await calls()).records.toSorted((a, b) => a.action.localeCompare(b.action));
    expect(recorded.map((one) => [one.action, one.status, one.address, one.user?.name])).toEqual([
      ['meetings.createNetwork', 200, '192.0.2.10', 'Alice'],
      ['meetings.detail', 404, '192.0.2.10', 'Alice'],
      ['oauth.token', 200, '192.0.2.10', 'Alice'],
      ['users.current', 403, '192.0.2.10', 'Alice'],
    ]);
    expect((await calls({ failed: true })).total).toBe(2);
    const { records } = await admin.apiRecords.trail({ params: { id: made.client.id }, query: {} });
    expect(records.map((row) => [row.action, row.actor.name, row.client?.name ?? '', row.target.name])).toEqual([
      ['meetings.createNetwork', 'Alice', 'Recorded', meeting.subject],
      ['apiRecords.grantOwn', 'Alice', '', 'Recorded'],
      ['apiRecords.create', 'Admin', '', 'Recorded'],
    ]);
    server.clock.advance({ minutes: 31 * 24 * 60 });
    await server.rounds.clearApiRecords();
    expect(await server.db.platform((tx) => tx.count(apiCall))).toBe(0);
  });
});
