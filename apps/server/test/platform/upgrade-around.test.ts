import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_BASE } from '@rmeet/contract';
import { createDatabase } from '@rmeet/testkit/database';
import { drizzleOf, openDb, type Db } from '../../src/platform/db/index.ts';
import { MIGRATIONS_FOLDER } from '../../src/platform/db/migrate.ts';
import { send, signIn, type Person } from '../modules/support/client.ts';
import { startTestServer, type TestServer } from '../modules/support/server.ts';
import { adminUrl } from '../modules/support/template.ts';
import { catalogueOf } from './support/catalogue.ts';
import { quiet } from './support/db.ts';
import { copyMigrations } from './support/migrations.ts';

/** The rows of a data folder that the product made at commit ad31c774, by table; without its sessions. */
const KEPT = new URL('fixtures/before-around.json', import.meta.url);
/** Its key, which opens the passwords of its meetings. */
const KEY = new URL('fixtures/before-around.key', import.meta.url);
/** Its stored files. */
const FILES = [
  ['uploads/0b532959-ef35-45f9-a87d-8e5b3a9c721a', 'Chat agenda'],
  ['uploads/7fe940a7-5847-4854-ba7e-3caec609c51b', 'Agenda of the local meeting'],
] as const;
const HELD = '01a21f5c-5376-7028-bffb-1e1c285c3dc5';
const LOCAL = '01a21f61-12f7-70ec-a1d5-cd4e62db96ad';

type Rows = Record<string, Record<string, unknown>[]>;

/** Inserts the rows in any order; columns that the database computes are left out. */
async function insertRows(db: Db, rows: Rows): Promise<void> {
  await db.platform(async (tx) => {
    const drizzle = drizzleOf(tx);
    await drizzle.execute(sql`set local session_replication_role = replica`);
    for (const [table, of] of Object.entries(rows)) {
      const found = (await drizzle.execute(sql`select column_name as name from information_schema.columns
        where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`)) as {
        rows: { name: string }[];
      };
      const columns = sql.join(
        found.rows.map(({ name }) => sql.identifier(name)),
        sql`, `,
      );
      await drizzle.execute(sql`insert into ${sql.identifier(table)} (${columns})
        select ${columns} from json_populate_recordset(null::${sql.identifier(table)}, ${JSON.stringify(of)}::json)`);
    }
  });
}

/** The schema alone. */
const schemaOf = async (db: Db) =>
  Object.entries(await catalogueOf(db)).filter(([kind]) => !kind.startsWith('rows of '));

let kept: Rows;
let server: TestServer;
let remove: () => Promise<void>;
let [alice, chair, admin]: Person[] = [];
beforeAll(async () => {
  kept = JSON.parse(await readFile(KEPT, 'utf8')) as Rows;
  // 0011_around is the twelfth.
  const before = await copyMigrations(MIGRATIONS_FOLDER, (entries) => entries.slice(0, 11));
  const database = await createDatabase(adminUrl());
  const old = await openDb({ url: database.url, log: quiet, migrations: before.path });
  await insertRows(old.db, kept);
  await old.db.close();
  await before.remove();
  const folder = await mkdtemp(join(tmpdir(), 'rmeet-upgrade-'));
  await copyFile(KEY, join(folder, 'secret.key'));
  for (const [key, content] of FILES) {
    await mkdir(dirname(join(folder, 'files', key)), { recursive: true });
    await writeFile(join(folder, 'files', key), content);
  }
  remove = async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  };
  server = await startTestServer({ store: { folder, databaseUrl: database.url, remove } });
  [alice, chair, admin] = [await signIn(server, 'alice'), await signIn(server, 'chair'), await signIn(server, 'admin')];
});
afterAll(async () => {
  await server.close();
  await remove();
});
const who = (person: Person | undefined): Person => {
  if (!person) throw new Error('The set-up has failed.');
  return person;
};

test('the schema is that of a new database, and all rows are kept', async () => {
  const fresh = await createDatabase(adminUrl());
  const { db } = await openDb({ url: fresh.url, log: quiet });
  expect(await schemaOf(server.db)).toEqual(await schemaOf(db));
  await db.close();
  await fresh.drop();
  for (const [table, rows] of Object.entries(kept)) {
    const now = (await server.db.platform((tx) =>
      drizzleOf(tx).execute(sql`select row_to_json(one) as row from ${sql.identifier(table)} one`),
    )) as { rows: { row: unknown }[] };
    const isStatic = !['account', 'audit_log', 'conference', 'permission', 'role'].includes(table);
    const known = now.rows.map(({ row }) => row);
    if (isStatic) expect(known, table).toEqual(expect.arrayContaining(rows.map((row) => expect.objectContaining(row))));
    else expect(known.length, table).toBeGreaterThanOrEqual(rows.length);
  }
});

test('people sign in with their passwords and find their meetings, records, recordings and files', async () => {
  const { records } = await who(alice).meetings.list({ query: {} });
  expect(records.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['Case review 病例讨论', 'Local meeting with file 带文件']),
  );
  expect(records.find(({ subject }) => subject.startsWith('Case review'))?.password).toBe('4821');
  const history = await who(alice).history.list({ query: { keyword: '查房' } });
  expect(history.records).toMatchObject([{ id: HELD, subject: 'Ward round 查房' }]);
  const record = await who(chair).history.record({ query: { id: HELD } });
  expect(record.attendance.map(({ name }) => name).toSorted()).toEqual(['Alice', 'Chair']);
  const recordings = await who(chair).recordings.queryRecord({ query: {} });
  expect(recordings.records).toMatchObject([{ subject: 'Ward round 查房', duration: 9_145 }]);
  const [file] = (await who(alice).meetings.detail({ params: { id: LOCAL } })).files;
  const answer = await send(server, 'GET', `${API_BASE}/meetingFile/file/download/${file?.id ?? ''}`, {
    token: who(alice).token,
  });
  expect(answer.file?.toString()).toBe('Agenda of the local meeting');
});

test('what is new works on them: files, exports, documents, statistics, announcements, release notes', async () => {
  expect((await who(alice).meetingFiles.list({ query: { meetId: LOCAL } })).booked).toMatchObject([
    { name: '议程 agenda.txt' },
  ]);
  const exported = await send(server, 'GET', `${API_BASE}/meetings/history/export/${HELD}`, {
    token: who(chair).token,
  });
  expect(exported.file?.subarray(0, 2).toString()).toBe('PK');
  expect(await who(alice).documents.create({ body: { kind: 'minutes', title: '纪要' } })).toMatchObject({ version: 1 });
  const day = { from: '2026-11-27', to: '2026-11-29' };
  await who(admin).statistics.recount({ body: day });
  expect((await who(admin).statistics.query({ query: day })).totals).toMatchObject({ meetings: 1, recordings: 1 });
  const body = { title: 'Water', body: 'No water.', aimedAt: { wholeTenant: true } };
  const { id, version } = await who(admin).announcements.create({ body });
  await who(admin).announcements.publish({ params: { id }, body: { version } });
  expect((await who(alice).announcements.current()).records).toMatchObject([{ title: 'Water' }]);
  expect((await who(alice).memo.read({ query: {} })).records.length).toBeGreaterThan(0);
});
