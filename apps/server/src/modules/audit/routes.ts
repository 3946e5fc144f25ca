import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { AuditService } from './service.ts';

export const auditRoutes = (audit: AuditService): Handlers<typeof contract.audit> => ({
  list: (context, { query }) => audit.list(context, query),
  actions: () => audit.actions(),
  export: (context, { query }) => audit.export(context, query),
});
