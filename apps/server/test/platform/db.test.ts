import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { and, count, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  containing,
  DatabaseNewer,
  drizzleOf,
  isUniqueViolation,
  NestedTransaction,
  newId,
  PLATFORM_TENANT_ID,
  sqlError,
  type Db,
} from '../../src/platform/db/index.ts';
import { permission } from '../../src/modules/accounts/permissions/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { statisticSetting } from '../../src/modules/statistics/tables.ts';
import { MIGRATIONS_FOLDER } from '../../src/platform/db/migrate.ts';
import { pushEvent, pushTopic } from '../../src/platform/push/tables.ts';
import { openTestDb, type TestDb } from './support/db.ts';
import { copyMigrations } from './support/migrations.ts';

let opened: TestDb;
let db: Db;
/** Two tenants, new for each test. */
let north: string;
let south: string;

beforeAll(async () => {
  opened = await openTestDb();
  db = opened.db;
});
afterAll(() => opened.drop());
beforeEach(async () => {
  north = newId();
  south = newId();
  await db.tenant(north, (tx) =>
    tx.insert(pushTopic, [
      { topic: 'a', version: 1 },
      { topic: 'b', version: 2 },
    ]),
  );
  await db.tenant(south, (tx) => tx.insert(pushTopic, { topic: 'a', version: 7 }));
});

const versions = (tenantId: string): Promise<number[]> =>
  db.tenant(tenantId, async (tx) =>
    (await tx.find(pushTopic, undefined, { orderBy: pushTopic.topic })).map((row) => row.version),
  );

describe('a tenant', () => {
  test('finds and counts its own rows only', async () => {
    expect(await versions(north)).toEqual([1, 2]);
    expect(await versions(south)).toEqual([7]);
    await db.tenant(south, async (tx) => {
      expect(await tx.findOne(pushTopic, eq(pushTopic.topic, 'b'))).toBeUndefined();
      expect(await tx.count(pushTopic)).toBe(1);
      expect(await tx.findOne(pushTopic, eq(pushTopic.tenantId, north))).toBeUndefined();
    });
    await db.tenant(north, async (tx) => expect(await tx.count(pushTopic, undefined, 1)).toBe(1));
  });

  test('changes and deletes its own rows only', async () => {
    await db.tenant(south, async (tx) => {
      expect(await tx.update(pushTopic, { version: 9 }, eq(pushTopic.topic, 'a'))).toHaveLength(1);
      expect(await tx.update(pushTopic, { version: 9 }, eq(pushTopic.topic, 'b'))).toEqual([]);
      expect(await tx.delete(pushTopic, eq(pushTopic.topic, 'b'))).toEqual([]);
    });
    expect(await versions(north)).toEqual([1, 2]);
    expect(await versions(south)).toEqual([9]);
  });

  test('cannot give a row to another tenant', async () => {
    await db.tenant(north, (tx) =>
      tx.insert(pushTopic, { topic: 'c', version: 3, tenantId: south } as { topic: string; version: number }),
    );
    expect(await versions(south)).toEqual([7]);
    await expect(
      db.tenant(north, (tx) => tx.update(pushTopic, { tenantId: south }, eq(pushTopic.topic, 'a'))),
    ).rejects.toThrow('does not change its tenant');
  });

  test('cannot overwrite the row of another tenant by a conflict', async () => {
    const id = newId();
    await db.tenant(south, (tx) => tx.insert(pushEvent, { topic: id, version: 1, event: { type: 'south' } }));
    const written = await db.tenant(north, (tx) =>
      tx.insert(
        pushEvent,
        { topic: id, version: 1, event: { type: 'north' } },
        { target: [pushEvent.tenantId, pushEvent.topic, pushEvent.version], set: { event: { type: 'x' } } },
      ),
    );
    expect(written).toHaveLength(1);
    const [kept] = await db.tenant(south, (tx) => tx.find(pushEvent, eq(pushEvent.topic, id)));
    expect(kept?.event).toEqual({ type: 'south' });
  });

  test('joins its own rows only, and only scoped sources', async () => {
    await db.tenant(south, async (tx) => {
      const [one, two] = [tx.scoped(pushTopic, 'one'), tx.scoped(pushTopic, 'two')];
      expect(
        await tx.select({ version: one.version, other: two.version }).from(one).leftJoin(two, eq(one.topic, two.topic)),
      ).toEqual([{ version: 7, other: 7 }]);
      const inner = tx.select({ topic: one.topic }).from(one).where(eq(one.topic, 'a')).as('inner');
      expect(await tx.select({ n: count() }).from(inner)).toEqual([{ n: 1 }]);
      expect(() => tx.select({ version: pushTopic.version }).from(pushTopic)).toThrow('scoped()');
      expect(() =>
        tx.select({ version: one.version }).from(one).innerJoin(pushTopic, eq(pushTopic.topic, one.topic)),
      ).toThrow('scoped()');
    });
  });

  test('a change without a condition is refused', async () => {
    await expect(db.tenant(north, (tx) => tx.delete(pushTopic, and()))).rejects.toThrow('needs a condition');
    expect(await versions(north)).toEqual([1, 2]);
  });
});

