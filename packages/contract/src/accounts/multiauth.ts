import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { officeLimit, route } from '../http/route.ts';
import { exampleLoginUser, loginUser } from './auth.ts';
import { CODE_WAYS, initialSecondFactor, secondFactorSettings, SENT_WAYS, type FactorWay } from './second-factor.ts';

/** How long a sign-in waits for its second factor, ms. */
export const FACTOR_TICKET_LIFETIME = 600_000;
/** Codes that are compared for one sign-in. */
export const FACTOR_TRIES = 5;
/** Before another code can be sent for the same sign-in, seconds. */
export const FACTOR_CODE_PAUSE = 60;
/** How long a device stays remembered. */
export const REMEMBERED_DAYS = 30;
/** How long a session counts as proven after a password or a factor, ms. */
export const PROOF_LIFETIME = 600_000;
/** The number of codes for emergencies. */
export const RECOVERY_CODES = 10;

/** The `data` of MULTI_AUTH_REQUIRED: the first way to sign in was right, the second is missing. */
export interface FactorDemand {
  /** Belongs to this sign-in of this browser. */
  ticket: string;
  ways: FactorWay[];
  /** Whether the browser can be remembered for REMEMBERED_DAYS. */
  canRemember: boolean;
  /** There is no way yet: the account must set one up first, with this ticket. */
  enrol?: true;
}

const MULTIAUTH = `${API_BASE}/multiauth`;
const SELF = `${MULTIAUTH}/self`;
const ticket = z.string().min(1).max(100);
const code = z.string().trim().min(1).max(20);
const deviceId = z.string().max(64).optional();
const sixDigits = z
  .string()
  .transform((typed) => typed.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/));

const signedIn = z.object({ token: z.string(), user: loginUser });
/** A new secret for an authenticator app: in base32, and as an `otpauth:` URI for its QR code. */
const totpSecret = z.object({ secret: z.string(), uri: z.string() });
export type TotpSecret = z.infer<typeof totpSecret>;
/** Shown this once; each works once. */
const recoveryCodes = z.array(z.string());

