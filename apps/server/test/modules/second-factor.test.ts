import { contract, initialSecondFactor, type FactorDemand, type SecondFactorSettings } from '@rmeet/contract';
import { startSmsGateway, type MailServer, type SmsGatewayServer } from '@rmeet/testkit';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOfStep, matchingStep, stepAt, toBase32 } from '../../src/modules/accounts/auth/factors/totp.ts';
import { factorTicket, rememberedDevice, secondFactor } from '../../src/modules/accounts/auth/factors/tables.ts';
import { removeFactors } from '../../src/modules/accounts/auth/factors/repo.ts';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { accountRole } from '../../src/modules/accounts/roles/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { createSms } from '../../src/platform/sms/index.ts';
import { DEMO_PASSWORD } from '../../src/seed/index.ts';
import { call, CallFailed, clientOf, codeOf, encrypt, signIn, type Person } from './support/client.ts';
import { startServerWithMail } from './support/mail-server.ts';
import type { TestServer } from './support/server.ts';

const LAPTOP = 'the laptop of alice, 1';
const STRANGE = 'a device of a stranger';

let server: TestServer;
let mails: MailServer;
let gateway: SmsGatewayServer;
beforeAll(async () => {
  gateway = await startSmsGateway();
  const sms = {
    url: `${gateway.origin}/send`,
    method: 'POST' as const,
    headers: [],
    body: '{"to":"{phone}","text":"{text}"}',
    successPath: '',
    successValue: '',
    secret: '',
  };
  ({ server, mails } = await startServerWithMail({ sms: createSms({ gateway: sms, hosts: [] }) }));
  for (const name of ['alice', 'bob', 'admin'])
    await server.db.platform((tx) => tx.update(account, { email: `${name}@example.org` }, eq(account.account, name)));
});
afterAll(async () => {
  await server.close();
  await gateway.close();
});
beforeEach(() => {
  // Limits of the tests before do not count.
  server.clock.advance({ hours: 24 });
});
afterEach(async () => {
  await demand({});
  for (const row of server.people.values()) await server.db.tenant(row.tenantId, (tx) => removeFactors(tx, row.id));
});

const idOf = (name: string): string => server.people.get(name)?.id ?? '';
const tenantId = (): string => server.people.get('alice')?.tenantId ?? '';
/** Sets when the tenant's people are asked. */
const demand = (settings: Partial<SecondFactorSettings>) =>
  server.db.platform((tx) =>
    tx.update(tenant, { secondFactor: { ...initialSecondFactor, ...settings } }, eq(tenant.tenantId, tenantId())),
  );
const login = async (
  name: string,
  { deviceId = LAPTOP, mfaCode, address }: { deviceId?: string; mfaCode?: string; address?: string } = {},
) =>
  clientOf(server, undefined, address).auth.login({
    body: {
      account: name,
      password: await encrypt(server, DEMO_PASSWORD),
      deviceId,
      ...(mfaCode === undefined ? {} : { mfaCode }),
    },
  });
/** What a sign-in is asked for. */
async function asked(work: Promise<unknown>): Promise<FactorDemand> {
  try {
    await work;
  } catch (error) {
    if (error instanceof CallFailed && error.answer.statusCode === 'MULTI_AUTH_REQUIRED') {
      expect(error.answer.httpStatus).toBe(406);
      return error.answer.data as FactorDemand;
    }
    throw error;
  }
  throw new Error('No second factor was asked.');
}
const codeNow = (secret: string, steps = 0): string => codeOfStep(secret, stepAt(server.clock.now()) + steps);
/** Adds an authenticator app to an account that is signed in. */
async function addApp(person: Person): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret, uri } = await person.multiauth.startTotp();
  expect(uri).toContain(`secret=${secret}&`);
  const { recoveryCodes } = await person.multiauth.addTotp({ body: { code: codeNow(secret) } });
  // The first code is used up; the next step has another.
  server.clock.advance({ seconds: 30 });
  return { secret, recoveryCodes };
}
const check = (
  query: {
    ticket: string;
    code: string;
    way?: 'TOTP' | 'RECOVERY' | 'MAIL' | 'SMS';
    remember?: 'true';
    deviceId?: string;
  },
  address?: string,
) =>
  clientOf(server, undefined, address).multiauth.checkCode({
    query: { way: 'TOTP', deviceId: LAPTOP, ...query } as never,
  });
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
/** A wrong code of the app: neither of the present steps nor of others near. */
function wrongNow(secret: string): string {
  for (let n = 100_000; ; n += 1)
    if (matchingStep(secret, String(n), null, server.clock.now()) === undefined) return String(n);
}

