import { z } from 'zod';
import { deskAccess } from '../conferences/desk.ts';
import { API_BASE, LOCALES } from '../constants.ts';
import { officeLimit, route } from '../http/route.ts';
import { SIGN_IN_MODES, ssoChoice } from './sign-in.ts';

/** The signed-in account as the browser keeps it (storage key `loginUser`). */
export const loginUser = z.object({
  id: z.uuid(),
  account: z.string(),
  name: z.string(),
  tenantId: z.uuid(),
  tenantName: z.string(),
  isTenantAdmin: z.boolean(),
  locale: z.enum(LOCALES),
  /** `operator`: staff of the platform, who sign in at /admin/. */
  kind: z.enum(['user', 'operator']),
});
export type LoginUser = z.infer<typeof loginUser>;

export const exampleLoginUser = {
  id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d10',
  account: 'alice',
  name: 'Alice',
  tenantId: '0198f6a2-0000-7c40-9a11-5b1f0e3c2d10',
  tenantName: 'demo',
  isTenantAdmin: false,
  locale: 'zh',
  kind: 'user',
};

const account = z.string().trim().min(1).max(120);

/** The `data` of TENANT_AMBIGUOUS: the tenants in which this account name and password are valid. */
export interface TenantChoice {
  tenants: { tenantId: string; name: string }[];
}

/**
 * ALTCHA challenge: find the counter for which the key, derived from nonce and counter with the salt, begins with
 * `keyPrefix`.
 */
const captchaChallenge = z.object({
  parameters: z.object({
    algorithm: z.string(),
    nonce: z.string(),
    salt: z.string(),
    cost: z.number().int(),
    keyLength: z.number().int(),
    keyPrefix: z.string(),
  }),
});
export type CaptchaChallenge = z.infer<typeof captchaChallenge>;
const exampleChallenge: CaptchaChallenge = {
  parameters: {
    algorithm: 'PBKDF2/SHA-256',
    nonce: '9f86d081884c7d659a2feaa0c55ad015',
    salt: '5e884898da28047151d0e56f8dc62927',
    cost: 2_000,
    keyLength: 32,
    keyPrefix: '60303ae22b998861bce3b28f33eec1be',
  },
};

