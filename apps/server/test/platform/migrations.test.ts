import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '@rmeet/testkit/database';
import kitConfig from '../../drizzle.config.ts';
import { backUp, restore } from '../../src/platform/backup/index.ts';
import { readConfig } from '../../src/platform/config/index.ts';
import { drizzleOf, newId, openDb, type Db } from '../../src/platform/db/index.ts';
import { MIGRATIONS_FOLDER } from '../../src/platform/db/migrate.ts';
import { adminUrl } from '../modules/support/template.ts';
import { catalogueOf } from './support/catalogue.ts';
import { quiet, tempFolder } from './support/db.ts';
import { BEFORE_FOLDER, copyMigrations, firstOfBefore } from './support/migrations.ts';

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const run of cleanUp.splice(0).toReversed()) await run();
});

async function newFolder(): Promise<string> {
  const folder = await tempFolder();
  cleanUp.push(folder.remove);
  return folder.path;
}

async function newDatabase(): Promise<string> {
  const database = await createDatabase(adminUrl());
  cleanUp.push(database.drop);
  return database.url;
}

/** Opens the database like a start of the product, with its migrations or those of another folder. */
async function start<T>(url: string, work: (db: Db) => Promise<T>, migrations?: string): Promise<T> {
  const { db } = await openDb({ url, log: quiet, ...(migrations === undefined ? {} : { migrations }) });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** A database as left by a version with the first `count` of the replaced migrations, with a tenant and an account. */
async function oldDatabase(count: number): Promise<{ url: string; tenantId: string }> {
  const [url, folder, tenantId] = [await newDatabase(), await firstOfBefore(count), newId()];
  cleanUp.push(folder.remove);
  await start(
    url,
    (db) =>
      db.platform(async (tx) => {
        await drizzleOf(tx).execute(
          sql`insert into tenant (tenant_id, name, created_at) values (${tenantId}, 'north', '2026-11-20T09:00:00Z')`,
        );
        await drizzleOf(tx).execute(
          sql`insert into account (id, tenant_id, account, name, department, password_hash, created_at)
            values (${newId()}, ${tenantId}, 'alice', 'Alice', 'Sales', 'a hash', '2026-11-20T09:00:00Z')`,
        );
      }),
    folder.path,
  );
  return { url, tenantId };
}

const LIST = 'rows of drizzle.migration';
const withoutList = (catalogue: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(catalogue).filter(([kind]) => kind !== LIST));
/** The schema and the list of migrations, without the rows of the product. */
const withoutRows = (catalogue: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(catalogue).filter(([kind]) => !kind.startsWith('rows of ') || kind === LIST));

/** Checks that the product's data is complete. */
async function expectAlice(db: Db, tenantId: string): Promise<void> {
  const { rows } = (await db.platform((tx) =>
    drizzleOf(tx).execute(
      sql`select tenant_id as "tenantId", account.name, department from account join tenant using (tenant_id)`,
    ),
  )) as { rows: unknown[] };
  expect(rows).toEqual([{ tenantId, name: 'Alice', department: 'Sales' }]);
}

test('drizzle-kit finds no difference between the tables and the last snapshot', async () => {
  const folder = await newFolder();
  await cp(MIGRATIONS_FOLDER, join(folder, 'migrations'), { recursive: true });
  const server = fileURLToPath(new URL('../../', import.meta.url));
  const config = join(folder, 'drizzle.config.mjs');
  // drizzle-kit treats every path of the folder as a relative one.
  const out = relative(server, join(folder, 'migrations'));
  await writeFile(config, `export default ${JSON.stringify({ ...kitConfig, out })};`);
  const kit = fileURLToPath(new URL('bin.cjs', import.meta.resolve('drizzle-kit')));
  const { stdout } = await promisify(execFile)(process.execPath, [kit, 'generate', '--config', config], {
    cwd: server,
  });
  expect(stdout).toContain('No schema changes');
});

describe('the migrations that the first one replaces', () => {
  /** From a new database. */
  let fresh: Record<string, string[]>;
  let freshDatabase: Awaited<ReturnType<typeof createDatabase>>;
  beforeAll(async () => {
    freshDatabase = await createDatabase(adminUrl());
    fresh = await start(freshDatabase.url, catalogueOf);
  });
  afterAll(() => freshDatabase.drop());

  test('create the same schema, and no rows', async () => {
    const url = await newDatabase();
    const old = await start(url, catalogueOf, BEFORE_FOLDER);
    expect(old[LIST]).toHaveLength(25);
    const first = await copyMigrations(MIGRATIONS_FOLDER, (entries) => entries.slice(0, 1));
    cleanUp.push(first.remove);
    const squashed = await start(await newDatabase(), catalogueOf, first.path);
    expect(withoutList(old)).toEqual(withoutList(squashed));
    expect(await start(url, catalogueOf)).toEqual(fresh);
    expect(Object.entries(fresh).filter(([kind, rows]) => kind.startsWith('rows of ') && rows.length > 0)).toEqual([
      [LIST, expect.anything()],
    ]);
  });

  // The first version, the last one on PGlite (commit f95153a), and the last one.
  test.each([1, 21, 24])('are completed in a database that has the first %i, and are applied once', async (count) => {
    const { url, tenantId } = await oldDatabase(count);
    // Again, because the second start has nothing to do.
    for (let round = 1; round <= 2; round += 1) {
      const catalogue = await start(url, catalogueOf);
      expect(withoutRows(catalogue)).toEqual(withoutRows(fresh));
    }
    await start(url, (db) => expectAlice(db, tenantId));
  });

  test.each([1, 21, 24])('are completed when a backup that has the first %i is restored', async (count) => {
    const { url: DATABASE_URL, tenantId } = await oldDatabase(count);
    const folder = await newFolder();
    const path = join(folder, 'old.backup');
    await backUp(readConfig({ RMEET_DATA: folder, DATABASE_URL }), path, '0.1.0', quiet);
    const url = await newDatabase();
    await restore(readConfig({ RMEET_DATA: folder, DATABASE_URL: url }), path, { replace: false }, quiet);
    await start(url, async (db) => {
      expect(withoutRows(await catalogueOf(db))).toEqual(withoutRows(fresh));
      await expectAlice(db, tenantId);
    });
  });

  test('rename a field in stored commands', async () => {
    const [{ url, tenantId }, folder] = [await oldDatabase(24), await firstOfBefore(24)];
    cleanUp.push(folder.remove);
    const command = { verb: 'arrive', termId: 'T2', name: 'Bob', role: 'member', heir: 'T1' };
    await start(
      url,
      (db) =>
        db.platform(async (tx) => {
          // The command is inserted without its conference.
          await drizzleOf(tx).execute(sql`set local session_replication_role = replica`);
          await drizzleOf(tx).execute(sql`
            insert into conference_command
              (id, tenant_id, conference_id, version, verb, command, commander, changes, concerned, push_version,
                created_at)
            values (${tenantId}, ${tenantId}, ${tenantId}, 1, 'arrive', ${JSON.stringify(command)}, '{}', '[]', '{}', 1,
                now())`);
        }),
      folder.path,
    );
    const { rows } = (await start(url, (db) =>
      db.platform((tx) => drizzleOf(tx).execute(sql`select command from conference_command`)),
    )) as { rows: unknown[] };
    const { heir, ...others } = command;
    expect(rows).toEqual([{ command: { ...others, previousTermId: heir } }]);
  });

  test('are completed by one of two servers that start at once', async () => {
    const { url, tenantId } = await oldDatabase(21);
    await Promise.all([1, 2].map(() => start(url, (db) => expectAlice(db, tenantId))));
    expect(withoutRows(await start(url, catalogueOf))).toEqual(withoutRows(fresh));
  });
});
