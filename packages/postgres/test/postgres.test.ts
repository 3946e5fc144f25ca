import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { keepPostgres, packagedPrograms, startPostgres, troubleOf, type RunningPostgres } from '../src/index.ts';

const cleanUp: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const run of cleanUp.splice(0).toReversed()) await run();
});

function newParent(name = 'rmeet-postgres-'): string {
  const parent = mkdtempSync(join(tmpdir(), name));
  cleanUp.push(() => rmSync(parent, { recursive: true, force: true }));
  return parent;
}

async function start(folder: string): Promise<RunningPostgres> {
  const running = await startPostgres({ folder });
  cleanUp.push(() => running.stop());
  return running;
}

async function ask<T extends object>(url: string, statement: string): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** A folder with a table of one row, with its PostgreSQL stopped. */
async function filled(): Promise<string> {
  const folder = join(newParent(), 'postgres');
  const first = await startPostgres({ folder });
  await ask(first.url, 'create table kept (n int)');
  await ask(first.url, 'insert into kept values (1)');
  await first.stop();
  return folder;
}

test('creates a database that sorts by code points, syncs its writes, and listens on its socket only', async () => {
  const { url } = await start(join(newParent(), 'postgres'));
  const [found] = await ask<Record<string, string>>(
    url,
    `
    select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits,
      current_setting('full_page_writes') as pages, current_setting('listen_addresses') as addresses,
      current_setting('data_checksums') as checksums,
      (select datlocale from pg_database where datname = current_database()) as locale, (select 'a' < 'B') as sorted`,
  );
  expect(found).toEqual({
    fsync: 'on',
    commits: 'on',
    pages: 'on',
    addresses: '',
    checksums: 'on',
    locale: 'C.UTF-8',
    sorted: false,
  });
});

test('keeps its data when it is stopped, killed, or left by a killed supervisor', async () => {
  const folder = await filled();
  const second = await start(folder);
  process.kill(second.pid, 'SIGKILL');
  expect(await second.ended).toBeUndefined();
  const third = await start(folder);
  expect(await ask(third.url, 'select n from kept')).toEqual([{ n: 1 }]);
  await third.stop();
  expect(await third.ended).toBeNull();

  // A process that starts it and is killed at once.
  const program =
    'const { startPostgres } = await ' +
    `import(${JSON.stringify(join(import.meta.dirname, '..', 'src', 'index.ts'))}); await startPostgres({ folder: ` +
    `${JSON.stringify(folder)} }); process.stdout.write('ready');`;
  const other = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  other.kill('SIGKILL');
  await once(other, 'exit');
  const last = await start(folder);
  expect(await ask(last.url, 'select n from kept')).toEqual([{ n: 1 }]);
});

// Not this process: PostgreSQL ignores its parent's number.
test('a pid file with the number of another program does not prevent a start', async () => {
  const folder = await filled();
  writeFileSync(
    join(folder, 'postmaster.pid'),
    `${process.ppid}\n${folder}\n1700000000\n5432\n${folder}\n\n  0 0\nready\n`,
  );
  const { url } = await start(folder);
  expect(await ask(url, 'select n from kept')).toEqual([{ n: 1 }]);
});

test('the lock of a socket with the number of another program does not prevent a start', async () => {
  const folder = await filled();
  writeFileSync(join(folder, '.s.PGSQL.5432.lock'), `${process.ppid}\n${folder}\n1700000000\n5432\n${folder}\n`);
  const { url } = await start(folder);
  expect(await ask(url, 'select n from kept')).toEqual([{ n: 1 }]);
});

