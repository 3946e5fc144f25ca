import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { Checks } from './checks.ts';
import type { SetupService } from './service.ts';

export const setupRoutes = (setup: SetupService, checks: Checks): Handlers<typeof contract.setup> => ({
  state: async () => ({ isOpen: await setup.isOpen() }),
  begin: (context, { body }) => setup.begin(context, body.secret),
  complete: (context, { body }) => setup.complete(context, body),
  checks: () => checks.show(),
  sendTestMail: (context, { body }) => checks.sendTestMail(context, body.to),
  checkMedia: (context) => checks.checkMedia(context),
});
