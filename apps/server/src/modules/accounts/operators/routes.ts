import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import type { OperatorService } from './service.ts';

export const operatorRoutes = (
  operators: OperatorService,
  publicUrls: () => readonly string[],
): Handlers<typeof contract.operators> => ({
  current: (context) => operators.current(context),
  setup: () => ({ publicUrls: [...publicUrls()] }),
  list: (context, { query }) => operators.list(context, query),
  export: (context, { query }) => operators.export(context, query),
  create: (context, { body }) => operators.create(context, body),
  update: (context, { body }) => operators.update(context, body),
  status: (context, { body }) => operators.setEnabled(context, body),
  resetPassword: (context, { body }) => operators.resetPassword(context, body),
  endSessions: (context, { body }) => operators.endSessions(context, body),
});
