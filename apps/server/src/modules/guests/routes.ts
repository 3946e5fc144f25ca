import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { GuestService } from './service.ts';

export const guestRoutes = (guests: GuestService): Handlers<typeof contract.guests> => ({
  query: (context, { query }) => guests.find(context, query.meetingId),
  create: (context, { query }) => guests.create(context, query.meetingId),
  update: (context, { query }) => guests.renew(context, query.meetingId),
  remove: async (context, { query }) => {
    await guests.remove(context, query.meetingId);
    return null;
  },
  queryUsers: (context, { query }) => guests.guestsOf(context, query.meetingId),
  count: (context, { query }) => guests.count(context, query.resource),
  queryMeetDetail: (context, { query }) => guests.meetingOf(context, query.resource),
});
