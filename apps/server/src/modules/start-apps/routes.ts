import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { StartApps } from './service.ts';

export const startAppRoutes = (service: StartApps): Handlers<typeof contract.startApps> => ({
  apps: (context) => service.own(context),
  list: (context) => service.list(context),
  create: (context, { body }) => service.create(context, body),
  sort: (context, { body }) => service.sort(context, body.ids),
  update: (context, { params, body }) => service.update(context, { ...body, id: params.id }),
  remove: (context, { params }) => service.remove(context, params.id),
});