describe('codes of an authenticator app', () => {
  // RFC 6238 appendix B: SHA-1, truncated to six digits.
  const SECRET = toBase32(Buffer.from('12345678901234567890'));
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %d s is %s', (seconds, code) => {
    const now = new Date(seconds * 1_000);
    expect(codeOfStep(SECRET, stepAt(now))).toBe(code);
    expect(matchingStep(SECRET, code, null, now)).toBe(stepAt(now));
  });

  test('are accepted one step early and late, and after the last one that was used', () => {
    const now = new Date('2026-11-27T10:00:00Z');
    const step = stepAt(now);
    expect(
      [-2, -1, 0, 1, 2].map((n) => matchingStep(SECRET, codeOfStep(SECRET, step + n), null, now) !== undefined),
    ).toEqual([false, true, true, true, false]);
    expect(matchingStep(SECRET, codeOfStep(SECRET, step), step, now)).toBeUndefined();
    expect(matchingStep(SECRET, codeOfStep(SECRET, step + 1), step, now)).toBe(step + 1);
  });
});

describe('a sign-in with an authenticator app', () => {
  test('opens no session before the code, and one after it', async () => {
    const { secret } = await addApp(await signIn(server, 'alice', LAPTOP));
    const { ticket, ways, enrol, canRemember } = await asked(login('alice'));
    expect({ ways, enrol, canRemember }).toEqual({ ways: ['TOTP', 'RECOVERY'], enrol: undefined, canRemember: true });
    expect(await codeOf(clientOf(server, ticket).users.current())).toBe('UNAUTHORIZED');
    expect(await codeOf(check({ ticket, code: wrongNow(secret) }))).toBe('CODE_WRONG');
    const { token, user } = await check({ ticket, code: codeNow(secret) });
    expect(user.account).toBe('alice');
    const [session] = await clientOf(server, token).users.sessions();
    expect(session).toMatchObject({ method: 'PASSWORD', secondFactor: 'TOTP', place: null });
    expect(await codeOf(check({ ticket, code: codeNow(secret, 1) }))).toBe('FACTOR_TICKET_INVALID');
  });

  test('takes the code with the password in one call', async () => {
    const { secret, recoveryCodes } = await addApp(await signIn(server, 'alice', LAPTOP));
    expect(await codeOf(login('alice', { mfaCode: wrongNow(secret) }))).toBe('CODE_WRONG');
    expect(await codeOf(login('alice', { mfaCode: codeNow(secret) }))).toBe('OK');
    expect(await codeOf(login('alice', { mfaCode: recoveryCodes[0] ?? '' }))).toBe('OK');
    // Without a factor the code is ignored.
    expect(await codeOf(login('bob', { mfaCode: '123456' }))).toBe('OK');
  });

  test('accepts each time step once, also of requests at the same time', async () => {
    const { secret } = await addApp(await signIn(server, 'alice', LAPTOP));
    const code = codeNow(secret);
    const tickets = [];
    for (let n = 0; n < 3; n += 1) tickets.push((await asked(login('alice'))).ticket);
    const codes = await Promise.all(tickets.map((ticket) => codeOf(check({ ticket, code }))));
    expect(codes.toSorted()).toEqual(['CODE_WRONG', 'CODE_WRONG', 'OK']);
    server.clock.advance({ seconds: 30 });
    const { ticket } = await asked(login('alice'));
    expect(await codeOf(check({ ticket, code }))).toBe('CODE_WRONG');
  });

  test('accepts each recovery code once, and tells the owner', async () => {
    const { recoveryCodes } = await addApp(await signIn(server, 'alice', LAPTOP));
    expect(new Set(recoveryCodes).size).toBe(10);
    const [code = ''] = recoveryCodes;
    const first = await asked(login('alice'));
    const { token } = await check({ ...first, way: 'RECOVERY', code: code.toLowerCase().replace('-', ' ') });
    expect((await clientOf(server, token).multiauth.own()).recoveryLeft).toBe(9);
    const second = await asked(login('alice'));
    expect(await codeOf(check({ ...second, way: 'RECOVERY', code }))).toBe('CODE_WRONG');
    await expect.poll(() => mails.received.map(({ subject }) => subject)).toContain('已使用恢复码登录');
  });

  test('ends after five wrong codes or ten minutes', async () => {
    const { secret } = await addApp(await signIn(server, 'alice', LAPTOP));
    const { ticket } = await asked(login('alice'));
    for (let n = 0; n < 4; n += 1) expect(await codeOf(check({ ticket, code: wrongNow(secret) }))).toBe('CODE_WRONG');
    server.clock.advance({ minutes: 11 });
    expect(await codeOf(check({ ticket, code: codeNow(secret) }))).toBe('FACTOR_TICKET_INVALID');
    await server.rounds.clearExpired();
    expect(await server.db.platform((tx) => tx.find(factorTicket))).toEqual([]);
  });

  test('stores neither secrets nor codes in readable form', async () => {
    const { secret, recoveryCodes } = await addApp(await signIn(server, 'alice', LAPTOP));
    const { ticket } = await asked(login('alice'));
    const rows = JSON.stringify([
      await server.db.platform((tx) => tx.find(secondFactor)),
      await server.db.platform((tx) => tx.find(factorTicket)),
      await server.db.platform((tx) => tx.find(auditLog)),
    ]);
    for (const text of [secret, ticket, LAPTOP, ...recoveryCodes]) expect(rows).not.toContain(text);
  });
});

