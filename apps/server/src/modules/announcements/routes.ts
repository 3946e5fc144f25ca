import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { Current } from './current.ts';
import type { AnnouncementService } from './service.ts';

export const announcementRoutes = (
  service: AnnouncementService,
  current: Current,
): Handlers<typeof contract.announcements> => ({
  current: (context) => current.list(context),
  markRead: (context, { params }) => current.markRead(context, params.id),
  markAllRead: (context) => current.markAllRead(context),
  list: (context, { query }) => service.list(context, query),
  roles: (context) => service.roles(context),
  create: (context, { body }) => service.create(context, body),
  update: (context, { params, body }) => service.update(context, { ...body, id: params.id }),
  publish: (context, { params, body }) => service.publish(context, { ...body, id: params.id }),
  withdraw: (context, { params, body }) => service.withdraw(context, { ...body, id: params.id }),
  remove: (context, { params }) => service.remove(context, params.id),
  readers: (context, { params, query }) => service.readers(context, params.id, query),
});
