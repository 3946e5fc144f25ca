import { contract, initialSecondFactor, type FactorDemand, type SecondFactorSettings } from '@rmeet/contract';
import type { MailServer } from '@rmeet/testkit';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeFactors } from '../../src/modules/accounts/auth/factors/repo.ts';
import { partyAt } from '../../src/modules/accounts/auth/passkeys/party.ts';
import { passkey, passkeyChallenge } from '../../src/modules/accounts/auth/passkeys/tables.ts';
import { codeOfStep, stepAt } from '../../src/modules/accounts/auth/factors/totp.ts';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { DEMO_PASSWORD } from '../../src/seed/index.ts';
import { Authenticator, type Ceremony } from './support/authenticator.ts';
import { CallFailed, clientOf, codeOf, encrypt, send, signIn, type Person } from './support/client.ts';
import { startServerWithMail } from './support/mail-server.ts';
import type { TestServer } from './support/server.ts';

const ORIGIN = 'https://meet.example.org';
const LAPTOP = 'the laptop of alice, 1';
const STRANGE = 'a device of a stranger';

let server: TestServer;
let mails: MailServer;
beforeAll(async () => {
  ({ server, mails } = await startServerWithMail({ publicUrls: [ORIGIN, 'https://rmeet.example.net:8443'] }));
  await server.db.platform((tx) => tx.update(account, { email: 'alice@example.org' }, eq(account.account, 'alice')));
});
afterAll(() => server.close());
beforeEach(() => {
  // Limits of the tests before do not count.
  server.clock.advance({ hours: 24 });
});
afterEach(async () => {
  await demand({});
  for (const row of server.people.values()) await server.db.tenant(row.tenantId, (tx) => removeFactors(tx, row.id));
});

const tenantId = (): string => server.people.get('alice')?.tenantId ?? '';
const demand = (settings: Partial<SecondFactorSettings>) =>
  server.db.platform((tx) =>
    tx.update(tenant, { secondFactor: { ...initialSecondFactor, ...settings } }, eq(tenant.tenantId, tenantId())),
  );
/** A person with a passkey on an authenticator. */
async function withPasskey(
  name: string,
  options?: ConstructorParameters<typeof Authenticator>[1],
): Promise<{ person: Person; device: Authenticator; recoveryCodes: string[] }> {
  const person = await signIn(server, name, name === 'alice' ? LAPTOP : `the laptop of ${name}, 1`);
  const device = new Authenticator(ORIGIN, options);
  const response = device.create(await person.passkeys.startAdding());
  const { recoveryCodes } = await person.passkeys.add({ body: { name: 'Laptop', response } });
  return { person, device, recoveryCodes };
}
const start = (deviceId = LAPTOP) => clientOf(server).passkeys.startSignIn({ body: { deviceId } });
/** Signs in by a passkey alone. */
async function enter(device: Authenticator, ceremony: Ceremony = {}, deviceId = LAPTOP) {
  const response = device.get(await start(deviceId), ceremony);
  return clientOf(server).passkeys.signIn({ body: { deviceId, response } });
}
const byPassword = async (name: string, deviceId = LAPTOP) =>
  clientOf(server).auth.login({ body: { account: name, password: await encrypt(server, DEMO_PASSWORD), deviceId } });
/** What a sign-in is asked for. */
async function asked(work: Promise<unknown>): Promise<FactorDemand> {
  try {
    await work;
  } catch (error) {
    if (error instanceof CallFailed && error.answer.statusCode === 'MULTI_AUTH_REQUIRED')
      return error.answer.data as FactorDemand;
    throw error;
  }
  throw new Error('No second factor was asked.');
}
async function secondStep(device: Authenticator, ticket: string, ceremony: Ceremony = {}, deviceId = LAPTOP) {
  const client = clientOf(server);
  const response = device.get(await client.passkeys.startFactor({ body: { ticket, deviceId } }), ceremony);
  return client.passkeys.checkFactor({ body: { ticket, deviceId, response } });
}

