import { z } from 'zod';
import { broadcastSettingBody } from '../live/broadcasts.ts';
import { invitee } from './booking.ts';
import { API_BASE, LIMITS, MEETING_STATUSES, MEETING_TYPES } from '../constants.ts';
import { page, pageQuery } from '../http/envelope.ts';
import type { ErrorCode } from '../errors.ts';
import {
  bookingBody,
  exampleBooking,
  exampleMeeting,
  exampleMeetingId,
  meeting,
  meetingBody,
  numericId,
  recurrence,
  SERIES_SCOPES,
} from './meeting-types.ts';
import { route } from '../http/route.ts';
import { SERIES_ERRORS } from './series.ts';

/** Which part of the calendar a list shows, by the caller's local day (`dayStart`, `dayEnd`). */
export const MEETING_SCOPES = ['all', 'running', 'today', 'upcoming', 'past'] as const;

const byId = z.object({ id: z.uuid() });
const examplePhoneParty = { kind: 'phone' as const, name: 'Clinic', phone: '+86 10 6512 3456' };
const updateBody = meetingBody.extend({
  version: z.number().int(),
  scope: z.enum(SERIES_SCOPES).default('one'),
  recurrence: recurrence.nullable().default(null),
});
const cancelQuery = z.object({ scope: z.enum(SERIES_SCOPES).default('one') });
const files = { permission: 'sys:uploadMeetingFile' } as const;

/** Errors that booking and changing a meeting of any type may return. */
const BODY_ERRORS = [
  'MEETING_IN_PAST',
  'PARTICIPANT_UNKNOWN',
  'PASSWORD_OR_WAITING_ROOM',
  'QUOTA_DURATION',
  'ROOM_UNKNOWN',
  'ROOM_TAKEN',
  'ROOM_CLOSED',
  'VIP_NOT_ALLOWED',
  'TERMINALS_VIDEO_ONLY',
  'E2EE_UNSUPPORTED',
  'NO_RESOURCES',
  'RESOURCE_UNKNOWN',
  'RESOURCE_FULL',
  'RESOURCE_HOURS',
  ...SERIES_ERRORS,
] as const satisfies readonly ErrorCode[];
const FILE_ERRORS = ['FILE_TOO_LARGE', 'FILES_TOO_MANY'] as const satisfies readonly ErrorCode[];
const UPDATE_ERRORS = [
  ...BODY_ERRORS,
  'MEETING_CONFLICT',
  'MEETING_RUNNING',
  'MEETING_ENDED',
  'TERMINAL_UNKNOWN',
  'PHONE_PARTY_REQUIRED',
  'ROOM_REQUIRED',
  'LOCAL_WITHOUT_CONFERENCE',
] as const satisfies readonly ErrorCode[];

