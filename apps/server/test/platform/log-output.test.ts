import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { startServer, until, type RunningServer } from '@rmeet/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/platform/log/log.ts';
import { createOutput, linesLost } from '../../src/platform/log/output.ts';
import { tempFolder } from './support/db.ts';
import { smallDisk, smallDiskMissing } from './support/small-disk.ts';

const cleanUp: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const run of cleanUp.splice(0).toReversed()) await run();
});

function opened(path: string, flags = 'w'): number {
  const handle = openSync(path, flags);
  cleanUp.push(() => closeSync(handle));
  return handle;
}

/** A named pipe, since its reader can close and reopen it. */
async function namedPipe(): Promise<string> {
  const folder = await tempFolder();
  cleanUp.push(folder.remove);
  const path = join(folder.path, 'pipe');
  expect(spawnSync('mkfifo', [path]).status).toBe(0);
  return path;
}

interface Reader {
  process: ChildProcess;
  text: () => string;
}

/** Another program that reads the pipe. */
function readerOf(path: string): Reader {
  const child = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  cleanUp.push(() => void child.kill('SIGKILL'));
  return { process: child, text: () => text };
}

/** The product, which writes a line for each action on a handle. */
async function start(output: number): Promise<RunningServer> {
  const server = await startServer({
    output,
    env: { RMEET_SEED: 'none', RMEET_MEDIA_PROCESSES: '1', RMEET_LOG: 'trace' },
  });
  cleanUp.push(() => server.stop());
  return server;
}

/** Lines that this server's log could not write. */
async function lost({ url }: RunningServer): Promise<number> {
  return Number(/^rmeet_log_lines_lost_total (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
}

/** It answers, with the processes that it started with, and stops in time. */
async function expectWell(server: RunningServer, { serverPid }: { serverPid: number }): Promise<void> {
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(server.run().serverPid).toBe(serverPid);
  const asked = performance.now();
  server.supervisor.kill('SIGTERM');
  await once(server.supervisor, 'exit');
  expect([server.supervisor.exitCode, performance.now() - asked < 5_000]).toEqual([0, true]);
}

const SAYS_LOST = /"msg":"\d+ lines? could not be written to the log"/;

describe('the product', () => {
  test('starts, answers and stops while nothing can be written to its output', async () => {
    const server = await start(opened('/dev/full'));
    const first = server.run();
    await until('lines are lost', async () => (await lost(server)) > 0);
    await expectWell(server, first);
  });

  test('survives the loss of its log reader, and tells the next reader how much was lost', async () => {
    const path = await namedPipe();
    const reader = readerOf(path);
    const server = await start(opened(path));
    const first = server.run();
    await until('something is written', () => reader.text().includes('"name":"server"'));
    reader.process.kill('SIGKILL');
    await once(reader.process, 'exit');
    await until('lines are lost', async () => (await lost(server)) > 0);
    const next = readerOf(path);
    await until('the log goes on', async () => {
      await fetch(`${server.url}/api/nothing`);
      return SAYS_LOST.test(next.text());
    });
    await expectWell(server, first);
  });
});

const missing = smallDiskMissing();
describe.skipIf(missing !== undefined)(`on a full disk${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  test('the product continues, and so does its log once there is room', async () => {
    const disk = smallDisk(1_024);
    cleanUp.push(() => disk.remove());
    const path = join(disk.folder, 'log');
    const makeRoom = disk.fill();
    const server = await start(opened(path, 'a'));
    const first = server.run();
    await until('lines are lost', async () => (await lost(server)) > 0);
    makeRoom();
    await until('the log goes on', async () => {
      await fetch(`${server.url}/api/nothing`);
      return SAYS_LOST.test(readFileSync(path, 'utf8'));
    });
    await expectWell(server, first);
  });

  test('a partly written line is followed by whole ones', () => {
    const disk = smallDisk(64);
    cleanUp.push(() => disk.remove());
    const path = join(disk.folder, 'log');
    const handle = opened(path, 'a');
    const before = linesLost();
    const log = createLog('test', 'info', createOutput('test', undefined, { fd: handle }));
    log.info('first');
    const makeRoom = disk.fill();
    for (let number = 0; number < 100; number += 1) log.info(`${number} ${'x'.repeat(1_000)}`);
    const dropped = linesLost() - before;
    expect(dropped).toBeGreaterThan(90);
    makeRoom();
    log.info('last');
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const whole = lines.slice(-2).map((line) => JSON.parse(line) as { level: string; name: string; msg: string });
    expect(whole).toMatchObject([
      { level: 'warn', name: 'test', msg: `${dropped} lines could not be written to the log` },
      { level: 'info', name: 'test', msg: 'last' },
    ]);
    expect(lines.at(-3)).toMatch(/x$/);
  });
});

test('for a reader that does not read, a megabyte of output is kept', async () => {
  const path = await namedPipe();
  // Both ends, so that it can be opened before there is a reader.
  const stream = new Socket({ fd: openSync(path, 'r+'), readable: false });
  cleanUp.push(() => void stream.destroy());
  const before = linesLost();
  const output = createOutput('test', undefined, stream);
  const line = `${'x'.repeat(1_023)}\n`;
  for (let number = 0; number < 3_000; number += 1) {
    output.write(line);
    await turn();
  }
  const dropped = linesLost() - before;
  expect(stream.writableLength).toBeLessThanOrEqual(1_048_576);
  expect(dropped).toBeGreaterThan(1_500);
  const reader = readerOf(path);
  await until('all that waited is read', () => stream.writableLength === 0);
  output.write('last\n');
  await until('the last line is read', () => reader.text().endsWith('last\n'));
  expect(reader.text()).toContain(`"msg":"${dropped} lines could not be written to the log"}\nlast\n`);
  expect(reader.text().match(/^x+$/gm)).toHaveLength(3_000 - dropped);
});