describe('where passkeys work', () => {
  const at = (origin: string, address = '192.0.2.1') =>
    partyAt({ origin, address }, [ORIGIN, 'http://old.example.org']);
  test.each([
    [ORIGIN, 'ok'],
    ['https://192.0.2.7', 'ip'],
    ['https://[2001:db8::7]:3000', 'ip'],
    ['http://old.example.org', 'insecure'],
    ['https://evil.example.org', 'foreign'],
    ['https://meet.example.org:8443', 'foreign'],
    ['http://localhost:3000', 'foreign'],
  ])('%s: %s', (origin, place) => {
    expect(at(origin).place).toBe(place);
  });

  test('localhost, for browsers on the same machine', () => {
    expect(at('http://localhost:3000', '127.0.0.1').party).toEqual({
      rpId: 'localhost',
      origins: ['http://localhost:3000'],
    });
    expect(at('http://localhost:3000', '::1').place).toBe('ok');
  });

  test('pages of all configured addresses of one name may use its passkeys, and no others', () => {
    const urls = [ORIGIN, 'https://meet.example.org:8443', 'https://rmeet.example.net'];
    expect(partyAt({ origin: ORIGIN, address: '192.0.2.1' }, urls).party).toEqual({
      rpId: 'meet.example.org',
      origins: [ORIGIN, 'https://meet.example.org:8443'],
    });
  });

  test('the page learns why there are none', async () => {
    const alice = await signIn(server, 'alice', LAPTOP);
    const show = (host: string) =>
      send(server, 'GET', contract.passkeys.own.path, { token: alice.token, host }).then(({ data }) => data);
    expect(await show('meet.example.org')).toEqual({
      passkeys: [],
      place: 'ok',
      urls: [ORIGIN, 'https://rmeet.example.net:8443'],
    });
    expect(await show('127.0.0.1:3000')).toMatchObject({ place: 'ip' });
    const body = { deviceId: LAPTOP };
    const refused = await send(server, 'POST', contract.passkeys.startSignIn.path, { body, host: '127.0.0.1:3000' });
    expect(refused.statusCode).toBe('PASSKEYS_UNAVAILABLE');
    const modesAt = async (host: string) =>
      ((await send(server, 'GET', contract.auth.loginMode.path, { host })).data as { modes: string[] }).modes;
    expect(await modesAt('127.0.0.1:3000')).not.toContain('PASSKEY');
    expect(await modesAt('meet.example.org')).toContain('PASSKEY');
  });
});

describe('a sign-in by a passkey alone', () => {
  test('opens a session without a further factor', async () => {
    const { device } = await withPasskey('alice');
    await demand({ askedOf: 'all' });
    const options = await start();
    expect(options).toMatchObject({ rpId: 'meet.example.org', allowCredentials: [], userVerification: 'required' });
    const { token, user } = await enter(device);
    expect(user.account).toBe('alice');
    const alice = clientOf(server, token);
    const session = (await alice.users.sessions()).find(({ isCurrent }) => isCurrent);
    expect(session).toMatchObject({ method: 'PASSKEY', secondFactor: null });
    // It is a proof for sensitive actions.
    expect(await codeOf(alice.multiauth.startTotp())).toBe('OK');
    const { passkeys } = await alice.passkeys.own();
    expect(passkeys).toMatchObject([{ name: 'Laptop', rpId: 'meet.example.org', isUsable: true, isBackedUp: false }]);
    expect(passkeys[0]?.lastUsedAt).not.toBeNull();
  });

  test('needs another factor where the organisation wants one', async () => {
    const { device, recoveryCodes } = await withPasskey('alice');
    await demand({ askedOf: 'all', passkeyAlone: false });
    const { ticket, ways } = await asked(enter(device));
    // The same passkey proves nothing more.
    expect(ways).toEqual(['RECOVERY']);
    const query = { ticket, way: 'RECOVERY', code: recoveryCodes[0] ?? '', deviceId: LAPTOP };
    expect(await codeOf(clientOf(server).multiauth.checkCode({ query: query as never }))).toBe('OK');
  });

  test('is refused where the organisation does not offer it, or the account is disabled', async () => {
    const { device } = await withPasskey('bob');
    const modes = async (signInModes: ('PASSWORD' | 'PASSKEY')[]) =>
      server.db.platform((tx) => tx.update(tenant, { signInModes }, eq(tenant.tenantId, tenantId())));
    await modes(['PASSWORD']);
    expect(await codeOf(enter(device))).toBe('SIGN_IN_MODE_OFF');
    await modes(['PASSWORD', 'PASSKEY']);
    const admin = await signIn(server, 'admin');
    const id = server.people.get('bob')?.id ?? '';
    await admin.users.status({ body: { id, enabled: false } });
    expect(await codeOf(enter(device))).toBe('ACCOUNT_DISABLED');
    await admin.users.status({ body: { id, enabled: true } });
    expect(await codeOf(enter(device))).toBe('OK');
  });

  test('works with devices that do not count, and shows copies that providers keep', async () => {
    const { device, person } = await withPasskey('alice', { counts: false });
    expect(await codeOf(enter(device))).toBe('OK');
    expect(await codeOf(enter(device, { isBackedUp: true }))).toBe('OK');
    expect((await person.passkeys.own()).passkeys[0]?.isBackedUp).toBe(true);
  });
});