describe('attacks', () => {
  test('the ticket of another browser or account is unknown', async () => {
    const { secret } = await addApp(await signIn(server, 'alice', LAPTOP));
    const bobs = await addApp(await signIn(server, 'bob', 'the laptop of bob, 123'));
    const { ticket } = await asked(login('alice'));
    expect(await codeOf(check({ ticket, code: codeNow(secret), deviceId: STRANGE }))).toBe('FACTOR_TICKET_INVALID');
    // The code of another account does not fit, and is not used up.
    expect(await codeOf(check({ ticket, code: codeNow(bobs.secret) }))).toBe('CODE_WRONG');
    expect(await codeOf(check({ ticket, code: codeNow(secret) }))).toBe('OK');
  });

  test('codes guessed from many addresses are compared five times; the owner still gets in', async () => {
    const { secret } = await addApp(await signIn(server, 'alice', LAPTOP));
    let compared = 0;
    for (let round = 0; round < 8; round += 1) {
      const { ticket } = await asked(login('alice', { deviceId: `${STRANGE} ${round}` }));
      for (let n = 0; n < 5; n += 1) {
        const code = await codeOf(check({ ticket, code: wrongNow(secret), deviceId: `${STRANGE} ${round}` }));
        if (code === 'CODE_WRONG') compared += 1;
        else expect(code).toBe('TOO_MANY_REQUESTS');
      }
    }
    expect(compared).toBe(5);
    // The right code does not help a stranger either.
    const strange = await asked(login('alice', { deviceId: STRANGE }));
    expect(await codeOf(check({ ...strange, code: codeNow(secret), deviceId: STRANGE }))).toBe('TOO_MANY_REQUESTS');
    const own = await asked(login('alice'));
    expect(await codeOf(check({ ...own, code: codeNow(secret) }))).toBe('OK');
  });

  test('no other way leads around the factor', async () => {
    const alice = await signIn(server, 'alice', LAPTOP);
    await addApp(alice);
    // A ticket is no handover ticket, and a changed password ends it.
    const { ticket } = await asked(login('alice', { deviceId: STRANGE }));
    expect(await codeOf(clientOf(server).auth.ticketToToken({ query: { sign: ticket }, body: undefined }))).toBe(
      'SIGN_INVALID',
    );
    // A phone that scans signs in no computer without the code.
    const { id, content } = await clientOf(server).scanLogon.getAuthQr();
    const code = new URL(content.replace('/#/', '/')).searchParams.get('code') ?? '';
    await alice.scanLogon.scan({ body: { code } });
    await alice.scanLogon.answer({ body: { code, accept: true } });
    expect(await codeOf(clientOf(server).scanLogon.login({ body: { id, deviceId: STRANGE } }))).toBe(
      'MULTI_AUTH_REQUIRED',
    );
  });

  test('a changed password and a disabled account end waiting sign-ins and remembered devices', async () => {
    const alice = await signIn(server, 'alice', LAPTOP);
    const { secret } = await addApp(alice);
    const first = await asked(login('alice'));
    await check({ ...first, code: codeNow(secret), remember: 'true' });
    expect(await codeOf(login('alice'))).toBe('OK');
    const strange = await asked(login('alice', { deviceId: STRANGE }));
    const admin = await signIn(server, 'admin');
    await admin.users.resetPassword({ body: { id: idOf('alice') } });
    expect(await server.db.platform((tx) => tx.find(rememberedDevice))).toEqual([]);
    server.clock.advance({ seconds: 30 });
    expect(await codeOf(check({ ...strange, code: codeNow(secret), deviceId: STRANGE }))).toBe('FACTOR_TICKET_INVALID');
    await server.db.platform((tx) =>
      tx.update(
        account,
        { passwordHash: server.people.get('alice')?.passwordHash ?? '', passwordDue: false },
        eq(account.account, 'alice'),
      ),
    );
    const again = await asked(login('alice'));
    await admin.users.status({ body: { id: idOf('alice'), enabled: false } });
    expect(await codeOf(check({ ...again, code: codeNow(secret, 1) }))).toBe('FACTOR_TICKET_INVALID');
    await admin.users.status({ body: { id: idOf('alice'), enabled: true } });
  });

  test('a remembered device is remembered for its account only', async () => {
    const { secret } = await addApp(await signIn(server, 'alice', LAPTOP));
    await addApp(await signIn(server, 'bob', 'the laptop of bob, 123'));
    const { ticket } = await asked(login('alice'));
    await check({ ticket, code: codeNow(secret), remember: 'true' });
    const { token } = await login('alice');
    const alice = clientOf(server, token);
    expect((await alice.users.sessions()).find(({ isCurrent }) => isCurrent)?.secondFactor).toBe('REMEMBERED');
    // Bob signs in with the stolen mark, and alice with another.
    await asked(login('bob'));
    await asked(login('alice', { deviceId: STRANGE }));
    const [device] = (await alice.multiauth.own()).devices;
    await alice.multiauth.forgetDevice({ params: { id: device?.id ?? '' } });
    await asked(login('alice'));
    // Another account cannot end it.
    const bob = await signIn(server, 'carol');
    expect(await codeOf(bob.multiauth.forgetDevice({ params: { id: device?.id ?? '' } }))).toBe('NOT_FOUND');
  });

  test('a remembered device is asked again after 30 days', async () => {
    const { secret } = await addApp(await signIn(server, 'alice', LAPTOP));
    const { ticket } = await asked(login('alice'));
    await check({ ticket, code: codeNow(secret), remember: 'true' });
    server.clock.advance({ hours: 29 * 24 });
    expect(await codeOf(login('alice'))).toBe('OK');
    server.clock.advance({ hours: 25 });
    await asked(login('alice'));
  });

  test('a ticket for enrolment cannot replace a factor', async () => {
    await demand({ askedOf: 'all' });
    const mine = await asked(login('alice'));
    const theirs = await asked(login('alice', { deviceId: STRANGE }));
    expect(mine).toMatchObject({ ways: [], enrol: true });
    const { secret } = await clientOf(server).multiauth.startEnrolment({ body: { ...mine, deviceId: LAPTOP } });
    const evil = await clientOf(server).multiauth.startEnrolment({ body: { ...theirs, deviceId: STRANGE } });
    // The ticket of another browser.
    expect(await codeOf(clientOf(server).multiauth.startEnrolment({ body: { ...mine, deviceId: STRANGE } }))).toBe(
      'FACTOR_TICKET_INVALID',
    );
    const enrol = (ticket: string, code: string, deviceId: string) =>
      clientOf(server).multiauth.enrol({ body: { ticket, code, deviceId } });
    expect(await codeOf(enrol(mine.ticket, wrongNow(secret), LAPTOP))).toBe('CODE_WRONG');
    const { recoveryCodes, token } = await enrol(mine.ticket, codeNow(secret), LAPTOP);
    expect(recoveryCodes.length).toBe(10);
    expect((await clientOf(server, token).multiauth.own()).isDemanded).toBe(true);
    expect(await codeOf(enrol(theirs.ticket, codeNow(evil.secret), STRANGE))).toBe('FACTOR_TICKET_INVALID');
    expect(await codeOf(clientOf(server).multiauth.startEnrolment({ body: { ...theirs, deviceId: STRANGE } }))).toBe(
      'FACTOR_TICKET_INVALID',
    );
    // Nor can a ticket of an account that has one enrol.
    const later = await asked(login('alice', { deviceId: STRANGE }));
    expect(later.enrol).toBeUndefined();
    expect(await codeOf(clientOf(server).multiauth.startEnrolment({ body: { ...later, deviceId: STRANGE } }))).toBe(
      'FACTOR_TICKET_INVALID',
    );
  });
});

