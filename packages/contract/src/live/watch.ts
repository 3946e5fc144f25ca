import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { officeLimit, route } from '../http/route.ts';
import { line } from '../line.ts';
import { exampleMeetingId } from '../meetings/meeting-types.ts';
import {
  BROADCAST_LIMITS,
  broadcast,
  broadcastMessage,
  exampleBroadcast,
  exampleBroadcastMessage,
  MESSAGE_KINDS,
} from './broadcasts.ts';

/** Seconds that the addresses of a broadcast's media work; each `state` renews them. */
export const WATCH_SECONDS = 60;
/** How often a page asks for the state of a broadcast, ms. */
export const WATCH_STATE_EVERY = 3_000;

/** What a viewer sees of a broadcast. */
const watched = broadcast
  .pick({
    id: true,
    subject: true,
    startTime: true,
    duration: true,
    state: true,
    setting: true,
    startedAt: true,
    endedAt: true,
  })
  .extend({ hostName: z.string() });
export type WatchedBroadcast = z.infer<typeof watched>;

const watchState = z.object({
  broadcast: watched,
  /** Grows with each change of the broadcast or its messages. */
  version: z.number().int(),
  viewers: z.number().int(),
  likes: z.number().int(),
  /** Changed after `since`; the viewer's own held ones are among them. */
  messages: z.array(broadcastMessage),
  /** The viewer may not write: muted by a moderator. */
  isMuted: z.boolean(),
  /** For each playlist and segment as `?sign=`. Empty while nothing can be played. */
  sign: z.string(),
  /**
   * The playlist of a public broadcast at the operator's CDN, which needs no signature; null: play the server's.
   * Another address is another recording.
   */
  cdn: z.string().nullable(),
  /** The camera on air sends simulcast layers: viewers can choose a smaller picture. */
  hasQualities: z.boolean(),
  /** Over the picture; null: none. */
  watermark: z.string().nullable(),
  /** It is over and its recording can be watched. */
  hasReplay: z.boolean(),
});
export type WatchState = z.infer<typeof watchState>;

const id = exampleMeetingId;
const byId = z.object({ id: z.uuid() });
const viewToken = z.string().min(1).max(200);
const opened = watchState.extend({ view: z.string() });
const exampleState: WatchState = {
  broadcast: { ...exampleBroadcast, hostName: 'Alice' },
  version: 7,
  viewers: 120,
  likes: 52,
  messages: [exampleBroadcastMessage],
  isMuted: false,
  sign: 'l0198f6a2.1795000000.n3Zc',
  cdn: null,
  hasQualities: true,
  watermark: null,
  hasReplay: false,
};

const WATCH = `${API_BASE}/live/watch`;
/** For a CDN: the same answers for all. */
const OPEN = `${API_BASE}/live/public`;
const openBody = z.object({
  /** Sent by a page that was open before: continues its view. */
  view: z.string().max(200).default(''),
  password: z.string().max(64).default(''),
  /** Of a viewer without account; required to write, and with a watermark to watch. */
  name: line().max(60).default(''),
});
/** Passwords can be guessed. */
const guessed = { by: 'address', max: 600, seconds: 60, failures: { max: 30, seconds: 60 } } as const;
const media = {
  callers: ['anyone'],
  download: true,
  data: z.null(),
  errors: ['RECORDING_ADDRESS_EXPIRED'],
  // An office of 500 viewers behind one address, each with three parts and three playlists a second.
  limit: { ...officeLimit, max: 200_000 },
} as const;
const signed = { sign: z.string().max(300) };
/** `low`: the smaller picture, where `index.m3u8` names it. */
export const BROADCAST_QUALITIES = ['high', 'low'] as const;
const chosen = { ...signed, quality: z.enum(BROADCAST_QUALITIES).default('high') };
/** The files of another recording have the same names, and a cache keeps them. */
const ofRecording = { recording: z.uuid() };
const asked = {
  plain: z.stringbool().default(false),
  _HLS_msn: z.coerce.number().int().min(0).optional(),
  _HLS_part: z.coerce.number().int().min(0).optional(),
};
const file = z.string().regex(/^(init-\d{1,6}\.mp4|segment-\d{1,6}-\d{1,9}\.m4s|part-\d{1,6}-\d{1,9}-\d{1,4}\.m4s)$/);

