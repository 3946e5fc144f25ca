import { z } from 'zod';
import { API_BASE, LIMITS, MEETING_TYPES } from '../constants.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { numericId } from './meeting-types.ts';
import { bookedRoom } from '../rooms/rooms.ts';
import { route } from '../http/route.ts';

/** Why a meeting needs approval, as the tenant's rules name it. */
export const APPROVAL_REASONS = ['all', 'type', 'vip', 'duration', 'people'] as const;
export type ApprovalReason = (typeof APPROVAL_REASONS)[number];

/** The state of a request; `lapsed`: not decided before the meeting was to begin. */
export const APPROVAL_STATES = ['waiting', 'approved', 'refused', 'lapsed'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

const rules = {
  all: z.boolean(),
  types: z.array(z.enum(MEETING_TYPES)).max(MEETING_TYPES.length),
  vip: z.boolean(),
  /** Meetings longer than this many minutes; null: any length. */
  longerThan: z
    .number()
    .int()
    .min(1)
    .max(LIMITS.durationMax - 1)
    .nullable(),
  /** Meetings with more people and terminals than this, including the host; null: any number. */
  morePeopleThan: z.number().int().min(1).max(LIMITS.participants).nullable(),
};
/** Which meetings of a tenant need approval; none by default. Meetings booked by an approver never do. */
export const approvalRules = z.object({ ...rules, version: z.number().int() });
export type ApprovalRules = z.infer<typeof approvalRules>;

const person = z.object({ userId: z.uuid(), name: z.string() });

/**
 * A meeting that needs approval, or on which an approver has decided; or the meetings of a series in the same state,
 * which are decided at once.
 */
export const approvalRequest = z.object({
  /** For a series, its first meeting. */
  meetId: z.uuid(),
  numericId,
  type: z.enum(MEETING_TYPES),
  subject: z.string(),
  agenda: z.string(),
  host: person.extend({ department: z.string() }),
  startTime: z.iso.datetime(),
  duration: z.number().int(),
  timeZone: z.string(),
  /**
   * How many meetings of a series these are, and when the last of them starts; null for a single meeting, and for one
   * that differs from its series.
   */
  series: z.object({ seriesId: z.uuid(), meetings: z.number().int(), lastStart: z.iso.datetime() }).nullable(),
  vip: z.boolean(),
  /** Number of expected people: host, people called and room terminals included. */
  people: z.number().int(),
  rooms: z.array(bookedRoom),
  resource: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  reasons: z.array(z.enum(APPROVAL_REASONS)),
  state: z.enum(APPROVAL_STATES),
  askedAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
  decidedBy: person.nullable(),
  note: z.string(),
  /** Version of the meeting; sent back with a decision, so that no unseen change is approved. */
  version: z.number().int(),
});
export type ApprovalRequest = z.infer<typeof approvalRequest>;

const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f21';
const exampleRules: ApprovalRules = {
  all: false,
  types: [],
  vip: true,
  longerThan: 240,
  morePeopleThan: 100,
  version: 1,
};
const exampleRequest: ApprovalRequest = {
  meetId: exampleId,
  numericId: '482913057',
  type: 'NETWORK_MEETING',
  subject: 'Ward round',
  agenda: '',
  host: { userId: exampleId, name: 'Alice', department: 'Surgery' },
  startTime: '2026-11-20T09:00:00.000Z',
  duration: 60,
  timeZone: 'Asia/Shanghai',
  series: null,
  vip: true,
  people: 12,
  rooms: [],
  resource: null,
  reasons: ['vip'],
  state: 'waiting',
  askedAt: '2026-11-19T09:00:00.000Z',
  decidedAt: null,
  decidedBy: null,
  note: '',
  version: 1,
};
const approves = { callers: ['user'], permission: 'sys:approve' } as const;
const administers = { callers: ['user'], permission: 'tenants:settings' } as const;
const path = `${API_BASE}/meetings/approvals`;

export const approvals = {
  list: route({
    method: 'GET',
    path,
    ...approves,
    summary:
      'Meetings of the tenant that need approval, paged: those that wait first, of them important ones first, ' +
      'then by their start. Meetings of a series that are decided at once are one entry.',
    input: {
      query: z.object({
        ...pageQuery,
        state: z.enum(APPROVAL_STATES).optional(),
        keyword: z.string().trim().max(100).optional(),
      }),
    },
    data: page(approvalRequest),
    errors: [],
    example: { query: { state: 'waiting' }, data: { records: [exampleRequest], total: 1, current: 1, size: 20 } },
  }),
  decide: route({
    method: 'POST',
    path: `${path}/:id`,
    ...approves,
    audit: true,
    summary:
      'Approves a meeting or refuses it, with all others of its series that wait unless it differs from them; ' +
      'what is refused gives its rooms and its resource back. `version` is ' +
      'the one that was looked at. Of several approvers the first decides.',
    input: {
      params: z.object({ id: z.uuid() }),
      body: z.object({
        approve: z.boolean(),
        note: z.string().trim().max(500).default(''),
        version: z.number().int().optional(),
      }),
    },
    data: approvalRequest,
    errors: ['APPROVAL_DECIDED', 'MEETING_CONFLICT'],
    example: {
      params: { id: exampleId },
      body: { approve: true, version: 1 },
      data: {
        ...exampleRequest,
        state: 'approved' as const,
        decidedAt: '2026-11-19T10:00:00.000Z',
        decidedBy: { userId: exampleId, name: 'Chair' },
      },
    },
  }),
  rules: route({
    method: 'GET',
    path: `${path}/rules`,
    ...administers,
    summary: "Which meetings of the caller's tenant need approval.",
    input: {},
    data: approvalRules,
    errors: [],
    example: { data: exampleRules },
  }),
  updateRules: route({
    method: 'PUT',
    path: `${path}/rules`,
    ...administers,
    audit: true,
    summary:
      'Changes which meetings need approval, from the next booking or edit on. `version` is the one that was edited.',
    input: { body: z.object({ ...rules, version: z.number().int() }) },
    data: approvalRules,
    errors: ['CHANGED_MEANWHILE'],
    example: { body: exampleRules, data: { ...exampleRules, version: 2 } },
  }),
};
