import { and, eq, gt } from 'drizzle-orm';
import type { PermissionCode } from '@rmeet/contract';
import { newId, PLATFORM_TENANT_ID, type PlatformTx } from '../../../platform/db/index.ts';
import { ensureBuiltInEntries } from '../permissions/index.ts';
import { tenant } from '../tenants/tables.ts';
import { account } from '../users/tables.ts';
import { accountRole, role, rolePermission } from './tables.ts';

/** The role every new user gets: what people need from day to day. */
const STAFF = 'staff';
const STAFF_CODES: readonly PermissionCode[] = [
  'sys:network',
  'sys:video',
  'sys:local',
  'sys:tel',
  'sys:bookLive',
  'sys:uploadMeetingFile',
  'sys:pmicode',
];
const STAFF_ENTRIES: readonly string[] = ['myMeeting', 'meetingHistory', 'occupyRoom', ...STAFF_CODES];
const GRANT_BATCH = 5_000;

/** Gives a role to all users there are, of all tenants. */
async function grantToAllUsers(tx: PlatformTx, roleId: string): Promise<void> {
  for (let after: string | undefined; ;) {
    const users = await tx.find(
      account,
      and(eq(account.kind, 'user'), after === undefined ? undefined : gt(account.id, after)),
      { orderBy: account.id, limit: GRANT_BATCH },
    );
    await tx.insert(
      accountRole,
      users.map(({ id, tenantId }) => ({ tenantId, accountId: id, roleId })),
      'nothing',
    );
    after = users.at(-1)?.id;
    if (users.length < GRANT_BATCH) return;
  }
}

/**
 * Adds what is missing of the entries and roles that come with the product. The role of new users is given to all there
 * are when it is first made, so that people from before roles existed go on as they did; what a newer version adds for
 * everybody, it grants from then on.
 */
export async function ensureBuiltIns(tx: PlatformTx, now: Date): Promise<void> {
  // One server process at a time; another one then finds everything there.
  await tx.findOne(tenant, eq(tenant.tenantId, PLATFORM_TENANT_ID), { lock: 'update' });
  const platform = tx.asTenant(PLATFORM_TENANT_ID);
  const { ids, added } = await ensureBuiltInEntries(platform, now);
  const grantedBy = (roleId: string, names: readonly string[]) =>
    names.flatMap((name) => ids.get(name) ?? []).map((permissionId) => ({ roleId, permissionId }));
  const known = await platform.findOne(role, eq(role.builtIn, STAFF));
  if (known) {
    await platform.insert(
      rolePermission,
      grantedBy(
        known.id,
        STAFF_ENTRIES.filter((name) => added.has(name)),
      ),
      'nothing',
    );
    return;
  }
  const [staff] = await platform.insert(role, {
    id: newId(),
    name: '员工',
    nameEn: 'Staff',
    description: '日常会议功能',
    kind: 'user',
    isDefault: true,
    builtIn: STAFF,
    createdAt: now,
  });
  if (!staff) throw new Error('The role of new users could not be made.');
  await platform.insert(rolePermission, grantedBy(staff.id, STAFF_ENTRIES));
  await grantToAllUsers(tx, staff.id);
}
