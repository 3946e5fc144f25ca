import { eq, sql } from 'drizzle-orm';
import { PLATFORM_TENANT_ID } from '../modules/accounts/tenants/index.ts';
import { tenant } from '../modules/accounts/tenants/tables.ts';
import { verifyPassword } from '../modules/accounts/users/index.ts';
import { account } from '../modules/accounts/users/tables.ts';
import type { Config } from '../platform/config/index.ts';
import type { Db, PlatformTx } from '../platform/db/index.ts';
import type { SecretBox } from '../platform/secrets/index.ts';
import { addMeetings } from './meetings.ts';
import { addPeople, addTenant, DEMO_PASSWORD, preparePeople, type Person } from './people.ts';
import { addApprover, addResources } from './resources.ts';
import { addRoles } from './roles.ts';
import { addRooms } from './rooms.ts';
import { addTerminals } from './terminals.ts';

export { addPeople, addTenant, DEMO_PASSWORD, preparePeople, type Person } from './people.ts';

const DEMO_TENANT = 'demo';
const operators: Person[] = [{ account: 'root', name: 'Root', isSuperAdmin: true }];
const staff: Person[] = [
  { account: 'admin', name: 'Admin', department: '信息中心', isTenantAdmin: true },
  { account: 'chair', name: 'Chair', department: '院办公室' },
  { account: 'alice', name: 'Alice', department: '外科/普外科' },
  { account: 'bob', name: 'Bob', department: '外科/骨科' },
  { account: 'carol', name: 'Carol', department: '护理部' },
];

/** The contacts of the demo tenant. */
const contacts = {
  meetingAdminName: '信息中心',
  meetingAdminPhone: '8001',
  serviceDeskName: 'IT 服务台',
  serviceDeskPhone: '8000',
};

interface SeedDeps {
  db: Db;
  secrets: SecretBox;
  config: Pick<Config, 'seed' | 'isReachable'>;
  now: () => Date;
}

async function hasDemo(tx: PlatformTx): Promise<boolean> {
  return (await tx.findOne(tenant, eq(sql`lower(${tenant.name})`, DEMO_TENANT))) !== undefined;
}

/** Tenant `demo` with its people, rooms, media resource and meetings, the operator `root`, and a few roles. */
async function addDemo({ db, secrets, now }: SeedDeps): Promise<void> {
  const [root, people] = [await preparePeople(operators), await preparePeople(staff)];
  await db.platform(async (tx) => {
    if (await hasDemo(tx)) return;
    const at = now();
    await addPeople(tx, PLATFORM_TENANT_ID, root, at);
    await addRoles(tx, at);
    const tenantId = await addTenant(tx, DEMO_TENANT, at);
    await tx.update(tenant, contacts, eq(tenant.tenantId, tenantId));
    const rooms = await addRooms(tx, tenantId, at);
    const added = await addPeople(tx, tenantId, people, at);
    await addResources(tx, tenantId, at);
    await addApprover(tx, tenantId, added, 'chair');
    const terminals = await addTerminals(tx, tenantId, rooms, at);
    await addMeetings(tx, tenantId, { people: added, rooms, terminals }, secrets, at);
  });
}

/**
 * Adds the demo data if it is requested or the database is empty; never if the server is reachable from outside.
 *
 * @returns lines naming the demo accounts while their published password works; empty otherwise
 */
export async function seedWhenWanted(deps: SeedDeps): Promise<string[]> {
  const { db, config } = deps;
  const isEmpty = await db.platform(async (tx) => (await tx.count(account, undefined, 1)) === 0);
  if (!config.isReachable && (config.seed === 'demo' || (config.seed === 'auto' && isEmpty))) await addDemo(deps);
  if (!(await hasDemoPasswords(db))) return [];
  const names = [...staff, ...operators].map((person) => person.account);
  return [`Demo accounts, password ${DEMO_PASSWORD}: ${names.join(', ')}`];
}

/** Whether an account that came with demo data still has its published password. */
export async function hasDemoPasswords(db: Db): Promise<boolean> {
  const rows = await db.platform((tx) => tx.find(account, eq(account.isDemo, true)));
  for (const row of rows) if (await verifyPassword(DEMO_PASSWORD, row.passwordHash)) return true;
  return false;
}
