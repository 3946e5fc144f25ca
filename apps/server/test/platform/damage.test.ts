import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '@rmeet/postgres';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { DatabaseDamaged, newId, openBackend, openDb, type Db } from '../../src/platform/db/index.ts';
import { toAppError } from '../../src/platform/http/calls/errors.ts';
import { quiet, tempFolder } from './support/db.ts';

let folder: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  const made = await tempFolder();
  folder = join(made.path, 'postgres');
  remove = made.remove;
});
afterEach(() => remove());

const addTenant = (db: Db): Promise<unknown> =>
  db.platform((tx) => tx.insert(tenant, { tenantId: newId(), name: newId(), createdAt: new Date() }));

/** Creates a database of the product with a tenant, stops it, and returns the path of a relation's files. */
async function madeWith(relation: string): Promise<string> {
  const postgres = await startPostgres({ folder });
  const { db } = await openDb({ url: postgres.url, log: quiet });
  await addTenant(db);
  await db.close();
  const backend = await openBackend({ url: postgres.url, log: quiet });
  const {
    rows: [row],
  } = (await backend.transaction((tx) => tx.execute(sql`select pg_relation_filepath(${relation}) as path`))) as {
    rows: { path: string }[];
  };
  await backend.close();
  await postgres.stop();
  return join(folder, row?.path ?? '');
}

function overwrite(file: string): void {
  const opened = openSync(file, 'r+');
  writeSync(opened, Buffer.alloc(statSync(file).size, 7));
  closeSync(opened);
}

const readTenants = (db: Db): Promise<unknown> => db.platform((tx) => tx.find(tenant));

test.each([
  ['a table whose pages were overwritten', 'tenant', overwrite, readTenants],
  ['a table whose file is gone', 'tenant', (file: string) => rmSync(file), readTenants],
  ['an index whose pages were overwritten', 'tenant_pkey', overwrite, addTenant],
])(
  '%s is detected as damaged when it is used, and then the database is not ready',
  async (_, relation, damage, use) => {
    damage(await madeWith(relation));
    const postgres = await startPostgres({ folder });
    const { db } = await openDb({ url: postgres.url, log: quiet, name: folder });
    try {
      await expect(db.ping()).resolves.toBeUndefined();
      const failure = await use(db).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(DatabaseDamaged);
      expect((failure as Error).message).toContain(`The database of ${folder} is damaged (`);
      expect(toAppError(failure, 'r1')).toMatchObject({ code: 'DATABASE_DAMAGED' });
      await expect(db.ping()).rejects.toThrow(DatabaseDamaged);
    } finally {
      await db.close();
      await postgres.stop();
    }
  },
);

test('a database with a damaged list of migrations is not opened', async () => {
  overwrite(await madeWith('drizzle.migration'));
  const postgres = await startPostgres({ folder });
  try {
    await expect(openDb({ url: postgres.url, log: quiet, name: folder })).rejects.toThrow(
      `The database of ${folder} is damaged`,
    );
  } finally {
    await postgres.stop();
  }
});
