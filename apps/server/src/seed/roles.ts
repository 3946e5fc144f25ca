import { and, eq, inArray } from 'drizzle-orm';
import { ENTRY_TYPES, type PermissionCode } from '@rmeet/contract';
import { permission } from '../modules/accounts/permissions/tables.ts';
import { role, rolePermission } from '../modules/accounts/roles/tables.ts';
import { newId, PLATFORM_TENANT_ID, type PlatformTx } from '../platform/db/index.ts';

interface DemoRole {
  name: string;
  nameEn: string;
  description: string;
  kind: 'user' | 'operator';
  codes: readonly PermissionCode[];
}

/** Example roles, not granted to any account. */
const demoRoles: readonly DemoRole[] = [
  {
    name: '用户管理员',
    nameEn: 'User manager',
    description: '维护本单位的账号，不能授权',
    kind: 'user',
    codes: ['users:manage'],
  },
  { name: '审计员', nameEn: 'Auditor', description: '查看本单位的审计日志', kind: 'user', codes: ['audit:read'] },
  {
    name: '直播负责人',
    nameEn: 'Live host',
    description: '预约和推流直播',
    kind: 'user',
    codes: ['sys:network', 'sys:bookLive', 'sys:liveStreaming'],
  },
  {
    name: '租户运营',
    nameEn: 'Tenant operations',
    description: '开通租户并维护其账号',
    kind: 'operator',
    codes: ['tenants:manage', 'users:manage'],
  },
];

/** Makes the demo roles, where there are none of their names. */
export async function addRoles(tx: PlatformTx, now: Date): Promise<void> {
  const platform = tx.asTenant(PLATFORM_TENANT_ID);
  for (const { codes, ...values } of demoRoles) {
    const [row] = await platform.insert(role, { id: newId(), ...values, createdAt: now }, 'nothing');
    if (!row) continue;
    const granted = await platform.find(
      permission,
      and(eq(permission.type, ENTRY_TYPES.permission), inArray(permission.code, [...codes])),
    );
    await platform.insert(
      rolePermission,
      granted.map(({ id }) => ({ roleId: row.id, permissionId: id })),
    );
  }
}
