import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '@rmeet/testkit/database';
import {
  drizzleOf,
  newId,
  openDb,
  PLATFORM_TENANT_ID,
  sqlError,
  type Db,
  type Tx,
} from '../../src/platform/db/index.ts';
import { pushTopic } from '../../src/platform/push/tables.ts';
import { adminUrl } from '../modules/support/template.ts';
import { openTestDb, quiet, type TestDb } from './support/db.ts';

const north = newId();
const south = newId();
/** Tables in which all tenants read the platform's rows, and tables whose rows are never changed. */
const CATALOGUES = ['permission', 'role', 'role_permission'];
const APPEND_ONLY = ['audit_log'];
/** insufficient_privilege, which is also the error for a row that violates a policy. */
const REFUSED = '42501';

interface Column {
  name: string;
  type: string;
}

let opened: TestDb;
let db: Db;
/** Every table, with the columns a row of it must have in addition to tenant_id. */
const tables = new Map<string, Column[]>();

async function run<R>(tx: Tx, statement: string): Promise<R[]> {
  const result: unknown = await drizzleOf(tx).execute(sql.raw(statement));
  return (result as { rows: R[] }).rows;
}

/** The result of a statement with the application's role: how many rows it affects, or the SQLSTATE of the refusal. */
async function attempt(tenantId: string, ...statements: string[]): Promise<number | string> {
  try {
    return await db.tenant(tenantId, async (tx) => {
      let rows: unknown[] = [];
      for (const statement of statements) rows = await run(tx, statement);
      return rows.length;
    });
  } catch (error) {
    const state = sqlError(error)?.code;
    if (state === undefined) throw error;
    return state;
  }
}

const values: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  text: 'gen_random_uuid()::text',
  'timestamp with time zone': 'now()',
  date: 'current_date',
  integer: '1',
  smallint: '1',
  bigint: '1',
  boolean: 'false',
  jsonb: `'{}'`,
  'text[]': `'{}'`,
  'integer[]': `'{}'`,
};

/** A statement that inserts a made-up row of a tenant. */
function insertion(table: string, tenantId: string): string {
  const columns = tables.get(table) ?? [];
  const made = columns.map(({ type }) => {
    const value = values[type.replace(/\(\d\)/, '')];
    if (value === undefined) throw new Error(`Say what a made-up ${type} of ${table} is.`);
    return value;
  });
  return (
    `insert into "${table}" (${['tenant_id', ...columns.map(({ name }) => `"${name}"`)].join()}) values ` +
    `(${[`'${tenantId}'`, ...made].join()}) returning 1`
  );
}

beforeAll(async () => {
  opened = await openTestDb();
  db = opened.db;
  await db.platform(async (tx) => {
    const columns = await run<Column & { table: string; must: boolean }>(
      tx,
      `
      select relname as table, attname as name, format_type(atttypid, atttypmod) as type,
        attnotnull and not atthasdef and attname <> 'tenant_id' as must
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped`,
    );
    for (const { table } of columns) tables.set(table, []);
    for (const { table, name, type, must } of columns) if (must) tables.get(table)?.push({ name, type });
    // Made-up rows violate all other rules, and only those of row security are tested here.
    const rules = await run<{ statement: string }>(
      tx,
      `
      select format('alter table %s drop constraint %I cascade', conrelid::regclass, conname) as statement
      from pg_constraint where connamespace = 'public'::regnamespace and contype in ('c', 'f')`,
    );
    for (const { statement } of rules) await run(tx, statement);
    for (const table of tables.keys())
      for (const tenantId of [north, south, PLATFORM_TENANT_ID]) await run(tx, insertion(table, tenantId));
  });
});
afterAll(() => opened.drop());

