import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { Notices } from './service.ts';

export const noticeRoutes = ({ centre, deliveries, settings, texts }: Notices): Handlers<typeof contract.notices> => ({
  resend: (context, { params }) => deliveries.resend(context, params.id),
  ofMeeting: (context, { params }) => deliveries.show(context, params.id),
  list: (context, { query }) => centre.list(context, query),
  markAllRead: (context) => centre.markAllRead(context),
  markRead: (context, { params }) => centre.markRead(context, params.id),
  clear: (context, { params }) => centre.clear(context, params.id),
  clearRead: (context) => centre.clearRead(context),
  texts: (context) => texts.list(context),
  saveText: (context, { body }) => texts.save(context, body),
  resetText: (context, { query }) => texts.reset(context, query),
  previewText: (context, { body }) => texts.preview(context, body),
  settings: (context) => settings.show(context),
  saveSettings: (context, { body }) => settings.save(context, body),
  testSms: (context, { body }) => settings.test(context, body.phone),
});
