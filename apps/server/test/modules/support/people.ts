import { ensurePlatformTenant, PLATFORM_TENANT_ID } from '../../../src/modules/accounts/tenants/index.ts';
import type { AccountRow } from '../../../src/modules/accounts/users/tables.ts';
import type { Db } from '../../../src/platform/db/index.ts';
import { addPeople, addTenant, preparePeople } from '../../../src/seed/index.ts';

/**
 * Two tenants: people of `north` are admin, chair, alice, bob, carol; of `south` dave (admin) and erin. The platform's
 * staff are root (superAdmin) and ops.
 */
const north = [
  { account: 'admin', name: 'Admin', isTenantAdmin: true },
  { account: 'chair', name: 'Chair' },
  { account: 'alice', name: 'Alice', department: '外科' },
  { account: 'bob', name: 'Bob' },
  { account: 'carol', name: 'Carol' },
];
const staff = [
  { account: 'root', name: 'Root', isSuperAdmin: true },
  { account: 'ops', name: 'Ops', isOperator: true },
];
const south = [
  { account: 'dave', name: 'Dave', isTenantAdmin: true },
  { account: 'erin', name: 'Erin' },
];

/** Adds them to a database without accounts. */
export async function addEverybody(db: Db, now: Date): Promise<AccountRow[]> {
  const [northern, southern, platform] = [
    await preparePeople(north),
    await preparePeople(south),
    await preparePeople(staff),
  ];
  return db.platform(async (tx) => {
    await ensurePlatformTenant(tx, now);
    return [
      ...(await addPeople(tx, PLATFORM_TENANT_ID, platform, now)),
      ...(await addPeople(tx, await addTenant(tx, 'north', now), northern, now)),
      ...(await addPeople(tx, await addTenant(tx, 'south', now), southern, now)),
    ];
  });
}
