import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { officeLimitByCaller, route } from '../http/route.ts';
import { entryLook } from '../accounts/users.ts';
import { exampleInside, peopleInside } from './people-inside.ts';

/** What is known about a meeting before joining it. */
const meetingAhead = z.object({
  meetId: z.uuid(),
  subject: z.string(),
  hostName: z.string(),
  startTime: z.iso.datetime(),
  /** Minutes. */
  duration: z.number().int(),
  /** The caller must confirm that the meeting is opened this long before its start time. */
  early: z.boolean(),
  /** Joining requires the key, which only participants have. */
  e2ee: z.boolean(),
  /** It is being recorded, or will be as soon as it begins. */
  recorded: z.boolean(),
  inside: peopleInside,
  look: entryLook,
});
export type MeetingAhead = z.infer<typeof meetingAhead>;

const preJoin = z.object({
  /** The caller must give the meeting's password. */
  asksPassword: z.boolean(),
  /** Null if the caller may not know the meeting. */
  meeting: meetingAhead.nullable(),
});
export type PreJoin = z.infer<typeof preJoin>;

const meetId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
const exampleMeeting: MeetingAhead = {
  meetId,
  subject: 'Ward round',
  hostName: 'Alice',
  startTime: '2026-11-20T01:00:00.000Z',
  duration: 60,
  early: true,
  e2ee: false,
  recorded: false,
  inside: exampleInside,
  look: { name: 'demo', logoUrl: null, colour: null, welcome: { zh: '', en: '' } },
};

/** Calls of the join page before it joins. */
export const beforeJoining = {
  preJoin: route({
    method: 'GET',
    path: `${API_BASE}/conferences/pre-join`,
    summary:
      'What the caller is asked for to join by a number, and the meeting where it is one of theirs. All other ' +
      'numbers are answered alike, whether there is a meeting or not.',
    callers: ['user'],
    limit: { by: 'caller', max: 120, seconds: 60 },
    input: { query: z.object({ numericId: z.string().regex(/^\d{9}$/), meetId: z.uuid().optional() }) },
    data: preJoin,
    errors: [],
    example: { query: { numericId: '482913057' }, data: { asksPassword: false, meeting: exampleMeeting } },
  }),
  lookUp: route({
    method: 'POST',
    path: `${API_BASE}/conferences/look-up`,
    summary:
      'The meeting of an invitation link with number and password, for people who are not signed in or do not ' +
      'belong to it. Wrong numbers and passwords count as guesses, as when joining. `meeting` is null for a ' +
      'meeting without a password, whose number alone reveals nothing.',
    callers: ['anyone', 'user'],
    limit: officeLimitByCaller,
    input: {
      body: z.object({
        numericId: z.string().regex(/^\d{9}$/),
        meetId: z.uuid().optional(),
        password: z.string().max(64).optional(),
      }),
    },
    data: preJoin,
    errors: [
      'MEETING_NUMBER_UNKNOWN',
      'MEETING_PASSWORD_REQUIRED',
      'MEETING_PASSWORD_WRONG',
      'MEETING_ENDED',
      'MEETING_CANCELLED',
      'FIXED_NUMBER_NOT_STARTED',
    ],
    example: {
      body: { numericId: '482913057', password: '4821' },
      data: { asksPassword: false, meeting: { ...exampleMeeting, early: false, inside: { count: 3, names: [] } } },
    },
  }),
  checkConnection: route({
    method: 'POST',
    path: `${API_BASE}/conferences/connection-check`,
    summary:
      'Makes an empty room on the media engine for a minute, and answers a token with which a browser tries ' +
      'whether its signalling and media arrive. A limited number of checks runs at once.',
    callers: ['anyone', 'user'],
    limit: { by: 'caller', max: 20, seconds: 60, perAddress: 60 },
    input: {},
    data: z.object({
      url: z.string(),
      token: z.string(),
      /** UDP ports that must be reachable; empty if they are not known here. */
      ports: z.array(z.number().int()),
    }),
    errors: ['MEDIA_UNAVAILABLE'],
    example: { data: { url: 'wss://meet.example.org', token: 'eyJhbGciOiJIUzI1NiJ9', ports: [7882] } },
  }),
};
