import { startSmsGateway, type SmsGatewayServer } from '@rmeet/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/platform/config/index.ts';
import { createSms, SmsForbidden, SmsRefused, type Gateway } from '../../src/platform/sms/index.ts';
import { AddressForbidden, isInside, publicLookup } from '../../src/platform/outbound/addresses.ts';

let server: SmsGatewayServer;
beforeAll(async () => {
  server = await startSmsGateway();
});
afterAll(() => server.close());
beforeEach(() => {
  server.received.length = 0;
  server.answers.length = 0;
});

const gateway = (values: Partial<Gateway> = {}): Gateway => ({
  url: `${server.origin}/send`,
  method: 'POST',
  headers: [],
  body: '{"to":"{phone}","message":"{text}"}',
  successPath: '',
  successValue: '',
  secret: '',
  isTrusted: true,
  ...values,
});
const sms = createSms({ gateway: null, hosts: [] });
const text = '"查房" 10:00\nJoin: https://x.example/?a=1&b=2 {phone} {secret}';
const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => {
      throw new Error('It was sent.');
    },
    (error: unknown) => error as Error,
  );

describe('a message is sent in the format of the gateway', () => {
  test('as JSON', async () => {
    await sms.send(gateway({ headers: [{ name: 'Authorization', value: 'Bearer {secret}' }], secret: 'k7$&W' }), {
      phone: '+49 151-123',
      text,
    });
    expect(server.received).toMatchObject([
      { method: 'POST', url: '/send', headers: { authorization: 'Bearer k7$&W', 'content-type': 'application/json' } },
    ]);
    expect(JSON.parse(server.received[0]?.body ?? '')).toEqual({ to: '+49151123', message: text });
  });

  test('as a form', async () => {
    await sms.send(gateway({ method: 'PUT', body: 'to={phone}&message={text}&key={secret}', secret: 'a&b=c' }), {
      phone: '10086',
      text,
    });
    expect(server.received).toMatchObject([
      { method: 'PUT', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ]);
    expect(Object.fromEntries(new URLSearchParams(server.received[0]?.body))).toEqual({
      to: '10086',
      message: text,
      key: 'a&b=c',
    });
  });

  test('in the URL', async () => {
    await sms.send(gateway({ method: 'GET', url: `${server.origin}/send?to={phone}&message={text}`, body: 'unused' }), {
      phone: '+4915',
      text,
    });
    const url = new URL(server.received[0]?.url ?? '', server.origin);
    expect([url.searchParams.get('to'), url.searchParams.get('message'), server.received[0]?.body]).toEqual([
      '+4915',
      text,
      '',
    ]);
  });

  test('in the declared content type, whatever the body looks like', async () => {
    await sms.send(
      gateway({ headers: [{ name: 'content-type', value: 'text/plain; charset=utf-8' }], body: '{phone}: {text}' }),
      { phone: '1 2 3', text: '"a"' },
    );
    expect(server.received).toMatchObject([
      { body: '123: "a"', headers: { 'content-type': 'text/plain; charset=utf-8' } },
    ]);
  });
});

describe('success is', () => {
  const message = { phone: '10086', text: 'Hello' };
  test('a 2xx, and the given value in the answer if one is configured', async () => {
    await sms.send(gateway(), message);
    await sms.send(gateway({ successPath: 'code', successValue: '0' }), message);
    server.answers.push({ status: 200, body: '{"data":{"sent":true}}' });
    await sms.send(gateway({ successPath: 'data.sent', successValue: 'true' }), message);
    for (const body of ['{"code":7}', '{"code":{"0":0}}', '{}', 'null', 'no JSON']) {
      server.answers.push({ status: 200, body });
      expect(
        await failure(sms.send(gateway({ successPath: 'code', successValue: '0' }), message)),
        body,
      ).toBeInstanceOf(SmsRefused);
    }
  });

  test.each([
    [400, true],
    [401, true],
    [404, true],
    [301, true],
    [408, false],
    [429, false],
    [500, false],
    [503, false],
  ])('not %i; given up for good: %s', async (status, isLasting) => {
    server.answers.push({ status });
    const error = await failure(sms.send(gateway(), message));
    expect(error instanceof SmsRefused).toBe(isLasting);
    expect(error.message).toContain(String(status));
  });

  test('not claimed if the gateway does not answer, and errors name neither number nor address', async () => {
    const error = await failure(sms.send(gateway({ url: 'http://127.0.0.1:1/send?to={phone}' }), message));
    expect(error).not.toBeInstanceOf(SmsRefused);
    expect(error.message).toBe('The gateway was not reached (ECONNREFUSED).');
    server.answers.push({ status: 200, body: 'x'.repeat(200_000) });
    expect(await failure(sms.send(gateway(), message))).toBeInstanceOf(SmsRefused);
  });
});

describe("a tenant's gateway", () => {
  const message = { phone: '10086', text: 'Hello' };
  const theirs = (values: Partial<Gateway> = {}): Gateway => gateway({ isTrusted: false, ...values });

  test('is not inside the network', async () => {
    for (const url of [
      `${server.origin}/send`,
      `http://localhost:${server.port}/send`,
      `http://[::1]:${server.port}/`,
      `http://2130706433:${server.port}/`,
      `http://0x7f.1:${server.port}/`,
      `http://[::ffff:127.0.0.1]:${server.port}/`,
    ]) {
      expect(sms.mayBeAt(url), url).toBe(false);
      expect(await failure(sms.send(theirs({ url }), message)), url).toBeInstanceOf(SmsForbidden);
    }
    expect(server.received).toEqual([]);
  });

  test.each([{ all: true }, {}])(
    'is refused if its name leads inside, which is checked at each call',
    async (options) => {
      const [error, found] = await new Promise<[Error | null, unknown]>((resolve) => {
        publicLookup('localhost', options, (...answer) => resolve([answer[0], answer[1]]));
      });
      expect(error).toBeInstanceOf(AddressForbidden);
      expect(found).toEqual([]);
    },
  );

  test.each([
    '10.1.2.3',
    '192.168.0.1',
    '172.16.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::',
    'fe80::1',
    'fc00::1',
    '64:ff9b::7f00:1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '::10.0.0.1',
    '::ffff:0:127.0.0.1',
    '2002:7f00:1::',
    '4000::1',
  ])('at %s is inside', (host) => {
    expect(isInside(host)).toBe(true);
  });
  test.each(['8.8.8.8', '2606:4700::1111', 'sms.example.org'])('at %s is outside', (host) => {
    expect(isInside(host)).toBe(false);
  });

  test('may be inside if the platform names its host', async () => {
    for (const hosts of [[`127.0.0.1:${server.port}`], ['127.0.0.1']])
      await createSms({ gateway: null, hosts }).send(theirs(), message);
    expect(server.received).toHaveLength(2);
    expect(createSms({ gateway: null, hosts: ['127.0.0.1:1'] }).mayBeAt(`${server.origin}/`)).toBe(false);
  });

  test('follows no redirect', async () => {
    server.answers.push({ status: 302, headers: { Location: `${server.origin}/secret` } });
    const named = createSms({ gateway: null, hosts: ['127.0.0.1'] });
    expect(await failure(named.send(theirs(), message))).toBeInstanceOf(SmsRefused);
    expect(server.received.map(({ url }) => url)).toEqual(['/send']);
  });
});

test('the configuration names a gateway for all tenants, at any address', async () => {
  const { sms: settings } = readConfig({
    RMEET_SMS_GATEWAY: JSON.stringify({ url: `${server.origin}/all`, body: 'to={phone}&key={secret}' }),
    RMEET_SMS_SECRET: 'k7',
    RMEET_SMS_HOSTS: 'sms.internal, 10.0.0.5:8080',
  });
  expect(settings.hosts).toEqual(['sms.internal', '10.0.0.5:8080']);
  const { ofPlatform } = createSms(settings);
  if (!ofPlatform) throw new Error('There is no gateway.');
  await sms.send(ofPlatform, { phone: '10086', text: 'Hello' });
  expect(server.received).toMatchObject([{ url: '/all', body: 'to=10086&key=k7' }]);
  for (const wrong of ['no JSON', '{}', '{"url":"ftp://x"}', '7'])
    expect(() => readConfig({ RMEET_SMS_GATEWAY: wrong }), wrong).toThrow('RMEET_SMS_GATEWAY');
});
