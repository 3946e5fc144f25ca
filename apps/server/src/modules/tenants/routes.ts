import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { TenantService } from './service.ts';

export const tenantRoutes = (tenants: TenantService): Handlers<typeof contract.tenants> => ({
  list: (_, { query }) => tenants.list(query),
  options: (_, { query }) => tenants.options(query),
  isTenantAdmin: ({ caller }) => caller.kind === 'user' && caller.isTenantAdmin,
  setEnabled: (context, { body }) => tenants.setEnabled(context, body.id, body.enabled),
  create: (context, { body }) => tenants.create(context, body),
  update: (context, { body }) => tenants.update(context, body),
  own: ({ caller }) => tenants.find(caller.tenantId),
  updateOwn: (context, { body }) => tenants.updateOwn(context, body),
  logo: (_, { params, query }) => tenants.logo(params.id, query.v),
});
