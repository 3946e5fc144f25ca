import { z } from 'zod';
import { admission, exampleAdmission } from '../conferences/conferences.ts';
import { API_BASE, DEVICE_TYPE_CODES, DEVICE_TYPES, LIMITS } from '../constants.ts';
import { officeLimit, route } from '../http/route.ts';
import { line } from '../line.ts';
import { numericId } from './meeting-types.ts';

/** How long a host key is valid, seconds. */
export const HOST_KEY_SECONDS = 60;

/** One-time keys with which a host starts a meeting from an outside client (docs/features/host-keys.md). */
export const hostKeys = {
  getHostZak: route({
    method: 'GET',
    path: `${API_BASE}/meetings/getHostZak`,
    callers: ['user'],
    limit: { by: 'caller', max: 30, seconds: 60 },
    summary:
      'A key with which a client without a sign-in starts the meeting as its host: once, within 60 s, and as long as ' +
      "the caller's session lasts. It replaces the caller's earlier key for the meeting.",
    input: { query: z.object({ numericId }) },
    data: z.object({ zak: z.string(), numericId, expiresAt: z.iso.datetime() }),
    errors: ['MEETING_ENDED'],
    example: {
      query: { numericId: '482913057' },
      data: { zak: 'n3ZcQx1YzP0c', numericId: '482913057', expiresAt: '2026-11-20T09:01:00.000Z' },
    },
  }),
  startByZak: route({
    method: 'POST',
    path: `${API_BASE}/meetings/startByZak`,
    callers: ['anyone'],
    limit: officeLimit,
    summary:
      'Starts a meeting, or enters it, as the host who got the key, also before its start time. The key is used up, ' +
      'whether the host gets in or not.',
    input: {
      body: z.object({
        numericId,
        zak: z.string().min(1).max(100),
        /** The name in the meeting; by default that of the account. */
        name: line().max(LIMITS.displayName).optional(),
        /** The client has the key of the meeting. A meeting with end-to-end encryption requires it. */
        e2ee: z.boolean().default(false),
        deviceId: z.string().max(100).optional(),
        deviceType: z
          .number()
          .int()
          .refine((code) => (DEVICE_TYPE_CODES as number[]).includes(code))
          .default(DEVICE_TYPES.pc),
      }),
    },
    data: admission,
    errors: [
      'HOST_KEY_INVALID',
      'MEETING_NUMBER_UNKNOWN',
      'MEETING_ENDED',
      'MEETING_CANCELLED',
      'MEETING_NOT_APPROVED',
      'MEETING_IS_LOCAL',
      'MEETING_WITHOUT_CONFERENCE',
      'E2EE_KEY_REQUIRED',
      'MEDIA_UNAVAILABLE',
      'QUOTA_TERMINALS',
      'TERMINAL_REMOVED',
    ],
    example: { body: { numericId: '482913057', zak: 'n3ZcQx1YzP0c' }, data: exampleAdmission },
  }),
};
