import { z } from 'zod';
import { CONFERENCE_TEMPLATES, type ConferenceTemplateId } from '@rmeet/conference';
import { LIMITS, MEETING_STATUSES, MEETING_TYPES, type CameraCodec } from '../constants.ts';
import { PHONE_PATTERN } from './contacts.ts';
import { line } from '../line.ts';
import { bookedRoom, isTimeZone } from '../rooms/rooms.ts';
import { TERMINAL_KINDS } from '../rooms/terminals.ts';

const person = z.object({ userId: z.uuid(), name: z.string() });

/** An invited participant: a person of the tenant, an outside mail address, or a party called by telephone. */
export const participant = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user'), userId: z.uuid(), name: z.string() }),
  z.object({ kind: z.literal('mail'), email: z.email() }),
  z.object({ kind: z.literal('phone'), name: z.string(), phone: z.string() }),
]);
export type Participant = z.infer<typeof participant>;

/** A participant in a request. */
export const participantInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user'), userId: z.uuid() }),
  z.object({ kind: z.literal('mail'), email: z.email().max(254) }),
  z.object({
    kind: z.literal('phone'),
    name: line().max(LIMITS.displayName).default(''),
    phone: z.string().regex(PHONE_PATTERN),
  }),
]);

const templateId = z.enum(
  CONFERENCE_TEMPLATES.map(({ id }) => id) as [ConferenceTemplateId, ...ConferenceTemplateId[]],
);

/** What the cameras of a meeting send, by its template. `usual`: the codec if the template does not set one. */
export function cameraOf(template: ConferenceTemplateId, usual: CameraCodec): { codec: CameraCodec; bitrate: number } {
  const { codec, bitrate } = CONFERENCE_TEMPLATES.find(({ id }) => id === template) ?? CONFERENCE_TEMPLATES[0];
  return { codec: codec ?? usual, bitrate };
}

/** A file uploaded with a booking. Bytes. */
export const meetingFile = z.object({ id: z.uuid(), name: z.string(), size: z.number().int() });
export type MeetingFile = z.infer<typeof meetingFile>;

/** `none`: needs no approval; only `none` and `approved` meetings can be opened. */
export const APPROVALS = ['none', 'waiting', 'approved', 'refused'] as const;

export const numericId = z.string().regex(/^[1-9]\d{8}$/);

/** A booked meeting, as its host and members see it. Times are ISO 8601 in UTC, durations minutes. */
export const meeting = z.object({
  meetId: z.uuid(),
  numericId,
  type: z.enum(MEETING_TYPES),
  subject: z.string(),
  agenda: z.string(),
  startTime: z.iso.datetime(),
  duration: z.number().int(),
  /** IANA name of the zone it was booked in; mails and texts give its times in this zone. */
  timeZone: z.string(),
  /** Empty if guests enter through the waiting room instead. */
  password: z.string(),
  waitingRoom: z.boolean(),
  /** Members and guests may enter before the host has opened it. */
  joinBeforeHost: z.boolean(),
  muteOnEntry: z.boolean(),
  template: templateId,
  /** Media and chat are end-to-end encrypted. The server never has the key. */
  e2ee: z.boolean(),
  /** The recording starts with the first person who comes in. */
  autoRecord: z.boolean(),
  /** An important meeting: marked as such, and first in the approvers' list. */
  vip: z.boolean(),
  approval: z.enum(APPROVALS),
  status: z.enum(MEETING_STATUSES),
  host: person,
  participants: z.array(participant),
  /** Rooms it takes. */
  rooms: z.array(bookedRoom),
  /** Room terminals that are called into it. */
  terminals: z.array(z.object({ id: z.uuid(), name: z.string(), address: z.string(), kind: z.enum(TERMINAL_KINDS) })),
  files: z.array(meetingFile),
  /** The media resource it runs on; null: any free one. */
  resource: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /**
   * Its recurrence: a rule of RFC 5545, in local time of `timeZone`. `recurrenceId` is its start by the rule, even if
   * it was moved; `detached`: it was changed separately from the others. Null for a single meeting.
   */
  series: z
    .object({ id: z.uuid(), rule: z.string(), recurrenceId: z.iso.datetime(), detached: z.boolean() })
    .nullable(),
  /** People who stand in for the host, although another person booked it. */
  granted: z.array(person),
  /** Terminals in the conference now; 0 if it does not run. */
  terminalCount: z.number().int(),
  /** Counts edits; sent back with an edit so that two concurrent edits do not overwrite each other. */
  version: z.number().int(),
  /**
   * The links for entering; empty for a local meeting, which takes place only in its rooms. Those of a broadcast
   * without a conference lead to its watch page, and `url` is empty.
   */
  config: z.object({ url: z.string(), watchUrl: z.string() }),
  guestUrl: z.string(),
  /**
   * What the caller may do with it; `guests`: manage its guest link and see who used it, also when it is over; `grant`:
   * choose who stands in for the host.
   */
  can: z.object({
    edit: z.boolean(),
    cancel: z.boolean(),
    start: z.boolean(),
    join: z.boolean(),
    end: z.boolean(),
    guests: z.boolean(),
    grant: z.boolean(),
  }),
});
export type Meeting = z.infer<typeof meeting>;

