import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '@rmeet/testkit';
import { freeTcpPort } from '../../src/platform/process/index.ts';
import { tempFolder } from './support/db.ts';

const FILE = fileURLToPath(new URL('../../src/supervisor.ts', import.meta.url));

interface RunFile {
  supervisorPid: number;
  serverPid: number;
  port: number;
  media: { pid: number; port: number }[];
}

interface Product {
  process: ChildProcess;
  port: number;
  output: () => string;
  run: () => RunFile;
  exit: Promise<number | null>;
  ready(): Promise<void>;
}

type CleanUp = (() => Promise<void> | void)[];
const runAll = async (cleanUp: CleanUp): Promise<void> => {
  for (const run of cleanUp.splice(0).toReversed()) await run();
};
const afterThis: CleanUp = [];
afterEach(() => runAll(afterThis));

async function newFolder(cleanUp = afterThis): Promise<string> {
  const folder = await tempFolder();
  cleanUp.push(folder.remove);
  return folder.path;
}

/** Starts the product like `npm start`. */
async function start(data: string, env: NodeJS.ProcessEnv = {}, cleanUp = afterThis): Promise<Product> {
  const port = await freeTcpPort();
  const { DATABASE_URL: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [FILE], {
    env: {
      ...Object.fromEntries(Object.entries(inherited).filter(([name]) => !name.startsWith('RMEET_'))),
      RMEET_DATA: data,
      RMEET_PORT: String(port),
      RMEET_MEDIA_PORT: '0',
      RMEET_MEDIA_PROCESSES: '2',
      RMEET_SEED: 'none',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  cleanUp.push(async () => {
    // Stopped by request, not killed: it waits for its processes, and only then may their folder be deleted.
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await exit;
  });
  return {
    process: child,
    port,
    exit,
    output: () => output,
    run: () => JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as RunFile,
    ready: () => expect.poll(() => isReady(port), { timeout: 50_000, interval: 100, message: 'ready' }).toBe(true),
  };
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

const gone = (pid: number, within = 10_000) =>
  expect.poll(() => isAlive(pid), { timeout: within, message: `process ${pid} is alive` }).toBe(false);

describe('the product, started once,', () => {
  const afterAllOfThem: CleanUp = [];
  let data: string;
  let product: Product;
  beforeAll(async () => {
    data = await newFolder(afterAllOfThem);
    product = await start(data, { RMEET_SEED: 'demo' }, afterAllOfThem);
  });
  beforeEach(async () => {
    await until('the product is ready', () => isReady(product.port), { within: 50_000 });
  });
  afterAll(() => runAll(afterAllOfThem));

  test('answers and prints its address', async () => {
    await expect.poll(product.output).toContain(`http://127.0.0.1:${product.port}/`);
    expect(statSync(join(data, 'media-keys.json')).mode & 0o777).toBe(0o600);
    const url = `http://127.0.0.1:${product.port}`;
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
      database: true,
      media: true,
      disk: true,
      storage: true,
    });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    for (const name of [
      'rmeet_http_request_seconds_count',
      'rmeet_push_connections 0',
      'rmeet_database_up 1',
      'rmeet_media_up 1',
      'process_cpu_seconds_total',
    ]) {
      expect(metrics).toContain(name);
    }
    expect(await (await fetch(`${url}/api/openapi.json`)).json()).toMatchObject({ openapi: '3.1.0' });
    expect((await fetch(`${url}/api/nothing`)).status).toBe(404);
    // The engine's own responses pass through the proxy: without a token it returns 401.
    expect((await fetch(`${url}/rtc/v1/validate`)).status).toBe(401);
  });

  test('keeps its folder and its port: a second one reports what is taken, and does not retry', async () => {
    const [sameFolder, samePort] = [
      await start(data),
      await start(await newFolder(), { RMEET_PORT: String(product.port) }),
    ];
    expect(await sameFolder.exit).toBe(3);
    expect(sameFolder.output()).toContain(`is held by process ${product.process.pid}`);
    expect(await samePort.exit).toBe(3);
    expect(samePort.output()).toContain(`Port ${product.port} of 127.0.0.1 cannot be used: another program uses it.`);
    expect(await isReady(product.port)).toBe(true);
  });

  test('stops within five seconds of Ctrl-C without leftovers, and demo passwords stay on this machine', async () => {
    await expect.poll(() => product.run().media[1]?.pid).toBeTypeOf('number');
    const { serverPid, media } = product.run();
    const asked = performance.now();
    product.process.kill('SIGINT');
    expect(await product.exit).toBe(0);
    expect(performance.now() - asked).toBeLessThan(5_000);
    for (const pid of [serverPid, ...media.map((one) => one.pid)]) expect(isAlive(pid)).toBe(false);
    expect(existsSync(join(data, 'run.json'))).toBe(false);
    for (const { port } of media)
      await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
    const open = await start(data, { RMEET_HOST: '0.0.0.0' });
    expect(await open.exit).toBe(3);
    expect(open.output()).toContain('Accounts with the demo password exist');
  });
});

test('a killed process restarts on the same port while others continue; a killed supervisor leaves none', async () => {
  const data = await newFolder();
  const product = await start(data);
  await product.ready();
  await expect.poll(() => product.run().media[1]?.pid).toBeTypeOf('number');
  const first = product.run();

  process.kill(first.serverPid, 'SIGKILL');
  await expect.poll(() => product.run().serverPid, { timeout: 10_000 }).not.toBe(first.serverPid);
  await product.ready();
  expect(product.run()).toMatchObject({ media: first.media, port: first.port });
  for (const { pid } of first.media) expect(isAlive(pid)).toBe(true);

  const second = product.run();
  process.kill(second.media[1]!.pid, 'SIGKILL');
  await expect.poll(() => product.run().media[1]!.pid, { timeout: 10_000 }).not.toBe(second.media[1]!.pid);
  await product.ready();
  expect(product.run()).toMatchObject({
    serverPid: second.serverPid,
    media: [second.media[0], { port: first.media[1]!.port }],
  });

  const third = product.run();
  product.process.kill('SIGKILL');
  await gone(third.serverPid);
  for (const { pid } of third.media) await gone(pid);
  const next = await start(data);
  await next.ready();
});

test('a renewal replaces the server, then each media process, and the product stays reachable', async () => {
  const product = await start(await newFolder());
  await product.ready();
  await expect
    .poll(
      async () =>
        (await (await fetch(`http://127.0.0.1:${product.port}/metrics`)).text()).match(/^rmeet_sfu_rooms\{/gm),
      { timeout: 20_000 },
    )
    .toHaveLength(2);
  const before = product.run();
  product.process.kill('SIGUSR2');
  await expect.poll(product.output, { timeout: 40_000 }).toContain('All processes have been started again.');
  const after = product.run();
  const pidsOf = ({ serverPid, media }: RunFile): number[] => [serverPid, ...media.map(({ pid }) => pid)];
  expect(new Set([...pidsOf(before), ...pidsOf(after)]).size).toBe(6);
  for (const pid of pidsOf(before)) expect(isAlive(pid)).toBe(false);
  expect(product.output()).not.toContain('process ended');
  await product.ready();
});

test(
  'a lost, broken or unreadable secret.key is reported in one sentence, and nothing is retried',
  { timeout: 120_000 },
  async () => {
    const data = await newFolder();
    const key = join(data, 'secret.key');
    const first = await start(data);
    await first.ready();
    first.process.kill('SIGTERM');
    await first.exit;
    const own = readFileSync(key);
    rmSync(key);
    const ended = async (): Promise<string> => {
      const product = await start(data);
      expect(await product.exit).toBe(3);
      return product.output();
    };
    expect((await ended()).match(/filled under another secret key\. Bring back secret\.key/g)).toHaveLength(1);
    writeFileSync(key, 'broken');
    expect((await ended()).match(/secret\.key must hold 32 bytes in base64\. Bring back the one/g)).toHaveLength(1);
    rmSync(key);
    mkdirSync(key);
    expect((await ended()).match(/secret\.key cannot be read \(EISDIR\)/g)).toHaveLength(1);
    rmSync(key, { recursive: true });
    writeFileSync(key, own);
    await (await start(data)).ready();
  },
);

test('mistakes in the configuration are reported line by line, and nothing is started', async () => {
  const data = join(await newFolder(), 'data');
  const product = await start(data, { RMEET_PORT: 'x', RMEET_SPEED: '9' });
  expect(await product.exit).toBe(2);
  expect(product.output()).toBe('RMEET_PORT must be a port number, not "x".\nRMEET_SPEED is not a setting of Rmeet.\n');
  expect(existsSync(data)).toBe(false);
});