describe('codes by mail', () => {
  const sent = () => mails.received.filter(({ subject }) => subject === 'Rmeet 登录验证码');

  test('sign in an account without an app where the tenant allows them', async () => {
    await demand({ askedOf: 'all', codes: ['MAIL'] });
    const { ticket, ways } = await asked(login('alice'));
    expect(ways).toEqual(['MAIL']);
    const before = sent().length;
    const send = () => clientOf(server).multiauth.sendCode({ query: { ticket, way: 'MAIL', deviceId: LAPTOP } });
    expect(await send()).toEqual({ seconds: 60, sentTo: 'a***@example.org' });
    expect(await codeOf(send())).toBe('TOO_MANY_REQUESTS');
    await expect.poll(() => sent().length).toBe(before + 1);
    expect(sent().at(-1)?.to).toEqual(['alice@example.org']);
    const code = /\d{6}/.exec(sent().at(-1)?.text ?? '')?.[0] ?? '';
    expect(await codeOf(check({ ticket, way: 'MAIL', code: wrong(code) }))).toBe('CODE_WRONG');
    expect(await codeOf(check({ ticket, way: 'SMS', code }))).toBe('CODE_WRONG');
    expect(await codeOf(check({ ticket, way: 'MAIL', code }))).toBe('OK');
    expect(await codeOf(check({ ticket, way: 'MAIL', code }))).toBe('FACTOR_TICKET_INVALID');
    const again = await asked(login('alice'));
    expect(await codeOf(check({ ...again, way: 'MAIL', code }))).toBe('CODE_WRONG');
  });
});

