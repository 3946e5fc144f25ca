import { z } from 'zod';
import { API_BASE, LIMITS } from '../constants.ts';
import { exampleMeeting, meeting, numericId } from './meeting-types.ts';
import { route } from '../http/route.ts';

/** The settings of meetings on an account's fixed number. */
const settings = z.object({
  password: z
    .string()
    .regex(/^[0-9A-Za-z]*$/)
    .max(LIMITS.meetingPassword.max)
    .refine((s) => s === '' || s.length >= LIMITS.meetingPassword.min),
  waitingRoom: z.boolean(),
  joinBeforeHost: z.boolean(),
  muteOnEntry: z.boolean(),
});
export type FixedNumberSettings = z.infer<typeof settings>;

/** An account's own meeting number, on which its owner can hold meetings at any time. */
const fixedNumberData = settings.extend({
  numericId,
  config: z.object({ url: z.string(), watchUrl: z.string() }),
  guestUrl: z.string(),
  /** The meeting that runs on it, or can be opened again; null if there is none. */
  meeting: meeting.nullable(),
});
export type FixedNumber = z.infer<typeof fixedNumberData>;

const { config, guestUrl, password } = exampleMeeting;
const example: FixedNumber = {
  numericId: exampleMeeting.numericId,
  password,
  waitingRoom: false,
  joinBeforeHost: false,
  muteOnEntry: false,
  config,
  guestUrl,
  meeting: null,
};

export const fixedNumber = {
  read: route({
    method: 'GET',
    path: `${API_BASE}/meetings/fixedNumber`,
    summary: "The caller's fixed number; given when it is asked for first.",
    callers: ['user'],
    permission: 'sys:pmicode',
    input: {},
    data: fixedNumberData,
    errors: [],
    example: { data: example },
  }),
  update: route({
    method: 'PUT',
    path: `${API_BASE}/meetings/fixedNumber`,
    summary: 'Says how the next meetings on the fixed number are set; one that runs stays as it is.',
    callers: ['user'],
    permission: 'sys:pmicode',
    audit: true,
    input: { body: settings },
    data: fixedNumberData,
    errors: ['PASSWORD_OR_WAITING_ROOM'],
    example: { body: { password, waitingRoom: false, joinBeforeHost: false, muteOnEntry: false }, data: example },
  }),
  renew: route({
    method: 'POST',
    path: `${API_BASE}/meetings/fixedNumber`,
    summary: "Gives the caller another fixed number; the present one is nobody's from then on.",
    callers: ['user'],
    permission: 'sys:pmicode',
    audit: true,
    input: {},
    data: fixedNumberData,
    errors: ['MEETING_RUNNING'],
    example: { data: example },
  }),
  start: route({
    method: 'POST',
    path: `${API_BASE}/meetings/fixedNumber/start`,
    summary: 'Opens a network meeting on the fixed number; one that runs there already is answered as it is.',
    callers: ['user'],
    permission: 'sys:pmicode',
    audit: true,
    input: {},
    data: meeting,
    errors: ['MEETING_NOT_APPROVED', 'MEDIA_UNAVAILABLE'],
    example: { data: exampleMeeting },
  }),
};
