import { z } from 'zod';
import { API_BASE, LOCALES } from '../constants.ts';
import { PHONE_PATTERN } from '../meetings/contacts.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { route } from '../http/route.ts';
import { smsGateway, type SmsGateway } from './sms-gateway.ts';

/**
 * The notices that participants of a meeting receive; `roomReleased`: the room was released because no one checked in,
 * which is sent to other people.
 */
export const INVITEE_NOTICE_KINDS = ['invitation', 'change', 'cancellation', 'reminder', 'roomReleased'] as const;
/**
 * What approvers are notified about a meeting that needs their approval, and its host about the decision; by mail and
 * in the notice centre.
 */
export const APPROVAL_NOTICE_KINDS = ['approvalAsked', 'approved', 'refused', 'lapsed'] as const;
export const NOTICE_KINDS = [...INVITEE_NOTICE_KINDS, ...APPROVAL_NOTICE_KINDS] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
export type InviteeNoticeKind = (typeof INVITEE_NOTICE_KINDS)[number];

/** Whether a notice is about an approval. */
export function isOfApproval(kind: NoticeKind): kind is (typeof APPROVAL_NOTICE_KINDS)[number] {
  return (APPROVAL_NOTICE_KINDS as readonly NoticeKind[]).includes(kind);
}
/** The channels: mail, text message, and the product's own notice centre. */
export const NOTICE_CHANNELS = ['mail', 'sms', 'centre'] as const;
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number];
/** `SENDING`: not handed over yet, or to be retried; `FAIL`: given up. */
export const NOTICE_STATUSES = ['SUCCESS', 'SENDING', 'FAIL'] as const;
export type NoticeStatus = (typeof NOTICE_STATUSES)[number];
/**
 * Why a notice was not sent: no mail server or gateway, the host may not send text messages, permanently refused, not
 * reached in time.
 */
export const NOTICE_FAILURES = ['notConfigured', 'notPermitted', 'refused', 'unreachable'] as const;
/** How many minutes before its start people are reminded of a meeting; 0: no reminder. */
export const REMINDER_MINUTES = [0, 5, 15, 30, 60] as const;
export const REMINDER_DEFAULT = 15;

/** The fields a text may contain as `{field}`. A line whose fields are all empty is omitted when the text is sent. */
export const NOTICE_FIELDS = [
  'name',
  'subject',
  'host',
  'time',
  'duration',
  'repeats',
  'number',
  'password',
  'link',
  'rooms',
  'agenda',
  'meetings',
  'reasons',
  'approver',
  'note',
] as const;
export type NoticeField = (typeof NOTICE_FIELDS)[number];
const APPROVAL_FIELDS: ReadonlySet<NoticeField> = new Set(['meetings', 'reasons', 'approver', 'note']);

/** The fields that have a value in texts of a kind; the others are empty there. */
export function fieldsOfKind(kind: NoticeKind): NoticeField[] {
  return NOTICE_FIELDS.filter((field) => (isOfApproval(kind) ? field !== 'password' : !APPROVAL_FIELDS.has(field)));
}

/** Channels with texts that can be edited. */
export const TEXT_CHANNELS = ['mail', 'sms'] as const;

/** Whether texts of a kind exist for a channel: approvals are not sent by text message. */
export function hasText({ kind, channel }: { kind: NoticeKind; channel: (typeof TEXT_CHANNELS)[number] }): boolean {
  return channel === 'mail' || !isOfApproval(kind);
}

/** The unknown fields in a text, in order. */
export function unknownFields(text: string): string[] {
  const named = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return [...new Set(named.filter((name) => !(NOTICE_FIELDS as readonly string[]).includes(name)))];
}

