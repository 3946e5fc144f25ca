import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { WebPushService } from './service.ts';

export const webPushRoutes = (service: WebPushService): Handlers<typeof contract.webPush> => ({
  key: () => service.key(),
  subscribe: (context, { body }) => service.subscribe(context, body),
  unsubscribe: (context, { body }) => service.unsubscribe(context, body.endpoint),
});
