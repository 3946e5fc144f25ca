import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LockTaken, takeLock } from '../../src/platform/db/index.ts';
import { tempFolder } from './support/db.ts';

let folder: Awaited<ReturnType<typeof tempFolder>>;
let path: string;

beforeEach(async () => {
  folder = await tempFolder();
  path = join(folder.path, 'lock');
});
afterEach(() => folder.remove());

test('a lock keeps all others out until it is released', async () => {
  const lock = await takeLock(path);
  await expect(takeLock(path)).rejects.toThrow(LockTaken);
  await expect(takeLock(path)).rejects.toThrow(`held by process ${process.pid}`);
  await lock.release();
  await (await takeLock(path)).release();
});

test('of many who try at once, one gets the lock', async () => {
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => takeLock(path)));
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
});

test('the lock of a process that has ended is taken over', async () => {
  const other = spawn(process.execPath, ['-e', '']);
  await once(other, 'exit');
  await writeFile(path, JSON.stringify({ pid: other.pid, started: 'boot/1' }));
  await takeLock(path);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid });
});

test('the lock of an earlier process with the pid of a living one is taken over', async () => {
  await writeFile(path, JSON.stringify({ pid: process.ppid, started: 'another boot/17' }));
  await takeLock(path);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid });
});

test('of many who find a stale lock, one takes it over', async () => {
  await writeFile(path, JSON.stringify({ pid: process.pid, started: 'another boot/17' }));
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => takeLock(path)));
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
});

test('a half-written lock is taken over', async () => {
  await writeFile(path, '{"pid": 12');
  await takeLock(path);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid });
});

test('a waiting caller gets a lock that is released meanwhile', async () => {
  const lock = await takeLock(path);
  const waiting = takeLock(path, 5_000);
  await lock.release();
  await (await waiting).release();
});