describe('a catalogue of the platform', () => {
  const entry = { name: 'sys', type: 2 as const, createdAt: new Date() };
  const ids = { id: '', code: '' };
  beforeEach(async () => {
    Object.assign(ids, { id: newId(), code: newId() });
    await db.platform(async (tx) => {
      await tx.insert(
        tenant,
        { tenantId: PLATFORM_TENANT_ID, kind: 'platform', name: 'platform', createdAt: new Date() },
        'nothing',
      );
      await tx.asTenant(PLATFORM_TENANT_ID).insert(permission, { ...entry, ...ids });
    });
  });

  test('is readable by every tenant', async () => {
    await db.tenant(north, async (tx) => {
      expect(await tx.findOne(permission, eq(permission.id, ids.id))).toMatchObject({
        code: ids.code,
        tenantId: PLATFORM_TENANT_ID,
      });
      expect(await tx.count(permission, eq(permission.id, ids.id))).toBe(1);
      const source = tx.scoped(permission);
      expect(await tx.select({ code: source.code }).from(source).where(eq(source.id, ids.id))).toEqual([
        { code: ids.code },
      ]);
    });
  });

  test('is changed only by the platform', async () => {
    const change = (tenantId: string) =>
      db.tenant(tenantId, (tx) => tx.update(permission, { name: 'changed' }, eq(permission.id, ids.id)));
    await expect(change(north)).rejects.toThrow('may only read');
    await expect(
      db.tenant(north, (tx) => tx.insert(permission, { ...entry, id: newId(), code: newId() })),
    ).rejects.toThrow('may only read');
    await expect(db.tenant(north, (tx) => tx.delete(permission, eq(permission.id, ids.id)))).rejects.toThrow(
      'may only read',
    );
    expect(await change(PLATFORM_TENANT_ID)).toMatchObject([{ name: 'changed' }]);
  });
});

test('the platform sees all tenants, and one of them in the same transaction', async () => {
  await db.platform(async (tx) => {
    expect(
      (await tx.find(pushTopic, eq(pushTopic.topic, 'a'))).filter((row) => [north, south].includes(row.tenantId)),
    ).toHaveLength(2);
    expect(await tx.asTenant(south).count(pushTopic)).toBe(1);
  });
});

test('a conflict can be ignored or turned into an update', async () => {
  await db.tenant(north, async (tx) => {
    expect(await tx.insert(pushTopic, { topic: 'a', version: 5 }, 'nothing')).toEqual([]);
    const [row] = await tx.insert(
      pushTopic,
      { topic: 'a', version: 5 },
      { target: [pushTopic.tenantId, pushTopic.topic], set: { version: sql`${pushTopic.version} + 10` } },
    );
    expect(row?.version).toBe(11);
  });
});

test('thousands of rows are inserted at once, in the tenant alone', async () => {
  const rows = Array.from({ length: 3_000 }, (_, n) => ({ topic: `"院" '${n}' \\`, version: n, tenantId: south }));
  await db.platform((tx) => tx.insert(tenant, { tenantId: north, name: north, createdAt: new Date() }));
  await db.tenant(north, async (tx) => {
    await tx.insertMany(pushTopic, rows);
    await tx.insertMany(pushTopic, []);
    expect(await tx.count(pushTopic)).toBe(3_002);
    expect(await tx.findOne(pushTopic, eq(pushTopic.topic, rows[7]?.topic ?? ''))).toMatchObject({ version: 7 });
    await tx.insertMany(pushTopic, [{ topic: 'a', version: 5 }], {
      target: [pushTopic.tenantId, pushTopic.topic],
      set: { version: sql`excluded.version + 10` },
    });
    expect(await tx.findOne(pushTopic, eq(pushTopic.topic, 'a'))).toMatchObject({ version: 15 });
    // Columns that are not named have their defaults; moments and lists keep their form.
    const id = newId();
    await tx.insertMany(statisticSetting, [
      { timeZone: 'UTC', locale: 'en', recipients: ['a@example.org'], reportedMonth: '2026-11-01' },
    ]);
    expect(await tx.find(statisticSetting)).toEqual([
      expect.objectContaining({ recipients: ['a@example.org'], isStale: false, version: 1, tenantId: north }),
    ]);
    await tx.insertMany(pushEvent, [{ topic: id, version: 1, event: { type: 'north' } }]);
    expect(await tx.find(pushEvent, eq(pushEvent.topic, id))).toMatchObject([{ event: { type: 'north' } }]);
  });
  expect(await versions(south)).toEqual([7]);
});