describe('attacks on a sign-in by a passkey', () => {
  test('a page of another origin gets nowhere', async () => {
    const { device } = await withPasskey('alice');
    for (const origin of [
      'https://meet.example.org.evil.net',
      'http://meet.example.org',
      'https://meet.example.org:8443',
    ])
      expect(await codeOf(enter(device, { origin })), origin).toBe('PASSKEY_REFUSED');
    expect(await codeOf(enter(device, { rpId: 'evil.example.net' }))).toBe('PASSKEY_REFUSED');
    expect(await codeOf(enter(device))).toBe('OK');
  });

  test('a passkey of one name is none of the other name of the server', async () => {
    const { device } = await withPasskey('alice');
    const host = 'rmeet.example.net:8443';
    const body = { deviceId: LAPTOP };
    const { data } = await send(server, 'POST', contract.passkeys.startSignIn.path, { body, host });
    const origin = 'https://rmeet.example.net:8443';
    const response = device.get(data as never, { origin, rpId: 'rmeet.example.net' });
    const answer = await send(server, 'POST', contract.passkeys.signIn.path, { body: { ...body, response }, host });
    expect(answer.statusCode).toBe('PASSKEY_REFUSED');
  });

  test('an answer works once, within five minutes, and in its browser', async () => {
    const { device } = await withPasskey('alice');
    const sendAnswer = (response: ReturnType<Authenticator['get']>, deviceId = LAPTOP) =>
      codeOf(clientOf(server).passkeys.signIn({ body: { deviceId, response } }));
    const used = device.get(await start());
    expect(await sendAnswer(used)).toBe('OK');
    expect(await sendAnswer(used)).toBe('PASSKEY_REFUSED');
    // Of two requests at once, one is accepted.
    const twice = device.get(await start());
    const codes = await Promise.all([sendAnswer(twice), sendAnswer(twice)]);
    expect(codes.toSorted()).toEqual(['OK', 'PASSKEY_REFUSED']);
    const late = device.get(await start());
    server.clock.advance({ minutes: 5, seconds: 1 });
    expect(await sendAnswer(late)).toBe('PASSKEY_REFUSED');
    const foreign = device.get(await start(STRANGE));
    expect(await sendAnswer(foreign)).toBe('PASSKEY_REFUSED');
    // The attempt has used the challenge up.
    expect(await sendAnswer(foreign, STRANGE)).toBe('PASSKEY_REFUSED');
    expect(await sendAnswer(device.get(await start(), { challenge: 'bWFkZSB1cA' }))).toBe('PASSKEY_REFUSED');
  });

  test('a copy of the key is noticed by its counter', async () => {
    const { device } = await withPasskey('alice');
    const copy = new Authenticator(ORIGIN);
    copy.keys.push(...device.keys);
    copy.counter = device.counter;
    expect(await codeOf(enter(device))).toBe('OK');
    expect(await codeOf(enter(device))).toBe('OK');
    expect(await codeOf(enter(copy))).toBe('PASSKEY_REFUSED');
    expect(await codeOf(enter(device))).toBe('OK');
  });

  test('a device that has not verified the person is no sign-in', async () => {
    const { device } = await withPasskey('alice');
    expect(await codeOf(enter(device, { isVerified: false }))).toBe('PASSKEY_REFUSED');
  });

  test('a passkey signs in its own account only', async () => {
    const { device, person } = await withPasskey('alice');
    const bobs = await withPasskey('bob');
    // The key of alice with the name of bob, and without one.
    expect(await codeOf(enter(device, { handle: bobs.device.keys[0]?.handle ?? '' }))).toBe('PASSKEY_REFUSED');
    expect(await codeOf(enter(device, { handle: null }))).toBe('PASSKEY_REFUSED');
    // The id of bob's passkey with a signature of alice's.
    const forged = {
      ...device.get(await start()),
      id: bobs.device.keys[0]?.id ?? '',
      rawId: bobs.device.keys[0]?.id ?? '',
    };
    const response = { ...forged, response: { ...forged.response, userHandle: bobs.device.keys[0]?.handle ?? '' } };
    expect(await codeOf(clientOf(server).passkeys.signIn({ body: { deviceId: LAPTOP, response } }))).toBe(
      'PASSKEY_REFUSED',
    );
    // An unknown passkey is answered alike.
    const unknown = new Authenticator(ORIGIN);
    unknown.create(await person.passkeys.startAdding());
    expect(await codeOf(enter(unknown))).toBe('PASSKEY_REFUSED');
  });

  test('an answer to one question is none to another', async () => {
    const { device, person } = await withPasskey('alice');
    // The answer to the question before a sensitive action does not sign in.
    const proof = device.get(await person.passkeys.startProof());
    expect(await codeOf(clientOf(server).passkeys.signIn({ body: { deviceId: LAPTOP, response: proof } }))).toBe(
      'PASSKEY_REFUSED',
    );
    // Nor does that to the second step, whose device need not verify the person.
    const { ticket } = await asked(byPassword('alice'));
    const options = await clientOf(server).passkeys.startFactor({ body: { ticket, deviceId: LAPTOP } });
    const factor = device.get(options);
    expect(await codeOf(clientOf(server).passkeys.signIn({ body: { deviceId: LAPTOP, response: factor } }))).toBe(
      'PASSKEY_REFUSED',
    );
  });

  test('challenges are stored as hashes, and expired ones are removed', async () => {
    const { challenge } = await start();
    const rows = await server.db.platform((tx) => tx.find(passkeyChallenge));
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(challenge);
    expect(JSON.stringify(rows)).not.toContain(LAPTOP);
    server.clock.advance({ minutes: 6 });
    await server.rounds.clearExpired();
    expect(await server.db.platform((tx) => tx.find(passkeyChallenge))).toEqual([]);
  });
});

