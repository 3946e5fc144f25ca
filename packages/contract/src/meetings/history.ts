import { z } from 'zod';
import { CONFERENCE_ROLES } from '@rmeet/conference';
import { API_BASE, MEETING_TYPES, ONE_DAY } from '../constants.ts';
import { chatMessage } from '../conferences/conferences.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { MEDIA_SCORES } from '../conferences/media-quality.ts';
import { numericId } from './meeting-types.ts';
import { route } from '../http/route.ts';

/** Maximum number of days and of conferences that meetings/historyAll returns. */
export const HISTORY_ALL = { days: 366, rows: 10_000 } as const;
/** Maximum number of messages that the record of a conference shows. */
export const RECORD_CHAT = 2_000;

/** One conference that was held or is still running. Times are ISO 8601 in UTC. */
export const heldConference = z.object({
  /** Id of the conference; a meeting may have been held several times. */
  id: z.uuid(),
  meetId: z.uuid(),
  numericId,
  type: z.enum(MEETING_TYPES),
  subject: z.string(),
  host: z.object({ userId: z.uuid(), name: z.string() }),
  startedAt: z.iso.datetime(),
  /** Null while it runs. */
  endedAt: z.iso.datetime().nullable(),
  /** Seconds from its start to its end, or to now. */
  duration: z.number().int(),
  /** Maximum number of terminals present at the same time. */
  peakTerminals: z.number().int(),
  /** Number of people who took part: a person with several terminals counts once, each guest's browser once. */
  people: z.number().int(),
  /** `ended` by a person or at a limit, `empty` because all had left; null while it runs. */
  endReason: z.enum(['ended', 'empty']).nullable(),
  /**
   * Whether the caller sees everybody's times and quality: its host, stand-ins for the host, and the tenant's
   * administrator do.
   */
  seesAll: z.boolean(),
});
export type HeldConference = z.infer<typeof heldConference>;

const span = z.object({ min: z.number(), average: z.number(), max: z.number() }).nullable();

/**
 * What the terminals of a stay reported about their media. Loss in percent, round trip in ms, bit/s; null if not
 * measured.
 */
export const stayQuality = z.object({
  score: z.enum(MEDIA_SCORES),
  loss: span,
  roundTrip: span,
  bitrateUp: span,
  bitrateDown: span,
});
export type StayQuality = z.infer<typeof stayQuality>;

/** One stay of one terminal in the conference. */
export const stay = z.object({
  termId: z.string(),
  deviceType: z.number().int(),
  joinedAt: z.iso.datetime(),
  /** Null while it is in the conference. */
  leftAt: z.iso.datetime().nullable(),
  /**
   * How it ended: the terminal left, lost its connection, was removed or was sent back to the waiting room, or the
   * conference ended.
   */
  end: z.enum(['left', 'lost', 'removed', 'sentBack', 'ended']).nullable(),
});
export type Stay = z.infer<typeof stay>;

/**
 * A person who took part, or waited without being admitted. Times and quality are null and `stays` empty if the caller
 * may not see them.
 */
export const attendance = z.object({
  /** Identifies the person within this response. */
  id: z.string(),
  /** The account; null for guests. */
  userId: z.uuid().nullable(),
  name: z.string(),
  role: z.enum(CONFERENCE_ROLES),
  isMe: z.boolean(),
  /** Was never admitted. */
  waitedOnly: z.boolean(),
  firstJoin: z.iso.datetime().nullable(),
  lastLeave: z.iso.datetime().nullable(),
  /** Seconds in the conference; overlapping time of a person's terminals counts once. */
  total: z.number().int().nullable(),
  stays: z.array(stay),
  quality: stayQuality.nullable(),
});
export type Attendance = z.infer<typeof attendance>;

/** A recording of a held conference that the caller may watch; its length in seconds. */
const heldRecording = z.object({
  id: z.uuid(),
  name: z.string(),
  startedAt: z.iso.datetime(),
  duration: z.number().int(),
});

export const heldRecord = heldConference.extend({
  /** The booked start, and the booked length in minutes. */
  bookedStart: z.iso.datetime(),
  bookedMinutes: z.number().int(),
  /** In order of arrival. */
  attendance: z.array(attendance),
  recordings: z.array(heldRecording),
});
export type HeldRecord = z.infer<typeof heldRecord>;

const time = z.iso.datetime({ offset: true });
const type = z.enum(MEETING_TYPES).optional();

const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f01';
const exampleHeld: HeldConference = {
  id: exampleId,
  meetId: exampleId,
  numericId: '482913057',
  type: 'NETWORK_MEETING',
  subject: 'Ward round',
  host: { userId: exampleId, name: 'Alice' },
  startedAt: '2026-11-20T09:00:00.000Z',
  endedAt: '2026-11-20T09:45:00.000Z',
  duration: 2_700,
  peakTerminals: 2,
  people: 2,
  endReason: 'ended',
  seesAll: true,
};
const exampleAttendance: Attendance = {
  id: exampleId,
  userId: exampleId,
  name: 'Alice',
  role: 'host',
  isMe: true,
  waitedOnly: false,
  firstJoin: '2026-11-20T09:00:00.000Z',
  lastLeave: '2026-11-20T09:45:00.000Z',
  total: 2_700,
  stays: [
    {
      termId: 'Tabcdefghijklmnop',
      deviceType: 5,
      joinedAt: '2026-11-20T09:00:00.000Z',
      leftAt: '2026-11-20T09:45:00.000Z',
      end: 'ended',
    },
  ],
  quality: {
    score: 'good',
    loss: { min: 0, average: 0.2, max: 1 },
    roundTrip: { min: 12, average: 20, max: 45 },
    bitrateUp: null,
    bitrateDown: null,
  },
};

