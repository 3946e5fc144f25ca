import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSecret, signedHeaders } from '../../src/modules/webhooks/signature.ts';
import { addClient } from './support/api-clients.ts';
import { signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';

/** The examples of docs/api, run as their readers run them. */
const folder = fileURLToPath(new URL('../../../../docs/api', import.meta.url));
const RUNNERS = { sh: 'sh', mjs: process.execPath, py: 'python3' } as const;

/** Why an example is skipped. */
const MISSING = 'Its program is not on this machine.';

function isThere(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const hasPython = isThere('python3', '--version');
const hasCurl = isThere('curl', '--version');
const hasOpenssl = isThere('openssl', 'version');

/** Runs an example. @returns its output and its exit code */
function run(file: string, env: NodeJS.ProcessEnv, input = ''): Promise<{ output: string; code: number }> {
  const runner = RUNNERS[file.split('.').at(-1) as keyof typeof RUNNERS];
  return new Promise((resolve) => {
    const child = execFile(
      runner,
      [`${folder}/${file}`],
      { env: { PATH: process.env['PATH'], ...env } },
      (error, stdout, stderr) => {
        const code = error && typeof error.code === 'number' ? error.code : 0;
        resolve({ output: stdout + stderr, code: error && code === 0 ? 1 : code });
      },
    );
    child.stdin?.end(input);
  });
}

let server: TestServer;
let admin: Person;
let alice: Person;
beforeAll(async () => {
  server = await startTestServer();
  [admin, alice] = [await signIn(server, 'admin'), await signIn(server, 'alice')];
});
afterAll(() => server.close());

describe('the examples of docs/api', () => {
  test.for([
    ['meetings.sh', 'curl', hasCurl],
    ['meetings.mjs', 'JavaScript', true],
    ['meetings.py', 'Python', hasPython],
  ] as const)('%s books a meeting for a user, and lists it', async ([file, name, can], { skip }) => {
    skip(!can, MISSING);
    const { client, secret } = await addClient(admin, { actsForUsers: true });
    await alice.apiRecords.grantOwn({ body: { clientId: client.id } });
    const env = { RMEET_URL: server.origin, RMEET_CLIENT_ID: client.id, RMEET_CLIENT_SECRET: secret };
    const { output, code } = await run(file, { ...env, RMEET_SUBJECT: 'alice' });
    expect(output).toContain(`Ward round (${name})`);
    expect(code).toBe(0);
    const { records } = await alice.meetings.list({ query: { keyword: `(${name})` } });
    expect(records.map((one) => one.host.name)).toEqual(['Alice']);
    expect((await run(file, { ...env, RMEET_CLIENT_SECRET: 'rms_wrong' })).code).not.toBe(0);
  });

  test.for([
    ['verify-webhook.sh', hasOpenssl],
    ['verify-webhook.mjs', true],
    ['verify-webhook.py', hasPython],
  ] as const)('%s tells a signed webhook from others', async ([file, can], { skip }) => {
    skip(!can, MISSING);
    const [secret, body] = [newSecret(), JSON.stringify({ type: 'meeting.booked', data: { subject: '查房' } })];
    const envOf = (secrets: string[], at = new Date()) => {
      const headers = signedHeaders('0198f6a2', body, secrets, at);
      return {
        RMEET_WEBHOOK_SECRET: secret,
        WEBHOOK_ID: headers['webhook-id'],
        WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
        WEBHOOK_SIGNATURE: headers['webhook-signature'],
      };
    };
    expect(await run(file, envOf([secret]), body)).toEqual({ output: 'signed by Rmeet\n', code: 0 });
    expect((await run(file, envOf([newSecret(), secret]), body)).code).toBe(0);
    expect((await run(file, envOf([newSecret()]), body)).code).toBe(1);
    expect((await run(file, envOf([secret]), `${body} `)).code).toBe(1);
    if (!file.endsWith('.sh')) expect((await run(file, envOf([secret], new Date(0)), body)).code).toBe(1);
  });
});
