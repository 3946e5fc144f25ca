import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { SeriesPreview } from './series-preview.ts';
import type { MeetingService } from './service.ts';

export const meetingRoutes = (meetings: MeetingService): Handlers<typeof contract.meetings> => ({
  list: (context, { query }) => meetings.list(context, query),
  invitees: (context, { query }) => meetings.invitees(context, query),
  activity: (context, { query }) => meetings.activity(context, new Date(query.startDate)),
  detail: (context, { params }) => meetings.detail(context, params.id),
  numeric: (context, { params }) => meetings.byNumber(context, params.id),
  createNetwork: (context, { body }) => meetings.create(context, 'NETWORK_MEETING', body),
  createVideo: (context, { body }) => meetings.create(context, 'VIDEO_MEETING', body),
  createTelephone: (context, { body }) => meetings.create(context, 'PHONE_MEETING', body),
  createLocal: (context, { body, files }) => meetings.create(context, 'LOCAL_MEETING', body, files),
  update: (context, { params, body }) => meetings.update(context, params.id, body),
  updateWithFile: (context, { params, body: { keepFileIds, ...body }, files }) =>
    meetings.update(context, params.id, body, { received: files, keepFileIds }),
  cancel: async (context, { params, query: { scope } }) => {
    await meetings.cancel(context, params.id, { scope });
    return null;
  },
  cancelWithFile: async (context, { params, query: { scope } }) => {
    await meetings.cancel(context, params.id, { scope, withFiles: true });
    return null;
  },
  start: (context, { params, body }) => meetings.start(context, params.id, body),
});

export const seriesRoutes = ({ preview }: SeriesPreview): Handlers<typeof contract.series> => ({
  preview: (context, { body }) => preview(context, body),
});
