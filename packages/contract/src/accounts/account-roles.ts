import type { PermissionCode } from './permissions-catalogue.ts';

/**
 * What each kind of account may do by its account role, before any role or permission is granted to it. Server, tests
 * and docs/roles.md are made from this table.
 */
export const ACCOUNT_ROLES = {
  superAdmin: {
    zh: '超级管理员',
    en: 'Super administrator',
    /** Staff of the platform; has access to every tenant. */
    of: 'operator',
    codes: [
      'tenants:manage',
      'users:manage',
      'users:grant',
      'operators:manage',
      'roles:manage',
      'menus:manage',
      'announcements:manage',
      'client-packages:manage',
      'api-records:manage',
      'audit:read',
      'statistics:read',
      'statistics:manage',
      'diagnostics:read',
    ],
  },
  operator: { zh: '运营人员', en: 'Operator', of: 'operator', codes: [] },
  tenantAdmin: {
    zh: '单位管理员',
    en: 'Tenant administrator',
    of: 'user',
    codes: [
      'users:manage',
      'users:grant',
      'rooms:manage',
      'resources:manage',
      'tenants:settings',
      'announcements:manage',
      'start-apps:manage',
      'api-records:manage',
      'audit:read',
      'statistics:read',
      'statistics:manage',
    ],
  },
  user: { zh: '用户', en: 'User', of: 'user', codes: [] },
} as const satisfies Record<
  string,
  { zh: string; en: string; of: 'user' | 'operator'; codes: readonly PermissionCode[] }
>;

export type AccountRole = keyof typeof ACCOUNT_ROLES;

/** The account role of an account; that of an API client (`service`) has one like a user's. */
export function accountRoleOf(account: {
  kind: 'user' | 'operator' | 'service';
  isTenantAdmin: boolean;
  isSuperAdmin: boolean;
}): AccountRole {
  if (account.kind === 'operator') return account.isSuperAdmin ? 'superAdmin' : 'operator';
  return account.isTenantAdmin ? 'tenantAdmin' : 'user';
}
