import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import { knownEngine, type ConferenceEngine } from '../control/engine.ts';
import type { Calls } from './calls.ts';
import type { Extend } from './extend.ts';
import type { Grants } from './grant.ts';

export type CallHandlers = Pick<
  Handlers<typeof contract.conferences>,
  'callAll' | 'extend' | 'grantAuth' | 'rings' | 'answerRing'
>;

export interface CallRoutesDeps {
  engine: Pick<ConferenceEngine, 'name'>;
  calls: Calls;
  extend: Extend;
  grants: Grants;
}

export const callRoutes = ({ engine, calls, extend, grants }: CallRoutesDeps): CallHandlers => ({
  callAll: (context, { params: { res }, body }) => {
    knownEngine(engine)(res);
    return calls.callAll(context, body.meetId);
  },
  extend: (context, { params, query }) => extend.extend(context, params.id, query.delay),
  grantAuth: (context, { query, body: { userIds, rights } }) =>
    grants.grant(context, query.meetId, userIds, rights === 'control'),
  rings: (context) => calls.ringing(context),
  answerRing: async (context, { params }) => {
    await calls.decline(context, params.meetId);
    return null;
  },
});
