import { readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileMissing, localStorage, type Storage } from '../../src/platform/storage/index.ts';
import { tempFolder } from './support/db.ts';

let folder: Awaited<ReturnType<typeof tempFolder>>;
let storage: Storage;

beforeEach(async () => {
  folder = await tempFolder();
  storage = localStorage(folder.path);
});
afterEach(() => folder.remove());

test('what was put is got back, whole or in part', async () => {
  expect(await storage.put('recordings/a.mp4', Readable.from(['hello ', 'world']))).toEqual({ size: 11 });
  expect(await text(await storage.get('recordings/a.mp4'))).toBe('hello world');
  expect(await text(await storage.get('recordings/a.mp4', { start: 6, end: 8 }))).toBe('wor');
  expect(await storage.stat('recordings/a.mp4')).toMatchObject({ size: 11 });
});

test('put replaces', async () => {
  await storage.put('a', Buffer.from('one'));
  await storage.put('a', Buffer.from('two'));
  expect(await text(await storage.get('a'))).toBe('two');
});

test('a source that fails leaves nothing behind', async () => {
  const failing = Readable.from((async function* () {
    yield 'half';
    throw new Error('the line is gone');
  })());
  await expect(storage.put('half', failing)).rejects.toThrow('the line is gone');
  expect(await storage.stat('half')).toBeUndefined();
  expect(await readdir(folder.path)).toEqual([]);
});

test('what is not there is missing, and may be deleted', async () => {
  await expect(storage.get('nothing')).rejects.toThrow(FileMissing);
  expect(await storage.stat('nothing/below')).toBeUndefined();
  await storage.delete('nothing');
});

test.each(['../a', 'a/../../b', '/etc/passwd', 'a//b', '', '.hidden', 'a/./b', 'a\\b', 'a\0b', 'x'.repeat(501)])('the key %j is refused', async (key) => {
  await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow('Not a storage key');
  await expect(storage.get(key)).rejects.toThrow('Not a storage key');
});