/** The latest delivery to one recipient on a channel. */
const delivery = z.object({
  channel: z.enum(NOTICE_CHANNELS),
  kind: z.enum(INVITEE_NOTICE_KINDS),
  status: z.enum(NOTICE_STATUSES),
  /** Tries so far; 5 at most. */
  attempts: z.number().int(),
  failure: z.enum(NOTICE_FAILURES).nullable(),
  /** When it was handed over, given up, or last tried. */
  at: z.iso.datetime(),
});

/** A recipient of a meeting's notices, and the result. */
export const noticeRecipient = z.object({
  kind: z.enum(['user', 'mail', 'phone']),
  userId: z.uuid().nullable(),
  /** Empty for an outside mail address. */
  name: z.string(),
  /**
   * The outside address or number, masked for callers who may not manage the meeting; empty for people of the tenant.
   */
  contact: z.string(),
  /** Over all channels: SENDING if any is sending, else FAIL if any failed. */
  status: z.enum(NOTICE_STATUSES),
  deliveries: z.array(delivery),
});
export type NoticeRecipient = z.infer<typeof noticeRecipient>;

/** A notice in the notice centre: its content and time, which remain when its reader is removed from the meeting. */
export const notice = z.object({
  id: z.uuid(),
  kind: z.enum(NOTICE_KINDS),
  meetId: z.uuid(),
  subject: z.string(),
  host: z.string(),
  startTime: z.iso.datetime(),
  duration: z.number().int(),
  timeZone: z.string(),
  rooms: z.array(z.string()),
  /** For approval notices: the number of meetings, who decided, and the comment. */
  approval: z.object({ meetings: z.number().int(), approver: z.string(), note: z.string() }).nullable(),
  createdAt: z.iso.datetime(),
  readAt: z.iso.datetime().nullable(),
});
export type Notice = z.infer<typeof notice>;

/** On topic `user`: the list of notices is stale. */
export const noticesEvent = z.object({ type: z.literal('noticesChanged') });

const textKey = { kind: z.enum(NOTICE_KINDS), channel: z.enum(TEXT_CHANNELS), locale: z.enum(LOCALES) };
/** `subject` is for mails only. */
const textWords = {
  subject: z.string().trim().max(200),
  text: z
    .string()
    .max(4_000)
    .refine((s) => s.trim() !== ''),
};
const wholeText = z
  .object({ ...textKey, ...textWords })
  .refine(({ channel, subject }) => channel === 'sms' || subject !== '', { path: ['subject'] })
  .refine(hasText, { path: ['channel'] });

/** A text of the tenant, or the built-in one. */
export const noticeText = z.object({ ...textKey, subject: z.string(), text: z.string(), isBuiltIn: z.boolean() });
export type NoticeText = z.infer<typeof noticeText>;

export const noticeSettings = z.object({
  reminderMinutes: z.literal(REMINDER_MINUTES),
  /** Whether the server can send mail. */
  hasMail: z.boolean(),
  /** Which gateway sends text messages; `platform`: the one of the server's configuration, which is not shown. */
  smsSource: z.enum(['none', 'platform', 'tenant']),
  gateway: smsGateway.extend({ hasSecret: z.boolean() }).nullable(),
  version: z.number().int(),
});
export type NoticeSettings = z.infer<typeof noticeSettings>;

