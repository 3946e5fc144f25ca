import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { officeLimit, route } from '../http/route.ts';
import { line } from '../line.ts';
import { exampleLoginUser, loginUser } from './auth.ts';

/** A challenge for a passkey works for this long, ms, and once. */
export const PASSKEY_CHALLENGE_LIFETIME = 300_000;
/** Passkeys of one account. */
export const PASSKEYS_MAX = 20;

const PASSKEYS = `${API_BASE}/passkeys`;
const SELF = `${PASSKEYS}/self`;

/** Bytes in base64url, without padding. */
const bytes = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[\w-]+$/);
/** Web Authentication allows 1,023 bytes. */
const credentialId = bytes(1_400);
const transports = z.array(z.string().max(20)).max(10);
const name = line().min(1).max(60);
const ticket = z.string().min(1).max(100);
/** The mark of the browser, to which a challenge is bound. */
const deviceId = z.string().min(16).max(64);

/**
 * Whether passkeys work at the address that the caller uses. `ip`: browsers refuse them at IP addresses; `insecure`:
 * the page is not loaded by https; `foreign`: the address is none of the configured ones.
 */
export const PASSKEY_PLACES = ['ok', 'ip', 'insecure', 'foreign'] as const;
export type PasskeyPlace = (typeof PASSKEY_PLACES)[number];

/** A passkey as its owner sees it. */
const passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The host name that it belongs to, and whether it works at the address of this call. */
  rpId: z.string(),
  isUsable: z.boolean(),
  /** Of the browser that added it. */
  userAgent: z.string(),
  /** Its provider keeps a copy of it, so that it also works on other devices and outlives this one. */
  isBackedUp: z.boolean(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export type Passkey = z.infer<typeof passkey>;

const ownPasskeys = z.object({
  passkeys: z.array(passkey),
  place: z.enum(PASSKEY_PLACES),
  /** Addresses at which passkeys can be used; empty if none is known. */
  urls: z.array(z.string()),
});
export type OwnPasskeys = z.infer<typeof ownPasskeys>;

const credential = z.object({ id: credentialId, type: z.literal('public-key'), transports });

/** PublicKeyCredentialCreationOptionsJSON of Web Authentication Level 3, as far as it is used. */
const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number().int() })),
  timeout: z.number().int(),
  excludeCredentials: z.array(credential),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type PasskeyCreationOptions = z.infer<typeof creationOptions>;

/** PublicKeyCredentialRequestOptionsJSON; without credentials the browser offers all that it has for the host name. */
const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number().int(),
  allowCredentials: z.array(credential),
  userVerification: z.enum(['required', 'preferred']),
});
export type PasskeyRequestOptions = z.infer<typeof requestOptions>;

/** RegistrationResponseJSON: the answer of `navigator.credentials.create`. */
const created = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes(4_000),
    attestationObject: bytes(20_000),
    transports: transports.optional(),
  }),
});
export type CreatedPasskey = z.infer<typeof created>;

/** AuthenticationResponseJSON: the answer of `navigator.credentials.get`. */
const used = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes(4_000),
    authenticatorData: bytes(4_000),
    signature: bytes(4_000),
    userHandle: bytes(100).nullish(),
  }),
});
export type UsedPasskey = z.infer<typeof used>;

const signedIn = z.object({ token: z.string(), user: loginUser });
const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d10';
const exampleChallenge = 'q1YzP0cQx1YzP0cn3ZcQxq1YzP0cQx1YzP0cn3ZcQx';
const exampleOwn = {
  passkeys: [
    {
      id: exampleId,
      name: 'Chrome · Windows',
      rpId: 'meet.example.org',
      isUsable: true,
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0',
      isBackedUp: false,
      createdAt: '2026-11-20T08:00:00.000Z',
      lastUsedAt: null,
    },
  ],
  place: 'ok',
  urls: ['https://meet.example.org'],
};
const exampleCreation = {
  rp: { id: 'meet.example.org', name: 'Rmeet' },
  user: { id: 'AZj2on5tfECaEVsfDjwtEA', name: 'alice', displayName: 'Alice' },
  challenge: exampleChallenge,
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: PASSKEY_CHALLENGE_LIFETIME,
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
};
const exampleCreated = {
  id: 'n3ZcQx1YzP0c',
  rawId: 'n3ZcQx1YzP0c',
  type: 'public-key',
  response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
};
const exampleUsed = {
  id: 'n3ZcQx1YzP0c',
  rawId: 'n3ZcQx1YzP0c',
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4',
    signature: 'MEUCIQDx',
    userHandle: 'AZj2on5tfECaEVsfDjwtEA',
  },
};
const exampleRequest = {
  challenge: exampleChallenge,
  rpId: 'meet.example.org',
  timeout: PASSKEY_CHALLENGE_LIFETIME,
  allowCredentials: [],
  userVerification: 'required',
};
const exampleDevice = '0d6f5c1e-3b1c-4f0a-9c57-8d0f6f1f6b11';
const everyAccount = { callers: ['user', 'operator'] } as const;
const ownLimit = { by: 'caller', max: 60, seconds: 60 } as const;
const SIGN_IN_ERRORS = [
  'PASSKEY_REFUSED',
  'PASSKEYS_UNAVAILABLE',
  'ACCOUNT_DISABLED',
  'TENANT_DISABLED',
  'SIGN_IN_MODE_OFF',
] as const;

