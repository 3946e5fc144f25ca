import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages } from './browser.ts';
import { livekitServer } from './livekit.ts';

/** One way to run the suites. */
export interface Setting {
  name: string;
  environment: NodeJS.ProcessEnv;
  suites: ('vitest' | 'playwright')[];
}

/** The settings of `npm run test:matrix`, each with its servers up while it is in use; a string says why one is missing. */
export async function* matrix(): AsyncGenerator<Setting | string> {
  yield* onPostgres();
  yield* onLiveKit();
  yield { name: 'signalling v0', environment: { RMEET_TEST_SIGNALLING: 'v0' }, suites: ['playwright'] };
}

async function* onPostgres(): AsyncGenerator<Setting | string> {
  const server = await startPostgres();
  if (typeof server === 'string') {
    yield server;
    return;
  }
  try {
    yield { name: 'PostgreSQL', environment: { RMEET_TEST_DATABASE_URL: server.url }, suites: ['vitest', 'playwright'] };
  } finally {
    await server.stop();
  }
}

async function* onLiveKit(): AsyncGenerator<Setting | string> {
  const binary = livekitServer();
  if (binary.path === undefined) {
    yield binary.reason;
    return;
  }
  const port = await freePort();
  const [tcp, udp] = [await freePort(), await freePort()];
  const key = 'devkey';
  const secret = 'a-secret-of-the-test-matrix-of-32-bytes';
  const config = [
    `port: ${port}`, 'bind_addresses: ["127.0.0.1"]', `rtc: {tcp_port: ${tcp}, udp_port: ${udp}, use_external_ip: false, enable_loopback_candidate: true}`,
    `keys: {${key}: ${secret}}`, 'logging: {level: warn}',
  ].join('\n');
  const child = spawn(binary.path, ['--config-body', config], { stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    await untilListening(child, port);
    yield {
      name: 'LiveKit',
      environment: { RMEET_TEST_LIVEKIT_URL: `ws://127.0.0.1:${port}`, RMEET_TEST_LIVEKIT_API_KEY: key, RMEET_TEST_LIVEKIT_API_SECRET: secret },
      suites: ['playwright'],
    };
  } finally {
    await stopped(child);
  }
}

interface Running {
  url: string;
  stop: () => Promise<void>;
}

/** PostgreSQL from Debian, in a folder of its own, as an ordinary user because it refuses root. */
async function startPostgres(): Promise<Running | string> {
  const versions = '/usr/lib/postgresql';
  const found = (): string | undefined =>
    existsSync(versions) ? readdirSync(versions).sort().findLast((v) => existsSync(join(versions, v, 'bin', 'initdb'))) : undefined;
  const missing = found() ? null : installPackages(['postgresql'], 'the tests on PostgreSQL');
  const version = found();
  if (version === undefined) return missing ?? 'PostgreSQL was installed but its programs are not where Debian puts them.';
  const bin = join(versions, version, 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-postgres-'));
  const user = process.getuid?.() === 0 ? ordinaryUser() : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const initialised = spawnSync(join(bin, 'initdb'), ['-D', data, '-U', 'rmeet', '-A', 'trust', '-E', 'UTF8'], { ...user, cwd: folder, encoding: 'utf8' });
  if (initialised.status !== 0) return `PostgreSQL could not make its folder: ${initialised.stderr.trim()}`;
  const port = await freePort();
  const settings = ['fsync=off', 'max_connections=200', `unix_socket_directories=${folder}`].flatMap((s) => ['-c', s]);
  const child = spawn(join(bin, 'postgres'), ['-D', data, '-h', '127.0.0.1', '-p', String(port), ...settings], { ...user, cwd: folder, stdio: 'ignore' });
  await untilListening(child, port);
  return {
    url: `postgres://rmeet@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await stopped(child, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ordinaryUser(): { uid: number; gid: number } {
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim());
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with code ${child.exitCode}`);
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() !== undefined));
      socket.on('error', () => resolve(false));
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${child.spawnfile} does not listen on port ${port}`);
}

async function stopped(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exit;
}
