import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { entryLook } from '../accounts/users.ts';
import { peopleInside } from '../conferences/people-inside.ts';
import { officeLimit, route } from '../http/route.ts';

/**
 * A link with which people who are not signed in enter one meeting as guests without its number and password (product
 * document, section 7, last paragraph). Only its SHA-256 is stored, so the link itself is returned once.
 */
export const guestToken = z.object({
  id: z.uuid(),
  meetingId: z.uuid(),
  expiresAt: z.iso.datetime(),
  /** How often it was used to enter. */
  count: z.number().int(),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
});
export type GuestToken = z.infer<typeof guestToken>;
/** `resource` is the secret part of the link, `url` the whole link. */
const withLink = guestToken.extend({ resource: z.string(), url: z.string() });

const ofMeeting = z.object({ meetingId: z.uuid() });
const byResource = z.object({ resource: z.string().min(20).max(100) });
const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
const exampleToken = {
  id: exampleId,
  meetingId: exampleId,
  expiresAt: '2026-11-21T09:00:00.000Z',
  count: 2,
  createdAt: '2026-11-20T08:00:00.000Z',
  createdBy: 'Alice',
};
const exampleResource = 'q1YzP0cQx1YzP0cQx1Yz';
const exampleLink = {
  ...exampleToken,
  resource: exampleResource,
  url: `http://127.0.0.1:3000/#/join?guest=${exampleResource}`,
};

export const guests = {
  query: route({
    method: 'GET',
    path: `${API_BASE}/guest-tokens/query`,
    callers: ['user'],
    summary: 'The guest link of a meeting the caller runs, without its secret; null when there is none.',
    input: { query: ofMeeting },
    data: guestToken.nullable(),
    errors: [],
    example: { query: { meetingId: exampleId }, data: exampleToken },
  }),
  create: route({
    method: 'GET',
    path: `${API_BASE}/guest-tokens/create`,
    callers: ['user'],
    audit: true,
    summary:
      'Makes the guest link of a meeting the caller runs; good until ' +
      'a day after its end. One there was before stops working.',
    input: { query: ofMeeting },
    data: withLink,
    errors: ['MEETING_ENDED', 'MEETING_IS_LOCAL', 'MEETING_WITHOUT_CONFERENCE'],
    example: { query: { meetingId: exampleId }, data: exampleLink },
  }),
  update: route({
    method: 'PUT',
    path: `${API_BASE}/guest-tokens/update`,
    callers: ['user'],
    audit: true,
    summary: 'Makes the link anew: the former stops working, the count goes on.',
    input: { query: ofMeeting },
    data: withLink,
    errors: ['MEETING_ENDED', 'MEETING_IS_LOCAL', 'MEETING_WITHOUT_CONFERENCE'],
    example: { query: { meetingId: exampleId }, data: exampleLink },
  }),
  remove: route({
    method: 'DELETE',
    path: `${API_BASE}/guest-tokens/delete`,
    callers: ['user'],
    audit: true,
    summary: 'Ends the guest link of a meeting.',
    input: { query: ofMeeting },
    data: z.null(),
    errors: [],
    example: { query: { meetingId: exampleId }, data: null },
  }),
  queryUsers: route({
    method: 'GET',
    path: `${API_BASE}/guest-tokens/queryUsers`,
    callers: ['user'],
    summary: 'Who came to the meeting by its guest links, newest first; 500 at most.',
    input: { query: ofMeeting },
    data: z.array(
      z.object({
        termId: z.string(),
        name: z.string(),
        joinedAt: z.iso.datetime(),
        leftAt: z.iso.datetime().nullable(),
      }),
    ),
    errors: [],
    example: {
      query: { meetingId: exampleId },
      data: [{ termId: 'Tabc', name: 'Dana', joinedAt: '2026-11-20T09:00:00.000Z', leftAt: null }],
    },
  }),
  count: route({
    method: 'GET',
    path: `${API_BASE}/guest-tokens/count`,
    callers: ['anyone'],
    summary: 'How many people are in the meeting of a guest link now.',
    limit: officeLimit,
    input: { query: byResource },
    data: z.number().int(),
    errors: ['GUEST_LINK_INVALID'],
    example: { query: { resource: exampleResource }, data: 3 },
  }),
  queryMeetDetail: route({
    method: 'GET',
    path: `${API_BASE}/guest-tokens/queryMeetDetail`,
    callers: ['anyone'],
    summary: 'What a guest may know of the meeting before coming in.',
    limit: officeLimit,
    input: { query: byResource },
    data: z.object({
      subject: z.string(),
      startTime: z.iso.datetime(),
      duration: z.number().int(),
      hostName: z.string(),
      numericId: z.string(),
      waitingRoom: z.boolean(),
      e2ee: z.boolean(),
      /** It is being recorded, or will be as soon as it begins. */
      recorded: z.boolean(),
      inside: peopleInside,
      look: entryLook,
    }),
    errors: ['GUEST_LINK_INVALID'],
    example: {
      query: { resource: exampleResource },
      data: {
        subject: 'Ward round',
        startTime: '2026-11-20T09:00:00.000Z',
        duration: 60,
        hostName: 'Alice',
        numericId: '482913057',
        waitingRoom: true,
        e2ee: false,
        recorded: false,
        inside: { count: 3, names: [] },
        look: { name: 'demo', logoUrl: null, colour: null, welcome: { zh: '', en: '' } },
      },
    },
  }),
};
