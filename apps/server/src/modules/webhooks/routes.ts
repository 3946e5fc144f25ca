import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { WebhookService } from './service.ts';

export const webhookRoutes = (webhooks: WebhookService): Handlers<typeof contract.webhooks> => ({
  list: (context, { query }) => webhooks.list(context, query),
  create: (context, { body }) => webhooks.create(context, body),
  update: (context, { params, body }) => webhooks.update(context, params.id, body),
  rotate: (context, { params, body }) => webhooks.rotate(context, params.id, body.tenantId),
  remove: async (context, { params, query }) => {
    await webhooks.remove(context, params.id, query.tenantId);
    return null;
  },
  deliveries: (context, { params, query }) => webhooks.deliveries(context, params.id, query),
  resend: (context, { params, body }) => webhooks.resend(context, params, body.tenantId),
  test: (context, { params, body }) => webhooks.test(context, params.id, body.tenantId),
});
