import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensurePlatformTenant } from '../../src/modules/accounts/tenants/index.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { hashPassword } from '../../src/modules/accounts/users/index.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { meeting } from '../../src/modules/meetings/tables.ts';
import { meetingTerminal, registeredTerminal } from '../../src/modules/terminals/tables.ts';
import { roomBooking } from '../../src/modules/rooms/tables.ts';
import { openDb, type Db } from '../../src/platform/db/index.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { openSecretBox } from '../../src/platform/secrets/index.ts';
import { addPeople, hasDemoPasswords, preparePeople, seedWhenWanted } from '../../src/seed/index.ts';
import { makeStore, type Store } from './support/store.ts';

let store: Store;
let db: Db;
beforeEach(async () => {
  store = await makeStore();
  ({ db } = await openDb({ url: store.databaseUrl, log: createLog('test', 'silent') }));
  await db.platform((tx) => ensurePlatformTenant(tx, new Date()));
});
afterEach(async () => {
  await db.close();
  await store.remove();
});

const seed = (config: { seed: 'demo' | 'none' | 'auto'; isReachable: boolean }) =>
  seedWhenWanted({ db, secrets: openSecretBox(store.folder), config, now: () => new Date() });
const countAccounts = () => db.platform((tx) => tx.count(account));

describe('demo data', () => {
  test('is added once, to an empty database, only on this machine', async () => {
    const lines = await seed({ seed: 'auto', isReachable: false });
    expect(lines.join('\n')).toContain('Rmeet-demo-1');
    const [accounts, meetings] = await db.platform(
      async (tx) => [await tx.find(account), await tx.find(meeting)] as const,
    );
    expect(accounts.map((row) => row.account).toSorted()).toEqual(['admin', 'alice', 'bob', 'carol', 'chair', 'root']);
    expect(accounts.filter((row) => row.isSuperAdmin).map((row) => row.account)).toEqual(['root']);
    expect(accounts.filter((row) => row.isTenantAdmin).map((row) => row.account)).toEqual(['admin']);
    expect(meetings).toHaveLength(12);
    const booked = await db.platform((tx) => tx.find(roomBooking));
    expect(new Set(booked.map((row) => row.meetingId)).size).toBe(4);
    expect(new Set(meetings.map((row) => row.type))).toEqual(
      new Set(['NETWORK_MEETING', 'VIDEO_MEETING', 'PHONE_MEETING', 'LOCAL_MEETING']),
    );
    expect(await db.platform((tx) => tx.count(meetingTerminal))).toBe(1);
    expect(new Set(meetings.map((row) => row.status))).toEqual(new Set(['OFFLINE', 'ONLINE', 'SCHEDULE']));
    expect(await db.platform((tx) => tx.findOne(tenant, eq(tenant.name, 'demo')))).toBeDefined();
    expect(await db.platform((tx) => tx.count(registeredTerminal))).toBe(2);

    expect(await seed({ seed: 'demo', isReachable: false })).toEqual(lines);
    expect(await countAccounts()).toBe(6);
  });

  test('is not added to a reachable server, against the configuration, or to a database in use', async () => {
    for (const config of [
      { seed: 'demo', isReachable: true },
      { seed: 'auto', isReachable: true },
      { seed: 'none', isReachable: false },
    ] as const) {
      expect(await seed(config)).toEqual([]);
      expect(await countAccounts()).toBe(0);
    }
    const people = await preparePeople([{ account: 'somebody', name: 'Somebody' }]);
    await db.platform(async (tx) => {
      const [{ tenantId } = { tenantId: '' }] = await tx.find(tenant);
      await addPeople(tx, tenantId, people, new Date());
    });
    await seed({ seed: 'auto', isReachable: false });
    expect(await countAccounts()).toBe(1);
  });

  test('is reported until the last of its passwords is changed', async () => {
    await seed({ seed: 'demo', isReachable: false });
    const passwordHash = await hashPassword('changed by its owner');
    await db.platform((tx) => tx.update(account, { passwordHash }, eq(account.isTenantAdmin, false)));
    expect(await hasDemoPasswords(db)).toBe(true);
    await db.platform((tx) => tx.update(account, { passwordHash }, eq(account.isDemo, true)));
    expect(await hasDemoPasswords(db)).toBe(false);
  });
});