/**
 * Passkeys (Web Authentication Level 3): as second factor, and as the only factor. Options and answers have the JSON
 * forms of the standard, so that `PublicKeyCredential.parseRequestOptionsFromJSON` and its like understand them.
 */
export const passkeys = {
  own: route({
    method: 'GET',
    path: SELF,
    ...everyAccount,
    summary: "The caller's passkeys, and whether passkeys work at the address of this call.",
    input: {},
    data: ownPasskeys,
    errors: [],
    example: { data: exampleOwn },
  }),
  startAdding: route({
    method: 'POST',
    path: `${SELF}/start`,
    ...everyAccount,
    stepUp: true,
    limit: ownLimit,
    summary: 'Options for a new passkey of the caller. Their challenge works for five minutes, once, in this session.',
    input: {},
    data: creationOptions,
    errors: ['PASSKEYS_UNAVAILABLE', 'TOO_MANY_PASSKEYS'],
    example: { data: exampleCreation },
  }),
  add: route({
    method: 'POST',
    path: SELF,
    ...everyAccount,
    audit: true,
    limit: ownLimit,
    summary:
      'Adds a passkey. With the first second factor of the account come codes for emergencies, which are shown in ' +
      'this answer only.',
    input: { body: z.object({ name, response: created }) },
    data: ownPasskeys.extend({ recoveryCodes: z.array(z.string()) }),
    errors: ['PASSKEY_REFUSED', 'PASSKEYS_UNAVAILABLE', 'TOO_MANY_PASSKEYS'],
    example: {
      body: { name: 'Chrome · Windows', response: exampleCreated },
      data: { ...exampleOwn, recoveryCodes: ['K7QWM-2XQE4'] },
    },
  }),
  rename: route({
    method: 'PUT',
    path: `${SELF}/:id`,
    ...everyAccount,
    stepUp: true,
    audit: true,
    summary: "Renames one of the caller's passkeys.",
    input: { params: z.object({ id: z.uuid() }), body: z.object({ name }) },
    data: ownPasskeys,
    errors: [],
    example: { params: { id: exampleId }, body: { name: 'Laptop' }, data: exampleOwn },
  }),
  remove: route({
    method: 'DELETE',
    path: `${SELF}/:id`,
    ...everyAccount,
    stepUp: true,
    audit: true,
    summary:
      "Removes one of the caller's passkeys; with the last second factor also the codes for emergencies and the " +
      'remembered devices.',
    input: { params: z.object({ id: z.uuid() }) },
    data: ownPasskeys,
    errors: ['FACTOR_DEMANDED'],
    example: { params: { id: exampleId }, data: { ...exampleOwn, passkeys: [] } },
  }),
  startSignIn: route({
    method: 'POST',
    path: `${PASSKEYS}/sign-in/start`,
    callers: ['anyone'],
    limit: officeLimit,
    summary: 'Options for a sign-in by a passkey alone. Their challenge works for five minutes, once, in this browser.',
    input: { body: z.object({ deviceId }) },
    data: requestOptions,
    errors: ['PASSKEYS_UNAVAILABLE'],
    example: { body: { deviceId: exampleDevice }, data: exampleRequest },
  }),
  signIn: route({
    method: 'POST',
    path: `${PASSKEYS}/sign-in`,
    callers: ['anyone'],
    limit: officeLimit,
    summary:
      'Signs in by a passkey alone, whose device has verified the person (fingerprint, face, PIN). No further factor ' +
      'is asked, unless the organisation wants one.',
    input: { body: z.object({ deviceId, response: used }) },
    data: signedIn,
    errors: [...SIGN_IN_ERRORS, 'MULTI_AUTH_REQUIRED'],
    example: {
      body: { deviceId: exampleDevice, response: exampleUsed },
      data: { token: 'q1YzP0c', user: exampleLoginUser },
    },
  }),
  startFactor: route({
    method: 'POST',
    path: `${PASSKEYS}/factor/start`,
    callers: ['anyone'],
    limit: officeLimit,
    summary: 'Options for the second step of a sign-in (MULTI_AUTH_REQUIRED) by a passkey.',
    input: { body: z.object({ ticket, deviceId: z.string().max(64).optional() }) },
    data: requestOptions,
    errors: ['FACTOR_TICKET_INVALID', 'PASSKEYS_UNAVAILABLE'],
    example: {
      body: { ticket: exampleChallenge },
      data: {
        ...exampleRequest,
        allowCredentials: [{ id: 'n3ZcQx1YzP0c', type: 'public-key', transports: ['internal'] }],
        userVerification: 'preferred',
      },
    },
  }),
  checkFactor: route({
    method: 'POST',
    path: `${PASSKEYS}/factor`,
    callers: ['anyone'],
    limit: officeLimit,
    summary: 'Ends the second step of a sign-in by a passkey. A ticket ends after five that are not right.',
    input: {
      body: z.object({
        ticket,
        remember: z.boolean().default(false),
        deviceId: z.string().max(64).optional(),
        response: used,
      }),
    },
    data: signedIn,
    errors: [...SIGN_IN_ERRORS, 'FACTOR_TICKET_INVALID'],
    example: {
      body: { ticket: exampleChallenge, response: exampleUsed },
      data: { token: 'q1YzP0c', user: exampleLoginUser },
    },
  }),
  startEnrolment: route({
    method: 'POST',
    path: `${PASSKEYS}/enrol/start`,
    callers: ['anyone'],
    limit: officeLimit,
    summary: 'Options for the first passkey of an account that must have a second factor before it can sign in.',
    input: { body: z.object({ ticket, deviceId: z.string().max(64).optional() }) },
    data: creationOptions,
    errors: ['FACTOR_TICKET_INVALID', 'PASSKEYS_UNAVAILABLE', 'TOO_MANY_PASSKEYS'],
    example: { body: { ticket: exampleChallenge }, data: exampleCreation },
  }),
  enrol: route({
    method: 'POST',
    path: `${PASSKEYS}/enrol`,
    callers: ['anyone'],
    audit: true,
    limit: officeLimit,
    summary: 'Adds that passkey, and signs in.',
    input: {
      body: z.object({
        ticket,
        name,
        remember: z.boolean().default(false),
        deviceId: z.string().max(64).optional(),
        response: created,
      }),
    },
    data: signedIn.extend({ recoveryCodes: z.array(z.string()) }),
    errors: [...SIGN_IN_ERRORS, 'FACTOR_TICKET_INVALID', 'TOO_MANY_PASSKEYS'],
    example: {
      body: { ticket: exampleChallenge, name: 'Chrome · Windows', response: exampleCreated },
      data: { token: 'q1YzP0c', user: exampleLoginUser, recoveryCodes: ['K7QWM-2XQE4'] },
    },
  }),
  startProof: route({
    method: 'POST',
    path: `${SELF}/proof/start`,
    ...everyAccount,
    limit: ownLimit,
    summary: 'Options for a proof by a passkey before a sensitive action.',
    input: {},
    data: requestOptions,
    errors: ['PASSKEYS_UNAVAILABLE'],
    example: { data: exampleRequest },
  }),
  prove: route({
    method: 'POST',
    path: `${SELF}/proof`,
    ...everyAccount,
    limit: ownLimit,
    summary: 'Proves again who holds the session, by a passkey (as multiauth.prove). Counts for ten minutes.',
    input: { body: z.object({ response: used }) },
    data: z.object({ until: z.iso.datetime() }),
    errors: ['PASSKEY_REFUSED', 'PASSKEYS_UNAVAILABLE'],
    example: { body: { response: exampleUsed }, data: { until: '2026-11-20T09:10:00.000Z' } },
  }),
};
