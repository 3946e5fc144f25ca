import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import type { Calls } from './calls.ts';
import type { Grants } from './grant.ts';
import type { Invites } from './invite.ts';

export type CallHandlers = Pick<
  Handlers<typeof contract.conferences>,
  'grantAuth' | 'inviting' | 'rings' | 'answerRing'
>;

export interface CallRoutesDeps {
  calls: Calls;
  grants: Grants;
  invites: Invites;
}

export const callRoutes = ({ calls, grants, invites }: CallRoutesDeps): CallHandlers => ({
  grantAuth: (context, { query, body: { userIds, rights } }) =>
    grants.grant(context, query.meetId, userIds, rights === 'control'),
  inviting: (context, { params }) => invites.inviting(context, params.meetId),
  rings: (context) => calls.ringing(context),
  answerRing: async (context, { params }) => {
    await calls.decline(context, params.meetId);
    return null;
  },
});
