import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SpoolRoom, Uploader, type UploadTrouble } from '../../../src/modules/recordings/upload/index.ts';
import { localStorage, s3Storage, type Storage } from '../../../src/platform/storage/index.ts';
import { tempFolder } from '../../platform/support/db.ts';
import { S3_SKIPPED, s3Program, startS3 } from '@rmeet/testkit';
import { smallDisk, smallDiskMissing } from '../../platform/support/small-disk.ts';

let folder: Awaited<ReturnType<typeof tempFolder>>;
let storage: Storage;
let spool: string;
let stored: string;

beforeEach(async () => {
  folder = await tempFolder();
  [spool, stored] = [join(folder.path, 'spool'), join(folder.path, 'files')];
  storage = localStorage(stored);
  await mkdir(spool);
});
afterEach(() => folder.remove());

const waits = { first: 5, longest: 20 };
const keyOf = (name: string): string => `recordings/r/programme/${name}`;

/** A file in the spool. */
async function spooled(name: string, content = name): Promise<{ key: string; path: string }> {
  const path = join(spool, name);
  await writeFile(path, content);
  return { key: keyOf(name), path };
}

const contentOf = async (name: string): Promise<string> => text(await storage.get(keyOf(name)));

test('completed files leave the spool and are in the storage', async () => {
  const sizes: Record<string, number> = {};
  const uploader = new Uploader({ storage, onStored: ({ key, size }) => (sizes[key] = size) });
  const names = Array.from({ length: 9 }, (_, index) => `segment-1-${index}.m4s`);
  for (const name of names) uploader.add(await spooled(name));
  await uploader.finish();
  expect(uploader.pending).toBe(0);
  expect(await readdir(spool)).toEqual([]);
  expect(await Promise.all(names.map(contentOf))).toEqual(names);
  expect(sizes[keyOf('segment-1-0.m4s')]).toBe('segment-1-0.m4s'.length);
});

test('files wait in the spool while the storage is away, and are stored when it is back', async () => {
  // A file where the folder of the storage should be: nothing can be stored.
  await writeFile(stored, '');
  const troubles: (UploadTrouble | null)[] = [];
  const failed = Promise.withResolvers<void>();
  const uploader = new Uploader({
    storage,
    waits,
    onTrouble(trouble) {
      troubles.push(trouble);
      if (troubles.length === 3) failed.resolve();
    },
  });
  for (const name of ['a', 'bb', 'ccc']) uploader.add(await spooled(name));
  await failed.promise;
  expect(uploader.pending).toBe(6);
  expect((await readdir(spool)).toSorted()).toEqual(['a', 'bb', 'ccc']);

  await rm(stored);
  await uploader.finish();
  expect(await Promise.all(['a', 'bb', 'ccc'].map(contentOf))).toEqual(['a', 'bb', 'ccc']);
  expect(await readdir(spool)).toEqual([]);
  const [first] = troubles;
  expect(first).toMatchObject({ reason: 'unreachable' });
  expect(troubles.filter((trouble) => trouble !== null).every(({ since }) => since === first?.since)).toBe(true);
  expect(troubles.at(-1)).toBeNull();
});

test('finish gives up with its signal; what is left stays in the spool for the next recorder', async () => {
  await writeFile(stored, '');
  const uploader = new Uploader({ storage, waits });
  uploader.add(await spooled('a'));
  await expect(uploader.finish(AbortSignal.timeout(30))).rejects.toThrow('aborted due to timeout');
  await uploader.close();
  expect(await readdir(spool)).toEqual(['a']);

  await rm(stored);
  const next = new Uploader({ storage });
  next.add({ key: keyOf('a'), path: join(spool, 'a') });
  await next.finish();
  expect(await contentOf('a')).toBe('a');
});

test('a file that a former recorder has stored is done, and one that is nowhere is reported as lost', async () => {
  await storage.put(keyOf('a'), Buffer.from('stored'));
  const seen: [string, string, number?][] = [];
  const uploader = new Uploader({
    storage,
    onStored: ({ key, size }) => seen.push(['stored', key, size]),
    onLost: ({ key }) => seen.push(['lost', key]),
  });
  for (const name of ['a', 'b']) uploader.add({ key: keyOf(name), path: join(spool, name) });
  await uploader.finish();
  expect(seen).toEqual([
    ['stored', keyOf('a'), 6],
    ['lost', keyOf('b')],
  ]);
  expect(() => uploader.add({ key: '../a', path: join(spool, 'a') })).toThrow('Not a storage key');
});

describe.skipIf(smallDiskMissing() !== undefined)('on a disk of its own', () => {
  test('a file waits for space on another disk, and is copied there', async () => {
    const disk = smallDisk(256);
    try {
      const there = localStorage(disk.folder);
      const free = disk.fill();
      const full = Promise.withResolvers<UploadTrouble | null>();
      const uploader = new Uploader({ storage: there, waits, onTrouble: full.resolve });
      uploader.add(await spooled('a', 'x'.repeat(100_000)));
      expect(await full.promise).toMatchObject({ reason: 'full' });
      expect((await readFile(join(spool, 'a'))).length).toBe(100_000);
      free();
      await uploader.finish();
      expect(await there.stat(keyOf('a'))).toMatchObject({ size: 100_000 });
      expect(await readdir(spool)).toEqual([]);
    } finally {
      disk.remove();
    }
  });

  test('a spool is full before its disk is, and has room again only with some reserve', async () => {
    const disk = smallDisk(1_000);
    try {
      const room = new SpoolRoom(disk.folder, { least: 300_000, enough: 600_000 });
      expect(await room.hasRoom()).toBe(true);
      await writeFile(join(disk.folder, 'a'), Buffer.alloc(500_000));
      await writeFile(join(disk.folder, 'b'), Buffer.alloc(300_000));
      expect(await room.hasRoom()).toBe(false);
      await rm(join(disk.folder, 'b'));
      expect(await room.hasRoom()).toBe(false);
      await rm(join(disk.folder, 'a'));
      expect(await room.hasRoom()).toBe(true);
    } finally {
      disk.remove();
    }
  });
});

test.skipIf(s3Program === undefined)(
  `segments wait in the spool while the S3 server is away, and nothing is lost${S3_SKIPPED}`,
  { timeout: 30_000 },
  async () => {
    const server = await startS3();
    try {
      const there = s3Storage(server.settings);
      const away = Promise.withResolvers<UploadTrouble | null>();
      const troubles: (UploadTrouble | null)[] = [];
      const uploader = new Uploader({
        storage: there,
        waits,
        onTrouble(trouble) {
          troubles.push(trouble);
          away.resolve(trouble);
        },
      });
      const names = Array.from({ length: 12 }, (_, index) => `segment-1-${index}.m4s`);
      for (const name of names.slice(0, 4)) uploader.add(await spooled(name));
      await uploader.finish();
      await server.away();
      for (const name of names.slice(4)) uploader.add(await spooled(name));
      expect(await away.promise).toMatchObject({ reason: 'unreachable' });
      expect((await readdir(spool)).length).toBe(8);
      await server.back();
      await uploader.finish();
      expect(troubles.at(-1)).toBeNull();
      expect(await readdir(spool)).toEqual([]);
      for (const name of names) expect(await text(await there.get(keyOf(name)))).toBe(name);
    } finally {
      await server.remove();
    }
  },
);
