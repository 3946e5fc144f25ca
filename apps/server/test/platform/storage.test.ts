import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileMissing, localStorage, type Storage, type StoredFile } from '../../src/platform/storage/index.ts';
import { tempFolder } from './support/db.ts';

let folder: Awaited<ReturnType<typeof tempFolder>>;
let storage: Storage;

beforeEach(async () => {
  folder = await tempFolder();
  storage = localStorage(folder.path);
});
afterEach(() => folder.remove());

test('a stored file can be read, as a whole or in part', async () => {
  expect(await storage.put('recordings/a.mp4', Readable.from(['hello ', 'world']))).toEqual({ size: 11 });
  expect(await text(await storage.get('recordings/a.mp4'))).toBe('hello world');
  expect(await text(await storage.get('recordings/a.mp4', { start: 6, end: 8 }))).toBe('wor');
  expect(await storage.stat('recordings/a.mp4')).toMatchObject({ size: 11 });
});

test('put replaces a file', async () => {
  await storage.put('a', Buffer.from('one'));
  await storage.put('a', Buffer.from('two'));
  expect(await text(await storage.get('a'))).toBe('two');
});

test('a source that fails leaves nothing behind', async () => {
  const failing = Readable.from(
    (async function* () {
      yield 'half';
      throw new Error('the line is gone');
    })(),
  );
  await expect(storage.put('half', failing)).rejects.toThrow('the line is gone');
  expect(await storage.stat('half')).toBeUndefined();
  expect(await readdir(folder.path)).toEqual([]);
});

test('a missing file is reported, and may be deleted', async () => {
  await expect(storage.get('nothing')).rejects.toThrow(FileMissing);
  expect(await storage.stat('nothing/below')).toBeUndefined();
  await storage.delete('nothing');
});

test.each(['../a', 'a/../../b', '/etc/passwd', 'a//b', '', '.hidden', 'a/./b', 'a\\b', 'a\0b', 'x'.repeat(501)])(
  'the key %j is refused',
  async (key) => {
    await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow('Not a storage key');
    await expect(storage.get(key)).rejects.toThrow('Not a storage key');
  },
);

async function listed(folderOfKeys: string) {
  const files: StoredFile[] = [];
  for await (const file of storage.list(folderOfKeys)) files.push(file);
  return files;
}

test('lists the files of a folder with their times, without half-written ones', async () => {
  await storage.put('uploads/a', Buffer.from('a'));
  await storage.put('uploads/2026/b', Buffer.from('b'));
  await storage.put('recordings/c', Buffer.from('c'));
  await writeFile(join(folder.path, '.partial-x'), 'half');
  const found = await listed('uploads');
  expect(found.map(({ key }) => key).toSorted()).toEqual(['uploads/2026/b', 'uploads/a']);
  expect(found.map(({ key, modifiedAt }) => [key, modifiedAt])).toContainEqual([
    'uploads/a',
    (await storage.stat('uploads/a'))?.modifiedAt,
  ]);
  expect(await listed('nothing')).toEqual([]);
});

test('removes half-written files older than a time, and nothing else', async () => {
  const old = new Date('2026-01-01T00:00:00Z');
  await storage.put('a', Buffer.from('a'));
  for (const name of ['.partial-old', '.partial-new']) await writeFile(join(folder.path, name), 'half');
  for (const name of ['a', '.partial-old']) await utimes(join(folder.path, name), old, old);
  expect(await storage.dropPartial(new Date('2026-01-02T00:00:00Z'))).toBe(1);
  expect((await readdir(folder.path)).toSorted()).toEqual(['.partial-new', 'a']);
  expect(await localStorage(join(folder.path, 'not made yet')).dropPartial(new Date())).toBe(0);
});
