import { startSmsGateway, type SmsGatewayServer } from '@rmeet/testkit';
import { eq, gt } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { phoneCode } from '../../src/modules/accounts/auth/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { createSms } from '../../src/platform/sms/index.ts';
import { clientOf, codeOf, encrypt, signIn } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const ALICE = '13900000001';
const UNKNOWN = '13900000009';
const SHARED = '13900000007';
/** More for a long run: the number of codes that are compared does not depend on it. */
const GUESSES = Number(process.env['RMEET_TEST_GUESSES'] ?? 300);

let gateway: SmsGatewayServer;
let server: TestServer;
beforeAll(async () => {
  gateway = await startSmsGateway();
  const platform = {
    url: `${gateway.origin}/send`,
    method: 'POST' as const,
    headers: [],
    body: '{"to":"{phone}","text":"{text}"}',
    successPath: '',
    successValue: '',
    secret: '',
  };
  server = await startTestServer({ sms: createSms({ gateway: platform, hosts: [] }) });
  const phones = { alice: `+86 ${ALICE}`, bob: SHARED, carol: SHARED };
  for (const [name, phone] of Object.entries(phones))
    await server.db.platform((tx) => tx.update(account, { phone }, eq(account.account, name)));
});
afterAll(async () => {
  await server.close();
  await gateway.close();
});
beforeEach(() => {
  gateway.received.length = 0;
  // Limits of the tests before do not count.
  server.clock.advance({ hours: 24 });
});

/** Asks for a code, from a network of its own. */
const ask = (phoneNumber: string, { address, deviceId }: { address?: string; deviceId?: string } = {}) =>
  clientOf(server, undefined, address).hrsms.sendCode({
    query: { phoneNumber, ...(deviceId === undefined ? {} : { deviceId }) },
  });
