import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { BookingOptions } from './booking/options.ts';
import type { Groups } from './invitees/groups.ts';
import type { Invitees } from './invitees/invitees.ts';
import type { SeriesPreview } from './series/preview.ts';
import type { MeetingService } from './service.ts';

export const meetingRoutes = (meetings: MeetingService, invitees: Invitees): Handlers<typeof contract.meetings> => ({
  list: (context, { query }) => meetings.list(context, query),
  invitees: (context, { query }) => invitees.search(context, query),
  activity: (context, { query }) => meetings.activity(context, new Date(query.startDate)),
  detail: (context, { params }) => meetings.detail(context, params.id),
  numeric: (context, { params }) => meetings.byNumber(context, params.id),
  createNetwork: (context, { body }) => meetings.create(context, 'NETWORK_MEETING', body),
  createVideo: (context, { body }) => meetings.create(context, 'VIDEO_MEETING', body),
  createLive: (context, { body }) => meetings.createLive(context, body),
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

export const bookingRoutes = (
  options: BookingOptions,
  invitees: Invitees,
  groups: Groups,
): Handlers<typeof contract.booking> => ({
  templates: () => options.templates(),
  participantLimit: (context, { params }) => options.participantLimit(context, params),
  allowUpdate: (context, { params, query }) => options.allowUpdate(context, params.id, query),
  departments: (context) => invitees.departments(context),
  groups: (context) => groups.list(context),
  createGroup: (context, { body }) => groups.create(context, body),
  updateGroup: (context, { params, body }) => groups.update(context, params.id, body),
  removeGroup: async (context, { params }) => {
    await groups.remove(context, params.id);
    return null;
  },
  busy: (context, { body }) => invitees.busy(context, body),
});