describe('codes by text message', () => {
  const setPhone = (phone: string) =>
    server.db.platform((tx) => tx.update(account, { phone }, eq(account.account, 'alice')));

  test('sign in where the tenant allows them; the phone that has just signed in is no second factor', async () => {
    await setPhone('+86 13900000001');
    await demand({ askedOf: 'all', codes: ['MAIL', 'SMS'] });
    const { ticket, ways } = await asked(login('alice'));
    expect(ways).toEqual(['MAIL', 'SMS']);
    const send = await clientOf(server).multiauth.sendCode({ query: { ticket, way: 'SMS', deviceId: LAPTOP } });
    expect(send).toEqual({ seconds: 60, sentTo: '***0001' });
    await expect.poll(() => gateway.received.length).toBe(1);
    const { text } = JSON.parse(gateway.received[0]?.body ?? '{}') as { text?: string };
    const code = /\d{6}/.exec(text ?? '')?.[0] ?? '';
    expect(await codeOf(check({ ticket, way: 'MAIL', code }))).toBe('CODE_WRONG');
    expect(await codeOf(check({ ticket, way: 'SMS', code: wrong(code) }))).toBe('CODE_WRONG');
    expect(await codeOf(check({ ticket, way: 'SMS', code }))).toBe('OK');

    const client = clientOf(server);
    const sent = await client.hrsms.sendCode({ query: { phoneNumber: '13900000001' } });
    await expect.poll(() => gateway.received.length).toBe(2);
    const { text: second } = JSON.parse(gateway.received[1]?.body ?? '{}') as { text?: string };
    const body = { phoneNumber: '13900000001', ticket: sent.ticket, code: /\d{6}/.exec(second ?? '')?.[0] ?? '' };
    expect((await asked(client.hrsms.login({ body: { ...body, deviceId: LAPTOP } }))).ways).toEqual(['MAIL']);
    await setPhone('');
  });
});

