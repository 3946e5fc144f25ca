import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { HostKeys } from './service.ts';

export const hostKeyRoutes = (keys: HostKeys): Handlers<typeof contract.hostKeys> => ({
  getHostZak: (context, { query }) => keys.issue(context, query.numericId),
  startByZak: (context, { body }) => keys.start(context, body),
});