/** The code in the newest message. */
async function received(count = 1): Promise<string> {
  await expect.poll(() => gateway.received.length).toBe(count);
  const { text } = JSON.parse(gateway.received.at(-1)?.body ?? '{}') as { text?: string };
  return /\d{6}/.exec(text ?? '')?.[0] ?? '';
}
const enter = (given: { ticket: string; code: string; phoneNumber?: string }) =>
  codeOf(clientOf(server).hrsms.login({ body: { phoneNumber: ALICE, ...given } }));
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a code', () => {
  test('signs in the account with the phone, once', async () => {
    const { ticket, seconds } = await ask(ALICE);
    expect(seconds).toBe(60);
    const code = await received();
    expect(JSON.parse(gateway.received[0]?.body ?? '')).toMatchObject({ to: `+86${ALICE}` });
    const { token, user } = await clientOf(server).hrsms.login({ body: { phoneNumber: ALICE, code, ticket } });
    expect(user.account).toBe('alice');
    expect((await clientOf(server, token).users.current()).account).toBe('alice');
    expect(await enter({ ticket, code })).toBe('CODE_WRONG');
  });

  test('is compared five times, with the ticket of the browser that asked for it only', async () => {
    const { ticket } = await ask(ALICE);
    const code = await received();
    const other = await ask(UNKNOWN);
    for (let n = 0; n < 20; n += 1) expect(await enter({ ticket: other.ticket, code })).toBe('CODE_WRONG');
    for (let n = 0; n < 4; n += 1) expect(await enter({ ticket, code: wrong(code) })).toBe('CODE_WRONG');
    // Guesses of others have used up none of its tries.
    expect(await enter({ ticket, code })).toBe('OK');

    server.clock.advance({ minutes: 10 });
    const again = await ask(ALICE);
    const next = await received(2);
    const guesses = Array.from({ length: 5 }, () => enter({ ticket: again.ticket, code: wrong(next) }));
    expect(new Set(await Promise.all(guesses))).toEqual(new Set(['CODE_WRONG']));
    expect(await enter({ ticket: again.ticket, code: next })).toBe('CODE_WRONG');
  });

  test('expires after five minutes, and belongs to its number', async () => {
    const { ticket } = await ask(ALICE);
    const code = await received();
    expect(await enter({ ticket, code, phoneNumber: UNKNOWN })).toBe('CODE_WRONG');
    server.clock.advance({ minutes: 5 });
    expect(await enter({ ticket, code })).toBe('CODE_WRONG');
    await server.rounds.clearExpired();
    expect(await server.db.platform((tx) => tx.find(phoneCode))).toEqual([]);
  });

  test('is stored as a hash that says nothing without its ticket', async () => {
    const { ticket } = await ask(ALICE);
    const code = await received();
    const rows = JSON.stringify(await server.db.platform((tx) => tx.find(phoneCode)));
    expect(rows).not.toContain(code);
    expect(rows).not.toContain(ticket);
  });

  test('is not sent to unknown and shared numbers, which are answered alike', async () => {
    const shapes = [];
    for (const phone of [ALICE, UNKNOWN, SHARED]) {
      const { ticket, ...rest } = await ask(phone);
      shapes.push({ ...rest, ticket: ticket.length });
      expect(await codeOf(clientOf(server).hrsms.login({ body: { phoneNumber: phone, code: '000000', ticket } }))).toBe(
        'CODE_WRONG',
      );
    }
    expect(shapes[1]).toEqual(shapes[0]);
    expect(shapes[2]).toEqual(shapes[0]);
    await received();
    expect(gateway.received.length).toBe(1);
  });

  test('is not sent again within a minute from one network, and five times at most from unknown devices', async () => {
    const address = '10.9.9.9';
    await ask(ALICE, { address });
    expect(await codeOf(ask(ALICE, { address }))).toBe('TOO_MANY_REQUESTS');
    for (let n = 1; n < 5; n += 1) await ask(ALICE);
    expect(await codeOf(ask(ALICE))).toBe('TOO_MANY_REQUESTS');
    expect(await codeOf(ask(UNKNOWN))).toBe('OK');
    // A device that the account knows still gets one.
    await signIn(server, 'alice', 'laptop of alice');
    expect(await codeOf(ask(ALICE, { deviceId: 'laptop of alice' }))).toBe('OK');
    await received(6);
  });

  test('of many numbers is not asked for from one network', async () => {
    const address = '10.8.8.8';
    const codes = [];
    for (let n = 0; n < 31; n += 1) codes.push(await codeOf(ask(`138${String(n).padStart(8, '0')}`, { address })));
    expect(codes.slice(0, 30).every((code) => code === 'OK')).toBe(true);
    expect(codes[30]).toBe('TOO_MANY_REQUESTS');
  });

  test(
    'guessed from many addresses is compared five times; the owner still gets in',
    { timeout: 3_600_000 },
    async () => {
      await signIn(server, 'alice', 'laptop of alice');
      await server.rounds.clearExpired();
      const asked = await Promise.allSettled(Array.from({ length: 100 }, () => ask(ALICE)));
      const tickets = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value.ticket] : []));
      expect(tickets.length).toBe(5);
      const answers = new Map<string, number>();
      for (let n = 0; n < GUESSES; n += 100) {
        const guesses = Array.from({ length: 100 }, (_, i) =>
          enter({
            ticket: tickets[i % tickets.length] ?? '',
            code: String(n + i)
              .padStart(6, '0')
              .slice(-6),
          }),
        );
        for (const answer of await Promise.all(guesses)) answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
      expect([...answers]).toEqual([['CODE_WRONG', GUESSES]]);
      const compared = await server.db.platform((tx) => tx.find(phoneCode, gt(phoneCode.tries, 0)));
      expect(compared.map(({ tries }) => tries)).toEqual([5, 5, 5, 5, 5]);
      const { ticket } = await ask(ALICE, { deviceId: 'laptop of alice' });
      expect(await enter({ ticket, code: await received(6) })).toBe('OK');
    },
  );

  test('sets a new password, which ends the sessions, after one that the rules refuse, too', async () => {
    const alice = await signIn(server, 'alice');
    const { ticket } = await ask(ALICE);
    const given = { phoneNumber: ALICE, code: await received(), ticket };
    const set = async (password: string) =>
      clientOf(server).hrsms.setPassword({ body: { ...given, password: await encrypt(server, password) } });
    expect(await codeOf(set('short'))).toBe('PASSWORD_TOO_WEAK');
    expect(await set('Another-long-one-7')).toMatchObject({ account: 'alice' });
    expect(await codeOf(alice.users.current())).toBe('CHANGE_PWD_LDAP');
    expect(await codeOf(set('Another-long-one-8'))).toBe('CODE_WRONG');
    const body = { account: 'alice', password: await encrypt(server, 'Another-long-one-7') };
    expect(await codeOf(clientOf(server).auth.login({ body }))).toBe('OK');
    const id = server.people.get('alice')?.id ?? '';
    const rows = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetId, id)));
    expect(rows.at(-1)).toMatchObject({ after: { password: '***' } });
  });

  test('does not sign in a disabled account', async () => {
    const { ticket } = await ask(ALICE);
    const code = await received();
    const enable = (enabled: boolean) =>
      server.db.platform((tx) => tx.update(account, { enabled }, eq(account.account, 'alice')));
    await enable(false);
    expect(await enter({ ticket, code })).toBe('ACCOUNT_DISABLED');
    await enable(true);
  });
});

test('the sign-in page offers codes where messages can be sent', async () => {
  expect((await clientOf(server).auth.loginMode({ query: {} })).modes).toEqual(['PASSWORD', 'QR', 'SMS']);
  const without = await startTestServer();
  expect((await clientOf(without).auth.loginMode({ query: {} })).modes).toEqual(['PASSWORD', 'QR']);
  await without.close();
});
