import { z } from 'zod';
import { API_BASE, MEETING_STATUSES, MEETING_TYPES } from './constants.ts';
import { page, pageQuery } from './envelope.ts';
import { bookingBody, exampleBooking, exampleMeeting, exampleMeetingId, meeting, meetingBody, numericId, recurrence, SERIES_SCOPES } from './meeting-types.ts';
import { route } from './route.ts';
import { SERIES_ERRORS } from './series.ts';

/** Which part of the calendar a list shows, by the caller's local day (`dayStart`, `dayEnd`). */
export const MEETING_SCOPES = ['all', 'running', 'today', 'upcoming', 'past'] as const;

const byId = z.object({ id: z.uuid() });

export const meetings = {
  list: route({
    method: 'GET',
    path: `${API_BASE}/meetings/list`,
    aliases: [`${API_BASE}/meetings`],
    summary: 'The meetings the caller hosts or is invited to (all of the tenant for its admin with `tenantWide`), paged.',
    callers: ['user'],
    input: {
      query: z.object({
        ...pageQuery,
        scope: z.enum(MEETING_SCOPES).default('all'),
        /** The caller's local midnight and the next, for `today` and `upcoming`; the server's UTC day when missing. */
        dayStart: z.iso.datetime({ offset: true }).optional(),
        dayEnd: z.iso.datetime({ offset: true }).optional(),
        /** Only what lies between two times at least in part, as a calendar asks for it. */
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
    summary: 'People of the tenant whose name or account contains the keyword, to invite; 20 at most.',
    callers: ['user'],
    input: { query: z.object({ keyword: z.string().trim().max(100).default('') }) },
    data: z.array(z.object({ userId: z.uuid(), name: z.string(), account: z.string(), department: z.string() })),
    errors: [],
    example: { query: { keyword: 'bo' }, data: [{ userId: exampleMeetingId, name: 'Bob', account: 'bob', department: 'Surgery' }] },
  }),
  activity: route({
    method: 'GET',
    path: `${API_BASE}/meetings/activity`,
    summary: 'How much is on for the caller since `startDate`, the caller\'s midnight two days back, and not over: running, or still to come today. Numbers for the dots in the sidebar.',
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
    permission: 'sys:network',
    audit: true,
    input: { body: bookingBody },
    data: meeting,
    errors: ['MEETING_IN_PAST', 'PARTICIPANT_UNKNOWN', 'PASSWORD_OR_WAITING_ROOM', 'QUOTA_DURATION', 'ROOM_UNKNOWN', 'ROOM_TAKEN', 'ROOM_CLOSED', ...SERIES_ERRORS],
    example: { body: exampleBooking, data: exampleMeeting },
  }),
  update: route({
    method: 'PUT',
    path: `${API_BASE}/meetings/:id`,
    summary: 'Changes a meeting that has not ended, and with `scope` others of its series that have not begun: `following` the ones after it, `all` every one. `recurrence` is a new rule for these; without it the rule stays. Meetings that were changed apart keep what the others do not change. `version` is the one that was edited.',
    callers: ['user'],
    audit: true,
    input: { params: byId, body: meetingBody.extend({ version: z.number().int(), scope: z.enum(SERIES_SCOPES).default('one'), recurrence: recurrence.nullable().default(null) }) },
    data: meeting,
    errors: ['MEETING_CONFLICT', 'MEETING_RUNNING', 'MEETING_ENDED', 'MEETING_IN_PAST', 'PARTICIPANT_UNKNOWN', 'PASSWORD_OR_WAITING_ROOM', 'QUOTA_DURATION', 'ROOM_UNKNOWN', 'ROOM_TAKEN', 'ROOM_CLOSED', ...SERIES_ERRORS],
    example: { params: { id: exampleMeetingId }, body: { ...exampleBooking, version: 1 }, data: exampleMeeting },
  }),
  cancel: route({
    method: 'DELETE',
    path: `${API_BASE}/meetings/:id`,
    summary: 'Cancels a meeting that does not run, and with `scope` others of its series that have not begun.',
    callers: ['user'],
    audit: true,
    input: { params: byId, query: z.object({ scope: z.enum(SERIES_SCOPES).default('one') }) },
    data: z.null(),
    errors: ['MEETING_RUNNING', 'MEETING_ENDED'],
    example: { params: { id: exampleMeetingId }, data: null },
  }),
  start: route({
    method: 'POST',
    path: `${API_BASE}/meetings/:id/start`,
    summary: 'Opens the conference of a meeting before its time.',
    callers: ['user'],
    audit: true,
    input: { params: byId },
    data: meeting,
    errors: ['MEETING_ENDED', 'MEDIA_UNAVAILABLE'],
    example: { params: { id: exampleMeetingId }, data: exampleMeeting },
  }),
};
