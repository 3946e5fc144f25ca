import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { HistoryService } from './service.ts';

export const historyRoutes = (history: HistoryService): Handlers<typeof contract.history> => ({
  list: (context, { query }) => history.list(context, query),
  all: (context, { query }) => history.all(context, query),
  record: (context, { query }) => history.record(context, query.id),
  export: (context, { params }) => history.export(context, params.id),
  chat: (context, { query }) => history.chat(context, query.id),
  file: (context, { params, query }) => history.file(context, params.id, query),
});
