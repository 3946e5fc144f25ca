import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import type { ErrorCode } from '../errors.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { route } from '../http/route.ts';
import { line } from '../line.ts';
import { exampleMeetingId, numericId } from '../meetings/meeting-types.ts';

/** `scheduled`: nothing is shown to viewers yet, also while the conference rehearses; `paused`: a card is shown. */
export const BROADCAST_STATES = ['scheduled', 'onAir', 'paused', 'ended'] as const;
export type BroadcastState = (typeof BROADCAST_STATES)[number];

export const BROADCAST_ACTIONS = ['START', 'PAUSE', 'RESUME', 'END'] as const;
export type BroadcastAction = (typeof BROADCAST_ACTIONS)[number];

/** The actions that have an effect in a state. An ended broadcast does not start again. */
export const BROADCAST_ACTIONS_IN: Record<BroadcastState, readonly BroadcastAction[]> = {
  scheduled: ['START'],
  onAir: ['PAUSE', 'END'],
  paused: ['RESUME', 'END'],
  ended: [],
};

/** Where its pictures come from: a conference, an encoder that pushes them, or an address that they are taken from. */
export const BROADCAST_SOURCES = ['conference', 'push', 'play'] as const;
export type BroadcastSource = (typeof BROADCAST_SOURCES)[number];

/** Who may watch: everyone with the link, those who know the password, accounts of the organisation, named ones. */
export const BROADCAST_ACCESS = ['public', 'password', 'organisation', 'whiteList'] as const;
export type BroadcastAccess = (typeof BROADCAST_ACCESS)[number];

/** `held`: a message is shown after a moderator has released it. */
export const BROADCAST_CHATS = ['open', 'held', 'off'] as const;

export const BROADCAST_LIMITS = {
  announcement: 500,
  text: 300,
  /** Longest time between two messages of one viewer, seconds. */
  slowSeconds: 300,
  whiteList: 5_000,
  /** Messages that a viewer or moderator gets at once. */
  messages: 200,
} as const;

/** What the people who manage a broadcast choose for it. */
export const broadcastSetting = z.object({
  access: z.enum(BROADCAST_ACCESS),
  chat: z.enum(BROADCAST_CHATS),
  /** A viewer may send one message in so many seconds; 0: without a limit. */
  slowSeconds: z.number().int().min(0).max(BROADCAST_LIMITS.slowSeconds),
  questions: z.boolean(),
  likes: z.boolean(),
  /** The viewer's name over the picture. */
  watermark: z.boolean(),
  /** Above the chat; empty: none. */
  announcement: z.string().trim().max(BROADCAST_LIMITS.announcement),
  /** The recording can be watched on the same page afterwards. */
  replay: z.boolean(),
});
export type BroadcastSetting = z.infer<typeof broadcastSetting>;

export const DEFAULT_BROADCAST_SETTING: BroadcastSetting = {
  access: 'organisation',
  chat: 'open',
  slowSeconds: 0,
  questions: true,
  likes: true,
  watermark: false,
  announcement: '',
  replay: true,
};

/** Settings in a request. What is omitted stays. */
export const broadcastSettingBody = broadcastSetting.partial().extend({
  /** For access by password. Required the first time; an omitted one stays. */
  password: z.string().min(4).max(64).optional(),
  /** Accounts that may watch, for access by white list. */
  whiteList: z.array(z.uuid()).max(BROADCAST_LIMITS.whiteList).optional(),
});

const ms = z.number().int().min(0);

