import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { zipOf, zipSize, type ZipEntry } from '../../src/modules/meeting-files/zip.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rmeet-zip-'));
});
afterAll(() => rm(folder, { recursive: true }));

const AT = new Date('2026-11-27T10:20:30Z');
const entry = (path: string, content: Buffer): ZipEntry => ({
  path,
  size: content.length,
  modifiedAt: AT,
  crc: async () => crc32(content),
  open: () => Readable.from([content]) as AsyncIterable<Buffer>,
});

test('more files than 16 bits count are read by another program, and the size was announced', async () => {
  const entries = Array.from({ length: 70_000 }, (_, i) => entry(`文件/${i}.txt`, Buffer.from(`File ${i}`)));
  const path = join(folder, 'many.zip');
  await pipeline(Readable.from(zipOf(entries), { objectMode: false }), createWriteStream(path));
  expect((await stat(path)).size).toBe(zipSize(entries));
  const script =
    'import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\n' +
    'print(len(z.infolist()), z.read("文件/69999.txt").decode(), z.infolist()[0].date_time)';
  const { stdout } = await promisify(execFile)('python3', ['-c', script, path]);
  expect(stdout.trim()).toBe('70000 File 69999 (2026, 11, 27, 10, 20, 30)');
});

test('a file above 4 GiB, and one after it, have the fields of ZIP64', async () => {
  const block = Buffer.alloc(64 * 1024 * 1024);
  const size = 65 * block.length;
  const large: ZipEntry = {
    path: 'large.bin',
    size,
    modifiedAt: AT,
    crc: async () => 1,
    open: () => Readable.from(Array.from({ length: 65 }, () => block)) as AsyncIterable<Buffer>,
  };
  const entries = [large, entry('after.txt', Buffer.from('x'))];
  let bytes = 0;
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of zipOf(entries)) {
    bytes += chunk.length;
    tail = chunk;
  }
  expect(bytes).toBe(zipSize(entries));
  // The end of ZIP64 (APPNOTE 4.3.14): two entries, and where their directory begins.
  expect(tail.toString('latin1', 0, 4)).toBe('PK\x06\x06');
  expect(tail.readBigUInt64LE(32)).toBe(2n);
  expect(Number(tail.readBigUInt64LE(48))).toBeGreaterThan(size);
});

test('a file that is shorter than announced breaks the download', async () => {
  const wrong = { ...entry('a.txt', Buffer.from('abc')), size: 4 };
  await expect(Readable.from(zipOf([wrong])).toArray()).rejects.toThrow('changed');
});
