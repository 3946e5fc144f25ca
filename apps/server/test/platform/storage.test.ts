import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  FileMissing,
  localStorage,
  s3Storage,
  StorageUnavailable,
  StorageUnusable,
  type Storage,
  type StoredFile,
} from '../../src/platform/storage/index.ts';
import { tempFolder } from './support/db.ts';
import { S3_SKIPPED, s3Program, startS3, type S3Server } from '@rmeet/testkit';

let folder: Awaited<ReturnType<typeof tempFolder>>;
let storage: Storage;

beforeEach(async () => {
  folder = await tempFolder();
  storage = localStorage(folder.path);
});
afterEach(() => folder.remove());

async function listed(of: Storage, folderOfKeys?: string): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for await (const file of of.list(folderOfKeys)) files.push(file);
  return files.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

const failing = (first: Buffer | string): Readable =>
  Readable.from(
    (async function* () {
      yield first;
      throw new Error('the line is gone');
    })(),
  );

/** What every storage does. */
function behavesAsStorage(open: () => Storage): void {
  test('a stored file can be read, as a whole or in part', async () => {
    const files = open();
    expect(await files.put('read/a.mp4', Readable.from(['hello ', 'world']))).toEqual({ size: 11 });
    expect(await text(await files.get('read/a.mp4'))).toBe('hello world');
    expect(await text(await files.get('read/a.mp4', { start: 6, end: 8 }))).toBe('wor');
    expect(await text(await files.get('read/a.mp4', { start: 6 }))).toBe('world');
    expect(await files.stat('read/a.mp4')).toEqual({ size: 11 });
    await files.put('read/empty', Buffer.alloc(0));
    expect(await files.stat('read/empty')).toEqual({ size: 0 });
    expect(await text(await files.get('read/empty'))).toBe('');
  });

  test('put replaces a file', async () => {
    const files = open();
    await files.put('put/a', Buffer.from('one'));
    await files.put('put/a', Buffer.from('two'));
    expect(await text(await files.get('put/a'))).toBe('two');
  });

  test('a large file of unknown size is stored as it is', async () => {
    const files = open();
    // More than two parts of S3, in chunks that fit none of them.
    const chunk = Buffer.from(Array.from({ length: 700_001 }, (_, index) => index % 251));
    const chunks = Array.from({ length: 25 }, () => chunk);
    expect(await files.put('large/a', Readable.from(chunks))).toEqual({ size: 25 * chunk.length });
    expect((await buffer(await files.get('large/a'))).equals(Buffer.concat(chunks))).toBe(true);
  });

  test.each([
    ['small', 'half'],
    ['large', Buffer.alloc(20_000_000)],
  ])('a %s source that fails leaves nothing behind, and what was there', async (size, first) => {
    const files = open();
    await expect(files.put(`fails/${size}`, failing(first))).rejects.toThrow('the line is gone');
    expect(await files.stat(`fails/${size}`)).toBeUndefined();
    await files.put(`fails/${size}`, Buffer.from('before'));
    await expect(files.put(`fails/${size}`, failing(first))).rejects.toThrow('the line is gone');
    expect(await text(await files.get(`fails/${size}`))).toBe('before');
    expect(await files.dropPartial(new Date(Date.now() + 60_000))).toBe(0);
  });

  test('a file that is moved in leaves its place', async () => {
    const files = open();
    await writeFile(join(folder.path, 'outside'), 'content');
    await files.put('moved/a', Buffer.from('former'));
    expect(await files.moveIn('moved/a', join(folder.path, 'outside'))).toEqual({ size: 7 });
    expect(await text(await files.get('moved/a'))).toBe('content');
    expect(await readdir(folder.path)).not.toContain('outside');
    await expect(files.moveIn('moved/b', join(folder.path, 'outside'))).rejects.toThrow('ENOENT');
    expect(await files.stat('moved/b')).toBeUndefined();
  });

  test('a missing file is reported, and may be deleted', async () => {
    const files = open();
    await expect(files.get('nothing')).rejects.toThrow(FileMissing);
    expect(await files.stat('nothing/below')).toBeUndefined();
    await files.delete('nothing');
    await files.deleteFolder('nothing');
  });

  test.each(['../a', 'a/../../b', '/etc/passwd', 'a//b', '', '.hidden', 'a/./b', 'a\\b', 'a\0b', 'x'.repeat(501)])(
    'the key %j is refused',
    async (key) => {
      const files = open();
      await expect(files.put(key, Buffer.from('x'))).rejects.toThrow('Not a storage key');
      await expect(files.get(key)).rejects.toThrow('Not a storage key');
      await expect(files.deleteFolder(key)).rejects.toThrow('Not a storage key');
    },
  );

  test('lists the files of a folder with sizes and times, and deletes a folder with all its files', async () => {
    const files = open();
    const before = Date.now();
    await files.put('list/a', Buffer.from('a'));
    await files.put('list/2026/b', Buffer.from('bb'));
    await files.put('list2/c', Buffer.from('c'));
    const found = await listed(files, 'list');
    expect(found.map(({ key, size }) => [key, size])).toEqual([
      ['list/2026/b', 2],
      ['list/a', 1],
    ]);
    for (const { modifiedAt } of found) expect(Math.abs(modifiedAt.getTime() - before)).toBeLessThan(5_000);
    expect((await listed(files)).map(({ key }) => key)).toEqual(
      expect.arrayContaining(['list/2026/b', 'list/a', 'list2/c']),
    );
    expect(await listed(files, 'nothing')).toEqual([]);

    await files.delete('list/a');
    await files.deleteFolder('list');
    expect(await listed(files, 'list')).toEqual([]);
    expect(await files.stat('list2/c')).toEqual({ size: 1 });
  });

  test('has room', async () => {
    expect(await open().hasRoom()).toBe(true);
  });
}