export const meetings = {
  list: route({
    method: 'GET',
    path: `${API_BASE}/meetings/list`,
    aliases: [`${API_BASE}/meetings`],
    summary:
      'The meetings the caller hosts or is invited to (all of the tenant for its admin with `tenantWide`), paged.',
    callers: ['user'],
    scope: 'meetings:read',
    input: {
      query: z.object({
        ...pageQuery,
        scope: z.enum(MEETING_SCOPES).default('all'),
        /** The caller's local midnight and the next, for `today` and `upcoming`; default: the server's UTC day. */
        dayStart: z.iso.datetime({ offset: true }).optional(),
        dayEnd: z.iso.datetime({ offset: true }).optional(),
        /**
         * Only meetings that overlap this interval, as a calendar requests it. Without `until` also those that began
         * before it and are still held, although their time is over.
         */
        from: z.iso.datetime({ offset: true }).optional(),
        until: z.iso.datetime({ offset: true }).optional(),
        type: z.enum(MEETING_TYPES).optional(),
        keyword: z.string().trim().max(100).optional(),
        status: z.enum(MEETING_STATUSES).optional(),
        sort: z.enum(['startTime', 'subject', 'duration', 'numericId']).default('startTime'),
        order: z.enum(['ASC', 'DESC']).default('ASC'),
        tenantWide: z.stringbool().default(false),
        en: z.string().max(10).optional(),
      }),
    },
    data: page(meeting),
    errors: [],
    example: { query: { scope: 'today' }, data: { records: [exampleMeeting], total: 1, current: 1, size: 20 } },
  }),
  invitees: route({
    method: 'GET',
    path: `${API_BASE}/meetings/invitees`,
    summary:
      'People of the tenant whose name, account or department contains the keyword, to invite; 20 at most. With ' +
      '`department` those of it and of all below it, 500 at most.',
    callers: ['user'],
    scope: 'meetings:read',
    input: {
      query: z.object({
        keyword: z.string().trim().max(100).default(''),
        department: z.string().trim().max(300).optional(),
      }),
    },
    data: z.array(invitee),
    errors: [],
    example: {
      query: { keyword: 'bo' },
      data: [{ userId: exampleMeetingId, name: 'Bob', account: 'bob', department: 'Surgery' }],
    },
  }),
  activity: route({
    method: 'GET',
    path: `${API_BASE}/meetings/activity`,
    summary:
      "How much is on for the caller since `startDate`, the caller's midnight two days back, and not over: " +
      'running, or still to come today. Numbers for the dots in the sidebar.',
    callers: ['user'],
    input: { query: z.object({ startDate: z.iso.datetime({ offset: true }) }) },
    data: z.object({ meetingCount: z.number().int(), lessonCount: z.number().int(), liveCount: z.number().int() }),
    errors: [],
    example: { query: { startDate: '2026-11-18T09:00:00Z' }, data: { meetingCount: 2, lessonCount: 0, liveCount: 0 } },
  }),
  detail: route({
    method: 'GET',
    path: `${API_BASE}/meetings/:id`,
    summary: 'One meeting the caller hosts, is invited to, or administers.',
    callers: ['user'],
    scope: 'meetings:read',
    input: { params: byId },
    data: meeting,
    errors: [],
    example: { params: { id: exampleMeetingId }, data: exampleMeeting },
  }),
  numeric: route({
    method: 'GET',
    path: `${API_BASE}/meetings/numeric/:id`,
    summary: 'One meeting by its nine-digit number, for those who may see it.',
    callers: ['user'],
    scope: 'meetings:read',
    limit: { by: 'caller', max: 60, seconds: 60 },
    input: { params: z.object({ id: numericId }) },
    data: meeting,
    errors: [],
    example: { params: { id: '482913057' }, data: exampleMeeting },
  }),
  createNetwork: route({
    method: 'POST',
    path: `${API_BASE}/meetings/network`,
    summary: 'Books a network meeting; the caller is its host.',
    callers: ['user'],
    scope: 'meetings:write',
    permission: 'sys:network',
    audit: true,
    input: { body: bookingBody },
    data: meeting,
    errors: BODY_ERRORS,
    example: { body: exampleBooking, data: exampleMeeting },
  }),
  createVideo: route({
    method: 'POST',
    path: `${API_BASE}/meetings/video`,
    summary: 'Books a video meeting, which calls room terminals of the registry; the caller is its host.',
    callers: ['user'],
    scope: 'meetings:write',
    permission: 'sys:video',
    audit: true,
    input: { body: bookingBody },
    data: meeting,
    errors: [...BODY_ERRORS, 'TERMINAL_UNKNOWN'],
    example: { body: exampleBooking, data: { ...exampleMeeting, type: 'VIDEO_MEETING' } },
  }),
  createLive: route({
    method: 'POST',
    path: `${API_BASE}/meetings/live`,
    summary:
      'Books a live meeting: a conference whose programme viewers watch on a page (`live`: how). The caller is its ' +
      'host.',
    callers: ['user'],
    permission: 'sys:bookLive',
    audit: true,
    input: { body: bookingBody.extend({ live: broadcastSettingBody.default({}) }) },
    data: meeting,
    errors: [...BODY_ERRORS, 'BROADCAST_PASSWORD_REQUIRED'],
    example: { body: exampleBooking, data: { ...exampleMeeting, type: 'LIVE_MEETING' } },
  }),
  createTelephone: route({
    method: 'POST',
    path: `${API_BASE}/meetings/telephone`,
    summary: 'Books a telephone meeting, with one telephone party at least; the caller is its host.',
    callers: ['user'],
    scope: 'meetings:write',
    permission: 'sys:tel',
    audit: true,
    input: { body: bookingBody },
    data: meeting,
    errors: [...BODY_ERRORS, 'PHONE_PARTY_REQUIRED'],
    example: {
      body: { ...exampleBooking, participants: [examplePhoneParty] },
      data: { ...exampleMeeting, type: 'PHONE_MEETING', participants: [examplePhoneParty] },
    },
  }),
  createLocal: route({
    method: 'POST',
    path: `${API_BASE}/meetings/localWithFile`,
    summary: 'Books a meeting that takes place in its rooms alone, with files; the caller is its host.',
    callers: ['user'],
    scope: 'meetings:write',
    permission: 'sys:local',
    audit: true,
    multipart: files,
    input: { body: bookingBody },
    data: meeting,
    errors: [...BODY_ERRORS, ...FILE_ERRORS, 'ROOM_REQUIRED', 'LOCAL_WITHOUT_CONFERENCE'],
    example: {
      body: { ...exampleBooking, password: '', roomIds: [exampleMeetingId] },
      data: { ...exampleMeeting, type: 'LOCAL_MEETING', password: '' },
    },
  }),
  update: route({
    method: 'PUT',
    path: `${API_BASE}/meetings/:id`,
    summary:
      'Changes a meeting that has not ended, and with `scope` others of its series that have not begun: ' +
      '`following` the ones after it, `all` every one. `recurrence` is a new rule for these; without it the rule ' +
      'stays. A meeting of its own becomes the first of a series by it, and keeps its number. Meetings that were ' +
      'changed apart keep what the others do not change. Type and files stay. `version` is the one that was edited.',
    callers: ['user'],
    scope: 'meetings:write',
    audit: true,
    input: { params: byId, body: updateBody },
    data: meeting,
    errors: UPDATE_ERRORS,
    example: { params: { id: exampleMeetingId }, body: { ...exampleBooking, version: 1 }, data: exampleMeeting },
  }),
  updateWithFile: route({
    method: 'PUT',
    path: `${API_BASE}/meetings/withFile/:id`,
    summary: 'Changes a meeting, and its files: those of `keepFileIds` stay (all without it), those sent are added.',
    callers: ['user'],
    scope: 'meetings:write',
    audit: true,
    multipart: files,
    input: { params: byId, body: updateBody.extend({ keepFileIds: z.array(z.uuid()).max(LIMITS.files).optional() }) },
    data: meeting,
    errors: [...UPDATE_ERRORS, ...FILE_ERRORS, 'FILE_UNKNOWN'],
    example: {
      params: { id: exampleMeetingId },
      body: { ...exampleBooking, version: 1, keepFileIds: [] },
      data: exampleMeeting,
    },
  }),
  cancel: route({
    method: 'DELETE',
    path: `${API_BASE}/meetings/:id`,
    summary:
      'Cancels a meeting that does not run, or was entered before its time, which ends its conference; and with ' +
      '`scope` others of its series that have not begun.',
    callers: ['user'],
    scope: 'meetings:write',
    audit: true,
    input: { params: byId, query: cancelQuery },
    data: z.null(),
    errors: ['MEETING_RUNNING', 'MEETING_ENDED'],
    example: { params: { id: exampleMeetingId }, data: null },
  }),
  cancelWithFile: route({
    method: 'DELETE',
    path: `${API_BASE}/meetings/withFile/:id`,
    summary: 'Cancels a meeting that does not run, or was entered before its time, and removes its files for good.',
    callers: ['user'],
    scope: 'meetings:write',
    audit: true,
    input: { params: byId, query: cancelQuery },
    data: z.null(),
    errors: ['MEETING_RUNNING', 'MEETING_ENDED'],
    example: { params: { id: exampleMeetingId }, data: null },
  }),
  start: route({
    method: 'POST',
    path: `${API_BASE}/meetings/:id/start`,
    summary:
      'Opens the conference of a meeting. `early` confirms that it ' +
      'is to be opened before its time; without it MEETING_EARLY.',
    callers: ['user'],
    audit: true,
    input: { params: byId, body: z.object({ early: z.boolean().default(false) }).optional() },
    data: meeting,
    errors: [
      'MEETING_EARLY',
      'MEETING_ENDED',
      'MEETING_NOT_APPROVED',
      'MEETING_IS_LOCAL',
      'MEETING_WITHOUT_CONFERENCE',
      'MEDIA_UNAVAILABLE',
    ],
    example: { params: { id: exampleMeetingId }, data: exampleMeeting },
  }),
};
