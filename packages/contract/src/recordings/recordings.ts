import { conferenceControl, controlChange, NO_CONTROL } from '@rmeet/conference';
import { z } from 'zod';
import { API_BASE, MEETING_TYPES } from '../constants.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { officeLimit, route } from '../http/route.ts';
import { line } from '../line.ts';
import { numericId } from '../meetings/meeting-types.ts';
import { CARD_REASONS, recordingTrack, TRACK_KINDS } from './timeline.ts';

/** How many recordings one call may name. */
export const RECORDINGS_AT_ONCE = 100;
/** Days in the bin before a recording is deleted for good. */
export const BIN_DAYS = 30;
/** Seconds that the addresses of a playlist and its segments work; pages renew them before. */
export const PLAYBACK_SECONDS = 60;
/** Hours that an exported MP4 is kept. */
export const EXPORT_HOURS = 48;

const meetId = z.uuid();
const byId = z.object({ id: z.uuid() });
const ms = z.number().int().min(0);

/** `processing`: the meeting is over, and the last parts are being stored. */
export const RECORDING_STATES = ['recording', 'processing', 'ready', 'failed'] as const;
export type RecordingState = (typeof RECORDING_STATES)[number];

/** What the people who manage a recording choose for it. */
export const recordingSetting = z.object({
  /** Those who may watch it may save it, too. */
  download: z.boolean(),
  /** Pages show the viewer's name over the picture. */
  watermark: z.boolean(),
});
export type RecordingSetting = z.infer<typeof recordingSetting>;

/** Where a recording is cut; nothing is removed from what is stored. Times in ms by the clock since its start. */
export const recordingEdit = z
  .object({
    /** Plays from here, and up to there; null: from the start, to the end. */
    start: ms.nullable(),
    end: ms.nullable(),
    /** Stretches in between that are left out, in order. */
    cuts: z.array(z.object({ from: ms, to: ms })).max(100),
  })
  .refine(({ start, end, cuts }) => [...cuts, { from: start ?? 0, to: end ?? Infinity }].every((c) => c.from < c.to), {
    path: ['cuts'],
  });
export type RecordingEdit = z.infer<typeof recordingEdit>;

export const recording = z.object({
  id: z.uuid(),
  meetId,
  conferenceId: z.uuid(),
  numericId,
  type: z.enum(MEETING_TYPES),
  /** What it is called; the subject of the meeting until it is renamed. */
  subject: z.string(),
  host: z.object({ userId: z.uuid(), name: z.string() }),
  startTime: z.iso.datetime(),
  /** Null while it runs. */
  endTime: z.iso.datetime().nullable(),
  /** Ms that are played, pauses left out. */
  duration: ms,
  bytes: z.number().int(),
  state: z.enum(RECORDING_STATES),
  setting: recordingSetting,
  /** More people than the host and administrators may watch it. */
  mulpitleAuth: z.boolean(),
  /** The caller may watch it; false in the bin. */
  authResult: z.boolean(),
  can: z.object({
    /** Rename, share, grant, edit, delete. */
    manage: z.boolean(),
    download: z.boolean(),
  }),
  /** When it was moved to the bin; null if it is not there. */
  deletedAt: z.iso.datetime().nullable(),
  /** When it is deleted for good, by retention or from the bin; null: never. */
  expiresAt: z.iso.datetime().nullable(),
});
export type Recording = z.infer<typeof recording>;

/** What a word was found in: a person's name, a chat message, captions. */
export const FOUND_IN = ['person', 'chat', 'caption'] as const;
const found = z.object({ in: z.enum(FOUND_IN), text: z.string(), at: ms.nullable() });

