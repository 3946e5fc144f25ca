import { z } from 'zod';
import { API_BASE, LIMITS, MEETING_TYPES } from '../constants.ts';
import { contact } from '../meetings/contacts.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { line } from '../line.ts';
import { exampleMeeting, exampleMeetingId, meeting } from '../meetings/meeting-types.ts';
import { isTimeZone } from './rooms.ts';
import { route } from '../http/route.ts';
import { department } from '../accounts/users.ts';

/** Maximum ports and hours of a resource, and the maximum number of accounts and departments it can be assigned to. */
export const RESOURCE_LIMITS = { ports: 100_000, hours: 10_000, accounts: 500, departments: 200 } as const;

/**
 * Media capacity of a tenant that meetings run on. Meetings that name a resource use its ports while they last, as many
 * as people and terminals are expected, and its hours of the calendar month they begin in, in local time of its time
 * zone.
 */
export const meetingResource = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The media region it represents; empty for any. */
  zone: z.string(),
  /** Maximum number of terminals at one time, over all meetings on it; null: no limit. */
  ports: z.number().int().nullable(),
  /** Meeting hours per calendar month; null: no limit. */
  hours: z.number().int().nullable(),
  /** IANA name of the time zone that determines the calendar months. */
  timeZone: z.string(),
  enabled: z.boolean(),
  /** Who may book it. A department includes all departments below it. */
  assignedTo: z.object({
    everybody: z.boolean(),
    accounts: z.array(z.object({ userId: z.uuid(), name: z.string() })),
    departments: z.array(z.string()),
  }),
  /** Ports used by meetings at this moment. */
  portsUsed: z.number().int(),
  /** Minutes booked on it in this month. */
  minutesUsed: z.number().int(),
  version: z.number().int(),
});
export type MeetingResource = z.infer<typeof meetingResource>;

const resourceBody = z.object({
  name: line().min(1).max(LIMITS.roomName),
  zone: line().max(60).default(''),
  ports: z.number().int().min(2).max(RESOURCE_LIMITS.ports).nullable().default(null),
  hours: z.number().int().min(1).max(RESOURCE_LIMITS.hours).nullable().default(null),
  timeZone: z.string().max(60).refine(isTimeZone).default('UTC'),
  enabled: z.boolean().default(true),
  assignedTo: z
    .object({
      everybody: z.boolean().default(false),
      userIds: z.array(z.uuid()).max(RESOURCE_LIMITS.accounts).default([]),
      departments: z
        .array(department.refine((path) => path !== ''))
        .max(RESOURCE_LIMITS.departments)
        .default([]),
    })
    .prefault({}),
});
export type MeetingResourceBody = z.input<typeof resourceBody>;

/** A resource that may be chosen for a booking, with its free capacity. */
export const choosableResource = z.object({
  id: z.uuid(),
  name: z.string(),
  zone: z.string(),
  ports: z.number().int().nullable(),
  hours: z.number().int().nullable(),
  /** Ports that are free for the whole meeting; null: no limit. */
  portsFree: z.number().int().nullable(),
  /** Minutes left in the month; null: no limit. */
  minutesFree: z.number().int().nullable(),
});
export type ChoosableResource = z.infer<typeof choosableResource>;

/**
 * The limits a booking can exceed: its type is not permitted, it is longer than the tenant allows, no resource is
 * assigned to the account, it has more terminals than can be present at once, or the chosen resource does not have
 * enough ports or hours left.
 */
export const BOOK_LIMITS = ['type', 'duration', 'resource', 'terminals', 'ports', 'hours'] as const;
export type BookLimit = (typeof BOOK_LIMITS)[number];

const person = z.object({ name: z.string(), phoneNumber: contact });
export const bookLimit = z.object({
  allowed: z.boolean(),
  /** The first exceeded limit; null if there is none. */
  limit: z.enum(BOOK_LIMITS).nullable(),
  /** The value of the limit: minutes (`duration`, `hours`), terminals, or ports; null if it is not a number. */
  value: z.number().int().nullable(),
  /** The contacts for questions. */
  contacts: z.object({ meetingAdmin: person, serviceDesk: person }),
});
export type BookLimitAnswer = z.infer<typeof bookLimit>;

const time = z.iso.datetime({ offset: true });
const duration = z.coerce.number().int().min(LIMITS.durationMin).max(LIMITS.durationMax);
const byId = z.object({ id: z.uuid() });
/** A meeting that is being edited; its own share counts as free. */
const except = z.uuid().optional();

const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f11';
const exampleResource: MeetingResource = {
  id: exampleId,
  name: 'Main',
  zone: 'cn-east',
  ports: 100,
  hours: 200,
  timeZone: 'Asia/Shanghai',
  enabled: true,
  assignedTo: { everybody: true, accounts: [], departments: [] },
  portsUsed: 12,
  minutesUsed: 300,
  version: 1,
};
const exampleBody: MeetingResourceBody = {
  name: 'Main',
  zone: 'cn-east',
  ports: 100,
  hours: 200,
  timeZone: 'Asia/Shanghai',
  assignedTo: { everybody: true },
};
const exampleContacts = {
  meetingAdmin: { name: 'Admin', phoneNumber: '--' },
  serviceDesk: { name: 'IT', phoneNumber: 'MTIzNDU=' },
};
const manages = { callers: ['user'], permission: 'resources:manage' } as const;
const path = `${API_BASE}/meeting-resource`;