describe('a local folder', () => {
  behavesAsStorage(() => storage);

  test('has no addresses for browsers', async () => {
    await storage.put('a', Buffer.from('a'));
    expect(await storage.address('a', 60)).toBeNull();
  });

  test('lists no half-written files', async () => {
    await storage.put('a', Buffer.from('a'));
    await writeFile(join(folder.path, '.partial-x'), 'half');
    expect((await listed(storage)).map(({ key }) => key)).toEqual(['a']);
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
});

describe.skipIf(s3Program === undefined)(`an S3 bucket${S3_SKIPPED}`, () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3();
  });
  afterAll(() => server.remove());

  behavesAsStorage(() => s3Storage(server.settings));

  test('lists and deletes more files than one answer of the server has', { timeout: 60_000 }, async () => {
    const files = s3Storage(server.settings);
    const keys = Array.from({ length: 1_203 }, (_, index) => `many/${index}`);
    for (let at = 0; at < keys.length; at += 50)
      await Promise.all(keys.slice(at, at + 50).map((key) => files.put(key, Buffer.from('x'))));
    expect((await listed(files, 'many')).length).toBe(keys.length);
    await files.deleteFolder('many');
    expect(await listed(files, 'many')).toEqual([]);
  });

  test('an address for browsers serves the file, in part too, for a minute at most', async () => {
    const files = s3Storage({ ...server.settings, publicEndpoint: server.settings.endpoint });
    await files.put('shown/a', Buffer.from('hello world'));
    const address = (await files.address('shown/a', 3_600)) ?? '';
    expect(new URL(address).searchParams.get('X-Amz-Expires')).toBe('60');
    expect(await (await fetch(address)).text()).toBe('hello world');
    expect(await (await fetch(address, { headers: { Range: 'bytes=6-8' } })).text()).toBe('wor');
    expect((await fetch(address.replace('shown', 'other'))).status).toBe(403);
    expect((await fetch(address.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'))).status).toBe(403);
    expect(await s3Storage(server.settings).address('shown/a', 60)).toBeNull();
  });

  test('an outage shorter than the retries is not noticed; a longer one is reported, and ends', async () => {
    const files = s3Storage(server.settings);
    await files.put('away/a', Buffer.from('a'));
    await server.away();
    const [soon] = await Promise.all([files.get('away/a'), server.back()]);
    expect(await text(soon)).toBe('a');

    await server.away();
    expect(await files.hasRoom().catch(() => false)).toBe(false);
    await expect(files.put('away/b', Buffer.from('b'))).rejects.toThrow(StorageUnavailable);
    await expect(files.get('away/a')).rejects.toThrow(StorageUnavailable);
    await expect(files.stat('away/a')).rejects.toThrow(StorageUnavailable);
    await expect(files.check()).rejects.toThrow(`${server.settings.endpoint} cannot be used: ECONNREFUSED`);
    await server.back();
    await files.put('away/b', Buffer.from('b'));
    expect(await text(await files.get('away/b'))).toBe('b');
  });

  test('incomplete uploads in parts are removed once they are old', async () => {
    const files = s3Storage(server.settings);
    const held = Promise.withResolvers<void>();
    const source = Readable.from(
      (async function* () {
        yield Buffer.alloc(20_000_000);
        held.resolve();
        await new Promise(() => undefined);
      })(),
    );
    const put = files.put('held', source);
    put.catch(() => undefined);
    await held.promise;
    expect(await files.dropPartial(new Date(Date.now() - 60_000))).toBe(0);
    expect(await files.dropPartial(new Date(Date.now() + 60_000))).toBe(1);
    source.destroy();
  });

  test('the check at the start accepts a key that may write', async () => {
    const files = s3Storage(server.settings);
    await files.check();
    expect((await listed(files)).some(({ key }) => key.includes('check'))).toBe(false);
  });

  test.each([
    ['a wrong secret', { secret: 'wrong' }, 'does not let this key write to the bucket files'],
    ['a wrong key', { accessKey: 'wrong' }, 'Check RMEET_S3_KEY, RMEET_S3_SECRET'],
    ['a bucket that is missing', { bucket: 'absent' }, 'There is no bucket absent at'],
  ])('with %s, the check at the start says what to do', async (_, change, sentence) => {
    const files = s3Storage({ ...server.settings, ...change });
    await expect(files.check()).rejects.toThrow(StorageUnusable);
    await expect(files.check()).rejects.toThrow(sentence);
    await expect(files.put('a', Buffer.from('a'))).rejects.toThrow(StorageUnavailable);
    await expect(listed(files)).rejects.toThrow(StorageUnavailable);
  });
});
