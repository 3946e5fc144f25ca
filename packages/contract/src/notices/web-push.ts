import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { route } from '../http/route.ts';

/** A browser's address at its push service, which is a secret: it appears in bodies only. */
const endpoint = z.url({ protocol: /^https?$/ }).max(2_000);
const exampleEndpoint = 'https://push.example.org/send/4f1c9b';

/**
 * What the service worker receives (RFC 8030), encrypted for its browser (RFC 8291).
 *
 * `path`: page of the app that a click opens; `tag`: a later notification with the same tag replaces this one;
 * `until`: for a call, when it stops ringing, otherwise null.
 */
export interface WebPushMessage {
  title: string;
  body: string;
  path: string;
  tag: string;
  until: string | null;
}

/** Notifications by Web Push: rings and reminders for browsers in which the app is not open. */
export const webPush = {
  key: route({
    method: 'GET',
    path: `${API_BASE}/web-push`,
    callers: ['user'],
    summary: "The public key of this server for a browser's push service (VAPID, RFC 8292).",
    input: {},
    data: z.object({ publicKey: z.string() }),
    errors: [],
    example: {
      data: { publicKey: 'BIPUL12DLfytvTajnryr2PRdAgXS3HGKiLqndGcJGabyhHheJYlNGCeXl1dn18gSJ1WAkAPIxr4gK0_dQds4yiI' },
    },
  }),
  subscribe: route({
    method: 'POST',
    path: `${API_BASE}/web-push/subscribe`,
    callers: ['user'],
    summary: "Sends the caller's rings and reminders to this browser, too, until this sign-in ends.",
    limit: { by: 'caller', max: 20, seconds: 60 },
    input: {
      body: z.object({
        endpoint,
        /** An uncompressed P-256 point, 65 bytes, and 16 random bytes, base64url without padding. */
        p256dh: z.string().regex(/^[\w-]{87}$/),
        auth: z.string().regex(/^[\w-]{22}$/),
      }),
    },
    data: z.null(),
    errors: ['PUSH_SERVICE_FORBIDDEN'],
    example: {
      body: {
        endpoint: exampleEndpoint,
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
      data: null,
    },
  }),
  unsubscribe: route({
    method: 'POST',
    path: `${API_BASE}/web-push/unsubscribe`,
    callers: ['user'],
    summary: "Stops the caller's notifications for this browser.",
    input: { body: z.object({ endpoint }) },
    data: z.null(),
    errors: [],
    example: { body: { endpoint: exampleEndpoint }, data: null },
  }),
};
