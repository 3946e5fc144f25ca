import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type RunningServer } from '@rmeet/testkit';
import { tempFolder } from './support/db.ts';

const PROGRAM = fileURLToPath(new URL('../../src/setup.ts', import.meta.url));
const PASSWORD = 'Heron-over-7-lakes';

let folder: Awaited<ReturnType<typeof tempFolder>>;
let server: RunningServer;
beforeAll(async () => {
  folder = await tempFolder();
  server = await startServer({ data: folder.path, env: { RMEET_SEED: 'none', RMEET_MEDIA_PROCESSES: '1' } });
}, 120_000);
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

/** Runs `npm run setup` on the data of the running server. */
async function setup(args: string[], { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {}) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: {
      PATH,
      HOME,
      INIT_CWD: folder.path,
      RMEET_DATA: folder.path,
      ...(server.databaseUrl ? { DATABASE_URL: server.databaseUrl } : {}),
      ...env,
    },
  });
  child.stdin.end(input);
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, error, code: code as number };
}

const ANSWERS = {
  SETUP_OPERATOR: 'root',
  SETUP_ORGANISATION: 'City hospital',
  SETUP_ADMINISTRATOR: 'admin',
  SETUP_ADDRESS: 'https://meet.example.org',
};
const login = (account: string, password: string) => server.api.as(account, password);

test('an installation without accounts prints its setup link; npm run setup creates the accounts instead', async () => {
  const link = readFileSync(join(folder.path, 'setup-link'), 'utf8').trim();
  expect(server.log()).toContain(`Set it up: ${link} (also in ${join(folder.path, 'setup-link')})`);
  for (const page of ['/', '/manage/', '/admin/', '/?from=mail']) {
    const answer = await fetch(`${server.url}${page}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/setup/']);
  }

  const missing = await setup([], {
    env: { ...ANSWERS, SETUP_ADDRESS: 'meet.example.org', SETUP_ORGANISATION: '' },
    input: `${PASSWORD}\n${PASSWORD}\n`,
  });
  expect(missing.error).toMatch(/^organisation\.name: .*\n.*publicUrl: /s);
  expect((await setup([], { env: ANSWERS, input: 'weak\nweak\n' })).error).toContain('needs at least');
  const made = await setup([], { env: ANSWERS, input: `${PASSWORD}\n${PASSWORD}\n` });
  expect(made).toEqual({
    code: 0,
    error: '',
    out: 'Set up: operator root signs in at /admin/, administrator admin of City hospital at /manage/.\n',
  });
  expect((await setup([], { env: ANSWERS, input: `${PASSWORD}\n${PASSWORD}\n` })).error).toContain('already set up');

  expect(existsSync(join(folder.path, 'setup-link'))).toBe(false);
  expect((await fetch(`${server.url}/`, { redirect: 'manual' })).status).not.toBe(302);
  await login('root', PASSWORD);
  await login('admin', PASSWORD);
}, 60_000);

test('npm run setup replaces a lost password of an operator, and ends the sessions of the old one', async () => {
  const { token } = await login('root', PASSWORD);
  const reset = await setup(['reset-operator', 'root', '--password-stdin'], { input: 'Crane-over-8-rivers\n' });
  expect(reset).toEqual({ code: 0, error: '', out: 'Operator root has the new password.\n' });
  const answer = await fetch(`${server.url}/api/api/v1/operators/user`, { headers: { authorization: token } });
  expect(answer.status).toBe(401);
  await expect(login('root', PASSWORD)).rejects.toThrow('BAD_CREDENTIALS');
  await login('root', 'Crane-over-8-rivers');

  const made = /the new password is (\S+)\n$/.exec((await setup(['reset-operator'])).out)?.[1] ?? '';
  await expect(login('root', made)).rejects.toThrow('PWD_EXPIRED');
  expect((await setup(['reset-operator', 'admin'])).error).toBe('Name one of these operators: root\n');
}, 60_000);

test('npm run setup asks no second factor of an account for an hour', async () => {
  const suspended = await setup(['suspend-factor', 'admin']);
  expect(suspended).toMatchObject({ code: 0, error: '' });
  expect(suspended.out).toMatch(
    /^No second factor is asked of admin of City hospital until .*\. No mail server is configured: tell its admin/,
  );
  expect((await setup(['suspend-factor', 'stranger'])).error).toBe('There is no account stranger.\n');
  expect((await setup(['suspend-factor', 'admin', '--tenant', 'Other'])).error).toBe('There is no account admin.\n');
  expect((await setup(['suspend-factor'])).error).toContain('npm run setup -- suspend-factor ACCOUNT');
}, 60_000);

test('the address is stored while the server runs, and used at once', async () => {
  expect((await setup(['address', 'https://other.example.org/'])).out).toBe(
    'The address is https://other.example.org.\n',
  );
  expect(
    (await setup(['address', 'https://other.example.org'], { env: { RMEET_PUBLIC_URL: 'https://meet.example.org' } }))
      .out,
  ).toContain('RMEET_PUBLIC_URL is set and overrides it.');
  expect((await setup(['address', 'other.example.org/rooms'])).error).toContain('without a path');
  expect((await setup(['--nonsense'])).error).toContain("Unknown option '--nonsense'");
  expect((await setup(['--help'])).out).toContain('SETUP_ORGANISATION');
}, 60_000);