export const auth = {
  login: route({
    method: 'POST',
    path: '/api/login',
    summary: 'Signs in. `password` is RSA-OAEP-256 under the key of loginMode, base64.',
    callers: ['anyone'],
    limit: officeLimit,
    input: {
      body: z.object({
        account,
        password: z.string().min(1).max(2_000),
        /**
         * The id or the name (case-insensitive) of the account's tenant. Without it, the two oldest accounts of that
         * name are tried.
         */
        tenant: z.string().trim().min(1).max(100).optional(),
        captchaId: z.string().max(100).optional(),
        /** The solution of the challenge `captchaId`: the derived key, in hex. */
        captcha: z.string().max(100).optional(),
        /** A code of the second factor, if it is known to be asked: of the authenticator app, or for emergencies. */
        mfaCode: z.string().max(20).optional(),
        /** Replaces an expired `password` (PWD_EXPIRED); encrypted in the same way. */
        newPassword: z.string().min(1).max(2_000).optional(),
        /**
         * A random mark that the browser creates once and keeps; signing in ends the account's sessions on all other
         * devices.
         */
        deviceId: z.string().max(64).optional(),
      }),
    },
    data: z.object({ token: z.string(), user: loginUser }),
    errors: [
      'BAD_CREDENTIALS',
      'MULTI_AUTH_REQUIRED',
      'CODE_WRONG',
      'TENANT_AMBIGUOUS',
      'CAPTCHA_REQUIRED',
      'CAPTCHA_WRONG',
      'ACCOUNT_LOCKED',
      'ACCOUNT_DISABLED',
      'TENANT_DISABLED',
      'SIGN_IN_MODE_OFF',
      'TENANT_NEEDED',
      'DIRECTORY_UNREACHABLE',
      'DIRECTORY_LOCKED',
      'DIRECTORY_REFUSED',
      'DIRECTORY_PASSWORD_REFUSED',
      'PASSWORD_IN_DIRECTORY',
      'QUOTA_USERS',
      'PASSWORD_UNREADABLE',
      'PWD_EXPIRED',
      'PASSWORD_TOO_WEAK',
      'PASSWORD_REUSED',
    ],
    example: {
      body: { account: 'alice', password: 'bWFkZSBieSBSU0EtT0FFUA==' },
      data: { token: 'q1YzP0c', user: exampleLoginUser },
    },
  }),
  logout: route({
    method: 'GET',
    path: '/api/logout',
    summary: 'Ends the session of the token sent.',
    callers: ['user', 'operator'],
    input: {},
    /** `next`: where the identity provider that signed the account in ends its own session; null for others. */
    data: z.object({ next: z.url().nullable() }),
    errors: [],
    example: { data: { next: null } },
  }),
  loginMode: route({
    method: 'GET',
    path: `${API_BASE}/configs/public/LOGIN_MODE`,
    summary:
      'The sign-in modes offered to people of a tenant, the usual one first (`tenantUri`: its id or name; without ' +
      'it, or for an unknown one, those of the platform), the identity providers of mode SSO, and the public key ' +
      'passwords are encrypted under.',
    callers: ['anyone'],
    input: { query: z.object({ tenantUri: z.string().trim().max(100).optional() }) },
    data: z.object({ modes: z.array(z.enum(SIGN_IN_MODES)), providers: z.array(ssoChoice), publicKey: z.string() }),
    errors: [],
    example: {
      query: {},
      data: { modes: ['PASSWORD', 'QR'], providers: [], publicKey: '-----BEGIN PUBLIC KEY-----\n...' },
    },
  }),
  captcha: route({
    method: 'GET',
    path: `${API_BASE}/captcha`,
    summary:
      'A challenge that costs a program about a second of work (ALTCHA, proof of work version 2), valid five ' +
      'minutes and for one sign-in. The picture is for show: what it says solves nothing.',
    callers: ['anyone'],
    limit: officeLimit,
    input: {},
    data: z.object({
      captchaId: z.string(),
      image: z.string().describe('SVG as a data URL'),
      challenge: captchaChallenge,
    }),
    errors: [],
    example: {
      data: { captchaId: '5fb6c1', image: 'data:image/svg+xml;base64,PHN2Zy8+', challenge: exampleChallenge },
    },
  }),
  captchaRequired: route({
    method: 'GET',
    path: `${API_BASE}/captcha/isRequiredNew/:account`,
    summary: 'Whether the next sign-in of this account needs a captcha. Known and unknown accounts answer alike.',
    callers: ['anyone'],
    limit: officeLimit,
    input: { params: z.object({ account }) },
    data: z.boolean(),
    errors: [],
    example: { params: { account: 'alice' }, data: false },
  }),
  handover: route({
    method: 'POST',
    path: `${API_BASE}/auth/handover-tickets`,
    summary: 'A ticket that signs the caller in elsewhere, as in the desktop client: 60 s, used once.',
    callers: ['user', 'operator'],
    limit: { by: 'caller', max: 30, seconds: 60 },
    input: {},
    data: z.object({ sign: z.string(), expiresAt: z.iso.datetime() }),
    errors: [],
    example: { data: { sign: 'n3ZcQx1YzP0cQx1YzP0c', expiresAt: '2026-11-20T09:01:00.000Z' } },
  }),
  ticketToToken: route({
    method: 'POST',
    path: `${API_BASE}/meetings/web/ticketToToken`,
    summary: 'Exchanges a ticket, once, for a session of its account, or a desk link for a token of its desk.',
    callers: ['anyone'],
    limit: officeLimit,
    input: {
      query: z.object({ sign: z.string().max(200).optional() }),
      body: z.object({ sign: z.string().max(200).optional() }).optional(),
    },
    /** `user` and `token` of an account; for a desk link there is no user, but the desk it opens. */
    data: z.object({
      success: z.literal(true),
      token: z.string(),
      user: loginUser.nullable(),
      desk: deskAccess.nullable(),
    }),
    errors: ['SIGN_INVALID', 'DESK_LINK_INVALID', 'ACCOUNT_DISABLED', 'TENANT_DISABLED'],
    example: {
      query: { sign: 'n3ZcQx1YzP0cQx1YzP0c' },
      data: { success: true, token: 'q1YzP0c', user: exampleLoginUser, desk: null },
    },
  }),
};