test('a folder with a name too long for a socket uses another folder, private to its account', async () => {
  const above = newParent();
  // If PostgreSQL runs with its own account, that account must be able to traverse it.
  chmodSync(above, 0o711);
  const parent = join(above, 'a'.repeat(100));
  mkdirSync(parent);
  const { url } = await start(join(parent, 'postgres'));
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('one whose creation was interrupted is created again', async () => {
  const parent = newParent();
  mkdirSync(join(parent, 'postgres.new-1'));
  await start(join(parent, 'postgres'));
  expect(readdirSync(parent)).toEqual(['postgres']);
});

test('killed while it is kept, it returns at the same address; stopped, it does not', async () => {
  const folder = join(newParent(), 'postgres');
  const troubles: string[] = [];
  const keeper = await keepPostgres({
    folder,
    onTrouble: (sentence) => troubles.push(sentence),
    onGiveUp: (error) => troubles.push(error.message),
  });
  cleanUp.push(() => keeper.stop());
  await keeper.ready;
  const pid = keeper.pid()!;
  process.kill(pid, 'SIGKILL');
  await expect
    .poll(() => ask(keeper.url, 'select 1 as one').catch(() => []), { timeout: 20_000 })
    .toEqual([{ one: 1 }]);
  expect(keeper.pid()).not.toBe(pid);
  expect(troubles).toEqual(['The database process ended; it is started again.']);
  await keeper.stop();
  expect(existsSync(join(folder, 'postmaster.pid'))).toBe(false);
});

describe('a damaged folder is reported in a sentence, and stays unchanged', () => {
  /** The observable state of a folder: names and sizes. */
  const lookOf = (folder: string): string[] =>
    readdirSync(folder, { recursive: true })
      .map(String)
      .filter((name) => !/postmaster|\.s\.PGSQL|pg_wal|pg_stat|pg_logical|pg_notify/.test(name))
      .toSorted();
  const files: [string, (folder: string) => void][] = [
    ['its PG_VERSION was removed', (folder) => rmSync(join(folder, 'PG_VERSION'))],
    ['its PG_VERSION was emptied', (folder) => writeFileSync(join(folder, 'PG_VERSION'), '')],
    ['its control file was removed', (folder) => rmSync(join(folder, 'global', 'pg_control'))],
    ['its control file was cut', (folder) => truncateSync(join(folder, 'global', 'pg_control'), 40)],
    [
      'its control file was overwritten',
      (folder) => writeFileSync(join(folder, 'global', 'pg_control'), Buffer.alloc(8_192, 7)),
    ],
    ['its write-ahead log was removed', (folder) => rmSync(join(folder, 'pg_wal'), { recursive: true })],
    [
      'the segments of its write-ahead log were removed',
      (folder) =>
        readdirSync(join(folder, 'pg_wal'))
          .filter((name) => /^[0-9A-F]{24}$/.test(name))
          .forEach((name) => rmSync(join(folder, 'pg_wal', name))),
    ],
    [
      'the segments of its write-ahead log were overwritten',
      (folder) =>
        readdirSync(join(folder, 'pg_wal'))
          .filter((name) => /^[0-9A-F]{24}$/.test(name))
          .forEach((name) => writeFileSync(join(folder, 'pg_wal', name), Buffer.alloc(16 * 2 ** 20, 7))),
    ],
    ['its transactions were removed', (folder) => rmSync(join(folder, 'pg_xact'), { recursive: true })],
    ['its configuration was removed', (folder) => rmSync(join(folder, 'postgresql.conf'))],
    ['its tables were removed', (folder) => rmSync(join(folder, 'base'), { recursive: true })],
  ];
  test.each(files)('%s', async (_, damage) => {
    const folder = await filled();
    damage(folder);
    const before = lookOf(folder);
    await expect(startPostgres({ folder })).rejects.toThrow(`The database in ${folder} is damaged`);
    expect(lookOf(folder)).toEqual(before);
  });
});

test('one with a damaged relation map accepts no connection: it is given up with the sentence', async () => {
  const folder = await filled();
  writeFileSync(join(folder, 'global', 'pg_filenode.map'), Buffer.alloc(524, 7));
  const { promise: givenUp, resolve } = Promise.withResolvers<string>();
  const keeper = await keepPostgres({
    folder,
    onTrouble: () => undefined,
    onGiveUp: (error) => resolve(error.message),
  });
  cleanUp.push(() => keeper.stop());
  // Like the server, which waits for it.
  const asking = setInterval(() => void ask(keeper.url, 'select 1').catch(() => undefined), 100);
  cleanUp.push(() => clearInterval(asking));
  keeper.ready.catch((error: unknown) => resolve(String(error)));
  expect(await givenUp).toContain(`The database in ${folder} is damaged (relation mapping file`);
});

test('a folder of another major version explains how to continue', async () => {
  const folder = await filled();
  writeFileSync(join(folder, 'PG_VERSION'), '17\n');
  await expect(startPostgres({ folder })).rejects.toThrow(
    `is of PostgreSQL 17, and this version of Rmeet brings ${packagedPrograms().major}. Write a backup`,
  );
  writeFileSync(join(folder, 'PG_VERSION'), '99\n');
  await expect(startPostgres({ folder })).rejects.toThrow('Install the newer version');
  expect(readFileSync(join(folder, 'PG_VERSION'), 'utf8')).toBe('99\n');
});

test.each([
  [
    'FATAL:  could not write to file "pg_wal/xlogtemp.9": No space left on device',
    'The disk of /data/postgres is full.',
  ],
  ['FATAL:  could not open file "global/pg_control": Read-only file system', 'read-only'],
  ['FATAL:  data directory "/data/postgres" has wrong ownership', 'may not read and write'],
  ['FATAL:  data directory "/data/postgres" has invalid permissions', 'Take that away: chmod -R go= /data/postgres.'],
  ['Error relocating /x/bin/postgres: __sprintf_chk: symbol not found', 'musl'],
  [
    'PANIC:  could not locate a valid checkpoint record at 0/1',
    'is damaged (could not locate a valid checkpoint record at 0/1)',
  ],
])('%s', (line, sentence) => {
  expect(
    troubleOf('/data/postgres', ['LOG:  starting', line, 'LOG:  database system is shut down'])?.message,
  ).toContain(sentence);
});

test('a killed server reports no error of its own', () => {
  expect(
    troubleOf('/data/postgres', [
      'LOG:  database system was interrupted',
      'FATAL:  the database system is starting up',
      'FATAL:  terminating connection due to administrator command',
    ]),
  ).toBeUndefined();
});