const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2e01';
const exampleRecipient: NoticeRecipient = {
  kind: 'mail',
  userId: null,
  name: '',
  contact: 'guest@example.org',
  status: 'SENDING',
  deliveries: [
    {
      channel: 'mail',
      kind: 'invitation',
      status: 'SENDING',
      attempts: 1,
      failure: null,
      at: '2026-11-20T08:00:00.000Z',
    },
  ],
};
const exampleNotice: Notice = {
  id: exampleId,
  kind: 'invitation',
  meetId: exampleId,
  subject: 'Ward round',
  host: 'Alice',
  startTime: '2026-11-20T09:00:00.000Z',
  duration: 60,
  timeZone: 'Asia/Shanghai',
  rooms: ['Library, Main building'],
  approval: null,
  createdAt: '2026-11-19T09:00:00.000Z',
  readAt: null,
};
const exampleText: NoticeText = {
  kind: 'invitation',
  channel: 'sms',
  locale: 'en',
  subject: '',
  text: '{host} invites you: {subject}, {time}',
  isBuiltIn: false,
};
const exampleWords = {
  kind: 'invitation' as const,
  channel: 'sms' as const,
  locale: 'en' as const,
  subject: '',
  text: '{host} invites you: {subject}, {time}',
};
const exampleGateway: SmsGateway = {
  url: 'https://sms.example.org/send',
  method: 'POST',
  headers: [
    { name: 'Content-Type', value: 'application/json' },
    { name: 'Authorization', value: 'Bearer {secret}' },
  ],
  body: '{"to":"{phone}","message":"{text}"}',
  successPath: 'code',
  successValue: '0',
};
const exampleSettings: NoticeSettings = {
  reminderMinutes: 15,
  hasMail: true,
  smsSource: 'tenant',
  gateway: { ...exampleGateway, hasSecret: true },
  version: 2,
};
const byId = z.object({ id: z.uuid() });
const administers = { callers: ['user'], permission: 'tenants:settings' } as const;

