import { z } from 'zod';
import { API_BASE, CAMERA_CODECS, LIMITS, MEETING_TYPES } from '../constants.ts';
import { line } from '../line.ts';
import { CONFERENCE_TEMPLATES } from '@rmeet/conference';
import { exampleMeetingId } from './meeting-types.ts';
import { route } from '../http/route.ts';

/** A person who can be invited. */
export const invitee = z.object({ userId: z.uuid(), name: z.string(), account: z.string(), department: z.string() });
export type Invitee = z.infer<typeof invitee>;

/** A level of the organisation. */
export const departmentNode = z.object({
  /** Levels separated by `/`. */
  path: z.string(),
  /** Its last level. */
  name: z.string(),
  /** Path of the level above; null at the top. */
  parent: z.string().nullable(),
  /** Number of people in it and in all levels below who can be invited. */
  people: z.number().int(),
});
export type DepartmentNode = z.infer<typeof departmentNode>;

/** A named group of people that its owner invites together; visible to the owner only. */
export const participantGroup = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The people who can still be invited, in the order they were chosen. */
  people: z.array(invitee),
  version: z.number().int(),
});
export type ParticipantGroup = z.infer<typeof participantGroup>;

const groupBody = z.object({
  name: line().min(1).max(LIMITS.displayName),
  userIds: z.array(z.uuid()).min(1).max(LIMITS.groupPeople),
});

/** A person who has another meeting at that time. */
export const busyPerson = z.object({
  userId: z.uuid(),
  name: z.string(),
  /** Ordered by time; `subject` is null if the caller may not see the meeting. */
  meetings: z.array(
    z.object({ startTime: z.iso.datetime(), endTime: z.iso.datetime(), subject: z.string().nullable() }),
  ),
});
export type BusyPerson = z.infer<typeof busyPerson>;

const time = z.iso.datetime({ offset: true });
const byId = z.object({ id: z.uuid() });
const exampleInvitee: Invitee = { userId: exampleMeetingId, name: 'Bob', account: 'bob', department: 'Surgery' };
const exampleGroup: ParticipantGroup = { id: exampleMeetingId, name: 'Board', people: [exampleInvitee], version: 1 };
const exampleGroupBody = { name: 'Board', userIds: [exampleMeetingId] };

const conferenceTemplate = z.object({
  id: z.string(),
  name: z.string(),
  nameEn: z.string(),
  mode: z.string(),
  muteOnEntry: z.boolean(),
  waitingRoom: z.boolean(),
  joinBeforeHost: z.boolean(),
  /** Null: the organisation's. */
  codec: z.enum(CAMERA_CODECS).nullable(),
  /** kbit/s. */
  bitrate: z.number().int(),
});

