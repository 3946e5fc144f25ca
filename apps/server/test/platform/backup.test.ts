import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDatabase, startServer, type RunningServer } from '@rmeet/testkit';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { backUp, restore } from '../../src/platform/backup/index.ts';
import { nameOf, rotate, scheduleBackups } from '../../src/platform/backup/schedule.ts';
import { readConfig } from '../../src/platform/config/index.ts';
import { newId, openDb, withEmbedded, type Db } from '../../src/platform/db/index.ts';
import type { Jobs } from '../../src/platform/jobs/types.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { localStorage } from '../../src/platform/storage/index.ts';
import { adminUrl } from '../modules/support/template.ts';
import { tempFolder } from './support/db.ts';
import { BEFORE_FOLDER } from './support/migrations.ts';
import { smallDisk, smallDiskMissing, type SmallDisk } from './support/small-disk.ts';

const log = createLog('test', 'silent');
const program = (name: string): string => fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url));

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const run of cleanUp.splice(0).toReversed()) await run();
});

async function newFolder(): Promise<string> {
  const folder = await tempFolder();
  cleanUp.push(folder.remove);
  return folder.path;
}

interface Place {
  folder: string;
  databaseUrl?: string;
}

const configOf = ({ folder, databaseUrl }: Place, env: NodeJS.ProcessEnv = {}) =>
  readConfig({ RMEET_DATA: folder, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}), ...env });

async function inDatabase<T>({ folder, databaseUrl }: Place, work: (db: Db) => Promise<T>): Promise<T> {
  const run = async (url: string): Promise<T> => {
    const { db } = await openDb({ url, log });
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  };
  return databaseUrl === undefined ? withEmbedded(folder, run) : run(databaseUrl);
}

const tenantId = newId();
/** A tenant with people whose names are difficult for text formats. */
async function fill(place: Place, names = ['Alice', '张三', 'O\'Brien \\ "quoted"\n', '🙂 = + {']): Promise<void> {
  await inDatabase(place, (db) =>
    db.platform(async (tx) => {
      const createdAt = new Date('2026-11-20T09:00:00.123Z');
      await tx.insert(tenant, {
        tenantId,
        name: 'north',
        createdAt,
        deniedFeatures: ['sys:tel', 'a,b"c'],
        maxRecordingBytes: Number.MAX_SAFE_INTEGER,
      });
      await tx.insert(
        account,
        names.map((name, index) => ({
          id: newId(),
          tenantId,
          account: `person${index}`,
          name,
          passwordHash: '$argon2id$',
          createdAt,
        })),
      );
    }),
  );
}

async function rowsIn(path: string): Promise<string[]> {
  return gunzipSync(await readFile(path))
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('='));
}

const namesIn = (place: Place): Promise<string[]> =>
  inDatabase(place, async (db) => (await db.tenant(tenantId, (tx) => tx.find(account))).map((row) => row.name));

async function newPlace(kind: 'embedded' | 'own server' = 'own server'): Promise<Place> {
  const folder = await newFolder();
  if (kind === 'embedded') return { folder };
  const database = await createDatabase(adminUrl());
  cleanUp.push(database.drop);
  return { folder, databaseUrl: database.url };
}

