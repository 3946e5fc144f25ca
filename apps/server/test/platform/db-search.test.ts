import { eq, ilike, inArray, or, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SEARCH_COUNT_LIMIT } from '@rmeet/contract';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import {
  containing,
  drizzleOf,
  newId,
  pageOfKeyword,
  pageOfParts,
  searchedIds,
  type Db,
} from '../../src/platform/db/index.ts';
import { openTestDb, type TestDb } from './support/db.ts';

const north = newId();
const south = newId();
const names = [
  '王晨曦',
  '王鑫',
  '欧阳明月',
  'Chair',
  "Ann-Marie O'Hara",
  '100% sure',
  'a_b',
  'c:\\d',
  'ÄRGER',
  '',
  '  ',
  '😀 Dave',
  'Bob\nBob',
];

let opened: TestDb;
let db: Db;
beforeAll(async () => {
  opened = await openTestDb();
  db = opened.db;
  for (const [tenantId, name] of [
    [north, 'north'],
    [south, 'south'],
  ] as const) {
    await db.platform((tx) => tx.insert(tenant, { tenantId, name, createdAt: new Date() }));
    await db.tenant(tenantId, (tx) =>
      tx.insert(
        account,
        names.map((text, at) => ({
          id: newId(),
          account: `${name}.${at}`,
          name: text,
          email: `person${at}@example.org`,
          passwordHash: '',
          createdAt: new Date(),
        })),
      ),
    );
  }
});
afterAll(() => opened.drop());

const page = { sort: account.account, order: 'ASC', limit: 20, offset: 0 } as const;

const keywordList = (keyword: string, columns: Parameters<typeof searchedIds>[1]) => ({
  table: account,
  where: undefined,
  match: sql`(${or(...columns.map((column) => ilike(column, containing(keyword))))})`,
  sought: { columns, keyword, also: undefined },
  time: account.createdAt,
});

/** Names of the tenant found by their ids and by their page, which must be equal. */
function found(
  tenantId: string,
  keyword: string,
  columns: Parameters<typeof searchedIds>[1] = [account.name],
): Promise<string[]> {
  return db.tenant(tenantId, async (tx) => {
    const rows = await tx.find(account, inArray(account.id, await searchedIds(tx, columns, keyword, 100)), {
      orderBy: account.account,
    });
    expect(await pageOfKeyword(tx, keywordList(keyword, columns), page)).toMatchObject({
      ids: rows.map(({ id }) => id),
      total: rows.length,
    });
    return rows.map((row) => row.name);
  });
}

describe('a keyword', () => {
  test.each([
    ['晨曦', ['王晨曦']],
    ['鑫', ['王鑫']],
    ['王', ['王晨曦', '王鑫']],
    ['欧阳明月', ['欧阳明月']],
    ['阳月', []],
    ['chair', ['Chair']],
    ['HAI', ['Chair']],
    ['n-m', ["Ann-Marie O'Hara"]],
    ["o'h", ["Ann-Marie O'Hara"]],
    ['%', ['100% sure']],
    ['_', ['a_b']],
    ['\\', ['c:\\d']],
    ['0% s', ['100% sure']],
    ['😀', ['😀 Dave']],
    ['B\nB', ['Bob\nBob']],
  ])('%j is found anywhere in the text, whatever its case', async (keyword, expected) => {
    expect(await found(north, keyword)).toEqual(expected);
  });

  test('is searched only in the named columns', async () => {
    expect(await found(north, 'example')).toEqual([]);
    expect(await found(north, 'example', [account.name, account.email])).toHaveLength(names.length);
  });

  test('finds the same rows as a comparison of every row', async () => {
    const parts = names
      .flatMap((name) =>
        [1, 2, 3, 4, 5].flatMap((size) => [name.slice(0, size), name.slice(-size), name.slice(1, size + 1)]),
      )
      .filter((part) => part.isWellFormed() && part !== '');
    for (const keyword of new Set(parts)) {
      const compared = await db.tenant(north, (tx) =>
        tx.find(account, sql`${account.name} ilike ${containing(keyword)}`, { orderBy: account.account }),
      );
      expect(await found(north, keyword), JSON.stringify(keyword)).toEqual(compared.map((row) => row.name));
    }
  });

  test('finds a row by its changed text', async () => {
    const rename = (from: string, to: string) =>
      db.tenant(south, (tx) => tx.update(account, { name: to }, eq(account.name, from)));
    await rename('Chair', 'Carol');
    expect(await found(south, 'chair')).toEqual([]);
    expect(await found(south, 'carol')).toEqual(['Carol']);
    expect(await found(north, 'chair')).toEqual(['Chair']);
    await rename('Carol', 'Chair');
  });
});

