import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import type { AccountGrants } from './account-grants.ts';
import type { RoleService } from './service.ts';

export const roleRoutes = (roles: RoleService): Handlers<typeof contract.roles> => ({
  list: (_, { query }) => roles.list(query),
  options: (context, { query }) => roles.options(context, query.kind),
  create: (context, { body }) => roles.create(context, body),
  update: (context, { body }) => roles.update(context, body),
  remove: async (context, { query }) => {
    await roles.remove(context, query.id);
    return null;
  },
});

/** The routes of the domain users that grant. */
export const grantRoutes = (grants: AccountGrants): Pick<Handlers<typeof contract.users>, 'grants' | 'setGrants'> => ({
  grants: (context, input) => grants.grants(context, input),
  setGrants: (context, input) => grants.setGrants(context, input),
});
