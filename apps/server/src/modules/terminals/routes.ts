import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { TerminalService } from './service.ts';

export const terminalRoutes = (terminals: TerminalService): Handlers<typeof contract.terminals> => ({
  list: (context, { query }) => terminals.list(context, query),
  create: (context, { body }) => terminals.create(context, body),
  update: (context, input) => terminals.update(context, input),
  remove: (context, { body }) => terminals.remove(context, body.ids),
  export: (context, { query }) => terminals.export(context, query),
  import: (context, { body }) => terminals.import(context, body),
});
