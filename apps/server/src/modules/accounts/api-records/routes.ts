import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import type { ApiGrants } from './grants.ts';
import type { ApiRecordService } from './service.ts';

export const apiRecordRoutes = (
  records: ApiRecordService,
  grants: ApiGrants,
): Handlers<typeof contract.apiRecords> => ({
  query: (context, { query }) => records.list(context, query),
  show: (context, { params }) => records.show(context, params.id),
  create: (context, { body }) => records.create(context, body),
  update: (context, { body }) => records.update(context, body),
  rotate: (context, { params, body }) => records.rotate(context, params.id, body.overlapHours),
  end: (context, { params }) => records.end(context, params.id),
  trail: (context, { params, query }) => records.trail(context, params.id, query),
  calls: (context, { params, query }) => records.calls(context, params.id, query),
  grants: (context, { params, query }) => grants.list(context, params.id, query),
  endGrant: async (context, { params }) => {
    await grants.end(context, params.id, params.grantId);
    return null;
  },
  grantForTenant: (context, { params }) => grants.forTenant(context, params.id),
  offered: (context) => grants.offered(context),
  grantOwn: async (context, { body }) => {
    await grants.grantOwn(context, body.clientId);
    return null;
  },
  endOwnGrant: async (context, { params }) => {
    await grants.endOwn(context, params.id);
    return null;
  },
});