export const broadcast = z.object({
  id: z.uuid(),
  meetId: z.uuid(),
  numericId,
  subject: z.string(),
  host: z.object({ userId: z.uuid(), name: z.string() }),
  /** As booked. */
  startTime: z.iso.datetime(),
  duration: z.number().int(),
  state: z.enum(BROADCAST_STATES),
  source: z.enum(BROADCAST_SOURCES),
  /** Its conference is running, or its outside stream arrives, so that it can go on air. */
  isReady: z.boolean(),
  setting: broadcastSetting,
  hasPassword: z.boolean(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  /** Viewers now, and at most at the same time. */
  viewers: z.number().int(),
  peak: z.number().int(),
  likes: z.number().int(),
  recordingId: z.uuid().nullable(),
  /** The watch page. */
  link: z.url(),
  can: z.object({
    /** Change settings, moderate, see the history. */
    manage: z.boolean(),
    /** Start, pause and end. */
    run: z.boolean(),
  }),
});
export type Broadcast = z.infer<typeof broadcast>;

const broadcastDetail = broadcast.extend({
  whiteList: z.array(z.object({ userId: z.uuid(), name: z.string() })),
});
export type BroadcastDetail = z.infer<typeof broadcastDetail>;

export const MESSAGE_KINDS = ['chat', 'question'] as const;
/** `held`: waits for a moderator; only moderators and its author see it. */
export const MESSAGE_STATES = ['shown', 'held', 'deleted'] as const;

/** A message or question of a viewer. */
export const broadcastMessage = z.object({
  id: z.uuid(),
  /** Grows with each message and each change of one; those after the last known one are asked for. */
  version: z.number().int(),
  kind: z.enum(MESSAGE_KINDS),
  state: z.enum(MESSAGE_STATES),
  at: z.iso.datetime(),
  name: z.string(),
  /** The host, or one who manages the broadcast, wrote it. */
  isHost: z.boolean(),
  /** Empty once deleted. */
  text: z.string(),
  /** To a question; null: none yet. */
  answer: z.string().nullable(),
});
export type BroadcastMessage = z.infer<typeof broadcastMessage>;

/** A message as moderators see it. */
export const moderatedMessage = broadcastMessage.extend({ viewerId: z.uuid(), isMuted: z.boolean() });
export type ModeratedMessage = z.infer<typeof moderatedMessage>;

/** Viewers at one time. */
const viewersAt = z.object({ at: z.iso.datetime(), viewers: z.number().int() });

const id = exampleMeetingId;
const byId = z.object({ id: z.uuid() });
export const exampleBroadcast: BroadcastDetail = {
  id,
  meetId: id,
  numericId: '482913057',
  subject: 'Town hall',
  host: { userId: id, name: 'Alice' },
  startTime: '2026-11-20T09:00:00.000Z',
  duration: 60,
  state: 'onAir',
  source: 'conference',
  isReady: true,
  setting: DEFAULT_BROADCAST_SETTING,
  hasPassword: false,
  startedAt: '2026-11-20T09:01:00.000Z',
  endedAt: null,
  viewers: 120,
  peak: 131,
  likes: 52,
  recordingId: id,
  link: `https://meet.example.org/#/live/${id}`,
  can: { manage: true, run: true },
  whiteList: [],
};
export const exampleBroadcastMessage: BroadcastMessage = {
  id,
  version: 7,
  kind: 'question',
  state: 'shown',
  at: '2026-11-20T09:10:00.000Z',
  name: 'Carol',
  isHost: false,
  text: 'When does the new ward open?',
  answer: null,
};

const LIVE = `${API_BASE}/live`;
export const BROADCAST_SCOPES = ['all', 'onAir', 'upcoming', 'past'] as const;
export const SETTING_ERRORS = [
  'BROADCAST_PASSWORD_REQUIRED',
  'PARTICIPANT_UNKNOWN',
] as const satisfies readonly ErrorCode[];

/** Which broadcasts a list shows, and in which order. */
export const broadcastQuery = z.object({
  ...pageQuery,
  scope: z.enum(BROADCAST_SCOPES).default('all'),
  keyword: z.string().trim().max(100).default(''),
  sort: z.enum(['startTime', 'subject', 'viewers']).default('startTime'),
  order: z.enum(['asc', 'desc']).default('desc'),
});

/** Live broadcasts of meetings, for those who hold and manage them. */
export const broadcasts = {
  list: route({
    method: 'GET',
    path: `${LIVE}/broadcasts`,
    summary:
      'Broadcasts that the caller may see: hosted by the caller or by a host that the caller stands in for, those ' +
      'whose meeting the caller is invited to, those that are open to the organisation or name the caller, and for ' +
      'administrators all.',
    callers: ['user'],
    input: { query: broadcastQuery },
    data: page(broadcast),
    errors: [],
    example: { query: {}, data: { records: [exampleBroadcast], total: 1, current: 1, size: 20 } },
  }),
  detail: route({
    method: 'GET',
    path: `${LIVE}/broadcasts/:id`,
    summary: 'One broadcast. The white list is empty for callers who do not manage it.',
    callers: ['user'],
    input: { params: byId },
    data: broadcastDetail,
    errors: [],
    example: { params: { id }, data: exampleBroadcast },
  }),
  change: route({
    method: 'PUT',
    path: `${LIVE}/broadcasts/:id`,
    summary: 'Changes the settings of a broadcast, also while it is on air. What is omitted stays.',
    callers: ['user'],
    audit: true,
    input: { params: byId, body: broadcastSettingBody },
    data: broadcastDetail,
    errors: SETTING_ERRORS,
    example: { params: { id }, body: { chat: 'held' }, data: exampleBroadcast },
  }),
  act: route({
    method: 'POST',
    path: `${LIVE}/broadcasts/:id/state`,
    summary:
      'Puts a broadcast on air, pauses it with a card, continues or ends it. It is recorded while it is on air: ' +
      'START and RESUME start or resume the recording of the conference. An outside stream is not recorded, and has ' +
      'to arrive at START. An action without effect is answered with the broadcast as it is.',
    callers: ['user'],
    permission: 'sys:liveStreaming',
    audit: true,
    input: { params: byId, body: z.object({ action: z.enum(BROADCAST_ACTIONS) }) },
    data: broadcastDetail,
    errors: [
      'BROADCAST_NOT_RUNNING',
      'INGEST_WAITING',
      'MEETING_NOT_APPROVED',
      'RECORDING_OFF',
      'RECORDINGS_FULL',
      'RECORDING_UNAVAILABLE',
      'E2EE_UNSUPPORTED',
    ],
    example: { params: { id }, body: { action: 'START' }, data: exampleBroadcast },
  }),
  messages: route({
    method: 'GET',
    path: `${LIVE}/broadcasts/:id/messages`,
    summary: 'Messages and questions changed after the version `since`, oldest first, for those who manage it.',
    callers: ['user'],
    input: { params: byId, query: z.object({ since: z.coerce.number().int().min(0).default(0) }) },
    data: z.object({ messages: z.array(moderatedMessage), version: z.number().int() }),
    errors: [],
    example: {
      params: { id },
      query: { since: 6 },
      data: { messages: [{ ...exampleBroadcastMessage, viewerId: id, isMuted: false }], version: 7 },
    },
  }),
  moderate: route({
    method: 'PUT',
    path: `${LIVE}/broadcasts/:id/messages/:messageId`,
    summary:
      'Shows or deletes a message, answers a question for all to see, or stops its author from writing (`muted`). ' +
      'What is omitted stays.',
    callers: ['user'],
    audit: true,
    input: {
      params: byId.extend({ messageId: z.uuid() }),
      body: z.object({
        state: z.enum(['shown', 'deleted']).optional(),
        answer: line().max(BROADCAST_LIMITS.text).nullable().optional(),
        muted: z.boolean().optional(),
      }),
    },
    data: moderatedMessage,
    errors: [],
    example: {
      params: { id, messageId: id },
      body: { answer: 'In March' },
      data: { ...exampleBroadcastMessage, answer: 'In March', viewerId: id, isMuted: false },
    },
  }),
  statistics: route({
    method: 'GET',
    path: `${LIVE}/broadcasts/:id/statistics`,
    summary: 'Viewers over time, minute by minute, for those who manage it. `watched`: ms of all viewers together.',
    callers: ['user'],
    input: { params: byId },
    data: z.object({
      viewers: z.number().int(),
      peak: z.number().int(),
      watched: ms,
      likes: z.number().int(),
      messages: z.number().int(),
      overTime: z.array(viewersAt),
    }),
    errors: [],
    example: {
      params: { id },
      data: {
        viewers: 140,
        peak: 131,
        watched: 7_200_000,
        likes: 52,
        messages: 9,
        overTime: [{ at: '2026-11-20T09:01:00.000Z', viewers: 80 }],
      },
    },
  }),
  exportViewers: route({
    method: 'GET',
    path: `${LIVE}/broadcasts/:id/viewers.csv`,
    summary: 'The viewers with when they came and how long they watched, as CSV, for those who manage it.',
    callers: ['user'],
    download: true,
    input: { params: byId },
    data: z.null(),
    errors: [],
    example: { params: { id }, data: null },
  }),
  getLiveLink: route({
    method: 'GET',
    path: `${API_BASE}/meetings/getLiveLink`,
    summary: "The watch page of a meeting's broadcast, for those who may see the meeting.",
    callers: ['user'],
    input: { query: z.object({ meetId: z.uuid() }) },
    data: z.object({ id: z.uuid(), link: z.url(), state: z.enum(BROADCAST_STATES) }),
    errors: [],
    example: { query: { meetId: id }, data: { id, link: exampleBroadcast.link, state: 'onAir' } },
  }),
  liveAuthUsers: route({
    method: 'GET',
    path: `${API_BASE}/users/live-auth-users`,
    summary: 'People of the organisation who may run live broadcasts (sys:liveStreaming), by name.',
    callers: ['user'],
    input: { query: z.object({ ...pageQuery, keyword: z.string().trim().max(100).default('') }) },
    data: page(z.object({ userId: z.uuid(), name: z.string(), account: z.string(), department: z.string() })),
    errors: [],
    example: {
      query: {},
      data: {
        records: [{ userId: id, name: 'Alice', account: 'alice', department: 'Surgery' }],
        total: 1,
        current: 1,
        size: 20,
      },
    },
  }),
};
