import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { Run } from './run.ts';
import type { Broadcasts } from './service.ts';

export interface BroadcastServices {
  broadcasts: Broadcasts;
  run: Run;
}

export const broadcastRoutes = ({
  broadcasts,
  run,
}: BroadcastServices): Omit<
  Handlers<typeof contract.broadcasts>,
  'messages' | 'moderate' | 'statistics' | 'exportViewers'
> => ({
  list: (context, { query }) => broadcasts.list(context, query),
  detail: (context, { params }) => broadcasts.detail(context, params.id),
  change: (context, input) => broadcasts.change(context, input),
  act: (context, input) => run.act(context, input),
  getLiveLink: (context, { query }) => broadcasts.link(context, query.meetId),
  liveAuthUsers: (context, { query }) => broadcasts.authUsers(context, query),
});