describe('when it is asked', () => {
  const isAsked = async (name: string, address?: string, deviceId = LAPTOP) =>
    (await codeOf(login(name, { deviceId, ...(address ? { address } : {}) }))) === 'MULTI_AUTH_REQUIRED';

  test('off: of no one; administrators: of them; all: of everyone', async () => {
    await addApp(await signIn(server, 'bob'));
    await demand({ askedOf: 'off' });
    expect([await isAsked('bob'), await isAsked('admin')]).toEqual([false, false]);
    await demand({ askedOf: 'admins' });
    expect([await isAsked('alice'), await isAsked('bob'), await isAsked('admin')]).toEqual([false, true, true]);
    await demand({ askedOf: 'all' });
    expect([await isAsked('alice'), await isAsked('bob'), await isAsked('admin')]).toEqual([true, true, true]);
  });

  test('roles: of people who have one of them, and of those who have set one up', async () => {
    const root = await signIn(server, 'root');
    const { id } = await root.roles.create({ body: { name: 'Night shift', kind: 'user', permissionIds: [] } });
    await demand({ askedOf: 'roles', roleIds: [id] });
    expect([await isAsked('alice'), await isAsked('carol')]).toEqual([false, false]);
    await server.db.tenant(tenantId(), (tx) => tx.insert(accountRole, { accountId: idOf('carol'), roleId: id }));
    expect([await isAsked('alice'), await isAsked('carol')]).toEqual([false, true]);
    await addApp(await signIn(server, 'alice'));
    expect(await isAsked('alice')).toBe(true);
    await server.db.tenant(tenantId(), (tx) => tx.delete(accountRole, eq(accountRole.roleId, id)));
  });

  test('not from the networks of the tenant', async () => {
    await demand({ askedOf: 'all', networks: ['10.20.0.0/16', '2001:db8::/32'] });
    expect(await isAsked('alice', '10.20.3.4')).toBe(false);
    expect(await isAsked('alice', '10.21.3.4')).toBe(true);
    expect(await isAsked('alice', '2001:db8::7')).toBe(false);
    expect(await isAsked('alice', '::ffff:10.20.9.9')).toBe(false);
  });

  test('on a new device, and in a new place of the tenant, of people who can answer', async () => {
    await addApp(await signIn(server, 'alice', LAPTOP));
    const places = [
      { name: 'Beijing', networks: ['10.1.0.0/16'] },
      { name: 'Shanghai', networks: ['10.2.0.0/16'] },
    ];
    await demand({ askedOf: 'off', onNewDevice: true, places });
    expect(await isAsked('alice', '10.1.1.1')).toBe(false);
    expect(await isAsked('alice', '10.1.1.1', STRANGE)).toBe(true);
    expect(await isAsked('bob', '10.1.1.1', STRANGE)).toBe(false);
    await demand({ askedOf: 'off', onNewPlace: true, places });
    expect(await isAsked('alice', '10.1.1.1')).toBe(false);
    expect(await isAsked('alice', '10.2.1.1')).toBe(true);
    expect(await isAsked('alice', '192.0.2.1')).toBe(true);
    const alice = clientOf(server, (await login('alice', { address: '10.1.9.9' })).token);
    expect((await alice.users.sessions())[0]?.place).toBe('Beijing');
  });
});

