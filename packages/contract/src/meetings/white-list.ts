import { z } from 'zod';
import { API_BASE, LIMITS } from '../constants.ts';
import { PHONE_PATTERN } from './contacts.ts';
import { line } from '../line.ts';
import { exampleMeetingId } from './meeting-types.ts';
import { route } from '../http/route.ts';

const byId = z.object({ id: z.uuid() });

/**
 * Who may enter a meeting without an invitation, as a member and without its password: accounts of the tenant and
 * everybody of a department or below it, if signed in; telephone numbers, if they call.
 */
const whiteListBody = z.object({
  userIds: z.array(z.uuid()).max(LIMITS.whiteList).default([]),
  /** Paths in the organisation, levels separated by `/`. */
  departments: z.array(line().min(1).max(200)).max(LIMITS.whiteList).default([]),
  numbers: z.array(z.string().trim().max(30).regex(PHONE_PATTERN)).max(LIMITS.whiteList).default([]),
});
export type WhiteListBody = z.input<typeof whiteListBody>;

const whiteListData = z.object({
  users: z.array(z.object({ userId: z.uuid(), name: z.string(), department: z.string() })),
  departments: z.array(z.string()),
  numbers: z.array(z.string()),
});
export type WhiteList = z.infer<typeof whiteListData>;
const exampleWhiteList: WhiteList = {
  users: [{ userId: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d10', name: 'Alice', department: 'Surgery' }],
  departments: ['Clinic/Surgery'],
  numbers: ['+861012345678'],
};

export const whiteList = {
  read: route({
    method: 'GET',
    path: `${API_BASE}/meetings/whiteList/:id`,
    summary: 'Who may enter a meeting without being invited, for those who manage it.',
    callers: ['user'],
    input: { params: byId },
    data: whiteListData,
    errors: [],
    example: { params: { id: exampleMeetingId }, data: exampleWhiteList },
  }),
  write: route({
    method: 'POST',
    path: `${API_BASE}/meetings/whiteList/:id`,
    summary: 'Says anew who may enter a meeting without being invited; whoever is left out no longer may.',
    callers: ['user'],
    audit: true,
    input: { params: byId, body: whiteListBody },
    data: whiteListData,
    errors: ['MEETING_ENDED', 'PARTICIPANT_UNKNOWN'],
    example: {
      params: { id: exampleMeetingId },
      body: { userIds: [], departments: ['Clinic/Surgery'], numbers: [] },
      data: exampleWhiteList,
    },
  }),
};