/** Conferences that were held (docs/decisions/history.md describes who sees which part of them). */
export const history = {
  list: route({
    method: 'GET',
    path: `${API_BASE}/meetings/history`,
    callers: ['user'],
    scope: 'history:read',
    summary:
      'Conferences that were held, of meetings the caller hosts, was granted, was invited to or was inside of ' +
      '(all of the tenant for its admin with `tenantWide`), paged. `from` is in, `until` is out, by their start.',
    input: {
      query: z.object({
        ...pageQuery,
        keyword: z.string().trim().max(100).optional(),
        from: time.optional(),
        until: time.optional(),
        type,
        sort: z.enum(['startedAt', 'duration']).default('startedAt'),
        order: z.enum(['ASC', 'DESC']).default('DESC'),
        tenantWide: z.stringbool().default(false),
      }),
    },
    data: page(heldConference),
    errors: [],
    example: { query: {}, data: { records: [exampleHeld], total: 1, current: 1, size: 20 } },
  }),
  all: route({
    method: 'GET',
    path: `${API_BASE}/meetings/historyAll`,
    callers: ['user'],
    scope: 'history:read',
    summary:
      'Conferences that began between two times, all that the caller may see, newest first: at most ' +
      `${HISTORY_ALL.days} days and ${HISTORY_ALL.rows} conferences; \`isCut\` says that there were more.`,
    limit: { by: 'caller', max: 30, seconds: 60 },
    input: {
      query: z
        .object({ startDate: time, endDate: time, type })
        .refine(
          ({ startDate, endDate }) =>
            Date.parse(endDate) > Date.parse(startDate) &&
            Date.parse(endDate) - Date.parse(startDate) <= HISTORY_ALL.days * ONE_DAY,
          { path: ['endDate'] },
        ),
    },
    data: z.object({ records: z.array(heldConference), isCut: z.boolean() }),
    errors: [],
    example: {
      query: { startDate: '2026-11-01T00:00:00Z', endDate: '2026-12-01T00:00:00Z' },
      data: { records: [exampleHeld], isCut: false },
    },
  }),
  record: route({
    method: 'GET',
    path: `${API_BASE}/meetings/history/record`,
    callers: ['user'],
    scope: 'history:read',
    summary:
      'Who was in a held conference, and its recordings. `id` is the conference. Those who were invited or inside ' +
      'see the names of all and their own times and quality alone.',
    input: { query: z.object({ id: z.uuid() }) },
    data: heldRecord,
    errors: [],
    example: {
      query: { id: exampleId },
      data: {
        ...exampleHeld,
        bookedStart: '2026-11-20T09:00:00.000Z',
        bookedMinutes: 60,
        attendance: [exampleAttendance],
        recordings: [],
      },
    },
  }),
  export: route({
    method: 'GET',
    path: `${API_BASE}/meetings/history/export/:id`,
    callers: ['user'],
    scope: 'history:read',
    download: true,
    limit: { by: 'caller', max: 60, seconds: 60 },
    summary:
      'The record of a held conference as an Excel workbook, for those who see it: the facts, people, stays, ' +
      'proceedings and recordings. It has what the caller sees in the record; proceedings only with `seesAll`.',
    input: { params: z.object({ id: z.uuid() }) },
    data: z.null(),
    errors: ['TICKET_INVALID'],
    example: { params: { id: exampleId }, data: null },
  }),
  chat: route({
    method: 'GET',
    path: `${API_BASE}/meetings/history/chat`,
    callers: ['user'],
    summary:
      'The chat of a held conference, oldest first, for those who see its record; private messages for their two ' +
      `parties. The newest ${RECORD_CHAT} messages; \`isCut\` says that there were more.`,
    input: { query: z.object({ id: z.uuid() }) },
    data: z.object({ messages: z.array(chatMessage), isCut: z.boolean() }),
    errors: [],
    example: { query: { id: exampleId }, data: { messages: [], isCut: false } },
  }),
  file: route({
    method: 'GET',
    path: `${API_BASE}/meetings/history/file/:id`,
    callers: ['user'],
    download: true,
    summary:
      'A file of the chat of a held conference, for those who see its message in the record. With `preview` a ' +
      'picture comes to be shown instead of saved. Answers ranges.',
    limit: { by: 'caller', max: 300, seconds: 60 },
    input: { params: z.object({ id: z.uuid() }), query: z.object({ preview: z.stringbool().default(false) }) },
    data: z.null(),
    errors: ['TICKET_INVALID'],
    example: { params: { id: exampleId }, query: {}, data: null },
  }),
};