/** A browser on which the second factor is not asked. */
const rememberedDevice = z.object({
  id: z.uuid(),
  userAgent: z.string(),
  address: z.string(),
  rememberedAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type RememberedDevice = z.infer<typeof rememberedDevice>;

/** The caller's own factors. */
export const ownFactors = z.object({
  /** When the authenticator app was added; null without one. */
  totpSince: z.iso.datetime().nullable(),
  /** Their number; passkeys.own lists them. */
  passkeys: z.number().int(),
  recoveryLeft: z.number().int(),
  /** Ways by which codes can be sent. */
  codes: z.array(z.enum(SENT_WAYS)),
  /** Whether the organisation demands a factor of the caller, so that the last one cannot be removed. */
  isDemanded: z.boolean(),
  /** Whether a mail is sent about a sign-in on a new device. */
  signInMail: z.boolean(),
  devices: z.array(rememberedDevice),
});
export type OwnFactors = z.infer<typeof ownFactors>;

const exampleTicket = 'q1YzP0cQx1YzP0cn3ZcQx';
const exampleSecret = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Rmeet:alice?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Rmeet',
};
const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d10';
const exampleCodes = ['K7QWM-2XQE4'];
const exampleOwn = {
  totpSince: '2026-11-20T08:00:00.000Z',
  passkeys: 0,
  recoveryLeft: 10,
  codes: [],
  isDemanded: false,
  signInMail: true,
  devices: [],
};
const everyAccount = { callers: ['user', 'operator'] } as const;
const ownLimit = { by: 'caller', max: 20, seconds: 60 } as const;
const TICKET_ERRORS = [
  'FACTOR_TICKET_INVALID',
  'CODE_WRONG',
  'ACCOUNT_DISABLED',
  'TENANT_DISABLED',
  'SIGN_IN_MODE_OFF',
] as const;

/**
 * The second factor. A sign-in that needs one answers MULTI_AUTH_REQUIRED with a ticket (FactorDemand), whatever way it
 * was; the ticket is exchanged here for the session. `deviceId` is the mark that the sign-in was sent with.
 */
export const multiauth = {
  sendCode: route({
    method: 'GET',
    path: `${MULTIAUTH}/send/code`,
    summary: 'Sends a code by mail or text message. `sentTo` is masked; `seconds`: until another one can be sent.',
    callers: ['anyone'],
    limit: officeLimit,
    input: { query: z.object({ ticket, way: z.enum(SENT_WAYS), deviceId }) },
    data: z.object({ seconds: z.number().int(), sentTo: z.string() }),
    errors: ['FACTOR_TICKET_INVALID'],
    example: {
      query: { ticket: exampleTicket, way: 'MAIL' },
      data: { seconds: FACTOR_CODE_PAUSE, sentTo: 'a***@example.org' },
    },
  }),
  checkCode: route({
    method: 'GET',
    path: `${MULTIAUTH}/check/code`,
    summary: 'Signs in by a code of the second factor. A ticket ends after five wrong codes.',
    callers: ['anyone'],
    limit: officeLimit,
    input: {
      query: z.object({ ticket, way: z.enum(CODE_WAYS), code, remember: z.stringbool().default(false), deviceId }),
    },
    data: signedIn,
    errors: TICKET_ERRORS,
    example: {
      query: { ticket: exampleTicket, way: 'TOTP', code: '493817' },
      data: { token: 'q1YzP0c', user: exampleLoginUser },
    },
  }),
  startEnrolment: route({
    method: 'POST',
    path: `${MULTIAUTH}/enrol/start`,
    summary: 'A secret for the authenticator app of an account that must have one before it can sign in.',
    callers: ['anyone'],
    limit: officeLimit,
    input: { body: z.object({ ticket, deviceId }) },
    data: totpSecret,
    errors: ['FACTOR_TICKET_INVALID'],
    example: { body: { ticket: exampleTicket }, data: exampleSecret },
  }),
  enrol: route({
    method: 'POST',
    path: `${MULTIAUTH}/enrol`,
    summary: 'Adds the authenticator app, by its first code, and signs in.',
    callers: ['anyone'],
    audit: true,
    limit: officeLimit,
    input: { body: z.object({ ticket, code: sixDigits, remember: z.boolean().default(false), deviceId }) },
    data: signedIn.extend({ recoveryCodes }),
    errors: TICKET_ERRORS,
    example: {
      body: { ticket: exampleTicket, code: '493817' },
      data: { token: 'q1YzP0c', user: exampleLoginUser, recoveryCodes: exampleCodes },
    },
  }),
  own: route({
    method: 'GET',
    path: SELF,
    ...everyAccount,
    summary: "The caller's own factors and remembered devices.",
    input: {},
    data: ownFactors,
    errors: [],
    example: { data: exampleOwn },
  }),
  startTotp: route({
    method: 'POST',
    path: `${SELF}/totp/start`,
    ...everyAccount,
    stepUp: true,
    limit: ownLimit,
    summary: "A secret for the caller's authenticator app. It has no effect before its first code.",
    input: {},
    data: totpSecret,
    errors: [],
    example: { data: exampleSecret },
  }),
  addTotp: route({
    method: 'POST',
    path: `${SELF}/totp`,
    ...everyAccount,
    audit: true,
    limit: ownLimit,
    summary: 'Adds the authenticator app by its first code, in place of the one before; new codes for emergencies.',
    input: { body: z.object({ code: sixDigits }) },
    data: z.object({ recoveryCodes }),
    errors: ['CODE_WRONG'],
    example: { body: { code: '493817' }, data: { recoveryCodes: exampleCodes } },
  }),
  removeTotp: route({
    method: 'DELETE',
    path: `${SELF}/totp`,
    ...everyAccount,
    stepUp: true,
    audit: true,
    summary: 'Removes the authenticator app, the codes for emergencies and the remembered devices.',
    input: {},
    data: ownFactors,
    errors: ['FACTOR_DEMANDED'],
    example: { data: { ...exampleOwn, totpSince: null, recoveryLeft: 0 } },
  }),
  renewRecovery: route({
    method: 'POST',
    path: `${SELF}/recovery`,
    ...everyAccount,
    stepUp: true,
    audit: true,
    limit: ownLimit,
    summary: 'New codes for emergencies; the ones before no longer work.',
    input: {},
    data: z.object({ recoveryCodes }),
    errors: [],
    example: { data: { recoveryCodes: exampleCodes } },
  }),
  setSignInMail: route({
    method: 'PUT',
    path: `${SELF}/sign-in-mail`,
    ...everyAccount,
    audit: true,
    summary: 'Whether the caller gets a mail about sign-ins on new devices.',
    input: { body: z.object({ enabled: z.boolean() }) },
    data: ownFactors,
    errors: [],
    example: { body: { enabled: false }, data: { ...exampleOwn, signInMail: false } },
  }),
  forgetDevice: route({
    method: 'DELETE',
    path: `${SELF}/devices/:id`,
    ...everyAccount,
    audit: true,
    summary: 'Ends a remembered device: its next sign-in asks for the second factor.',
    input: { params: z.object({ id: z.uuid() }) },
    data: ownFactors,
    errors: [],
    example: { params: { id: exampleId }, data: exampleOwn },
  }),
  prove: route({
    method: 'POST',
    path: `${SELF}/proof`,
    ...everyAccount,
    limit: ownLimit,
    summary:
      'Proves again who holds the session, before an act that needs it (STEP_UP_REQUIRED): by the password, ' +
      'encrypted as for the sign-in, or by a code of the second factor. Counts for ten minutes.',
    input: {
      body: z.union([
        z.object({ password: z.string().min(1).max(2_000) }),
        z.object({ way: z.enum(['TOTP', 'RECOVERY']), code }),
      ]),
    },
    data: z.object({ until: z.iso.datetime() }),
    errors: ['PASSWORD_WRONG', 'PASSWORD_UNREADABLE', 'CODE_WRONG'],
    example: { body: { way: 'TOTP', code: '493817' }, data: { until: '2026-11-20T09:10:00.000Z' } },
  }),
  reset: route({
    method: 'POST',
    path: `${MULTIAUTH}/reset`,
    ...everyAccount,
    permission: 'users:manage',
    stepUp: true,
    audit: true,
    summary: 'Removes all factors of a user, who gets a message. The next sign-in sets new ones up if they are needed.',
    input: { body: z.object({ tenantId: z.uuid().optional(), id: z.uuid() }) },
    data: z.null(),
    errors: ['TENANT_REQUIRED', 'OWN_ACCOUNT'],
    example: { body: { id: exampleId }, data: null },
  }),
  platformSettings: route({
    method: 'GET',
    path: `${MULTIAUTH}/platform`,
    callers: ['operator'],
    permission: 'operators:manage',
    summary: "When the platform's staff are asked for a second factor.",
    input: {},
    data: secondFactorSettings,
    errors: [],
    example: { data: initialSecondFactor },
  }),
  setPlatformSettings: route({
    method: 'PUT',
    path: `${MULTIAUTH}/platform`,
    callers: ['operator'],
    permission: 'operators:manage',
    stepUp: true,
    audit: true,
    summary: "Changes when the platform's staff are asked for a second factor; super administrators only.",
    input: { body: secondFactorSettings },
    data: secondFactorSettings,
    errors: [],
    example: { body: initialSecondFactor, data: initialSecondFactor },
  }),
};