/** Meetings end, and series continue, within the years that ISO 8601 writes with four digits. */
const LATEST_START = Date.UTC(9_990, 0);
/** When a meeting starts, in a request. */
export const startTime = z.iso.datetime({ offset: true }).refine((text) => Date.parse(text) < LATEST_START);

/** The fields of a meeting when it is booked or changed. */
export const meetingBody = z.object({
  subject: line().min(1).max(LIMITS.subject),
  agenda: z.string().max(LIMITS.agenda).default(''),
  startTime,
  duration: z.number().int().min(LIMITS.durationMin).max(LIMITS.durationMax),
  password: z
    .string()
    .regex(/^[0-9A-Za-z]*$/)
    .max(LIMITS.meetingPassword.max)
    .refine((s) => s === '' || s.length >= LIMITS.meetingPassword.min)
    .default(''),
  waitingRoom: z.boolean().default(false),
  timeZone: z.string().max(60).refine(isTimeZone).default('UTC'),
  joinBeforeHost: z.boolean().default(true),
  muteOnEntry: z.boolean().default(false),
  template: templateId.default('standard'),
  e2ee: z.boolean().default(false),
  autoRecord: z.boolean().default(false),
  vip: z.boolean().default(false),
  participants: z.array(participantInput).max(LIMITS.participants).default([]),
  roomIds: z.array(z.uuid()).max(LIMITS.rooms).default([]),
  terminalIds: z.array(z.uuid()).max(LIMITS.terminals).default([]),
  resourceId: z.uuid().nullable().default(null),
});
export type MeetingBody = z.input<typeof meetingBody>;

/**
 * How meetings recur from the first on: a rule of RFC 5545 section 3.3.10 that ends (COUNT or UNTIL), in days or
 * longer, in local time of `timeZone`; `except` lists starts to leave out. If the clock change skips a start, it is
 * later by the skipped time; if a start occurs twice, the first one counts.
 */
export const recurrence = z.object({
  rule: z.string().max(300),
  except: z
    .array(z.iso.datetime({ offset: true }))
    .max(LIMITS.occurrences)
    .default([]),
});
export type Recurrence = z.input<typeof recurrence>;

/** A new booking. With `recurrence`, it is a series of meetings from `startTime` on with one number. */
export const bookingBody = meetingBody.extend({ recurrence: recurrence.nullable().default(null) });
export type BookingBody = z.input<typeof bookingBody>;

/**
 * Which meetings of a series a change applies to: this one, this and the following ones, or all that have not begun.
 */
export const SERIES_SCOPES = ['one', 'following', 'all'] as const;
export type SeriesScope = (typeof SERIES_SCOPES)[number];

export const exampleMeetingId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
export const exampleMeeting: Meeting = {
  meetId: exampleMeetingId,
  numericId: '482913057',
  type: 'NETWORK_MEETING',
  subject: 'Ward round',
  agenda: '',
  startTime: '2026-11-20T09:00:00.000Z',
  duration: 60,
  password: '4821',
  timeZone: 'Asia/Shanghai',
  waitingRoom: false,
  joinBeforeHost: true,
  muteOnEntry: false,
  template: 'standard',
  e2ee: false,
  autoRecord: false,
  vip: false,
  approval: 'none',
  status: 'SCHEDULE',
  host: { userId: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d10', name: 'Alice' },
  participants: [{ kind: 'mail', email: 'guest@example.org' }],
  rooms: [],
  terminals: [],
  files: [],
  resource: null,
  series: null,
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
export const exampleBooking = {
  subject: 'Ward round',
  startTime: '2026-11-20T09:00:00Z',
  duration: 60,
  password: '4821',
};
