import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { BookLimits } from './limits.ts';
import type { ResourceService } from './service.ts';

export const resourceRoutes = (
  resources: ResourceService,
  limits: BookLimits,
): Handlers<typeof contract.resources> => ({
  list: (context, { query }) => resources.list(context, query),
  create: (context, { body }) => resources.create(context, body),
  update: (context, { body }) => resources.update(context, body),
  remove: async (context, { params }) => {
    await resources.remove(context, params.id);
    return null;
  },
  choose: (context, { query }) => limits.choose(context, query),
  assign: (context, { params, body }) => resources.assign(context, params.id, body.resource),
  inviteLimit: (context, { query }) => limits.inviteLimit(context, query.resourceId),
  bookLimit: (context, { query }) => limits.bookLimit(context, query),
});
