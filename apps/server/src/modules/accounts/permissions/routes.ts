import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import { flagsOf } from './decide.ts';
import type { PermissionService } from './service.ts';

export const permissionRoutes = (permissions: PermissionService): Handlers<typeof contract.permissions> => ({
  codes: ({ caller }) => [...caller.permissions],
  mine: (context) => permissions.mine(context),
  flags: ({ caller }) => flagsOf(caller.permissions),
  list: (_, { query }) => permissions.list(query),
  tree: () => permissions.tree(),
  options: (context, { query }) => permissions.options(context, query),
  create: (context, { body }) => permissions.create(context, body),
  update: (context, { body }) => permissions.update(context, body),
  move: (context, { body }) => permissions.move(context, body),
  remove: async (context, { query }) => {
    await permissions.remove(context, query.id);
    return null;
  },
});

/** The route of the domain users that shows what a user may do. */
export const accessRoutes = (permissions: PermissionService): Pick<Handlers<typeof contract.users>, 'access'> => ({
  access: (context, input) => permissions.seeAs(context, input),
});
