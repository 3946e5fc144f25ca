import { and, eq, gt } from 'drizzle-orm';
import type { PermissionCode } from '@rmeet/contract';
import { newId, PLATFORM_TENANT_ID, type PlatformTx } from '../../../platform/db/index.ts';
import { ensureBuiltInEntries } from '../permissions/index.ts';
import { tenant } from '../tenants/tables.ts';
import { account } from '../users/tables.ts';
import { accountRole, role, rolePermission } from './tables.ts';

/** The role of every new user: what people need every day. */
const STAFF = 'staff';
const STAFF_CODES: readonly PermissionCode[] = [
  'sys:network',
  'sys:video',
  'sys:local',
  'sys:tel',
  'sys:bookLive',
  'sys:liveStreaming',
  'sys:uploadMeetingFile',
  'sys:pmicode',
];
const STAFF_ENTRIES: readonly string[] = [
  'myMeeting',
  'meetingHistory',
  'recordMeeting',
  'occupyRoom',
  'documents',
  'liveMeeting',
  'manualLive',
  ...STAFF_CODES,
];
const GRANT_BATCH = 5_000;

/** Grants a role to all existing users of all tenants. */
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
 * Adds missing entries and roles of the product. When the role of new users is first created, it is granted to all
 * existing users, so that people from before roles existed keep their rights; later additions for all users are granted
 * by this role.
 */
export async function ensureBuiltIns(tx: PlatformTx, now: Date): Promise<void> {
  // One server process at a time; another one then finds all of it done.
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
