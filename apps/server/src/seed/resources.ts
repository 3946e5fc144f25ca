import { and, eq } from 'drizzle-orm';
import { ENTRY_TYPES } from '@rmeet/contract';
import { accountPermission, permission } from '../modules/accounts/permissions/tables.ts';
import type { AccountRow } from '../modules/accounts/users/tables.ts';
import { meetingResource } from '../modules/resources/tables.ts';
import { newId, PLATFORM_TENANT_ID, type PlatformTx } from '../platform/db/index.ts';

/** One media resource that everybody of the demo tenant may book. */
export async function addResources(tx: PlatformTx, tenantId: string, createdAt: Date): Promise<void> {
  await tx.insert(meetingResource, {
    id: newId(),
    tenantId,
    name: '院本部资源',
    zone: '',
    ports: 300,
    hours: 2_000,
    timeZone: 'Asia/Shanghai',
    everybody: true,
    createdAt,
  });
}

/** Lets one of the demo's people approve meetings; no rule of theirs wants that yet. */
export async function addApprover(
  tx: PlatformTx,
  tenantId: string,
  people: readonly AccountRow[],
  account: string,
): Promise<void> {
  const code = await tx
    .asTenant(PLATFORM_TENANT_ID)
    .findOne(permission, and(eq(permission.code, 'sys:approve'), eq(permission.type, ENTRY_TYPES.permission)));
  const approver = people.find((person) => person.account === account);
  if (code && approver)
    await tx.asTenant(tenantId).insert(accountPermission, { accountId: approver.id, permissionId: code.id });
}