/** Runs one check on every table and returns the result for each. */
async function everyTable(
  check: (table: string) => Promise<number | string>,
): Promise<Record<string, number | string>> {
  const found: Record<string, number | string> = {};
  for (const table of tables.keys()) found[table] = await check(table);
  return found;
}
const each = (
  value: number | string,
  exceptions: Record<string, number | string> = {},
): Record<string, number | string> => ({
  ...Object.fromEntries([...tables.keys()].map((table) => [table, value])),
  ...exceptions,
});
const all = (names: string[], value: number | string): Record<string, number | string> =>
  Object.fromEntries(names.map((name) => [name, value]));

describe('with the application role', () => {
  test('a tenant sees its own rows, and the catalogues of the platform', async () => {
    expect(tables.size).toBeGreaterThan(25);
    expect(await everyTable((table) => attempt(north, `select * from "${table}"`))).toEqual(
      each(1, all(CATALOGUES, 2)),
    );
    expect(
      await everyTable((table) => attempt(north, `select * from "${table}" where tenant_id = '${south}'`)),
    ).toEqual(each(0));
  });

  test('a tenant changes no row of another tenant or of the platform', async () => {
    for (const other of [south, PLATFORM_TENANT_ID]) {
      expect(
        await everyTable((table) =>
          attempt(north, `update "${table}" set tenant_id = tenant_id where tenant_id = '${other}' returning 1`),
        ),
      ).toEqual(each(0, all(APPEND_ONLY, REFUSED)));
      expect(
        await everyTable((table) => attempt(north, `delete from "${table}" where tenant_id = '${other}' returning 1`)),
      ).toEqual(each(0, all(APPEND_ONLY, REFUSED)));
      expect(await everyTable((table) => attempt(north, insertion(table, other)))).toEqual(each(REFUSED));
      expect(
        await everyTable((table) => attempt(north, `update "${table}" set tenant_id = '${other}' returning 1`)),
      ).toEqual(each(REFUSED));
    }
    expect(await everyTable((table) => attempt(north, `truncate "${table}"`))).toEqual(each(REFUSED));
    expect(
      await everyTable((table) => attempt(south, `select * from "${table}" where tenant_id = '${south}'`)),
    ).toEqual(each(1));
  });

  test("the platform's own tenant keeps its catalogues", async () => {
    expect(await attempt(PLATFORM_TENANT_ID, 'update role set name = name returning 1')).toBe(1);
  });

  test('no row is visible without a tenant', async () => {
    for (const unset of [`set local rmeet.tenant_id = ''`, 'reset rmeet.tenant_id']) {
      expect(
        await everyTable((table) =>
          attempt(north, unset, `select * from "${table}" where tenant_id <> '${PLATFORM_TENANT_ID}'`),
        ),
      ).toEqual(each(0));
      expect(await attempt(north, unset, insertion('meeting_number', north))).toBe(REFUSED);
    }
  });

  test('the other schemas are closed', async () => {
    expect(await attempt(north, 'select * from drizzle.migration')).toBe(REFUSED);
    expect(await attempt(north, 'create table public.own (id uuid)')).toBe(REFUSED);
  });

  test('the next transaction of the connection belongs to another tenant or the owner', async () => {
    await expect(db.tenant(north, (tx) => run(tx, 'select no_such_column'))).rejects.toThrow();
    expect(
      await db.platform((tx) =>
        run(
          tx,
          'select current_user = session_user as is_owner, ' +
            `coalesce(current_setting('rmeet.tenant_id', true), '') as tenant`,
        ),
      ),
    ).toEqual([{ is_owner: true, tenant: '' }]);
    expect(await db.platform((tx) => tx.count(pushTopic))).toBe(3);
  });
});

test('an invalid tenant id does not reach the database', async () => {
  await expect(db.tenant(`${north}'; reset role; --`, (tx) => tx.count(pushTopic))).rejects.toThrow('UUID');
});

