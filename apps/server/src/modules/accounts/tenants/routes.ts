import type { contract, PermissionCode } from '@rmeet/contract';
import { AppError, type Handlers } from '../../../platform/http/index.ts';
import type { TenantService } from './service.ts';

/** Permissions that operators use in a tenant after choosing one. */
const IN_A_TENANT: readonly PermissionCode[] = ['tenants:manage', 'users:manage', 'audit:read'];

export const tenantRoutes = (tenants: TenantService): Handlers<typeof contract.tenants> => ({
  list: (_, { query }) => tenants.list(query),
  options: ({ caller }, { query }) => {
    if (!IN_A_TENANT.some((permission) => caller.permissions.includes(permission))) throw new AppError('FORBIDDEN');
    return tenants.options(query);
  },
  isTenantAdmin: ({ caller }) => caller.kind === 'user' && caller.isTenantAdmin,
  setEnabled: (context, { body }) => tenants.setEnabled(context, body.id, body.enabled),
  create: (context, { body }) => tenants.create(context, body),
  update: (context, { body }) => tenants.update(context, body),
  own: ({ caller }) => tenants.find(caller.tenantId),
  updateOwn: (context, { body }) => tenants.updateOwn(context, body),
  logo: (_, { params, query }) => tenants.logo(params.id, query.v),
});