test('errors of the database name no row of another tenant', async () => {
  const ids = await db.tenant(north, async (tx) => {
    const { rows } = (await drizzleOf(tx).execute(
      sql`select found_id as id from search_ids('account', '{name,account,email}', 'a', 10000)`,
    )) as { rows: { id: string }[] };
    return rows.map(({ id }) => id);
  });
  const own = await db.tenant(north, (tx) => tx.find(account));
  expect(new Set(ids)).toEqual(new Set(own.map((row) => row.id)));
});

test('a platform transaction cannot search, since it has no tenant', async () => {
  await expect(db.platform((tx) => searchedIds(tx.asTenant(north), [account.name], 'a', 10))).rejects.toThrow(
    'Failed query',
  );
});

test('a frequent keyword finds the newest rows up to a limit, a rare one finds all', async () => {
  const west = newId();
  await db.platform(async (tx) => {
    await tx.insert(tenant, { tenantId: west, name: 'west', createdAt: new Date() });
    await drizzleOf(tx).execute(sql`
      insert into account (id, tenant_id, account, name, password_hash, created_at)
      select gen_random_uuid(), ${west}::uuid, 'w' || i, 'n' || i % 977 || case when i <= 18000 then 'x' else ''
      end || case when i % 20 = 0 then 'y' else '' end || case when i % 6000 = 0 then 'z' else '' end || case
      when i < 1500 then 'o' else '' end || case when i > 20000 then 'v' else '' end, '',
        timestamptz '2026-01-01' + i / 3 * interval '1 minute'
      from generate_series(1, 20100) as i`);
  });
  const all = await db.tenant(west, (tx) => tx.find(account));
  const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : Number(a > b));
  for (const [keyword, isFound] of [
    ['x', true],
    ['y', true],
    ['z', true],
    ['o', true],
    ['v', true],
    ['x', false],
    ['o', false],
  ] as const) {
    for (const [sort, order] of [
      ['name', 'ASC'],
      ['createdAt', 'DESC'],
      ['createdAt', 'ASC'],
    ] as const) {
      const sign = order === 'DESC' ? -1 : 1;
      const inTime = all
        .filter(({ name }) => name.includes(keyword))
        .sort(
          (a, b) =>
            (compare(a.createdAt.getTime(), b.createdAt.getTime()) || compare(a.id, b.id)) *
            (sort === 'createdAt' ? sign : -1),
        );
      const offered = inTime
        .slice(0, SEARCH_COUNT_LIMIT)
        .sort((a, b) => (sort === 'name' ? compare(a.name, b.name) || compare(a.id, b.id) : 0));
      await db.tenant(west, async (tx) => {
        const list = { ...keywordList(keyword, [account.name]), ...(isFound ? {} : { sought: undefined }) };
        for (const offset of [0, 1, Math.max(2, offered.length - 10)]) {
          const { ids, total } = await pageOfKeyword(tx, list, { sort: account[sort], order, limit: 20, offset });
          expect(ids).toEqual(offered.slice(offset, offset + 20).map(({ id }) => id));
          expect(Math.min(total, SEARCH_COUNT_LIMIT + 1)).toBe(Math.min(inTime.length, SEARCH_COUNT_LIMIT + 1));
        }
      });
    }
  }
});

test('a page of several parts equals a page of the whole', async () => {
  const options = { sort: account.name, order: 'ASC', limit: 5, offset: 3 } as const;
  await db.tenant(north, async (tx) => {
    const whole = await tx.find(account, undefined, { orderBy: [account.name, account.id], limit: 5, offset: 3 });
    const parts = [sql`${account.account} < 'north.4'`, sql`${account.account} >= 'north.4'`];
    expect(await pageOfParts(tx, account, parts, options)).toEqual(whole.map(({ id }) => id));
  });
});
