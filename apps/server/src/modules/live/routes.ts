import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { Moderation } from './messages.ts';
import type { Run } from './run.ts';
import type { Broadcasts } from './service.ts';
import type { Statistics } from './statistics.ts';
import type { Views } from './watch/views.ts';

export interface BroadcastServices {
  broadcasts: Broadcasts;
  run: Run;
  moderation: Moderation;
  statistics: Statistics;
}

/** The calls that send media. */
export type DeliveryRoutes = Pick<
  Handlers<typeof contract.watch>,
  'renditions' | 'playlist' | 'media' | 'openPlaylist' | 'openMedia'
>;

export const broadcastRoutes = ({
  broadcasts,
  run,
  moderation,
  statistics,
}: BroadcastServices): Handlers<typeof contract.broadcasts> => ({
  list: (context, { query }) => broadcasts.list(context, query),
  detail: (context, { params }) => broadcasts.detail(context, params.id),
  change: (context, input) => broadcasts.change(context, input),
  act: (context, input) => run.act(context, input),
  messages: (context, { params, query }) => moderation.messages(context, params.id, query.since),
  moderate: (context, input) => moderation.moderate(context, input),
  statistics: (context, { params }) => statistics.statistics(context, params.id),
  exportViewers: (context, { params }) => statistics.exportViewers(context, params.id),
  getLiveLink: (context, { query }) => broadcasts.link(context, query.meetId),
  liveAuthUsers: (context, { query }) => broadcasts.authUsers(context, query),
});

export const watchRoutes = (views: Views, delivery: DeliveryRoutes): Handlers<typeof contract.watch> => ({
  open: (context, input) => views.open(context, input),
  openSignedIn: (context, input) => views.openSignedIn(context, input),
  state: (context, { body }) => views.state(context, body),
  say: (context, { body }) => views.say(context, body),
  leave: async (context, { body }) => {
    await views.leave(context, body.view);
    return null;
  },
  ...delivery,
});