describe('a passkey as second factor', () => {
  test('is asked after the password, and remembered like others', async () => {
    const { device } = await withPasskey('alice');
    const { ticket, ways, enrol } = await asked(byPassword('alice'));
    expect({ ways, enrol }).toEqual({ ways: ['PASSKEY', 'RECOVERY'], enrol: undefined });
    const options = await clientOf(server).passkeys.startFactor({ body: { ticket, deviceId: LAPTOP } });
    expect(options).toMatchObject({ userVerification: 'preferred', allowCredentials: [{ id: device.keys[0]?.id }] });
    // A device that asks for no PIN is enough, and need not tell whose the passkey is.
    const response = device.get(options, { isVerified: false, handle: null });
    const body = { ticket, deviceId: LAPTOP, remember: true, response };
    const { token } = await clientOf(server).passkeys.checkFactor({ body });
    const session = (await clientOf(server, token).users.sessions()).find(({ isCurrent }) => isCurrent);
    expect(session).toMatchObject({ method: 'PASSWORD', secondFactor: 'PASSKEY' });
    expect(await codeOf(byPassword('alice'))).toBe('OK');
  });

  test('a passkey of another account, browser or ticket does not meet the demand', async () => {
    const { device } = await withPasskey('alice');
    const bobs = await withPasskey('bob');
    const { ticket } = await asked(byPassword('alice'));
    const client = clientOf(server);
    const options = () => client.passkeys.startFactor({ body: { ticket, deviceId: LAPTOP } });
    const check = (response: ReturnType<Authenticator['get']>, given = ticket, deviceId = LAPTOP) =>
      codeOf(client.passkeys.checkFactor({ body: { ticket: given, deviceId, response } }));
    expect(await check(bobs.device.get(await options()))).toBe('PASSKEY_REFUSED');
    const answer = device.get(await options());
    expect(await check(answer, ticket, STRANGE)).toBe('FACTOR_TICKET_INVALID');
    const other = await asked(byPassword('alice', STRANGE));
    expect(await check(answer, other.ticket, STRANGE)).toBe('PASSKEY_REFUSED');
    expect(await codeOf(client.passkeys.startFactor({ body: { ticket, deviceId: STRANGE } }))).toBe(
      'FACTOR_TICKET_INVALID',
    );
    expect(await codeOf(secondStep(device, ticket))).toBe('OK');
    expect(await codeOf(client.passkeys.startFactor({ body: { ticket, deviceId: LAPTOP } }))).toBe(
      'FACTOR_TICKET_INVALID',
    );
  });

  test('a ticket ends after five passkeys that are not right', async () => {
    const { device } = await withPasskey('alice');
    const { ticket } = await asked(byPassword('alice'));
    for (let n = 0; n < 5; n += 1)
      expect(await codeOf(secondStep(device, ticket, { origin: 'https://evil.example.org' }))).toBe('PASSKEY_REFUSED');
    expect(await codeOf(secondStep(device, ticket))).toBe('FACTOR_TICKET_INVALID');
  });

  test('is set up at the sign-in where the organisation demands one, with the ticket of its browser', async () => {
    await demand({ askedOf: 'all' });
    const client = clientOf(server);
    const { ticket, enrol } = await asked(byPassword('alice'));
    expect(enrol).toBe(true);
    const strange = await asked(byPassword('alice', STRANGE));
    const startWith = (given: string, deviceId = LAPTOP) =>
      client.passkeys.startEnrolment({ body: { ticket: given, deviceId } });
    expect(await codeOf(startWith(ticket, STRANGE))).toBe('FACTOR_TICKET_INVALID');
    const device = new Authenticator(ORIGIN);
    const add = (response: ReturnType<Authenticator['create']>, given = ticket, deviceId = LAPTOP) =>
      client.passkeys.enrol({ body: { ticket: given, deviceId, name: 'Laptop', response } });
    const evil = device.create(await startWith(ticket), { origin: 'https://evil.example.org' });
    expect(await codeOf(add(evil))).toBe('PASSKEY_REFUSED');
    const waiting = new Authenticator(ORIGIN).create(await startWith(strange.ticket, STRANGE));
    const { token, recoveryCodes } = await add(device.create(await startWith(ticket)));
    expect(recoveryCodes.length).toBe(10);
    expect((await clientOf(server, token).passkeys.own()).passkeys).toMatchObject([{ name: 'Laptop' }]);
    // The account has a factor now: no other ticket adds one.
    expect(await codeOf(add(waiting, strange.ticket, STRANGE))).toBe('FACTOR_TICKET_INVALID');
    expect(await codeOf(enter(device))).toBe('OK');
    const rows = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.action, 'passkeys.enrol')));
    expect(rows.at(-1)).toMatchObject({ targetId: server.people.get('alice')?.id, after: { passkey: 'Laptop' } });
  });

  test('the password does not lead around a passkey at an address where it does not work', async () => {
    await withPasskey('alice');
    await demand({ askedOf: 'all' });
    await server.db.platform((tx) =>
      tx.update(passkey, { rpId: 'old.example.org' }, eq(passkey.rpId, 'meet.example.org')),
    );
    const { ticket, ways, enrol } = await asked(byPassword('alice'));
    expect({ ways, enrol }).toEqual({ ways: ['PASSKEY', 'RECOVERY'], enrol: undefined });
    const client = clientOf(server);
    expect(await codeOf(client.passkeys.startFactor({ body: { ticket, deviceId: LAPTOP } }))).toBe(
      'PASSKEYS_UNAVAILABLE',
    );
    expect(await codeOf(client.multiauth.startEnrolment({ body: { ticket, deviceId: LAPTOP } }))).toBe(
      'FACTOR_TICKET_INVALID',
    );
  });
});

