import { z } from 'zod';
import { API_BASE, LIMITS, MEETING_STATUSES, MEETING_TYPES } from './constants.ts';
import { page, pageQuery } from './envelope.ts';
import { bookedRoom } from './rooms.ts';
import { route } from './route.ts';

const person = z.object({ userId: z.uuid(), name: z.string() });

/** Somebody invited: a person of the tenant, or an outside mail address. */
export const participant = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user'), userId: z.uuid(), name: z.string() }),
  z.object({ kind: z.literal('mail'), email: z.email() }),
]);
export type Participant = z.infer<typeof participant>;

const participantInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user'), userId: z.uuid() }),
  z.object({ kind: z.literal('mail'), email: z.email().max(254) }),
]);

const numericId = z.string().regex(/^[1-9]\d{8}$/);

/** A booked meeting, as its host and members see it. Times are ISO 8601 in UTC, durations minutes. */
export const meeting = z.object({
  meetId: z.uuid(),
  numericId,
  type: z.enum(MEETING_TYPES),
  subject: z.string(),
  agenda: z.string(),
  startTime: z.iso.datetime(),
  duration: z.number().int(),
  /** Empty when guests come through the waiting room instead. */
  password: z.string(),
  waitingRoom: z.boolean(),
  status: z.enum(MEETING_STATUSES),
  host: person,
  participants: z.array(participant),
  /** Rooms it takes. */
  rooms: z.array(bookedRoom),
  /** People who stand in for the host, though another booked it. */
  granted: z.array(person),
  /** Terminals in the conference right now; 0 when it does not run. */
  terminalCount: z.number().int(),
  /** Counts edits; sent back with an edit so that two at once do not lose either. */
  version: z.number().int(),
  config: z.object({ url: z.string(), watchUrl: z.string() }),
  guestUrl: z.string(),
  /** What the caller may do with it; `guests`: keep its guest link and see who came by it, also when it is over; `grant`: choose who stands in for the host. */
  can: z.object({ edit: z.boolean(), cancel: z.boolean(), start: z.boolean(), join: z.boolean(), end: z.boolean(), guests: z.boolean(), grant: z.boolean() }),
});
export type Meeting = z.infer<typeof meeting>;

const meetingBody = z.object({
  subject: z.string().trim().min(1).max(LIMITS.subject),
  agenda: z.string().max(LIMITS.agenda).default(''),
  startTime: z.iso.datetime({ offset: true }),
  duration: z.number().int().min(LIMITS.durationMin).max(LIMITS.durationMax),
  password: z.string().regex(/^[0-9A-Za-z]*$/).max(LIMITS.meetingPassword.max)
    .refine((s) => s === '' || s.length >= LIMITS.meetingPassword.min).default(''),
  waitingRoom: z.boolean().default(false),
  participants: z.array(participantInput).max(LIMITS.participants).default([]),
  roomIds: z.array(z.uuid()).max(LIMITS.rooms).default([]),
});
export type MeetingBody = z.input<typeof meetingBody>;

/** Which part of the calendar a list shows, by the caller's local day (`dayStart`, `dayEnd`). */
export const MEETING_SCOPES = ['all', 'running', 'today', 'upcoming', 'past'] as const;

const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
const exampleMeeting: Meeting = {
  meetId: exampleId,
  numericId: '482913057',
  type: 'NETWORK_MEETING',
  subject: 'Ward round',
  agenda: '',
  startTime: '2026-11-20T09:00:00.000Z',
  duration: 60,
  password: '4821',
  waitingRoom: false,
  status: 'SCHEDULE',
  host: { userId: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d10', name: 'Alice' },
  participants: [{ kind: 'mail', email: 'guest@example.org' }],
  rooms: [],
  granted: [],
  terminalCount: 0,
  version: 1,
  config: {
    url: 'http://127.0.0.1:3000/#/join?number=482913057&pwd=4821&watch=0',
    watchUrl: 'http://127.0.0.1:3000/#/join?number=482913057&pwd=4821&watch=1',
  },
  guestUrl: 'http://127.0.0.1:3000/#/join?number=482913057&pwd=4821',
  can: { edit: true, cancel: true, start: true, join: true, end: true, guests: true, grant: true },
};
const exampleBody = { subject: 'Ward round', startTime: '2026-11-20T09:00:00Z', duration: 60, password: '4821' };
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
    example: { query: { keyword: 'bo' }, data: [{ userId: exampleId, name: 'Bob', account: 'bob', department: 'Surgery' }] },
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
    example: { params: { id: exampleId }, data: exampleMeeting },
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
    input: { body: meetingBody },
    data: meeting,
    errors: ['MEETING_IN_PAST', 'PARTICIPANT_UNKNOWN', 'PASSWORD_OR_WAITING_ROOM', 'QUOTA_DURATION', 'ROOM_UNKNOWN', 'ROOM_TAKEN', 'ROOM_CLOSED'],
    example: { body: exampleBody, data: exampleMeeting },
  }),
  update: route({
    method: 'PUT',
    path: `${API_BASE}/meetings/:id`,
    summary: 'Changes a meeting that has not ended. `version` is the one that was edited.',
    callers: ['user'],
    audit: true,
    input: { params: byId, body: meetingBody.extend({ version: z.number().int() }) },
    data: meeting,
    errors: ['MEETING_CONFLICT', 'MEETING_RUNNING', 'MEETING_ENDED', 'MEETING_IN_PAST', 'PARTICIPANT_UNKNOWN', 'PASSWORD_OR_WAITING_ROOM', 'QUOTA_DURATION', 'ROOM_UNKNOWN', 'ROOM_TAKEN', 'ROOM_CLOSED'],
    example: { params: { id: exampleId }, body: { ...exampleBody, version: 1 }, data: exampleMeeting },
  }),
  cancel: route({
    method: 'DELETE',
    path: `${API_BASE}/meetings/:id`,
    summary: 'Cancels a meeting that does not run.',
    callers: ['user'],
    audit: true,
    input: { params: byId },
    data: z.null(),
    errors: ['MEETING_RUNNING', 'MEETING_ENDED'],
    example: { params: { id: exampleId }, data: null },
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
    example: { params: { id: exampleId }, data: exampleMeeting },
  }),
};
