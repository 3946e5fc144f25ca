import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, mkdirSync, openSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createDatabase } from '@rmeet/testkit/database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { backUp, bringBack, copyRecordings, restore } from '../../src/platform/backup/index.ts';
import { missingIn, type RecordingFile } from '../../src/platform/backup/recordings.ts';
import { nameOf, scheduleBackups } from '../../src/platform/backup/schedule.ts';
import { readConfig } from '../../src/platform/config/index.ts';
import type { Jobs } from '../../src/platform/jobs/types.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { localStorage, s3Storage, type Storage } from '../../src/platform/storage/index.ts';
import { openDb } from '../../src/platform/db/index.ts';
import { adminUrl } from '../modules/support/template.ts';
import { tempFolder } from './support/db.ts';
import { S3_SKIPPED, s3Program, startS3, type S3Server } from '@rmeet/testkit';

const log = createLog('test', 'silent');
const program = (name: string): string => fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url));
const quiet = (): void => undefined;

let folder: Awaited<ReturnType<typeof tempFolder>>;
let own: Storage;
beforeEach(async () => {
  folder = await tempFolder();
  own = localStorage(join(folder.path, 'data', 'files'));
});
afterEach(() => folder.remove());

async function recordingFiles(storage: Storage): Promise<RecordingFile[]> {
  const files: RecordingFile[] = [];
  for await (const { key, size } of storage.list('recordings')) files.push({ key, size });
  return files.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** Two recordings of a few segments. */
async function record(): Promise<RecordingFile[]> {
  for (const id of ['r1', 'r2']) {
    await own.put(`recordings/${id}/index.json`, Buffer.from('{"tracks":1}'));
    for (const number of [1, 2, 3])
      await own.put(`recordings/${id}/programme/segment-1-${number}.m4s`, Buffer.from(`${id} ${number}`));
  }
  return recordingFiles(own);
}

/** The storage, which counts the files that are read from it, and fails from some key on. */
function watched(storage: Storage, fails: (key: string) => boolean = () => false): Storage & { read: string[] } {
  const read: string[] = [];
  return {
    ...storage,
    read,
    async get(key, range) {
      if (fails(key)) throw new Error('the disk is broken');
      read.push(key);
      return storage.get(key, range);
    },
  };
}

function copies(open: () => Storage): void {
  test('new files of recordings are copied with their hashes, once', async () => {
    const [files, target] = [await record(), open()];
    expect(await copyRecordings(files, own, target, quiet)).toMatchObject({ files: 8, failed: [] });
    expect(await text(await target.get('recordings/r2/programme/segment-1-3.m4s'))).toBe('r2 3');
    const sum = createHash('sha256').update('r1 2').digest('hex');
    expect(await text(await target.get('recordings/r1/SHA256SUMS'))).toContain(`${sum}  programme/segment-1-2.m4s\n`);

    await own.put('recordings/r2/programme/segment-1-4.m4s', Buffer.from('r2 4'));
    await own.put('recordings/r2/index.json', Buffer.from('{"tracks":2}'));
    const again = watched(own);
    expect(await copyRecordings(await recordingFiles(own), again, target, quiet)).toMatchObject({ files: 3 });
    expect(again.read.toSorted()).toEqual([
      'recordings/r1/index.json',
      'recordings/r2/index.json',
      'recordings/r2/programme/segment-1-4.m4s',
    ]);
    expect(await text(await target.get('recordings/r2/index.json'))).toBe('{"tracks":2}');
  });

  test('a file that fails is named, the others are copied, and the next run copies it alone', async () => {
    const [files, target] = [await record(), open()];
    const broken = watched(own, (key) => key.endsWith('r1/programme/segment-1-2.m4s'));
    expect(await copyRecordings(files, broken, target, quiet)).toMatchObject({
      files: 7,
      failed: [{ key: 'recordings/r1/programme/segment-1-2.m4s', reason: 'the disk is broken' }],
    });
    const next = watched(own);
    await copyRecordings(files, next, target, quiet);
    expect(next.read.filter((key) => !key.endsWith('index.json'))).toEqual(['recordings/r1/programme/segment-1-2.m4s']);
    expect(await missingIn(target, files)).toEqual([]);
  });

  test('what is missing comes back, unless its copy is damaged', async () => {
    const [files, target] = [await record(), open()];
    await copyRecordings(files, own, target, quiet);
    await own.deleteFolder('recordings/r1');
    await own.put('recordings/r2/programme/segment-1-1.m4s', Buffer.from('r2'));
    const missing = await missingIn(own, files);
    expect(missing.map(({ key }) => key)).toEqual([
      ...files.map(({ key }) => key).filter((key) => key.includes('/r1/')),
      'recordings/r2/programme/segment-1-1.m4s',
    ]);
    await target.put('recordings/r1/programme/segment-1-3.m4s', Buffer.from('r1 X'));
    const copied = await bringBack(missing, target, own, quiet);
    expect(copied).toMatchObject({
      files: 4,
      failed: [{ key: 'recordings/r1/programme/segment-1-3.m4s' }],
    });
    expect(await own.stat('recordings/r1/programme/segment-1-3.m4s')).toBeUndefined();
    expect(await text(await own.get('recordings/r1/programme/segment-1-2.m4s'))).toBe('r1 2');
  });
}

describe('copied to a folder', () => {
  copies(() => localStorage(join(folder.path, 'copies')));
});

describe.skipIf(s3Program === undefined)(`copied to a bucket${S3_SKIPPED}`, () => {
  let server: S3Server;
  let count = 0;
  beforeAll(async () => {
    server = await startS3();
  });
  afterAll(() => server.remove());
  copies(() => s3Storage({ ...server.settings, prefix: `copies-${count++}/` }));
});

describe('a backup', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  beforeAll(async () => {
    database = await createDatabase(adminUrl());
    await (await openDb({ url: database.url, log })).db.close();
  });
  afterAll(() => database.drop());

  const environment = (): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    RMEET_DATA: join(folder.path, 'data'),
    DATABASE_URL: database.url,
  });
  const config = (): ReturnType<typeof readConfig> =>
    readConfig({ RMEET_DATA: join(folder.path, 'data'), DATABASE_URL: database.url });
  const run = (name: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> =>
    promisify(execFile)(process.execPath, [program(name), ...args], { env: environment() });

  test('lists recordings and does not read them: 100 GB of them add no time', async () => {
    const [small, large] = ['small', 'large'].map((name) => join(folder.path, `${name}.backup`)) as [string, string];
    await own.put('uploads/a', Buffer.from('a file'));
    /** Processor time, ms. */
    const timeOf = async (path: string): Promise<number> => {
      const started = process.cpuUsage();
      expect(await backUp(config(), path, '0.1.0', log)).toMatchObject({ files: 1 });
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 1_000;
    };
    const before = await timeOf(small);
    // As many segments as 100 GB of pictures have would be ten times as many files.
    for (let recording = 1; recording <= 50; recording += 1) {
      const programme = join(folder.path, 'data', 'files', 'recordings', `r${recording}`, 'programme');
      mkdirSync(programme, { recursive: true });
      for (let number = 0; number < 400; number += 1) {
        const file = openSync(join(programme, `segment-1-${number}.m4s`), 'w');
        ftruncateSync(file, 5e6);
        closeSync(file);
      }
    }
    expect((await timeOf(large)) - before).toBeLessThan(1_500);
    expect((await readFile(large)).length).toBeLessThan(1e6);
    const restored = await restore(config(), large, { replace: true }, log);
    expect(restored.missing).toEqual([]);
    await own.delete('recordings/r1/programme/segment-1-7.m4s');
    expect((await restore(config(), large, { replace: true }, log)).missing).toEqual([
      { key: 'recordings/r1/programme/segment-1-7.m4s', size: 5e6 },
    ]);
  });

  test('leaves out the spool, and the commands copy recordings and bring them back', { timeout: 120_000 }, async () => {
    await record();
    await own.put('uploads/a', Readable.from(['a file']));
    const spool = join(folder.path, 'data', 'recording-spool', 'r3', 'programme');
    await mkdir(spool, { recursive: true });
    await writeFile(join(spool, 'segment-1-1.m4s'), 'spooled');
    const [backup, place] = [join(folder.path, 'b.backup'), join(folder.path, 'copies')];
    const { stdout } = await run('backup', backup, '--files', place);
    expect(stdout).toContain('1 files in');
    expect(stdout).toContain(`8 new files of 2 recordings were copied to ${place}.`);

    await own.deleteFolder('recordings');
    await own.deleteFolder('uploads');
    const named = await run('restore', backup, '--replace');
    expect(named.stdout).toContain('Recording r1 lacks 4 files.\nRecording r2 lacks 4 files.');
    const back = await run('restore', backup, '--replace', '--files', place);
    expect(back.stdout).toContain('8 files of recordings are back.');
    expect((await recordingFiles(own)).length).toBe(8);
    expect(await text(await own.get('uploads/a'))).toBe('a file');

    await writeFile(join(place, 'recordings', 'r1', 'programme', 'segment-1-2.m4s'), 'r1 X');
    await own.delete('recordings/r1/programme/segment-1-2.m4s');
    await expect(run('restore', backup, '--replace', '--files', place)).rejects.toMatchObject({
      code: 3,
      stderr: expect.stringContaining('1 files of recordings could not be copied, the rows are back; the first is'),
    });
    await expect(run('backup', join(folder.path, 'c.backup'), '--files', 's3://b/p')).rejects.toMatchObject({
      stderr: 'To use s3://b/p, set RMEET_S3_ENDPOINT, RMEET_S3_KEY and RMEET_S3_SECRET.\n',
    });
  });

  test('on schedule copies new files of recordings; a failure names them, and the next run goes on', async () => {
    await record();
    const [backups, place] = [join(folder.path, 'backups'), join(folder.path, 'copies')];
    for (const name of Object.keys(process.env)) if (name.startsWith('RMEET_')) vi.stubEnv(name, undefined);
    const env = { ...environment(), RMEET_BACKUP_FOLDER: backups, RMEET_BACKUP_KEEP: '1', RMEET_BACKUP_FILES: place };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const said: { level: string; msg: string }[] = [];
    const lines = createLog('test', 'info', {
      write: (line) => void said.push(JSON.parse(line) as { level: string; msg: string }),
    });
    let job: (() => Promise<void>) | undefined;
    const jobs = {
      define: (_name: string, _data: unknown, work: () => Promise<void>) => {
        job = work;
      },
      every: () => undefined,
    } as unknown as Jobs;
    scheduleBackups(jobs, readConfig(env), lines);
    await mkdir(backups);
    const older = nameOf(new Date(Date.UTC(2026, 10, 1, 2, 30)));
    await writeFile(join(backups, older), 'older');
    await mkdir(join(place, 'recordings', 'r1'), { recursive: true });
    await writeFile(join(place, 'recordings', 'r1', 'programme'), 'not a folder');

    await job?.();
    expect(said).toMatchObject([
      { level: 'info', removed: [older] },
      { level: 'error', msg: expect.stringContaining('3 files of recordings could not be copied') },
    ]);
    expect(await readdir(backups)).toHaveLength(1);
    await rm(join(place, 'recordings', 'r1', 'programme'));
    // Backups of the same second would have one name.
    await rm(backups, { recursive: true });
    await job?.();
    expect(said.slice(2)).toMatchObject([
      { level: 'info', msg: expect.stringContaining(`5 new files of 2 recordings were copied to ${place}.`) },
    ]);
    expect(await missingIn(localStorage(place), await recordingFiles(own))).toEqual([]);
    vi.unstubAllEnvs();
  });
});