test.each([
  ['embedded', 'own server'],
  ['own server', 'embedded'],
] as const)('from %s to %s: the same rows, the same files, the same key', { timeout: 60_000 }, async (from, to) => {
  const [source, target] = [await newPlace(from), await newPlace(to)];
  await fill(source);
  const recording = Buffer.alloc(300_000, 'recording');
  await localStorage(join(source.folder, 'files')).put('uploads/one.webm', recording);
  await writeFile(join(source.folder, 'secret.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
  const [first, second] = [join(source.folder, 'first.backup'), join(target.folder, 'second.backup')];

  expect(await backUp(configOf(source), first, '0.1.0', log)).toMatchObject({ files: 1 });
  await restore(configOf(target), first, { replace: false }, log);
  await backUp(configOf(target), second, '0.1.0', log);

  expect(await rowsIn(second)).toEqual(await rowsIn(first));
  expect(await readFile(join(target.folder, 'files', 'uploads', 'one.webm'))).toEqual(recording);
  expect(await readFile(join(target.folder, 'secret.key'), 'utf8')).toBe(`${Buffer.alloc(32, 7).toString('base64')}\n`);
  expect((await stat(first)).mode & 0o777).toBe(0o600);
  // Constraints are restored: a row without a tenant is rejected.
  await expect(
    inDatabase(target, (db) =>
      db.platform((tx) =>
        tx.insert(account, {
          id: newId(),
          tenantId: newId(),
          account: 'nobody',
          name: '',
          passwordHash: '',
          createdAt: new Date(),
        }),
      ),
    ),
  ).rejects.toThrow();
});

describe('a restore', () => {
  const folders: Awaited<ReturnType<typeof tempFolder>>[] = [];
  const databases: Awaited<ReturnType<typeof createDatabase>>[] = [];
  let target: Place;
  /** Of 400 people, so that a truncation hits rows. */
  let backup: string;
  const people = Array.from({ length: 400 }, (_, index) => `Person ${index} ${newId()}`);
  beforeAll(async () => {
    folders.push(await tempFolder(), await tempFolder());
    databases.push(await createDatabase(adminUrl()), await createDatabase(adminUrl()));
    const [source, other] = folders.map(({ path }, index): Place => ({
      folder: path,
      databaseUrl: databases[index]!.url,
    }));
    if (!source || !other) throw new Error('A folder is missing.');
    target = other;
    backup = join(source.folder, 'a.backup');
    await fill(source, people);
    await writeFile(join(source.folder, 'secret.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
    await backUp(configOf(source), backup, '0.1.0', log);
    await fill(target, ['Bob']);
  });
  afterAll(async () => {
    for (const database of databases) await database.drop();
    for (const folder of folders) await folder.remove();
  });
  /** A changed copy of the backup. */
  async function copyWith(change: (path: string) => Promise<void>): Promise<string> {
    const path = join(await newFolder(), 'changed.backup');
    await copyFile(backup, path);
    await change(path);
    return path;
  }
  const brokenOff = (cut: number) => copyWith(async (path) => truncate(path, (await stat(path)).size - cut));
  const ofTheFuture = () =>
    copyWith(async (path) => {
      const [head = '', ...rest] = gunzipSync(await readFile(path))
        .toString()
        .split('\n');
      const { migrations, ...others } = JSON.parse(head) as { migrations: string[] };
      await writeFile(
        path,
        gzipSync([JSON.stringify({ ...others, migrations: [...migrations, 'of the future'] }), ...rest].join('\n')),
      );
    });

  test.each([
    ['when it broke off', () => brokenOff(10), 'broke off'],
    ['when most of it is missing', () => brokenOff(5_000), 'broke off'],
    ['when it is of a newer version', ofTheFuture, 'newer version'],
    [
      'when it is another file',
      () => copyWith((path) => writeFile(path, gzipSync('{"hello":1}\n'))),
      'no backup of Rmeet',
    ],
    ['when it is no packed file', () => copyWith((path) => writeFile(path, 'hello')), 'cannot be read'],
  ])('is refused, and changes nothing, %s', async (_, path, reason) => {
    await expect(restore(configOf(target), await path(), { replace: true }, log)).rejects.toThrow(reason);
  });

  test('is refused, and changes nothing, while a server is connected', async () => {
    const { db } = await openDb({ url: target.databaseUrl!, log });
    await expect(restore(configOf(target), backup, { replace: true }, log)).rejects.toThrow('Stop it first');
    await db.close();
  });

  test('is refused, and changes nothing, under another key than that of the backup', async () => {
    const env = { RMEET_SECRET_KEY: Buffer.alloc(32, 8).toString('base64') };
    await expect(restore(configOf(target, env), backup, { replace: true }, log)).rejects.toThrow('another key');
  });

  test('is refused, and changes nothing, if accounts exist, unless --replace is given', async () => {
    await expect(restore(configOf(target), backup, { replace: false }, log)).rejects.toThrow('--replace');
    expect(await namesIn(target)).toEqual(['Bob']);
    await restore(configOf(target), backup, { replace: true }, log);
    expect((await namesIn(target)).toSorted()).toEqual(people.toSorted());
  });

  test('brings a backup of an older version to this one', async () => {
    const lines = gunzipSync(await readFile(backup))
      .toString()
      .split('\n');
    const head = JSON.parse(lines[0] ?? '') as object;
    const migrations = readMigrationFiles({ migrationsFolder: BEFORE_FOLDER }).slice(0, 1);
    // The first version had tenants and accounts with fewer columns.
    const older = {
      tenant: ['tenant_id', 'kind', 'name', 'enabled', 'created_at'],
      account: [
        'id',
        'tenant_id',
        'account',
        'name',
        'password_hash',
        'created_at',
        'kind',
        'email',
        'department',
        'locale',
        'is_tenant_admin',
        'is_super_admin',
        'is_demo',
        'enabled',
      ],
    };
    const kept: string[] = [JSON.stringify({ ...head, migrations: migrations.map(({ hash }) => hash) })];
    let columns: string[] | undefined;
    for (const line of lines.slice(1)) {
      if (line.startsWith('{"table"')) {
        const { table } = JSON.parse(line) as { table: string };
        columns = older[table as keyof typeof older];
        if (columns) kept.push(JSON.stringify({ table, columns }));
      } else if (line.startsWith('=') && columns) kept.push(line);
    }
    const place = await newPlace();
    const path = join(place.folder, 'older.backup');
    await writeFile(path, gzipSync(`${[...kept, JSON.stringify({ end: kept.length })].join('\n')}\n`));
    await restore(configOf(place), path, { replace: false }, log);
    const [found, names] = await inDatabase(place, async (db) => [
      await db.platform((tx) => tx.find(tenant, eq(tenant.tenantId, tenantId))),
      await db.tenant(tenantId, (tx) => tx.find(account)),
    ]);
    expect(found[0]).toMatchObject({ auditMonths: 12, passwordMinLength: 8 });
    expect(names.map(({ name }) => name).toSorted()).toEqual(people.toSorted());
  });
});

test('scheduled backups keep the newest and leave other files alone', async () => {
  const folder = await newFolder();
  const names = [1, 2, 3, 4].map((day) => nameOf(new Date(Date.UTC(2026, 10, day, 2, 30))));
  for (const name of [...names, 'notes.txt', 'rmeet.backup']) await writeFile(join(folder, name), '');
  expect(await rotate(folder, 2)).toEqual(names.slice(0, 2));
  expect(await rotate(folder, 2)).toEqual([]);
  expect(names[0]).toBe('rmeet-2026-11-01T02-30-00Z.backup');
});

const missing = smallDiskMissing();
describe.skipIf(missing !== undefined)(`to a full disk${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  /** On a disk of 128 kB, which has room for the rows but not for the file. */
  let place: Place;
  let disk: SmallDisk;
  const older = [1, 2].map((day) => nameOf(new Date(Date.UTC(2026, 10, day, 2, 30))));
  const sentence = () =>
    `The disk of ${disk.folder} is full, so this backup was not ` +
    'written; the older ones are kept. Free some space there';
  beforeEach(async () => {
    place = await newPlace();
    await fill(place);
    await localStorage(join(place.folder, 'files')).put('uploads/one.webm', randomBytes(400_000));
    disk = smallDisk(128);
    cleanUp.push(async () => disk.remove());
    for (const name of older) await writeFile(join(disk.folder, name), 'older');
  });
  const env = (): NodeJS.ProcessEnv => ({ RMEET_DATA: place.folder, DATABASE_URL: place.databaseUrl });
  const left = async (): Promise<string[]> => (await readdir(disk.folder)).toSorted();

  test('a backup ends with one sentence and leaves nothing half-written', async () => {
    const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('RMEET_')));
    const failed = promisify(execFile)(process.execPath, [program('backup'), join(disk.folder, 'by-hand.backup')], {
      env: { ...inherited, ...env() },
    });
    await expect(failed).rejects.toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^The disk of .* is full, .*\n$/),
    });
    await expect(failed).rejects.toMatchObject({ stderr: expect.stringContaining(sentence()) });
    expect(await left()).toEqual(older);
  });

  test.each([0, 50, 120])('no partial file remains with %i kB used before', async (kilobytes) => {
    await writeFile(join(disk.folder, 'other'), Buffer.alloc(kilobytes * 1_024)).catch(() => undefined);
    await expect(backUp(configOf(place), join(disk.folder, 'a.backup'), '0.1.0', log)).rejects.toThrow(sentence());
    expect(await left()).toEqual(['other', ...older]);
  });

  test('a failed scheduled backup is logged, deletes no older one, and waits for its next time', async () => {
    for (const name of Object.keys(process.env)) if (name.startsWith('RMEET_')) vi.stubEnv(name, undefined);
    for (const [name, value] of Object.entries(env())) vi.stubEnv(name, value);
    cleanUp.push(async () => vi.unstubAllEnvs());
    const said: { level: string; msg: string }[] = [];
    const lines = createLog('test', 'info', {
      write: (line) => void said.push(JSON.parse(line) as { level: string; msg: string }),
    });
    let run: (() => Promise<void>) | undefined;
    const jobs = {
      define: (_name: string, _data: unknown, work: () => Promise<void>) => {
        run = work;
      },
      every: () => undefined,
    } as unknown as Jobs;
    scheduleBackups(jobs, configOf(place, { RMEET_BACKUP_FOLDER: disk.folder, RMEET_BACKUP_KEEP: '1' }), lines);
    // The queue retries a job that throws.
    await run?.();
    expect(said).toMatchObject([{ level: 'error', msg: expect.stringContaining(sentence()) }]);
    expect(await left()).toEqual(older);

    await rm(join(place.folder, 'files'), { recursive: true });
    await run?.();
    expect(said[1]).toMatchObject({ level: 'info', removed: older });
    expect(await left()).toHaveLength(1);
  });
});

describe('a running product', () => {
  const run = async (name: string, args: string[], server: RunningServer | Place): Promise<string> => {
    const { folder, databaseUrl } =
      'data' in server ? { folder: server.data, databaseUrl: server.databaseUrl } : server;
    const env = { ...process.env, RMEET_DATA: folder, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) };
    for (const key of Object.keys(env)) if (key.startsWith('RMEET_TEST_')) delete (env as NodeJS.ProcessEnv)[key];
    const { stdout } = await promisify(execFile)(process.execPath, [program(name), ...args], { env });
    return stdout;
  };
  const meetingOf = (index: number) => ({
    subject: `Meeting ${index}`,
    startTime: new Date(Date.now() + 3_600_000).toISOString(),
    duration: 30,
    password: '4821',
  });

  test('is backed up under load; restored elsewhere it answers the same', { timeout: 180_000 }, async () => {
    const server = await startServer();
    cleanUp.push(() => server.stop());
    const alice = await server.api.as('alice');
    const booked: string[] = [];
    for (let index = 0; index < 20; index += 1)
      booked.push((await alice.meetings.createNetwork({ body: meetingOf(index) })).meetId);
    const before = booked.length;
    const over = new AbortController();
    const load = (async () => {
      while (!over.signal.aborted)
        booked.push((await alice.meetings.createNetwork({ body: meetingOf(booked.length) })).meetId);
    })();
    const folder = await newFolder();
    const path = join(folder, 'under-load.backup');
    expect(await run('backup', [path], server)).toContain('rows');
    over.abort();
    await load;
    expect(booked.length).toBeGreaterThan(before);

    const target = await newPlace();
    await mkdir(target.folder, { recursive: true });
    await run('restore', [path], target);
    const second = await startServer({
      data: target.folder,
      env: { RMEET_SEED: 'none', ...(target.databaseUrl ? { DATABASE_URL: target.databaseUrl } : {}) },
    });
    cleanUp.push(() => second.stop());
    const again = await second.api.as('alice');
    const { records, total } = await again.meetings.list({ query: { scope: 'all', keyword: 'Meeting ', size: 200 } });
    expect(total).toBeGreaterThanOrEqual(before);
    expect(total).toBeLessThanOrEqual(booked.length);
    // The rows of one moment: the oldest of those booked, without gaps.
    expect(new Set(records.map((meeting) => meeting.meetId))).toEqual(new Set(booked.slice(0, total)));
    const withoutAddress = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, ''));
    for (const meeting of records.slice(0, 10)) {
      expect(withoutAddress(meeting)).toEqual(
        withoutAddress(await alice.meetings.detail({ params: { id: meeting.meetId } })),
      );
    }
  });
});