/** Queries used while a meeting is booked. */
export const booking = {
  templates: route({
    method: 'GET',
    path: `${API_BASE}/meetings/mcu-template`,
    callers: ['user'],
    summary: 'What a conference can be set up for.',
    input: {},
    data: z.array(conferenceTemplate),
    errors: [],
    example: { data: [CONFERENCE_TEMPLATES[0]] },
  }),
  participantLimit: route({
    method: 'GET',
    path: `${API_BASE}/meetings/parCountLimit/:a/:b`,
    callers: ['user'],
    summary: 'Most participants of a meeting of type `a` on the media resource `b`; `-` for whichever is free.',
    input: { params: z.object({ a: z.enum(MEETING_TYPES), b: z.union([z.uuid(), z.literal('-')]) }) },
    data: z.object({ limit: z.number().int() }),
    errors: [],
    example: { params: { a: 'VIDEO_MEETING', b: '-' }, data: { limit: 300 } },
  }),
  allowUpdate: route({
    method: 'GET',
    path: `${API_BASE}/meetings/allowUpdate/:id`,
    callers: ['user'],
    summary:
      'Whether a meeting may be changed, to another time or length where they are named. `reason` is the code ' +
      'that changing it would be refused with, `params` the values of its sentence, `message` the sentence.',
    input: {
      params: byId,
      query: z.object({
        startTime: time.optional(),
        duration: z.coerce.number().int().min(LIMITS.durationMin).max(LIMITS.durationMax).optional(),
      }),
    },
    data: z.object({
      allowed: z.boolean(),
      reason: z.string().nullable(),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
      message: z.string(),
    }),
    errors: [],
    example: {
      params: { id: exampleMeetingId },
      query: { duration: 90 },
      data: {
        allowed: false,
        reason: 'QUOTA_DURATION',
        params: { minutes: 60 },
        message: 'Your organisation allows meetings of 60 minutes at most.',
      },
    },
  }),
  departments: route({
    method: 'GET',
    path: `${API_BASE}/meetings/departments`,
    callers: ['user'],
    scope: 'meetings:read',
    summary:
      'The departments of the tenant with how many people they have, each level after the one above it. People of ' +
      'one: meetings/invitees with `department`.',
    input: {},
    data: z.array(departmentNode),
    errors: [],
    example: {
      data: [
        { path: 'Surgery', name: 'Surgery', parent: null, people: 12 },
        { path: 'Surgery/Ward 3', name: 'Ward 3', parent: 'Surgery', people: 4 },
      ],
    },
  }),
  groups: route({
    method: 'GET',
    path: `${API_BASE}/meetings/groups`,
    callers: ['user'],
    summary: "The caller's own groups of people, by name.",
    input: {},
    data: z.array(participantGroup),
    errors: [],
    example: { data: [exampleGroup] },
  }),
  createGroup: route({
    method: 'POST',
    path: `${API_BASE}/meetings/groups`,
    callers: ['user'],
    audit: true,
    summary: 'Keeps people under a name, to invite them together.',
    input: { body: groupBody },
    data: participantGroup,
    errors: ['GROUPS_TOO_MANY', 'NAME_TAKEN', 'PARTICIPANT_UNKNOWN'],
    example: { body: exampleGroupBody, data: exampleGroup },
  }),
  updateGroup: route({
    method: 'PUT',
    path: `${API_BASE}/meetings/groups/:id`,
    callers: ['user'],
    audit: true,
    summary: "Changes a group of the caller's own. `version` is the one that was edited.",
    input: { params: byId, body: groupBody.extend({ version: z.number().int() }) },
    data: participantGroup,
    errors: ['CHANGED_MEANWHILE', 'NAME_TAKEN', 'PARTICIPANT_UNKNOWN'],
    example: { params: { id: exampleMeetingId }, body: { ...exampleGroupBody, version: 1 }, data: exampleGroup },
  }),
  removeGroup: route({
    method: 'DELETE',
    path: `${API_BASE}/meetings/groups/:id`,
    callers: ['user'],
    audit: true,
    summary: "Deletes a group of the caller's own.",
    input: { params: byId },
    data: z.null(),
    errors: [],
    example: { params: { id: exampleMeetingId }, data: null },
  }),
  busy: route({
    method: 'POST',
    path: `${API_BASE}/meetings/busy`,
    callers: ['user'],
    scope: 'meetings:read',
    summary:
      'Who of the people named hosts or is invited to meetings between two times, at most 32 days apart. `except` ' +
      'leaves out one meeting, as while it is edited. Booking refuses nobody for that.',
    input: {
      body: z
        .object({
          userIds: z.array(z.uuid()).min(1).max(LIMITS.participants),
          from: time,
          until: time,
          except: z.uuid().optional(),
        })
        .refine(
          ({ from, until }) =>
            Date.parse(until) > Date.parse(from) && Date.parse(until) - Date.parse(from) <= 32 * 86_400_000,
          { path: ['until'] },
        ),
    },
    data: z.array(busyPerson),
    errors: [],
    example: {
      body: { userIds: [exampleMeetingId], from: '2026-11-20T09:00:00Z', until: '2026-11-20T10:00:00Z' },
      data: [
        {
          userId: exampleMeetingId,
          name: 'Bob',
          meetings: [{ startTime: '2026-11-20T09:30:00.000Z', endTime: '2026-11-20T10:30:00.000Z', subject: null }],
        },
      ],
    },
  }),
};