export const resources = {
  list: route({
    method: 'GET',
    path,
    callers: ['user'],
    summary:
      'The media resources assigned to the caller, paged; those who manage them get all of the tenant with ' +
      '`tenantWide`, and disabled ones too.',
    input: {
      query: z.object({
        ...pageQuery,
        keyword: z.string().trim().max(100).optional(),
        status: z.enum(['enabled', 'disabled']).optional(),
        tenantWide: z.stringbool().default(false),
        sort: z.enum(['name', 'zone', 'ports', 'hours']).default('name'),
        order: z.enum(['ASC', 'DESC']).default('ASC'),
      }),
    },
    data: page(meetingResource),
    errors: [],
    example: { query: { tenantWide: 'true' }, data: { records: [exampleResource], total: 1, current: 1, size: 20 } },
  }),
  create: route({
    method: 'POST',
    path,
    ...manages,
    audit: true,
    summary: 'Adds a media resource. With the first one, whoever has none assigned can book no conferences any more.',
    input: { body: resourceBody },
    data: meetingResource,
    errors: ['NAME_TAKEN', 'RESOURCE_ASSIGNEE_UNKNOWN'],
    example: { body: exampleBody, data: exampleResource },
  }),
  update: route({
    method: 'PUT',
    path,
    ...manages,
    audit: true,
    summary:
      'Changes a media resource and whom it is assigned to; bookings ' +
      'that stand stay. `version` is the one that was edited.',
    input: { body: resourceBody.extend({ id: z.uuid(), version: z.number().int() }) },
    data: meetingResource,
    errors: ['NAME_TAKEN', 'RESOURCE_ASSIGNEE_UNKNOWN', 'CHANGED_MEANWHILE'],
    example: { body: { ...exampleBody, id: exampleId, version: 1 }, data: exampleResource },
  }),
  remove: route({
    method: 'DELETE',
    path: `${path}/:id`,
    ...manages,
    audit: true,
    summary: 'Deletes a media resource nothing is booked on any more.',
    input: { params: byId },
    data: z.null(),
    errors: ['RESOURCE_BOOKED'],
    example: { params: { id: exampleId }, data: null },
  }),
  choose: route({
    method: 'GET',
    path: `${API_BASE}/meetings/choosePcmsMeetingResource`,
    callers: ['user'],
    summary:
      'The media resources the caller may choose for a booking, with what is free of each; `except` leaves out ' +
      'one meeting, as while it is edited. `hasAny`: the tenant has resources.',
    input: { query: z.object({ startTime: time, duration, except }) },
    data: z.object({ hasAny: z.boolean(), resources: z.array(choosableResource) }),
    errors: [],
    example: {
      query: { startTime: '2026-11-20T09:00:00Z', duration: 60 },
      data: {
        hasAny: true,
        resources: [
          { id: exampleId, name: 'Main', zone: 'cn-east', ports: 100, hours: 200, portsFree: 88, minutesFree: 11_700 },
        ],
      },
    },
  }),
  assign: route({
    method: 'PUT',
    path: `${API_BASE}/meetings/resource/:id`,
    callers: ['user'],
    audit: true,
    summary:
      'Puts a booked meeting on a media resource, or with null on whichever is free; for its host and who stands ' +
      'in for it; those who manage resources may take any.',
    input: { params: byId, body: z.object({ resource: z.uuid().nullable() }) },
    data: meeting,
    errors: [
      'MEETING_ENDED',
      'MEETING_IS_LOCAL',
      'MEETING_WITHOUT_CONFERENCE',
      'MEETING_NOT_APPROVED',
      'RESOURCE_UNKNOWN',
      'RESOURCE_FULL',
      'RESOURCE_HOURS',
    ],
    example: {
      params: { id: exampleMeetingId },
      body: { resource: exampleId },
      data: { ...exampleMeeting, resource: { id: exampleId, name: 'Main' } },
    },
  }),
  inviteLimit: route({
    method: 'GET',
    path: '/api/limits/getInviteLimit',
    callers: ['user'],
    summary:
      'Most people and room terminals the caller may invite to one meeting, themselves left out: the least of ' +
      "what the product, the server, the tenant's quota and the chosen resource allow.",
    input: { query: z.object({ resourceId: z.uuid().optional() }) },
    data: z.object({ people: z.number().int(), terminals: z.number().int() }),
    errors: ['RESOURCE_UNKNOWN'],
    example: { query: {}, data: { people: 299, terminals: 100 } },
  }),
  bookLimit: route({
    method: 'GET',
    path: '/api/limits/checkBookLimit',
    callers: ['user'],
    summary:
      'Whether the caller may book such a meeting: the first limit it breaks, and whom to ask. `terminals` counts ' +
      'everybody expected, the host, people called and room terminals too; more than can be inside at once is ' +
      'told, though booking does not refuse that. `except` is the meeting that is edited.',
    input: {
      query: z.object({
        startTime: time,
        duration: z.coerce.number().int().min(1).max(LIMITS.durationMax),
        type: z.enum(MEETING_TYPES),
        terminals: z.coerce.number().int().min(0).max(100_000).default(1),
        resourceId: z.uuid().optional(),
        except,
      }),
    },
    data: bookLimit,
    errors: ['RESOURCE_UNKNOWN'],
    example: {
      query: {
        startTime: '2026-11-20T09:00:00Z',
        duration: 60,
        type: 'NETWORK_MEETING',
        terminals: 120,
        resourceId: exampleId,
      },
      data: { allowed: false, limit: 'ports', value: 88, contacts: exampleContacts },
    },
  }),
};