export const RECORDING_FILTERS = ['all', 'mine', 'granted', 'bin'] as const;
const search = {
  ...pageQuery,
  /** Words in subject, names of people, chat or captions. */
  keyword: z.string().trim().max(100).default(''),
  filter: z.enum(RECORDING_FILTERS).default('all'),
  state: z.enum(RECORDING_STATES).optional(),
  type: z.enum(MEETING_TYPES).optional(),
  meetId: z.uuid().optional(),
  /** Started in this time. */
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  sort: z.enum(['startTime', 'duration', 'bytes', 'subject']).default('startTime'),
  order: z.enum(['asc', 'desc']).default('desc'),
};
const foundRecording = recording.extend({ found: z.array(found) });
export type FoundRecording = z.infer<typeof foundRecording>;

/** A chapter: an item of the agenda, a speaker, a shared screen, a vote or a roll call began. */
export const CHAPTER_KINDS = ['topic', 'speaker', 'share', 'vote', 'rollCall', 'layout'] as const;
const chapter = z.object({ at: ms, kind: z.enum(CHAPTER_KINDS), text: z.string(), termId: z.string().nullable() });

/** What a page shows beside the picture. `at` in ms by the clock since the start. */
export const recordingTimeline = z.object({
  chapters: z.array(chapter),
  speaking: z.array(z.object({ termId: z.string(), name: z.string(), spans: z.array(z.object({ from: ms, to: ms })) })),
  chat: z.array(z.object({ id: z.uuid(), at: ms, name: z.string(), text: z.string() })),
  captions: z.array(z.object({ from: ms, to: ms.nullable(), text: z.string() })),
  hands: z.array(z.object({ at: ms, name: z.string(), raised: z.boolean() })),
  votes: z.array(
    z.object({
      at: ms,
      question: z.string(),
      options: z.array(z.object({ text: z.string(), count: z.number().int() })),
    }),
  ),
  attendance: z.array(
    z.object({ name: z.string(), stays: z.array(z.object({ from: ms, to: ms.nullable() })), isGuest: z.boolean() }),
  ),
  gaps: z.array(z.object({ from: ms, to: ms, reason: z.string() })),
  /** When a name card was on air in place of a picture that was sent, and why. */
  cards: z.array(z.object({ from: ms, to: ms, name: z.string(), reason: z.enum(CARD_REASONS) })),
  /**
   * The control state at the start, and what changed of it later, to show the meeting as it was seen: `withChanges`
   * applies the steps. Only fields that pictures depend on change.
   */
  control: z.object({
    first: conferenceControl,
    steps: z.array(z.object({ at: ms, version: z.number().int(), changes: z.array(controlChange) })),
  }),
});
export type RecordingTimeline = z.infer<typeof recordingTimeline>;

const recordingDetail = recording.extend({
  edit: recordingEdit.nullable(),
  tracks: z.array(recordingTrack),
  /** Who may watch it besides host and administrators; empty for callers who may not manage it. */
  granted: z.array(z.object({ userId: z.uuid(), name: z.string() })),
  files: z.array(z.object({ id: z.uuid(), name: z.string(), size: z.number().int() })),
});
export type RecordingDetail = z.infer<typeof recordingDetail>;

/** How to play: `sign` goes to each playlist and segment as `?sign=`, and is renewed by the same call. */
const playback = z.object({
  sign: z.string(),
  expiresAt: z.iso.datetime(),
  /** Over the picture; null: none. */
  watermark: z.string().nullable(),
});
export type Playback = z.infer<typeof playback>;

/** A link that opens a recording without sign-in. */
export const recordingShare = z.object({
  id: z.uuid(),
  expiresAt: z.iso.datetime().nullable(),
  hasPassword: z.boolean(),
  maxViews: z.number().int().nullable(),
  views: z.number().int(),
  download: z.boolean(),
  watermark: z.boolean(),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
});
export type RecordingShare = z.infer<typeof recordingShare>;
const shareBody = z.object({
  expiresAt: z.iso.datetime().nullable().default(null),
  /** Empty: none. */
  password: z.string().max(64).default(''),
  maxViews: z.number().int().min(1).max(100_000).nullable().default(null),
  download: z.boolean().default(false),
  watermark: z.boolean().default(true),
});

