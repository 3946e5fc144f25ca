import { z } from 'zod';
import { API_BASE, LOCALES } from '../constants.ts';
import { officeLimit, route } from '../http/route.ts';
import { exampleLoginUser, loginUser } from './auth.ts';
import { branding, passwordRules } from './users.ts';

/** A link in an invitation works for this long, ms. */
export const INVITATION_LIFETIME = 7 * 24 * 60 * 60_000;

const INVITATIONS = `${API_BASE}/invitations`;
const secret = z.string().min(1).max(100);
const exampleSecret = 'q1YzP0cQx1YzP0cn3ZcQx';

/** Invited people set their first password. `secret` is from the link in the mail. */
export const invitations = {
  read: route({
    method: 'POST',
    path: `${INVITATIONS}/read`,
    summary: 'Who is invited, by which organisation, and the rules for the password.',
    callers: ['anyone'],
    limit: officeLimit,
    input: { body: z.object({ secret }) },
    data: z.object({
      account: z.string(),
      name: z.string(),
      locale: z.enum(LOCALES),
      branding,
      passwordRules,
      expiresAt: z.iso.datetime(),
    }),
    errors: ['INVITATION_INVALID', 'ACCOUNT_DISABLED', 'TENANT_DISABLED', 'SIGN_IN_MODE_OFF'],
    example: {
      body: { secret: exampleSecret },
      data: {
        account: 'alice',
        name: 'Alice',
        locale: 'zh',
        branding: { name: 'demo', logoUrl: null, colour: null },
        passwordRules: { minLength: 8, minClasses: 2, history: 3, maxAgeDays: null },
        expiresAt: '2026-11-27T08:00:00.000Z',
      },
    },
  }),
  accept: route({
    method: 'POST',
    path: `${INVITATIONS}/accept`,
    summary:
      'Sets the password of an invited account and signs it in, once. `password` is encrypted as for the sign-in. A ' +
      'link stays valid after a password that the rules refuse.',
    callers: ['anyone'],
    limit: officeLimit,
    input: {
      body: z.object({ secret, password: z.string().min(1).max(2_000), deviceId: z.string().max(64).optional() }),
    },
    data: z.object({ token: z.string(), user: loginUser }),
    errors: [
      'INVITATION_INVALID',
      'PASSWORD_UNREADABLE',
      'PASSWORD_TOO_WEAK',
      'PASSWORD_REUSED',
      'ACCOUNT_DISABLED',
      'TENANT_DISABLED',
      'SIGN_IN_MODE_OFF',
      'MULTI_AUTH_REQUIRED',
    ],
    example: {
      body: { secret: exampleSecret, password: 'bWFkZSBieSBSU0EtT0FFUA==' },
      data: { token: 'q1YzP0c', user: exampleLoginUser },
    },
  }),
};
