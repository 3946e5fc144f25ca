import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { officeLimit, route } from '../http/route.ts';
import { exampleLoginUser, loginUser } from './auth.ts';

/** A QR code works for this long, ms: one that was photographed is soon worthless. */
export const QR_LIFETIME = 120_000;
/** Longest wait for an answer to `authExecute`, ms. */
const LONGEST_WAIT = QR_LIFETIME + 10_000;

/**
 * `scanned`: a phone shows the question; `refused`: it was answered with no; `expired`: also one that is unknown, or
 * was used.
 */
export const QR_STATES = ['waiting', 'scanned', 'confirmed', 'refused', 'expired'] as const;
export type QrState = (typeof QR_STATES)[number];

const SCAN = `${API_BASE}/scan-logon`;
const secret = z.string().min(1).max(100);
const id = 'q1YzP0cQx1YzP0cn3ZcQx';
const code = 'n3ZcQx1YzP0cQx1YzP0c';

/** Sign-in on a computer by a QR code that a signed-in phone scans and confirms. */
export const scanLogon = {
  getAuthQr: route({
    method: 'POST',
    path: `${SCAN}/getAuthQr`,
    summary:
      'A QR code for the sign-in page. `content` is what the picture contains: the address of the page that asks the ' +
      'phone. `id` is the secret of the browser that shows it: who only sees the picture cannot sign in.',
    callers: ['anyone'],
    limit: officeLimit,
    input: {},
    data: z.object({ id: z.string(), content: z.url(), expiresAt: z.iso.datetime() }),
    errors: [],
    example: {
      data: { id, content: `https://meet.example.org/#/scan?code=${code}`, expiresAt: '2026-11-20T09:02:00.000Z' },
    },
  }),
  authExecute: route({
    method: 'POST',
    path: `${SCAN}/authExecute`,
    summary:
      'Waits until the state of a QR code is another one than `known`, at the latest until it expires. A browser ' +
      'whose connection was cut asks again.',
    callers: ['anyone'],
    limit: officeLimit,
    timeout: LONGEST_WAIT,
    input: { body: z.object({ id: secret, known: z.enum(QR_STATES).default('waiting') }) },
    /** `name`: of the account whose phone scanned it; empty before. */
    data: z.object({ state: z.enum(QR_STATES), name: z.string() }),
    errors: [],
    example: { body: { id }, data: { state: 'scanned', name: 'Alice' } },
  }),
  login: route({
    method: 'POST',
    path: `${SCAN}/login`,
    summary: 'Signs in by a confirmed QR code, once.',
    callers: ['anyone'],
    limit: officeLimit,
    input: { body: z.object({ id: secret, deviceId: z.string().max(64).optional() }) },
    data: z.object({ token: z.string(), user: loginUser }),
    errors: ['QR_INVALID', 'MULTI_AUTH_REQUIRED', 'ACCOUNT_DISABLED', 'TENANT_DISABLED', 'SIGN_IN_MODE_OFF'],
    example: { body: { id }, data: { token: 'q1YzP0c', user: exampleLoginUser } },
  }),
  scan: route({
    method: 'POST',
    path: `${SCAN}/scan`,
    summary:
      'A phone has scanned the code: which browser asks, and from where. The code belongs to this account from now on.',
    callers: ['user'],
    limit: { by: 'caller', max: 30, seconds: 60 },
    input: { body: z.object({ code: secret }) },
    data: z.object({
      address: z.string(),
      userAgent: z.string(),
      askedAt: z.iso.datetime(),
      expiresAt: z.iso.datetime(),
    }),
    errors: ['QR_INVALID'],
    example: {
      body: { code },
      data: {
        address: '10.1.2.3',
        userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0',
        askedAt: '2026-11-20T09:00:00.000Z',
        expiresAt: '2026-11-20T09:02:00.000Z',
      },
    },
  }),
  answer: route({
    method: 'POST',
    path: `${SCAN}/answer`,
    summary: 'Confirms or refuses the sign-in of a code that the caller has scanned.',
    callers: ['user'],
    limit: { by: 'caller', max: 30, seconds: 60 },
    input: { body: z.object({ code: secret, accept: z.boolean() }) },
    data: z.null(),
    errors: ['QR_INVALID'],
    example: { body: { code, accept: true }, data: null },
  }),
};