test('every table has a tenant, row security and its policy, and the role bypasses neither', async () => {
  const [role] = await db.platform((tx) =>
    run(
      tx,
      'select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, ' +
        `rolcreatedb from pg_roles where rolname = 'rmeet_app'`,
    ),
  );
  expect(role).toEqual({
    rolsuper: false,
    rolbypassrls: false,
    rolcanlogin: false,
    rolcreaterole: false,
    rolcreatedb: false,
  });
  const state = await db.platform((tx) =>
    run<{ name: string; secured: boolean; owned: boolean; policies: string }>(
      tx,
      `
    select relname as name, relrowsecurity as secured, relowner = 'rmeet_app'::regrole as owned,
      (select string_agg(polname, ' ' order by polname) from pg_policy where polrelid = pg_class.oid) as policies
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')`,
    ),
  );
  const policies = (name: string): string =>
    CATALOGUES.includes(name) ? 'platform_rows tenant_isolation' : 'tenant_isolation';
  expect(state).toEqual(state.map(({ name }) => ({ name, secured: true, owned: false, policies: policies(name) })));
});

test('a table that is new or was opened is closed at the next start', async () => {
  const loosened = await openTestDb();
  try {
    await loosened.db.platform(async (tx) => {
      await run(tx, 'create table later (tenant_id uuid not null)');
      await run(tx, `insert into later values ('${south}')`);
      await run(tx, 'alter table push_topic disable row level security');
      await run(tx, 'grant update on audit_log to rmeet_app');
    });
    const again = await loosened.reopen();
    db = again.db;
    expect(await attempt(north, 'select * from later')).toBe(0);
    expect(await attempt(south, 'select * from later')).toBe(1);
    expect(await attempt(south, `insert into push_topic (tenant_id, topic, version) values ('${north}', 'a', 1)`)).toBe(
      REFUSED,
    );
    expect(await attempt(south, 'update audit_log set address = address')).toBe(REFUSED);
    await again.db.close();
  } finally {
    db = opened.db;
    await loosened.drop();
  }
});

test('the audit log cannot be edited, not even by the owner, and is kept for six months', async () => {
  const owner = (statement: string) =>
    db.platform((tx) => run(tx, statement)).catch((error: unknown) => sqlError(error)?.code);
  const restrictViolation = '23001';
  expect(await owner('update audit_log set address = address')).toBe(restrictViolation);
  expect(await owner('delete from audit_log')).toBe(restrictViolation);
  await owner(insertion('audit_log', north).replace('now()', `now() - interval '7 months'`));
  expect(await owner(`update audit_log set address = address where at < now() - interval '6 months'`)).toBe(
    restrictViolation,
  );
  expect(await owner(`delete from audit_log where at < now() - interval '6 months' returning 1`)).toHaveLength(1);
});

test('an ordinary user sees which statement the administrator must run, and then opens the database', async () => {
  const database = await createDatabase(adminUrl());
  const user = `ordinary_${newId().slice(-12)}`;
  const admin = (statement: string) => opened.db.platform((tx) => run(tx, statement));
  await admin(`create role ${user} login password 'x'`);
  const url = new URL(database.url);
  url.username = user;
  url.password = 'x';
  await admin(`alter database "${url.pathname.slice(1)}" owner to ${user}`);
  const options = { url: url.href, log: quiet };
  try {
    await expect(openDb(options)).rejects.toThrow(
      `create role rmeet_app nologin nosuperuser nobypassrls; grant rmeet_app to "${user}";`,
    );
    await admin(`grant rmeet_app to ${user}`);
    const { db: own } = await openDb(options);
    await own.tenant(north, (tx) => tx.insert(pushTopic, { topic: 'a', version: 1 }));
    expect(await own.tenant(south, (tx) => tx.count(pushTopic))).toBe(0);
    expect(await own.tenant(north, (tx) => tx.find(pushTopic, eq(pushTopic.topic, 'a')))).toHaveLength(1);
    expect(await own.platform((tx) => tx.count(pushTopic))).toBe(1);
    await own.close();
  } finally {
    await database.drop();
    await admin(`drop role ${user}`);
  }
});
