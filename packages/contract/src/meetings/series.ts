import { z } from 'zod';
import { API_BASE, LIMITS } from '../constants.ts';
import type { ErrorCode } from '../errors.ts';
import { exampleMeetingId, meetingBody, recurrence, type SeriesScope } from './meeting-types.ts';
import { route } from '../http/route.ts';

/** Which meetings a changed rule can apply to. */
export const RULE_SCOPES = ['following', 'all'] as const satisfies readonly SeriesScope[];
export type RuleScope = (typeof RULE_SCOPES)[number];

/** Errors in a rule, for every caller who books or changes a series. */
export const RECURRENCE_ERRORS = [
  'RECURRENCE_INVALID',
  'SERIES_ENDLESS',
  'SERIES_TOO_LONG',
  'SERIES_EMPTY',
  'SERIES_OVERLAPS',
] as const satisfies readonly ErrorCode[];
/** Further errors of booking or changing a series, in addition to those of a single meeting. */
export const SERIES_ERRORS = [
  ...RECURRENCE_ERRORS,
  'SERIES_RULE_NEEDED',
  'SERIES_ROOMS_TAKEN',
] as const satisfies readonly ErrorCode[];

/** A meeting that a rule would make. */
export const occurrence = z.object({
  startTime: z.iso.datetime(),
  endTime: z.iso.datetime(),
  /** Rooms that are already booked at that time, and who booked them. */
  roomsTaken: z.array(z.object({ roomId: z.uuid(), name: z.string(), host: z.string() })),
  /** Rooms that are not open for all of that time. */
  roomsClosed: z.array(z.object({ roomId: z.uuid(), name: z.string() })),
  /** How many of the people in question have another meeting then. */
  busyCount: z.number().int(),
  /**
   * The existing meeting that takes this place in the changed series, with its current times; null: a new one is
   * created. `detached`: it was changed by itself.
   */
  meeting: z
    .object({ meetId: z.uuid(), startTime: z.iso.datetime(), duration: z.number().int(), detached: z.boolean() })
    .nullable(),
});
export type Occurrence = z.infer<typeof occurrence>;

/**
 * Recurring meetings. They are booked, changed and cancelled like other meetings (meetings.ts), with `recurrence` and
 * `scope`.
 */
export const series = {
  preview: route({
    method: 'POST',
    path: `${API_BASE}/meetings/series/preview`,
    summary:
      'The meetings that a rule would make from `startTime` on, in their order, and whether rooms and people are ' +
      'free then. Booking such a series is refused while rooms are taken; `recurrence.except` leaves starts out. ' +
      '`meetingId`: a meeting that is being changed, or whose ' +
      "series is, by `scope`; what is changed is in nobody's way.",
    callers: ['user'],
    scope: 'meetings:read',
    limit: { by: 'caller', max: 120, seconds: 60 },
    input: {
      body: meetingBody.pick({ startTime: true, duration: true, timeZone: true, roomIds: true }).extend({
        recurrence,
        userIds: z.array(z.uuid()).max(LIMITS.participants).default([]),
        meetingId: z.uuid().optional(),
        scope: z.enum(RULE_SCOPES).default('all'),
      }),
    },
    data: z.object({
      occurrences: z.array(occurrence),
      total: z.number().int(),
      /** Meetings that are removed because the rule has no place for them. */
      dropped: z.array(z.object({ meetId: z.uuid(), startTime: z.iso.datetime(), detached: z.boolean() })),
      /** Starts by the rule on days that were left out or cancelled individually before; they stay excluded. */
      stayOut: z.array(z.iso.datetime()),
      /** How many starts the existing rule has from the beginning of the change; null if no series is changed. */
      left: z.number().int().nullable(),
    }),
    errors: [...RECURRENCE_ERRORS, 'ROOM_UNKNOWN', 'MEETING_CONFLICT', 'MEETING_RUNNING', 'MEETING_ENDED'],
    example: {
      body: {
        startTime: '2026-11-20T09:00:00Z',
        duration: 60,
        timeZone: 'Asia/Shanghai',
        recurrence: { rule: 'FREQ=WEEKLY;COUNT=1' },
        roomIds: [exampleMeetingId],
      },
      data: {
        occurrences: [
          {
            startTime: '2026-11-20T09:00:00.000Z',
            endTime: '2026-11-20T10:00:00.000Z',
            roomsTaken: [{ roomId: exampleMeetingId, name: 'Board room', host: 'Bob' }],
            roomsClosed: [],
            busyCount: 0,
            meeting: null,
          },
        ],
        total: 1,
        dropped: [],
        stayOut: [],
        left: null,
      },
    },
  }),
};
