import { z } from 'zod';
import { API_BASE, LIMITS } from '../constants.ts';
import { page } from '../http/envelope.ts';
import type { ErrorCode } from '../errors.ts';
import { route } from '../http/route.ts';
import { line } from '../line.ts';
import { exampleMeetingId, meetingBody } from '../meetings/meeting-types.ts';
import { broadcast, broadcastQuery, broadcastSettingBody, exampleBroadcast, SETTING_ERRORS } from './broadcasts.ts';
import { rtmpAddress } from './providers.ts';

/**
 * What arrives of an outside stream. `waiting`: nothing yet, or nothing any more; `arriving`; `refused`: it cannot be
 * broadcast as it is coded; `lost`: the address that it is taken from is not reached.
 */
export const INGEST_STATES = ['waiting', 'arriving', 'refused', 'lost'] as const;
export type IngestState = (typeof INGEST_STATES)[number];
export const INGEST_WAYS = ['rtmp', 'whip', 'play'] as const;

/** What arrives now. */
export const ingestStatus = z.object({
  state: z.enum(INGEST_STATES),
  /** Why it is refused or lost; else empty. */
  reason: z.string(),
  /** Since when it arrives, and how; null unless it arrives. */
  since: z.iso.datetime().nullable(),
  way: z.enum(INGEST_WAYS).nullable(),
  /** Of the picture, in pixels; null without picture. */
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  hasSound: z.boolean(),
  /** Of the last seconds, kbit/s. */
  bitrate: z.number().int(),
});
export type IngestStatus = z.infer<typeof ingestStatus>;

const manualFields = {
  subject: line().min(1).max(LIMITS.subject),
  startTime: meetingBody.shape.startTime,
  duration: meetingBody.shape.duration,
  source: z.enum(['push', 'play']),
  /** Where the stream is taken from, for the source `play`: `rtmp://` or `rtmps://`. */
  playAddress: rtmpAddress,
  /** It goes on air when the stream arrives, from half an hour before its start. */
  startsItself: z.boolean(),
};

/** A live broadcast of an outside stream, without a conference. */
export const manualLive = broadcast.extend({
  /** For those who manage it; null for others. */
  ingest: ingestStatus.nullable(),
  startsItself: z.boolean(),
  /** Empty for the source `push`, and for those who do not manage it. */
  playAddress: z.string(),
});
export type ManualLive = z.infer<typeof manualLive>;

const id = exampleMeetingId;
const exampleManualLive: ManualLive = {
  ...exampleBroadcast,
  source: 'push',
  ingest: {
    state: 'arriving',
    reason: '',
    since: '2026-11-20T09:00:40.000Z',
    way: 'rtmp',
    width: 1_920,
    height: 1_080,
    hasSound: true,
    bitrate: 4_200,
  },
  startsItself: true,
  playAddress: '',
};
const MANUAL_LIVE = `${API_BASE}/meetings/manualLive`;
const PLAY_ERRORS = ['PLAY_ADDRESS_REQUIRED', 'PLAY_ADDRESS_REFUSED'] as const satisfies readonly ErrorCode[];

export const manualLives = {
  create: route({
    method: 'POST',
    path: MANUAL_LIVE,
    summary:
      'Books a live broadcast of an outside stream, without a conference: one that an encoder pushes (`push`), or ' +
      'that is taken from an address (`play`). The caller is its host.',
    callers: ['user'],
    permission: 'sys:bookLive',
    audit: true,
    input: {
      body: z.object({
        ...manualFields,
        timeZone: meetingBody.shape.timeZone,
        source: manualFields.source.default('push'),
        playAddress: manualFields.playAddress.optional(),
        startsItself: manualFields.startsItself.default(true),
        live: broadcastSettingBody.default({}),
      }),
    },
    data: manualLive,
    errors: ['MEETING_IN_PAST', 'QUOTA_DURATION', ...SETTING_ERRORS, ...PLAY_ERRORS],
    example: {
      body: { subject: 'Town hall', startTime: '2026-11-20T09:00:00.000Z', duration: 60 },
      data: exampleManualLive,
    },
  }),
  change: route({
    method: 'PUT',
    path: MANUAL_LIVE,
    summary:
      'Changes a live broadcast of an outside stream, for those who manage it. What is omitted stays. `newKey`: ' +
      'encoders need the new stream key from now on, and the one that pushes is cut.',
    callers: ['user'],
    permission: 'sys:bookLive',
    audit: true,
    input: {
      body: z.object({
        id: z.uuid(),
        subject: manualFields.subject.optional(),
        startTime: manualFields.startTime.optional(),
        duration: manualFields.duration.optional(),
        source: manualFields.source.optional(),
        playAddress: manualFields.playAddress.optional(),
        startsItself: manualFields.startsItself.optional(),
        newKey: z.boolean().default(false),
        live: broadcastSettingBody.default({}),
      }),
    },
    data: manualLive,
    errors: [
      'MEETING_IN_PAST',
      'MEETING_ENDED',
      'MEETING_RUNNING',
      'QUOTA_DURATION',
      ...SETTING_ERRORS,
      ...PLAY_ERRORS,
    ],
    example: { body: { id, newKey: true }, data: exampleManualLive },
  }),
  query: route({
    method: 'POST',
    path: `${MANUAL_LIVE}/query`,
    summary: 'Live broadcasts of outside streams that the caller may see, with what arrives now; `id`: this one only.',
    callers: ['user'],
    input: { body: broadcastQuery.extend({ id: z.uuid().optional() }) },
    data: page(manualLive),
    errors: [],
    example: { body: {}, data: { records: [exampleManualLive], total: 1, current: 1, size: 20 } },
  }),
};