export const notices = {
  resend: route({
    method: 'GET',
    path: `${API_BASE}/meetings/notice/resend/:id`,
    callers: ['user'],
    audit: true,
    summary:
      'Sends the notices of a meeting again by mail and text message, ' +
      'to everybody invited; for its host and who stands in for it.',
    limit: { by: 'caller', max: 6, seconds: 60 },
    input: { params: byId },
    data: z.array(noticeRecipient),
    errors: ['MEETING_ENDED'],
    example: { params: { id: exampleId }, data: [exampleRecipient] },
  }),
  ofMeeting: route({
    method: 'GET',
    path: `${API_BASE}/meetings/notice/:id`,
    callers: ['user'],
    summary: 'Everybody who was told of a meeting and how that went, for those who may see the meeting.',
    input: { params: byId },
    data: z.array(noticeRecipient),
    errors: [],
    example: { params: { id: exampleId }, data: [exampleRecipient] },
  }),
  list: route({
    method: 'GET',
    path: `${API_BASE}/notices`,
    callers: ['user'],
    summary: "The caller's own notices, the newest first, paged, and how many in all are unread.",
    input: { query: z.object({ ...pageQuery, unreadOnly: z.stringbool().default(false) }) },
    data: page(notice).extend({ unread: z.number().int() }),
    errors: [],
    example: { query: {}, data: { records: [exampleNotice], total: 1, current: 1, size: 20, unread: 1 } },
  }),
  markAllRead: route({
    method: 'PUT',
    path: `${API_BASE}/notices/read`,
    callers: ['user'],
    summary: "Marks all of the caller's notices as read.",
    input: {},
    data: z.object({ unread: z.number().int() }),
    errors: [],
    example: { data: { unread: 0 } },
  }),
  markRead: route({
    method: 'PUT',
    path: `${API_BASE}/notices/:id/read`,
    callers: ['user'],
    summary: "Marks one of the caller's notices as read.",
    input: { params: byId },
    data: z.object({ unread: z.number().int() }),
    errors: [],
    example: { params: { id: exampleId }, data: { unread: 3 } },
  }),
  clear: route({
    method: 'DELETE',
    path: `${API_BASE}/notices/:id`,
    callers: ['user'],
    summary: "Takes one of the caller's notices out of the notice centre, read or not.",
    input: { params: byId },
    data: z.object({ unread: z.number().int() }),
    errors: [],
    example: { params: { id: exampleId }, data: { unread: 3 } },
  }),
  clearRead: route({
    method: 'DELETE',
    path: `${API_BASE}/notices/read`,
    callers: ['user'],
    summary: "Takes all of the caller's notices that are read out of the notice centre; the unread ones stay.",
    input: {},
    data: z.object({ cleared: z.number().int(), unread: z.number().int() }),
    errors: [],
    example: { data: { cleared: 12, unread: 3 } },
  }),
  texts: route({
    method: 'GET',
    path: `${API_BASE}/notice-texts`,
    ...administers,
    summary: "The texts of all notices in all languages: the tenant's own, else the built-in ones.",
    input: {},
    data: z.array(noticeText),
    errors: [],
    example: { data: [exampleText] },
  }),
  saveText: route({
    method: 'PUT',
    path: `${API_BASE}/notice-texts`,
    ...administers,
    audit: true,
    summary: 'Gives the tenant a text of its own.',
    input: { body: wholeText },
    data: noticeText,
    errors: ['NOTICE_TEXT_UNKNOWN_FIELD'],
    example: { body: exampleWords, data: exampleText },
  }),
  resetText: route({
    method: 'DELETE',
    path: `${API_BASE}/notice-texts`,
    ...administers,
    audit: true,
    summary: 'Goes back to the built-in text.',
    input: { query: z.object(textKey).refine(hasText, { path: ['channel'] }) },
    data: noticeText,
    errors: [],
    example: { query: { kind: 'invitation', channel: 'sms', locale: 'en' }, data: { ...exampleText, isBuiltIn: true } },
  }),
  previewText: route({
    method: 'POST',
    path: `${API_BASE}/notice-texts/preview`,
    ...administers,
    summary:
      'What a text becomes for a sample meeting. `html` is empty for ' +
      'text messages; `parts` is how many text messages it takes.',
    input: { body: wholeText },
    data: z.object({ subject: z.string(), text: z.string(), html: z.string(), parts: z.number().int() }),
    errors: ['NOTICE_TEXT_UNKNOWN_FIELD'],
    example: {
      body: exampleWords,
      data: { subject: '', text: 'Alice invites you: Ward round, 20 Nov 2026, 17:00', html: '', parts: 1 },
    },
  }),
  settings: route({
    method: 'GET',
    path: `${API_BASE}/notice-settings`,
    ...administers,
    summary: 'When people are reminded, and how the tenant sends text messages.',
    input: {},
    data: noticeSettings,
    errors: [],
    example: { data: exampleSettings },
  }),
  saveSettings: route({
    method: 'PUT',
    path: `${API_BASE}/notice-settings`,
    ...administers,
    audit: true,
    summary:
      'Changes them. `version` is the one that was edited. A `secret` that ' +
      'is missing stays as it was, unless the gateway is another server.',
    input: {
      body: z.object({
        reminderMinutes: z.literal(REMINDER_MINUTES),
        gateway: smsGateway
          .extend({
            secret: z
              .string()
              .max(1_000)
              .regex(/^[^\r\n\0]*$/)
              .optional(),
          })
          .nullable(),
        version: z.number().int(),
      }),
    },
    data: noticeSettings,
    errors: ['CHANGED_MEANWHILE', 'SMS_SECRET_NEEDED', 'SMS_GATEWAY_FORBIDDEN'],
    example: {
      body: { reminderMinutes: 15, gateway: { ...exampleGateway, secret: 'k7Wm2xQe' }, version: 1 },
      data: exampleSettings,
    },
  }),
  testSms: route({
    method: 'POST',
    path: `${API_BASE}/notice-settings/sms/test`,
    ...administers,
    audit: true,
    summary: "Sends a text message through the tenant's gateway as it is stored, and waits for its answer.",
    limit: { by: 'caller', max: 5, seconds: 60 },
    input: { body: z.object({ phone: z.string().regex(PHONE_PATTERN) }) },
    data: z.null(),
    errors: ['SMS_NOT_CONFIGURED', 'SMS_FAILED', 'SMS_GATEWAY_FORBIDDEN'],
    example: { body: { phone: '+4915112345678' }, data: null },
  }),
};