export const EXPORT_STATES = ['waiting', 'running', 'ready', 'failed', 'cancelled'] as const;
/** An MP4 that is made of a recording, or of one track. */
export const recordingExport = z.object({
  id: z.uuid(),
  recordingId: z.uuid(),
  track: z.string(),
  kind: z.enum(TRACK_KINDS),
  /** Of the terminal; empty for the programme. */
  name: z.string(),
  state: z.enum(EXPORT_STATES),
  /** 0 to 1. */
  progress: z.number().min(0).max(1),
  /** Once it is ready. */
  bytes: z.number().int().nullable(),
  createdAt: z.iso.datetime(),
  /** When the file is deleted. */
  expiresAt: z.iso.datetime().nullable(),
});
export type RecordingExport = z.infer<typeof recordingExport>;

const id = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
const exampleRecording: Recording = {
  id,
  meetId: id,
  conferenceId: id,
  numericId: '482913057',
  type: 'NETWORK_MEETING',
  subject: 'Ward round',
  host: { userId: id, name: 'Alice' },
  startTime: '2026-11-20T09:00:00.000Z',
  endTime: '2026-11-20T10:00:00.000Z',
  duration: 3_600_000,
  bytes: 956_000_000,
  state: 'ready',
  setting: { download: true, watermark: false },
  mulpitleAuth: false,
  authResult: true,
  can: { manage: true, download: true },
  deletedAt: null,
  expiresAt: null,
};
const exampleFound = { ...exampleRecording, found: [{ in: 'chat' as const, text: 'Results are in', at: 61_000 }] };
const exampleTimeline: RecordingTimeline = {
  chapters: [{ at: 0, kind: 'topic', text: 'Admissions', termId: null }],
  speaking: [{ termId: 'T4kq81xz0m2c', name: 'Alice', spans: [{ from: 0, to: 4_000 }] }],
  chat: [],
  captions: [],
  hands: [],
  votes: [],
  attendance: [],
  gaps: [],
  cards: [],
  control: { first: NO_CONTROL, steps: [] },
};
const exampleDetail: RecordingDetail = { ...exampleRecording, edit: null, tracks: [], granted: [], files: [] };
const examplePlayback: Playback = { sign: 'u.1795000000.n3Zc', expiresAt: '2026-11-20T10:01:00.000Z', watermark: null };
const exampleShare: RecordingShare = {
  id,
  expiresAt: null,
  hasPassword: true,
  maxViews: null,
  views: 0,
  download: false,
  watermark: true,
  createdAt: '2026-11-20T10:00:00.000Z',
  createdBy: 'Alice',
};
const exampleExport: RecordingExport = {
  id,
  recordingId: id,
  track: 'programme',
  kind: 'programme',
  name: '',
  state: 'running',
  progress: 0.4,
  bytes: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  expiresAt: null,
};

const RECORDINGS = `${API_BASE}/recordings`;
const searched = {
  summary:
    'The recordings that the caller may see, newest first: those of meetings they host or may stand in for, those ' +
    'that were granted to them, and for administrators all of the organisation.',
  callers: ['user'],
  data: page(foundRecording),
  errors: [],
} as const;
const examplePage = { records: [exampleFound], total: 1, current: 1, size: 20 };
/** Asked for by tokens that can be guessed at. */
const guessed = { by: 'address', max: 600, seconds: 60, failures: { max: 30, seconds: 60 } } as const;
const media = {
  callers: ['anyone'],
  download: true,
  data: z.null(),
  errors: ['RECORDING_ADDRESS_EXPIRED'],
  // A viewer of nine tracks asks for some 300 files a minute.
  limit: { ...officeLimit, max: 60_000 },
} as const;
const shareToken = z.string().min(1).max(100);