describe('own passkeys', () => {
  test('the first one comes with recovery codes, and the owner gets a mail', async () => {
    const { person, recoveryCodes } = await withPasskey('alice');
    expect(recoveryCodes.length).toBe(10);
    const second = new Authenticator(ORIGIN);
    const response = second.create(await person.passkeys.startAdding(), { isBackedUp: true });
    const added = await person.passkeys.add({ body: { name: 'Phone', response } });
    expect(added.recoveryCodes).toEqual([]);
    expect(added.passkeys.map(({ name, isBackedUp }) => [name, isBackedUp])).toEqual([
      ['Laptop', false],
      ['Phone', true],
    ]);
    expect(await person.multiauth.own()).toMatchObject({ passkeys: 2, recoveryLeft: 10, totpSince: null });
    await expect.poll(() => mails.received.map(({ subject }) => subject)).toContain('已添加通行密钥');
    const rows = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.action, 'passkeys.add')));
    expect(rows.at(-1)).toMatchObject({ after: { passkey: 'Phone' } });
  });

  test('a new passkey is refused from another page, session or question, and without verification', async () => {
    const alice = await signIn(server, 'alice', LAPTOP);
    const bob = await signIn(server, 'bob');
    const device = new Authenticator(ORIGIN);
    const add = (person: Person, response: ReturnType<Authenticator['create']>) =>
      codeOf(person.passkeys.add({ body: { name: 'New', response } }));
    const evil = device.create(await alice.passkeys.startAdding(), { origin: 'https://evil.example.org' });
    expect(await add(alice, evil)).toBe('PASSKEY_REFUSED');
    expect(await add(alice, device.create(await alice.passkeys.startAdding(), { rpId: 'evil.org' }))).toBe(
      'PASSKEY_REFUSED',
    );
    expect(await add(alice, device.create(await alice.passkeys.startAdding(), { isVerified: false }))).toBe(
      'PASSKEY_REFUSED',
    );
    const ofAlice = device.create(await alice.passkeys.startAdding());
    expect(await add(bob, ofAlice)).toBe('PASSKEY_REFUSED');
    const { challenge } = await start();
    expect(await add(alice, device.create(await alice.passkeys.startAdding(), { challenge }))).toBe('PASSKEY_REFUSED');
    const good = device.create(await alice.passkeys.startAdding());
    expect(await add(alice, good)).toBe('OK');
    expect(await add(alice, good)).toBe('PASSKEY_REFUSED');
  });

  test('the passkey of another account cannot be taken over', async () => {
    const { device } = await withPasskey('alice');
    const bob = await signIn(server, 'bob');
    const options = await bob.passkeys.startAdding();
    const made = new Authenticator(ORIGIN).create(options);
    // The id of alice's passkey in the name of bob: the authenticator data name another one.
    const id = device.keys[0]?.id ?? '';
    expect(await codeOf(bob.passkeys.add({ body: { name: 'Mine', response: { ...made, id, rawId: id } } }))).toBe('OK');
    const { user } = await enter(device);
    expect(user.account).toBe('alice');
  });

  test('are renamed and removed after a proof; those of others are unknown', async () => {
    const { person } = await withPasskey('alice');
    const [row] = (await person.passkeys.own()).passkeys;
    const params = { id: row?.id ?? '' };
    const bob = await signIn(server, 'bob');
    expect(await codeOf(bob.passkeys.rename({ params, body: { name: 'Mine' } }))).toBe('NOT_FOUND');
    expect(await codeOf(bob.passkeys.remove({ params }))).toBe('NOT_FOUND');
    expect((await person.passkeys.rename({ params, body: { name: 'Work' } })).passkeys[0]?.name).toBe('Work');
    server.clock.advance({ minutes: 11 });
    expect(await codeOf(person.passkeys.startAdding())).toBe('STEP_UP_REQUIRED');
    expect(await codeOf(person.passkeys.rename({ params, body: { name: 'Home' } }))).toBe('STEP_UP_REQUIRED');
    expect(await codeOf(person.passkeys.remove({ params }))).toBe('STEP_UP_REQUIRED');
    await person.multiauth.prove({ body: { password: await encrypt(server, DEMO_PASSWORD) } });
    expect((await person.passkeys.remove({ params })).passkeys).toEqual([]);
    // The recovery codes belonged to it.
    expect((await person.multiauth.own()).recoveryLeft).toBe(0);
  });

  test('the last factor stays while the organisation demands one', async () => {
    const { person } = await withPasskey('alice');
    const [row] = (await person.passkeys.own()).passkeys;
    const params = { id: row?.id ?? '' };
    await demand({ askedOf: 'all' });
    expect(await codeOf(person.passkeys.remove({ params }))).toBe('FACTOR_DEMANDED');
    const { secret } = await person.multiauth.startTotp();
    await person.multiauth.addTotp({ body: { code: codeOfStep(secret, stepAt(server.clock.now())) } });
    expect(await codeOf(person.passkeys.remove({ params }))).toBe('OK');
    expect((await person.multiauth.own()).recoveryLeft).toBe(10);
  });

  test('prove who holds a session', async () => {
    const { person, device } = await withPasskey('alice');
    server.clock.advance({ minutes: 11 });
    expect(await codeOf(person.multiauth.startTotp())).toBe('STEP_UP_REQUIRED');
    const evil = device.get(await person.passkeys.startProof(), { origin: 'https://evil.example.org' });
    expect(await codeOf(person.passkeys.prove({ body: { response: evil } }))).toBe('PASSKEY_REFUSED');
    const response = device.get(await person.passkeys.startProof());
    expect(await codeOf(person.passkeys.prove({ body: { response } }))).toBe('OK');
    expect(await codeOf(person.multiauth.startTotp())).toBe('OK');
  });

  test('are removed with all factors by an administrator', async () => {
    const { device } = await withPasskey('alice');
    const admin = await signIn(server, 'admin');
    await admin.multiauth.reset({ body: { id: server.people.get('alice')?.id ?? '' } });
    expect(await codeOf(enter(device))).toBe('PASSKEY_REFUSED');
    expect(await codeOf(byPassword('alice'))).toBe('OK');
  });

  test('of a former host name are listed as such, and operators see how many stopped', async () => {
    const { person } = await withPasskey('alice');
    await server.db.platform((tx) =>
      tx.update(passkey, { rpId: 'old.example.org' }, eq(passkey.rpId, 'meet.example.org')),
    );
    expect((await person.passkeys.own()).passkeys).toMatchObject([{ rpId: 'old.example.org', isUsable: false }]);
    const root = await signIn(server, 'root');
    expect((await root.setup.checks()).lostPasskeys).toEqual([{ name: 'old.example.org', count: 1 }]);
  });

  test('are twenty at most', async () => {
    const { person } = await withPasskey('carol');
    const late = new Authenticator(ORIGIN).create(await person.passkeys.startAdding());
    const [row] = await server.db.platform((tx) => tx.find(passkey));
    if (!row) throw new Error('The passkey is missing.');
    const others = Array.from({ length: 19 }, (_, n) => ({ ...row, id: newId(), credentialId: `other-${n}` }));
    await server.db.platform((tx) => tx.insert(passkey, others));
    expect(await codeOf(person.passkeys.startAdding())).toBe('TOO_MANY_PASSKEYS');
    expect(await codeOf(person.passkeys.add({ body: { name: 'One more', response: late } }))).toBe('TOO_MANY_PASSKEYS');
  });
});
