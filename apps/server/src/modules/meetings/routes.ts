import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { MeetingService } from './service.ts';

export const meetingRoutes = (meetings: MeetingService): Handlers<typeof contract.meetings> => ({
  list: (context, { query }) => meetings.list(context, query),
  invitees: (context, { query }) => meetings.invitees(context, query.keyword),
  activity: (context, { query }) => meetings.activity(context, new Date(query.startDate)),
  detail: (context, { params }) => meetings.detail(context, params.id),
  numeric: (context, { params }) => meetings.byNumber(context, params.id),
  createNetwork: (context, { body }) => meetings.create(context, body),
  update: (context, { params, body }) => meetings.update(context, params.id, body),
  cancel: async (context, { params }) => {
    await meetings.cancel(context, params.id);
    return null;
  },
  start: (context, { params }) => meetings.start(context, params.id),
});