describe('a transaction', () => {
  test('that fails leaves nothing, and nothing runs after it', async () => {
    let ran = false;
    await expect(
      db.tenant(north, async (tx) => {
        tx.afterCommit(() => {
          ran = true;
        });
        await tx.delete(pushTopic, eq(pushTopic.topic, 'a'));
        throw new Error('second thoughts');
      }),
    ).rejects.toThrow('second thoughts');
    expect(await versions(north)).toEqual([1, 2]);
    expect(ran).toBe(false);
  });

  test('runs its follow-up after the commit, with the connection free again', async () => {
    let seen: number[] = [];
    await db.tenant(north, async (tx) => {
      tx.afterCommit(async () => {
        seen = await versions(north);
      });
      await tx.delete(pushTopic, eq(pushTopic.topic, 'a'));
    });
    expect(seen).toEqual([2]);
  });

  test('refuses a nested one instead of waiting for ever', async () => {
    await expect(db.tenant(north, () => db.tenant(south, async () => 1))).rejects.toThrow(NestedTransaction);
    await expect(db.tenant(north, () => db.ping())).rejects.toThrow(NestedTransaction);
    await expect(db.platform(() => db.notify('x', 'y'))).rejects.toThrow(NestedTransaction);
    expect(await versions(north)).toEqual([1, 2]);
  });

  test('that is over cannot be used any more', async () => {
    const kept = await db.tenant(north, async (tx) => tx);
    await expect(kept.find(pushTopic)).rejects.toThrow(/Failed query/);
  });

  test('reports the constraint that a failed statement broke, and the next transaction works', async () => {
    const error: unknown = await db
      .tenant(north, (tx) => tx.insert(pushTopic, { topic: 'a', version: 1 }))
      .catch((cause: unknown) => cause);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, sqlError(error)?.constraint)).toBe(true);
    expect(isUniqueViolation(error, 'another_key')).toBe(false);
    expect(await versions(north)).toEqual([1, 2]);
  });

  test('succeeds even with many others at once', async () => {
    await Promise.all(
      Array.from({ length: 40 }, () =>
        db.tenant(north, (tx) =>
          tx.update(pushTopic, { version: sql`${pushTopic.version} + 1` }, eq(pushTopic.topic, 'a')),
        ),
      ),
    );
    expect(await versions(north)).toEqual([41, 2]);
  });
});

test('a notification is sent with the commit, and not after a rollback', async () => {
  const heard: string[] = [];
  const arrived = Promise.withResolvers<void>();
  await db.listen(
    'test_channel',
    (payload) => {
      heard.push(payload);
      if (payload === 'last') arrived.resolve();
    },
    () => undefined,
  );
  const inside = (payload: string, fail: boolean): Promise<void> =>
    db.platform(async (tx) => {
      await drizzleOf(tx).execute(sql`select pg_notify('test_channel', ${payload})`);
      if (fail) throw new Error('rolled back');
    });
  await inside('first', false);
  await expect(inside('never', true)).rejects.toThrow('rolled back');
  await db.notify('test_channel', 'last');
  await arrived.promise;
  expect(heard).toEqual(['first', 'last']);
});

test('ids are sorted by creation', () => {
  const ids = Array.from({ length: 10_000 }, newId);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a pattern finds a text literally', async () => {
  const matches = async (text: string, keyword: string): Promise<boolean> =>
    db.platform(async (tx) => {
      const { rows } = (await drizzleOf(tx).execute(
        sql`select ${text}::text ilike ${containing(keyword)} as found`,
      )) as { rows: { found: boolean }[] };
      return rows[0]?.found ?? false;
    });
  expect(await matches('100% sure', '0%')).toBe(true);
  expect(await matches('1000', '0%')).toBe(false);
  expect(await matches('a_b', 'A_B')).toBe(true);
  expect(await matches('axb', 'a_b')).toBe(false);
  expect(await matches('c:\\d', ':\\')).toBe(true);
});

describe('a database', () => {
  test('of a newer version is refused', async () => {
    const newer = await copyMigrations(MIGRATIONS_FOLDER, (entries) => [
      ...entries,
      { idx: entries.length, version: '7', when: Date.now(), tag: '9999_later', breakpoints: true },
    ]);
    await writeFile(join(newer.path, '9999_later.sql'), 'create table later (tenant_id uuid)');
    const later = await openTestDb(newer.path);
    try {
      expect(later.isNew).toBe(true);
      await expect(later.another()).resolves.toMatchObject({ isNew: false });
      await expect(later.reopen()).rejects.toThrow(DatabaseNewer);
    } finally {
      await later.drop();
      await newer.remove();
    }
  });
});
