import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import type { Calls } from './calls.ts';
import type { Grants } from './grant.ts';

export type CallHandlers = Pick<Handlers<typeof contract.conferences>, 'grantAuth' | 'rings' | 'answerRing'>;

export interface CallRoutesDeps {
  calls: Calls;
  grants: Grants;
}

export const callRoutes = ({ calls, grants }: CallRoutesDeps): CallHandlers => ({
  grantAuth: (context, { query, body: { userIds, rights } }) =>
    grants.grant(context, query.meetId, userIds, rights === 'control'),
  rings: (context) => calls.ringing(context),
  answerRing: async (context, { params }) => {
    await calls.decline(context, params.meetId);
    return null;
  },
});
