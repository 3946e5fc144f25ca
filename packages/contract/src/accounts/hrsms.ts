import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { officeLimit, route } from '../http/route.ts';
import { decodeContact, PHONE_PATTERN } from '../meetings/contacts.ts';
import { exampleLoginUser, loginUser } from './auth.ts';

/** A code that was sent works for this long, ms. */
export const CODE_LIFETIME = 300_000;
/** And for so many tries. */
export const CODE_TRIES = 5;
/** Before another one can be sent to the same number from the same address, seconds. */
export const CODE_PAUSE = 60;

const SMS = `${API_BASE}/hrsms`;
/** A phone number as people type it, or encoded as in other calls. */
const phoneNumber = z
  .string()
  .max(200)
  .transform((text) => (PHONE_PATTERN.test(text.trim()) ? text.trim() : decodeContact(text)))
  .pipe(z.string().regex(PHONE_PATTERN));
const code = z.string().regex(/^\d{6}$/);
const ticket = z.string().min(1).max(100);
/** The id or the name of the account's tenant. */
const tenantUri = z.string().trim().min(1).max(100).optional();
const deviceId = z.string().max(64).optional();
const example = { phoneNumber: '13800138000', code: '493817', ticket: 'q1YzP0cQx1YzP0cn3ZcQx' };

/**
 * Sign-in and new passwords by codes in text messages. `ticket` is the secret of the browser that asked for the code: a
 * code is compared only together with it, so others cannot use up its tries.
 */
export const hrsms = {
  sendCode: route({
    method: 'GET',
    path: `${SMS}/send/code`,
    summary:
      'Sends a code to the phone of an account. Unknown numbers are answered alike. `seconds`: until another one can ' +
      'be sent.',
    callers: ['anyone'],
    limit: officeLimit,
    input: { query: z.object({ phoneNumber, tenantUri, deviceId }) },
    data: z.object({ ticket: z.string(), seconds: z.number().int(), expiresAt: z.iso.datetime() }),
    errors: [],
    example: {
      query: { phoneNumber: '13800138000' },
      data: { ticket: example.ticket, seconds: CODE_PAUSE, expiresAt: '2026-11-20T09:05:00.000Z' },
    },
  }),
  login: route({
    method: 'POST',
    path: `${SMS}/login`,
    summary: 'Signs in by a code, once.',
    callers: ['anyone'],
    limit: officeLimit,
    input: { body: z.object({ phoneNumber, code, ticket, deviceId }) },
    data: z.object({ token: z.string(), user: loginUser }),
    errors: ['CODE_WRONG', 'MULTI_AUTH_REQUIRED', 'ACCOUNT_DISABLED', 'TENANT_DISABLED', 'SIGN_IN_MODE_OFF'],
    example: { body: example, data: { token: 'q1YzP0c', user: exampleLoginUser } },
  }),
  setPassword: route({
    method: 'POST',
    path: `${SMS}/set/password`,
    summary:
      'Sets a new password by a code. `password` is encrypted as for sign-in. A code stays valid after a password ' +
      'that the rules refuse.',
    callers: ['anyone'],
    limit: officeLimit,
    input: { body: z.object({ phoneNumber, code, ticket, password: z.string().min(1).max(2_000) }) },
    /** The account that has it now, to sign in with. */
    data: z.object({ account: z.string(), tenantId: z.uuid() }),
    errors: [
      'CODE_WRONG',
      'PASSWORD_UNREADABLE',
      'PASSWORD_TOO_WEAK',
      'PASSWORD_REUSED',
      'PASSWORD_IN_DIRECTORY',
      'ACCOUNT_DISABLED',
      'TENANT_DISABLED',
      'SIGN_IN_MODE_OFF',
    ],
    example: {
      body: { ...example, password: 'bWFkZSBieSBSU0EtT0FFUA==' },
      data: { account: 'alice', tenantId: exampleLoginUser.tenantId },
    },
  }),
};
