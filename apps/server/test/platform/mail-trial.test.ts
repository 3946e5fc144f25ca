import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { generate } from 'selfsigned';
import { afterEach, expect, test, vi } from 'vitest';
import { startMailServer, type MailServer } from '@rmeet/testkit';
import { createMail, type Trial } from '../../src/platform/mail/index.ts';
import { trialOf } from '../../src/platform/mail/trial.ts';

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0)) await close();
});

type ServerOptions = NonNullable<Parameters<typeof startMailServer>[0]>;

async function serve(options?: ServerOptions): Promise<MailServer> {
  const server = await startMailServer(options);
  closing.push(() => server.close());
  return server;
}

function attempt(port: number, { account = '', scheme = 'smtp', host = '127.0.0.1', query = '' } = {}): Promise<Trial> {
  const mail = createMail({ url: `${scheme}://${account}${host}:${port}/${query}`, from: 'Rmeet <meet@example.org>' });
  closing.unshift(() => mail.close());
  return mail.attempt({ to: 'bob@example.org', subject: 'Test', text: 'Test\n' });
}

const onlyWith = (right: string): ServerOptions => ({
  authOptional: false,
  allowInsecureAuth: true,
  onAuth: ({ username = '', password = '' }, _, answer) =>
    password === right
      ? answer(null, { user: username })
      : answer(Object.assign(new Error(`No ${username} with ${password}`), { responseCode: 535 })),
});

test('an accepted message is no failure', async () => {
  const server = await serve();
  expect(await attempt(server.port)).toEqual({ failure: null, detail: '' });
  expect(server.received).toMatchObject([{ to: ['bob@example.org'], subject: 'Test' }]);
});

test('a refused recipient', async () => {
  const server = await serve();
  server.refusals.push(550);
  expect(await attempt(server.port)).toEqual({ failure: 'recipient', detail: '550 Not now' });
});

test('a refused sender', async () => {
  const server = await serve({
    onMailFrom: (_, __, answer) => answer(Object.assign(new Error('Sender not allowed'), { responseCode: 553 })),
  });
  expect(await attempt(server.port)).toEqual({ failure: 'sender', detail: '553 Sender not allowed' });
});

test('a wrong password, or none if one is needed, without quoting it', async () => {
  const server = await serve(onlyWith('right'));
  expect(await attempt(server.port, { account: 'meeter:wr%3Ang-one@' })).toEqual({
    failure: 'account',
    detail: '535 No *** with ***',
  });
  expect(await attempt(server.port)).toMatchObject({ failure: 'account', detail: expect.stringMatching(/^530 /) });
  expect(await attempt(server.port, { account: 'meeter:right@' })).toMatchObject({ failure: null });
});

test('no server listens', async () => {
  const server = await startMailServer();
  await server.close();
  expect(await attempt(server.port)).toEqual({
    failure: 'connection',
    detail: expect.stringContaining('ECONNREFUSED'),
  });
});

test('an unknown host', async () => {
  expect(await attempt(25, { host: 'mail.invalid' })).toMatchObject({ failure: 'host' });
});

test('an untrusted certificate, a server without TLS, and credentials without encryption', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
  const encrypted = await serve({ key, cert, disabledCommands: [] });
  expect(await attempt(encrypted.port)).toMatchObject({
    failure: 'tls',
    detail: expect.stringContaining('self-signed'),
  });
  const plain = await serve();
  expect(await attempt(plain.port, { scheme: 'smtps' })).toMatchObject({ failure: 'tls' });
  expect(await attempt(plain.port, { query: '?requireTLS=true' })).toMatchObject({ failure: 'tls' });
});

test('a server that sends nothing or never ends is given up', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const begun = performance.now();
  expect(await attempt((silent.address() as AddressInfo).port)).toMatchObject({ failure: 'timeout' });
  expect(performance.now() - begun).toBeLessThan(15_000);
  vi.useFakeTimers();
  const trial = trialOf(new Promise(() => undefined), 14_000);
  vi.advanceTimersByTime(14_000);
  expect(await trial).toEqual({ failure: 'timeout', detail: '' });
}, 20_000);
