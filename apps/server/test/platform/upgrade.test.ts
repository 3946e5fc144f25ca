import { expect, test } from 'vitest';
import { eq, sql } from 'drizzle-orm';
import { knownDevice } from '../../src/modules/accounts/auth/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { meeting } from '../../src/modules/meetings/tables.ts';
import { recording } from '../../src/modules/recordings/tables.ts';
import { MIGRATIONS_FOLDER } from '../../src/platform/db/migrate.ts';
import { drizzleOf, isUniqueViolation, newId } from '../../src/platform/db/index.ts';
import { openTestDb } from './support/db.ts';
import { copyMigrations, firstOfBefore } from './support/migrations.ts';

const NOW = new Date('2026-03-02T08:00:00Z');

test('accounts with globally unique names keep them and their devices, and other tenants may reuse them', async () => {
  // The last one, 0023_account_names_per_tenant, changes that.
  const before = await firstOfBefore(23);
  const old = await openTestDb(before.path);
  try {
    // With its own statements, because the tables of this version may have more columns than those.
    const [north, south, id] = [newId(), newId(), newId()];
    const addAlice = (tenantId: string) =>
      sql`insert into account (id, tenant_id, account, name, password_hash, created_at) values (${newId()},
        ${tenantId}, 'Alice', 'Alice', 'a hash', now())`;
    await old.db.platform(async (tx) => {
      const drizzle = drizzleOf(tx);
      await drizzle.execute(
        sql`insert into tenant (tenant_id, name, created_at) values (${north}, 'north', now()), (${south},
          'south', now())`,
      );
      await drizzle.execute(
        sql`insert into account (id, tenant_id, account, name, password_hash, created_at) values (${id},
          ${north}, 'alice', 'Alice', 'a hash', now())`,
      );
      await drizzle.execute(
        sql`insert into known_device (key, tenant_id, account_id, last_used_at) values ('a mark', ${north},
          ${id}, now())`,
      );
    });
    await expect(old.db.platform((tx) => drizzleOf(tx).execute(addAlice(south)))).rejects.toSatisfy((error) =>
      isUniqueViolation(error, 'account_account_key'),
    );

    const { db } = await old.reopen();
    const twin = { id: newId(), account: 'ALICE', name: 'Alice', passwordHash: 'another', createdAt: NOW };
    await db.tenant(south, (tx) => tx.insert(account, twin));
    await db.platform((tx) =>
      tx.insert(knownDevice, { key: 'a mark', tenantId: south, accountId: twin.id, lastUsedAt: NOW }),
    );
    expect(await db.platform((tx) => tx.count(knownDevice, eq(knownDevice.key, 'a mark')))).toBe(2);
    for (const tenantId of [north, south]) {
      await expect(db.platform((tx) => drizzleOf(tx).execute(addAlice(tenantId)))).rejects.toSatisfy((error) =>
        isUniqueViolation(error, 'account_tenant_account_key'),
      );
    }
    await db.close();
  } finally {
    await old.drop();
    await before.remove();
  }
});

test('organisations and bookings from before recordings get their defaults, and keep all else', async () => {
  // 0005_recordings is the sixth.
  const before = await copyMigrations(MIGRATIONS_FOLDER, (entries) => entries.slice(0, 5));
  const old = await openTestDb(before.path);
  try {
    const [north, alice, ward] = [newId(), newId(), newId()];
    await old.db.platform(async (tx) => {
      const drizzle = drizzleOf(tx);
      await drizzle.execute(
        sql`insert into tenant (tenant_id, name, created_at, audit_months) values (${north}, 'north', now(), 7)`,
      );
      await drizzle.execute(
        sql`insert into account (id, tenant_id, account, name, password_hash, created_at) values (${alice}, ${north},
          'alice', 'Alice', 'a hash', now())`,
      );
      await drizzle.execute(
        sql`insert into meeting_number (number, tenant_id, kind, created_at) values ('482913057', ${north}, 'meeting',
          now())`,
      );
      await drizzle.execute(
        sql`insert into meeting (id, tenant_id, number, type, subject, start_time, duration, end_time, waiting_room,
          host_id, created_at, updated_at) values (${ward}, ${north}, '482913057', 'NETWORK_MEETING', 'Ward round',
          now(), 60, now() + interval '60 minutes', true, ${alice}, now(), now())`,
      );
    });
    const { db } = await old.reopen();
    const [organisation] = await db.platform((tx) => tx.find(tenant, eq(tenant.tenantId, north)));
    expect(organisation).toMatchObject({
      auditMonths: 7,
      codec: 'h264',
      recordings: true,
      recordingStartedBy: 'chairs',
      recordingKeptDays: null,
    });
    const [booked] = await db.platform((tx) => tx.find(meeting, eq(meeting.id, ward)));
    expect(booked).toMatchObject({ subject: 'Ward round', autoRecord: false });
    expect(await db.platform((tx) => tx.count(recording))).toBe(0);
    await db.close();
  } finally {
    await old.drop();
    await before.remove();
  }
});