describe('proof before a dangerous act', () => {
  test('is asked ten minutes after the sign-in, and given by the password or a code', async () => {
    const alice = await signIn(server, 'alice', LAPTOP);
    const { secret } = await addApp(alice);
    server.clock.advance({ minutes: 11 });
    expect(await codeOf(alice.multiauth.renewRecovery())).toBe('STEP_UP_REQUIRED');
    const prove = async (password: string) =>
      codeOf(alice.multiauth.prove({ body: { password: await encrypt(server, password) } }));
    expect(await prove('wrong')).toBe('PASSWORD_WRONG');
    expect(await codeOf(alice.multiauth.renewRecovery())).toBe('STEP_UP_REQUIRED');
    expect(await prove(DEMO_PASSWORD)).toBe('OK');
    expect(await codeOf(alice.multiauth.renewRecovery())).toBe('OK');
    server.clock.advance({ minutes: 11 });
    expect(await codeOf(alice.multiauth.prove({ body: { way: 'TOTP', code: wrongNow(secret) } }))).toBe('CODE_WRONG');
    expect(await codeOf(alice.multiauth.prove({ body: { way: 'TOTP', code: codeNow(secret) } }))).toBe('OK');
    expect(await codeOf(alice.multiauth.removeTotp())).toBe('OK');
  });

  test('counts for the session that gave it only', async () => {
    const computer = await signIn(server, 'alice', LAPTOP);
    const phone = clientOf(
      server,
      (
        await clientOf(server, undefined, undefined, 'Mozilla/5.0 (iPhone) Mobile').auth.login({
          body: { account: 'alice', password: await encrypt(server, DEMO_PASSWORD), deviceId: STRANGE },
        })
      ).token,
    );
    server.clock.advance({ minutes: 11 });
    await computer.multiauth.prove({ body: { password: await encrypt(server, DEMO_PASSWORD) } });
    expect(await codeOf(computer.multiauth.startTotp())).toBe('OK');
    expect(await codeOf(phone.multiauth.startTotp())).toBe('STEP_UP_REQUIRED');
  });

  test('is limited, and guesses with a stolen session do not take it over', async () => {
    const alice = await signIn(server, 'alice', LAPTOP);
    const { secret } = await addApp(alice);
    server.clock.advance({ minutes: 11 });
    const codes = [];
    for (let n = 0; n < 7; n += 1)
      codes.push(await codeOf(alice.multiauth.prove({ body: { way: 'TOTP', code: wrongNow(secret) } })));
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'CODE_WRONG'), 'TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS']);
  });

  test('is needed for a list of people and for changed ways to sign in', async () => {
    const admin = await signIn(server, 'admin');
    server.clock.advance({ minutes: 11 });
    const path = contract.users.export.path;
    expect(await codeOf(admin.downloads.ticket({ body: { path } }))).toBe('STEP_UP_REQUIRED');
    const seen = { params: { id: idOf('bob') }, query: {} };
    const answer = await call(server, contract.users.access, seen, admin.token);
    expect(answer.statusCode).toBe('STEP_UP_REQUIRED');
    const own = await admin.tenants.own();
    const body = {
      colour: null,
      meetingAdmin: { name: '', phoneNumber: '--' },
      serviceDesk: { name: '', phoneNumber: '--' },
      passwordRules: own.passwordRules,
      auditMonths: own.auditMonths,
    };
    expect(
      await codeOf(
        admin.tenants.updateOwn({
          body: { ...body, version: own.version, secondFactor: { ...initialSecondFactor, askedOf: 'off' } },
        }),
      ),
    ).toBe('STEP_UP_REQUIRED');
    const saved = await admin.tenants.updateOwn({ body: { ...body, version: own.version } });
    await admin.multiauth.prove({ body: { password: await encrypt(server, DEMO_PASSWORD) } });
    const changed = await admin.tenants.updateOwn({
      body: { ...body, version: saved.version, secondFactor: { ...initialSecondFactor, askedOf: 'admins' } },
    });
    expect(changed.secondFactor.askedOf).toBe('admins');
    // The platform's staff, whose sessions belong to another tenant.
    const root = await signIn(server, 'root');
    const { id, name, quotas, version } = changed;
    const again = await root.tenants.update({
      body: { ...body, id, name, quotas, version, deniedFeatures: [], secondFactor: initialSecondFactor },
    });
    expect(again.secondFactor.askedOf).toBe('own');
  });
});

describe('own factors', () => {
  test('the last one stays while the organisation demands it', async () => {
    const alice = await signIn(server, 'alice', LAPTOP);
    await addApp(alice);
    await demand({ askedOf: 'all' });
    expect(await codeOf(alice.multiauth.removeTotp())).toBe('FACTOR_DEMANDED');
    await demand({ askedOf: 'all', codes: ['MAIL'] });
    expect((await alice.multiauth.removeTotp()).totpSince).toBeNull();
  });

  test('an administrator removes those of another person, who gets a mail', async () => {
    const alice = await signIn(server, 'alice', LAPTOP);
    await addApp(alice);
    const admin = await signIn(server, 'admin');
    const before = mails.received.length;
    await admin.multiauth.reset({ body: { id: idOf('alice') } });
    expect(await codeOf(alice.users.current())).toBe('UNAUTHORIZED');
    expect(await codeOf(login('alice'))).toBe('OK');
    expect(await codeOf(admin.multiauth.reset({ body: { id: idOf('admin') } }))).toBe('OWN_ACCOUNT');
    await expect.poll(() => mails.received.length).toBeGreaterThan(before);
    const rows = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.action, 'multiauth.reset')));
    expect(rows.at(-1)).toMatchObject({ actorName: server.people.get('admin')?.name, targetId: idOf('alice') });
  });
});