/** The watch page of a broadcast. */
export const watch = {
  open: route({
    method: 'POST',
    path: `${WATCH}/:id/open`,
    summary:
      "Opens a broadcast without sign-in, if it is public or by password. The answer's `view` is sent with the calls " +
      'below. WATCH_SIGN_IN: it is open to accounts only; WATCH_PASSWORD and WATCH_NAME: password or name are missing.',
    callers: ['anyone'],
    limit: guessed,
    input: { params: byId, body: openBody },
    data: opened,
    errors: ['WATCH_SIGN_IN', 'WATCH_PASSWORD', 'WATCH_NAME'],
    example: { params: { id }, body: { name: 'Carol' }, data: { ...exampleState, view: 'v4tQ' } },
  }),
  openSignedIn: route({
    method: 'POST',
    path: `${WATCH}/:id/open-signed-in`,
    summary: 'As `open`, with the name and the rights of the account. WATCH_NOT_ALLOWED: the account may not watch.',
    callers: ['user'],
    limit: { by: 'caller', max: 60, seconds: 60 },
    input: { params: byId, body: openBody.omit({ name: true }) },
    data: opened,
    errors: ['WATCH_PASSWORD', 'WATCH_NOT_ALLOWED'],
    example: { params: { id }, body: {}, data: { ...exampleState, view: 'v4tQ' } },
  }),
  state: route({
    method: 'POST',
    path: `${WATCH}/state`,
    summary:
      'The broadcast now, and messages changed after version `since`. Pages call it every ' +
      `${WATCH_STATE_EVERY / 1_000} s: it ` +
      'counts the viewer as present, renews the addresses, and adds `likes` of the viewer.',
    callers: ['anyone'],
    limit: { ...officeLimit, max: 20_000 },
    input: {
      body: z.object({
        view: viewToken,
        since: z.number().int().min(0).default(0),
        likes: z.number().int().min(0).max(50).default(0),
      }),
    },
    data: watchState,
    errors: ['WATCH_ENDED'],
    example: { body: { view: 'v4tQ', since: 6 }, data: exampleState },
  }),
  say: route({
    method: 'POST',
    path: `${WATCH}/say`,
    summary: 'Sends a message or a question.',
    callers: ['anyone'],
    limit: { ...officeLimit, max: 3_000 },
    input: {
      body: z.object({
        view: viewToken,
        kind: z.enum(MESSAGE_KINDS).default('chat'),
        text: line().min(1).max(BROADCAST_LIMITS.text),
      }),
    },
    data: broadcastMessage,
    errors: ['WATCH_ENDED', 'WATCH_NAME', 'WATCH_MUTED', 'WATCH_CHAT_OFF', 'WATCH_SLOW'],
    example: { body: { view: 'v4tQ', text: 'Good morning' }, data: exampleBroadcastMessage },
  }),
  leave: route({
    method: 'POST',
    path: `${WATCH}/leave`,
    summary: 'The viewer closed the page.',
    callers: ['anyone'],
    limit: officeLimit,
    input: { body: z.object({ view: viewToken }) },
    data: z.null(),
    errors: [],
    example: { body: { view: 'v4tQ' }, data: null },
  }),
  renditions: route({
    ...media,
    method: 'GET',
    path: `${WATCH}/:id/index.m3u8`,
    summary:
      'The qualities of the broadcast, each with its playlist: the programme, and the same with the lower simulcast ' +
      'layer of the camera on air. Both are the same while that sends one layer only.',
    input: { params: byId, query: z.object(signed) },
    example: { params: { id }, query: { sign: exampleState.sign }, data: null },
  }),
  playlist: route({
    ...media,
    method: 'GET',
    path: `${WATCH}/:id/playlist.m3u8`,
    summary:
      'The playlist of the broadcast: low-latency HLS (RFC 8216 bis), or with `plain` without parts, for old ' +
      'players. With _HLS_msn and _HLS_part it answers when that part exists. After the end, the recording.',
    input: {
      params: byId,
      query: z.object({ ...chosen, ...asked }),
    },
    example: { params: { id }, query: { sign: exampleState.sign }, data: null },
  }),
  media: route({
    ...media,
    method: 'GET',
    path: `${WATCH}/:id/:file`,
    summary: 'An initialization segment, a segment or a part. One that is announced is answered when it exists.',
    input: {
      params: byId.extend({ file }),
      query: z.object(chosen),
    },
    example: { params: { id, file: 'part-1-12-3.m4s' }, query: { sign: exampleState.sign }, data: null },
  }),
  openPlaylist: route({
    ...media,
    method: 'GET',
    path: `${OPEN}/:id/playlist.m3u8`,
    summary:
      'As `playlist`, for a CDN (RMEET_LIVE_CDN_URL): without signature, only of a public broadcast that is on air. ' +
      'Caches may keep it for as long as it says.',
    errors: [],
    input: { params: byId, query: z.object({ ...ofRecording, ...asked }) },
    example: { params: { id }, query: { recording: id }, data: null },
  }),
  openMedia: route({
    ...media,
    method: 'GET',
    path: `${OPEN}/:id/:file`,
    summary: 'As `media`, for a CDN: without signature, only of a public broadcast that is on air. It never changes.',
    errors: [],
    input: { params: byId.extend({ file }), query: z.object(ofRecording) },
    example: { params: { id, file: 'part-1-12-3.m4s' }, query: { recording: id }, data: null },
  }),
};