/** Stored recordings: to find, play, share, edit, save and delete them. */
export const recordings = {
  queryRecord: route({
    method: 'GET',
    path: `${API_BASE}/queryRecord`,
    ...searched,
    scope: 'recordings:read',
    input: { query: z.object(search) },
    example: { query: {}, data: examplePage },
  }),
  searchRecord: route({
    method: 'POST',
    path: `${API_BASE}/queryRecord`,
    ...searched,
    scope: 'recordings:read',
    input: { body: z.object(search) },
    example: { body: { keyword: 'results' }, data: examplePage },
  }),
  getRecordLink: route({
    method: 'GET',
    path: `${API_BASE}/meetings/getRecordLink`,
    summary: "The pages of a meeting's recordings, for those who may watch them.",
    callers: ['user'],
    input: { query: z.object({ meetId }) },
    data: z.object({
      records: z.array(
        recording.pick({ id: true, subject: true, startTime: true, duration: true }).extend({ link: z.url() }),
      ),
    }),
    errors: [],
    example: {
      query: { meetId: id },
      data: {
        records: [
          {
            id,
            subject: 'Ward round',
            startTime: '2026-11-20T09:00:00.000Z',
            duration: 3_600_000,
            link: `https://meet.example.org/#/record-details/${id}`,
          },
        ],
      },
    },
  }),
  grantRecordIds: route({
    method: 'POST',
    path: `${API_BASE}/meetings/grantRecordIds`,
    summary: "Says anew who may watch a meeting's recordings, besides its host and administrators.",
    callers: ['user'],
    audit: true,
    input: { query: z.object({ meetId }), body: z.object({ userIds: z.array(z.uuid()).max(1_000) }) },
    data: z.object({ granted: z.array(z.object({ userId: z.uuid(), name: z.string() })) }),
    errors: ['PARTICIPANT_UNKNOWN'],
    example: {
      query: { meetId: id },
      body: { userIds: [id] },
      data: { granted: [{ userId: id, name: 'Bob' }] },
    },
  }),
  usage: route({
    method: 'GET',
    path: `${RECORDINGS}/usage`,
    summary:
      "Space that the organisation's recordings take, the bin included, and its limit; bytes. `enabled`: its " +
      'meetings can be recorded.',
    callers: ['user'],
    input: {},
    data: z.object({ bytes: z.number().int(), limit: z.number().int().nullable(), enabled: z.boolean() }),
    errors: [],
    example: { data: { bytes: 956_000_000, limit: null, enabled: true } },
  }),
  detail: route({
    method: 'GET',
    path: `${RECORDINGS}/:id`,
    summary: 'One recording with its tracks, edits and the people it was granted to.',
    callers: ['user'],
    scope: 'recordings:read',
    input: { params: byId },
    data: recordingDetail,
    errors: [],
    example: { params: { id }, data: exampleDetail },
  }),
  timeline: route({
    method: 'GET',
    path: `${RECORDINGS}/:id/timeline`,
    summary: 'What happened when: chapters, who spoke, chat, captions, votes, who was there, gaps, name cards.',
    callers: ['user'],
    scope: 'recordings:read',
    input: { params: byId },
    data: recordingTimeline,
    errors: [],
    example: { params: { id }, data: exampleTimeline },
  }),
  change: route({
    method: 'PUT',
    path: `${RECORDINGS}/:id`,
    summary: 'Renames a recording, changes its settings, or how it is cut. What is omitted stays.',
    callers: ['user'],
    audit: true,
    input: {
      params: byId,
      body: z.object({
        subject: line().min(1).max(200).optional(),
        setting: recordingSetting.optional(),
        edit: recordingEdit.nullable().optional(),
      }),
    },
    data: recordingDetail,
    errors: ['RECORDING_RUNNING'],
    example: { params: { id }, body: { subject: 'Ward round, Monday' }, data: exampleDetail },
  }),
  remove: route({
    method: 'POST',
    path: `${RECORDINGS}/remove`,
    summary:
      `Moves recordings to the bin for ${BIN_DAYS} days; with \`forGood\`, deletes those that are in the bin. Their ` +
      'links stop at once.',
    callers: ['user'],
    audit: true,
    input: {
      body: z.object({ ids: z.array(z.uuid()).min(1).max(RECORDINGS_AT_ONCE), forGood: z.boolean().default(false) }),
    },
    data: z.object({ removed: z.array(z.uuid()) }),
    errors: ['RECORDING_RUNNING'],
    example: { body: { ids: [id] }, data: { removed: [id] } },
  }),
  restore: route({
    method: 'POST',
    path: `${RECORDINGS}/restore`,
    summary: 'Takes recordings out of the bin.',
    callers: ['user'],
    audit: true,
    input: { body: z.object({ ids: z.array(z.uuid()).min(1).max(RECORDINGS_AT_ONCE) }) },
    data: z.object({ restored: z.array(z.uuid()) }),
    errors: [],
    example: { body: { ids: [id] }, data: { restored: [id] } },
  }),

  playback: route({
    method: 'POST',
    path: `${RECORDINGS}/:id/playback`,
    summary: `Signs the addresses of the media for this caller, for ${PLAYBACK_SECONDS} s; called again to play on.`,
    callers: ['user'],
    input: { params: byId },
    data: playback,
    errors: [],
    example: { params: { id }, data: examplePlayback },
  }),
  playlist: route({
    ...media,
    method: 'GET',
    path: `${RECORDINGS}/:id/tracks/:track/playlist.m3u8`,
    summary:
      'The playlist of a track (RFC 8216), cut as the recording is edited unless `whole`. Its addresses are signed.',
    input: {
      params: byId.extend({ track: recordingTrack.shape.id }),
      query: z.object({ sign: z.string().max(300), whole: z.stringbool().default(false) }),
    },
    example: { params: { id, track: 'programme' }, query: { sign: examplePlayback.sign }, data: null },
  }),
  media: route({
    ...media,
    method: 'GET',
    path: `${RECORDINGS}/:id/tracks/:track/:file`,
    summary: 'An initialization segment or a segment of a track.',
    input: {
      params: byId.extend({
        track: recordingTrack.shape.id,
        file: z.string().regex(/^(init-\d{1,6}\.mp4|segment-\d{1,6}-\d{1,9}\.m4s)$/),
      }),
      /** `proxied`: this server sends the file itself, for browsers that cannot read it where it is stored. */
      query: z.object({ sign: z.string().max(300), proxied: z.stringbool().default(false) }),
    },
    example: {
      params: { id, track: 'programme', file: 'segment-1-1.m4s' },
      query: { sign: examplePlayback.sign },
      data: null,
    },
  }),

  exports: route({
    method: 'GET',
    path: `${RECORDINGS}/:id/exports`,
    summary: 'The MP4 files of a recording that the caller has asked for, newest first.',
    callers: ['user'],
    scope: 'recordings:read',
    input: { params: byId },
    data: z.object({ records: z.array(recordingExport) }),
    errors: [],
    example: { params: { id }, data: { records: [exampleExport] } },
  }),
  startExport: route({
    method: 'POST',
    path: `${RECORDINGS}/:id/exports`,
    summary: 'Makes an MP4 of the programme or of one track, cut as the recording is edited unless `whole`.',
    callers: ['user'],
    audit: true,
    limit: { by: 'caller', max: 30, seconds: 60 },
    input: {
      params: byId,
      body: z.object({ track: recordingTrack.shape.id.default('programme'), whole: z.boolean().default(false) }),
    },
    data: recordingExport,
    errors: ['RECORDING_RUNNING', 'RECORDING_DOWNLOAD_OFF', 'RECORDING_EMPTY', 'RECORDINGS_FULL'],
    example: { params: { id }, body: {}, data: exampleExport },
  }),
  cancelExport: route({
    method: 'DELETE',
    path: `${RECORDINGS}/exports/:id`,
    summary: 'Cancels the making of an MP4, or deletes it.',
    callers: ['user'],
    audit: true,
    input: { params: byId },
    data: z.null(),
    errors: [],
    example: { params: { id }, data: null },
  }),
  exportFile: route({
    method: 'GET',
    path: `${RECORDINGS}/exports/:id/file`,
    summary: 'The MP4.',
    callers: ['user'],
    scope: 'recordings:read',
    download: true,
    input: { params: byId },
    data: z.null(),
    errors: [],
    example: { params: { id }, data: null },
  }),

  shares: route({
    method: 'GET',
    path: `${RECORDINGS}/:id/shares`,
    summary: 'The links of a recording that work, for those who manage it.',
    callers: ['user'],
    input: { params: byId },
    data: z.object({ records: z.array(recordingShare) }),
    errors: [],
    example: { params: { id }, data: { records: [exampleShare] } },
  }),
  share: route({
    method: 'POST',
    path: `${RECORDINGS}/:id/shares`,
    summary:
      'Makes a link that opens the recording without sign-in. The link is shown only now; its token is not stored.',
    callers: ['user'],
    audit: true,
    input: { params: byId, body: shareBody },
    data: recordingShare.extend({ link: z.url() }),
    errors: ['RECORDING_RUNNING'],
    example: {
      params: { id },
      body: { password: '4821' },
      data: { ...exampleShare, link: 'https://meet.example.org/#/shareRecordDetails/n3Zc' },
    },
  }),
  unshare: route({
    method: 'DELETE',
    path: `${RECORDINGS}/shares/:id`,
    summary: 'Ends a link: no playlist from now on, and no segment after a minute.',
    callers: ['user'],
    audit: true,
    input: { params: byId },
    data: z.null(),
    errors: [],
    example: { params: { id }, data: null },
  }),
  openShare: route({
    method: 'POST',
    path: `${RECORDINGS}/shared/open`,
    summary:
      "Opens a shared recording. The answer's `view` is sent with the calls below, and here to open it again: all of " +
      "that is one view. Without it, the link's password and, with a watermark, the viewer's name are needed.",
    callers: ['anyone'],
    limit: guessed,
    input: {
      body: z.object({
        token: shareToken,
        password: z.string().max(64).default(''),
        name: line().max(60).default(''),
        view: z.string().max(200).default(''),
      }),
    },
    data: z.object({
      view: z.string(),
      recording: recordingDetail.pick({
        id: true,
        subject: true,
        startTime: true,
        duration: true,
        setting: true,
        tracks: true,
        edit: true,
        mulpitleAuth: true,
        authResult: true,
      }),
      timeline: recordingTimeline.pick({ chapters: true, speaking: true, gaps: true }),
      download: z.boolean(),
    }),
    errors: ['SHARE_ENDED', 'SHARE_PASSWORD', 'SHARE_NAME'],
    example: {
      body: { token: 'n3Zc', password: '4821', name: 'Carol' },
      data: { view: 'v4tQ', recording: exampleDetail, timeline: exampleTimeline, download: false },
    },
  }),
  sharedPlayback: route({
    method: 'POST',
    path: `${RECORDINGS}/shared/playback`,
    summary: 'As `playback`, for the viewer of a link.',
    callers: ['anyone'],
    limit: guessed,
    input: { body: z.object({ view: z.string().min(1).max(200) }) },
    data: playback,
    errors: ['SHARE_ENDED'],
    example: { body: { view: 'v4tQ' }, data: examplePlayback },
  }),
  sharedFile: route({
    method: 'GET',
    path: `${RECORDINGS}/shared/file`,
    summary:
      'The MP4 of the programme, for the viewer of a link that allows it. SERVICE_BUSY while it is being made: the ' +
      'call is to be repeated. EXPORT_FAILED if it could not be made; `again` makes it anew.',
    callers: ['anyone'],
    download: true,
    limit: guessed,
    input: { query: z.object({ view: z.string().min(1).max(200), again: z.stringbool().default(false) }) },
    data: z.null(),
    errors: ['SHARE_ENDED', 'RECORDING_DOWNLOAD_OFF', 'EXPORT_FAILED'],
    example: { query: { view: 'v4tQ' }, data: null },
  }),
};
