import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { officeLimit, route } from '../http/route.ts';
import { exampleLoginUser, loginUser } from './auth.ts';
import { ssoChoice, type SsoChoice } from './sign-in.ts';

/** A sign-in at an identity provider must be finished within this time, ms. */
export const SSO_LIFETIME = 600_000;

const SSO = '/api/sso';
const OWN = `${API_BASE}/sso`;
const params = z.object({ providerId: z.uuid() });
const secret = z.string().min(1).max(100);
/** What identity providers send back; the codes of some are long. */
const sent = z.string().max(6_000).optional();
/** A path of the app, never another site (ownPath in the web app). */
const redirect = z
  .string()
  .max(1_000)
  .regex(/^\/(?![/\\])/)
  .default('/');

const started = z.object({
  /** The page of the identity provider to go to. */
  url: z.url(),
  state: z.string(),
  /** Kept by the page that goes there: who only has the answer of the identity provider cannot use it. */
  secret: z.string(),
});
const answer = z.object({
  state: secret,
  secret,
  code: sent,
  /** Of CAS, in place of `code`. */
  ticket: sent,
  /** The issuer, if the identity provider names itself (RFC 9207). */
  iss: sent,
});
export type SsoAnswer = z.input<typeof answer>;

const identity = z.object({
  id: z.uuid(),
  provider: ssoChoice,
  /** The person's account or mail address there. */
  label: z.string(),
  since: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export type SsoIdentity = z.infer<typeof identity>;
const identities = z.object({
  linked: z.array(identity),
  /** Identity providers that can be linked. */
  offered: z.array(ssoChoice),
  /** The account can also be entered in another way, so that the last identity may be unlinked. */
  hasOtherWay: z.boolean(),
});
export type SsoIdentities = z.infer<typeof identities>;

const id = '0198f6a2-1111-7c40-9a11-5b1f0e3c2d10';
const state = 'n3ZcQx1YzP0cQx1YzP0c';
const exampleProvider: SsoChoice = { id, name: 'North Hospital', kind: 'OIDC' };
const exampleStart = { url: `https://id.example.org/auth?state=${state}`, state, secret: 'q1YzP0cQx1YzP0cn3ZcQx' };
const exampleAnswer = { state, secret: exampleStart.secret, code: 'SplxlOBeZQQYbYS6WxSbIA' };
const exampleIdentities: SsoIdentities = {
  linked: [{ id, provider: exampleProvider, label: 'alice', since: '2026-11-20T09:00:00.000Z', lastUsedAt: null }],
  offered: [],
  hasOtherWay: true,
};
const failures = [
  'SSO_UNKNOWN',
  'SSO_EXPIRED',
  'SSO_UNREACHABLE',
  'SSO_REJECTED',
  'SSO_SETUP_WRONG',
  'SSO_NOT_MEMBER',
] as const;

/** Sign-in by identity providers of tenants, and the identities that are linked to the caller's account. */
export const sso = {
  start: route({
    method: 'POST',
    path: `${SSO}/start`,
    summary: 'Begins a sign-in at an identity provider. It ends within ten minutes, in the page that began it.',
    callers: ['anyone'],
    limit: officeLimit,
    input: { body: z.object({ providerId: z.uuid(), redirect }) },
    data: started,
    errors: ['SSO_UNKNOWN', 'SSO_UNREACHABLE', 'SSO_REJECTED'],
    example: { body: { providerId: id, redirect: '/myMeeting' }, data: exampleStart },
  }),
  callback: route({
    method: 'GET',
    path: `${SSO}/callback`,
    summary: 'Where identity providers send the browser back to: leads to the page /sso with what they sent.',
    callers: ['anyone'],
    limit: officeLimit,
    download: true,
    input: {
      query: z.object({ state: sent, code: sent, iss: sent, ticket: sent, error: sent, authCode: sent }),
    },
    data: z.null(),
    errors: [],
    example: { query: { state, code: 'SplxlOBeZQQYbYS6WxSbIA' }, data: null },
  }),
  verifyToToken: route({
    method: 'POST',
    path: `${SSO}/verifyToToken`,
    summary: 'Signs in by the answer of an identity provider, once.',
    callers: ['anyone'],
    limit: officeLimit,
    input: { body: answer.extend({ deviceId: z.string().max(64).optional() }) },
    /** `redirect`: the path that was given at the start. */
    data: z.object({ token: z.string(), user: loginUser, redirect: z.string() }),
    errors: [
      ...failures,
      'SSO_NOT_KNOWN',
      'SSO_MAIL_REFUSED',
      'SSO_ACCOUNT_TAKEN',
      'QUOTA_USERS',
      'ACCOUNT_DISABLED',
      'TENANT_DISABLED',
      'SIGN_IN_MODE_OFF',
      'MULTI_AUTH_REQUIRED',
    ],
    example: {
      body: exampleAnswer,
      data: { token: 'q1YzP0c', user: exampleLoginUser, redirect: '/myMeeting' },
    },
  }),
  identities: route({
    method: 'GET',
    path: `${OWN}/identities`,
    summary: "The identities that are linked to the caller's account.",
    callers: ['user'],
    input: {},
    data: identities,
    errors: [],
    example: { data: exampleIdentities },
  }),
  startLink: route({
    method: 'POST',
    path: `${OWN}/identities/start`,
    summary: "Begins to link an identity to the caller's account, as `start` begins a sign-in.",
    callers: ['user'],
    limit: { by: 'caller', max: 30, seconds: 60 },
    input: { body: z.object({ providerId: z.uuid() }) },
    data: started,
    errors: ['SSO_UNKNOWN', 'SSO_UNREACHABLE', 'SSO_REJECTED'],
    example: { body: { providerId: id }, data: exampleStart },
  }),
  link: route({
    method: 'POST',
    path: `${OWN}/identities`,
    summary: "Links the identity of an answer to the caller's account, which began it.",
    callers: ['user'],
    audit: true,
    limit: { by: 'caller', max: 30, seconds: 60 },
    input: { body: answer },
    data: identities,
    errors: [...failures, 'SSO_MAIL_REFUSED', 'SSO_LINKED_ELSEWHERE'],
    example: { body: exampleAnswer, data: exampleIdentities },
  }),
  unlink: route({
    method: 'DELETE',
    path: `${OWN}/identities/:id`,
    summary: "Unlinks an identity from the caller's account. SSO_ONLY_WAY: without it, the account could not sign in.",
    callers: ['user'],
    audit: true,
    input: { params: z.object({ id: z.uuid() }) },
    data: identities,
    errors: ['SSO_ONLY_WAY'],
    example: { params: { id }, data: exampleIdentities },
  }),
  backchannelLogout: route({
    method: 'POST',
    path: `${SSO}/backchannel-logout/:providerId`,
    summary:
      'An identity provider ends the sessions that it opened: all of a person, or those of one of its own sessions ' +
      '(OpenID Connect Back-Channel Logout 1.0).',
    callers: ['anyone'],
    limit: officeLimit,
    form: true,
    input: {
      params: z.object({ providerId: z.uuid() }),
      body: z.object({ logout_token: z.string().min(1).max(10_000) }),
    },
    data: z.null(),
    errors: ['SSO_UNKNOWN', 'SSO_UNREACHABLE', 'SSO_LOGOUT_INVALID'],
    example: { params: { providerId: id }, body: { logout_token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln' }, data: null },
  }),
  samlMetadata: route({
    method: 'GET',
    path: `${SSO}/saml/:providerId/metadata`,
    summary: 'What a SAML identity provider must know of this product (SAML 2.0 Metadata).',
    callers: ['anyone'],
    limit: officeLimit,
    download: true,
    input: { params },
    data: z.null(),
    errors: ['SSO_UNKNOWN'],
    example: { params: { providerId: id }, data: null },
  }),
  samlAnswer: route({
    method: 'POST',
    path: `${SSO}/saml/:providerId/acs`,
    summary:
      'Where SAML identity providers send people with their answer (SAML 2.0 Bindings, section 3.5): leads to the ' +
      'page /sso with a code that replaces it, once. An answer that no browser waits for is refused.',
    callers: ['anyone'],
    limit: officeLimit,
    form: true,
    download: true,
    input: {
      params,
      body: z.object({ SAMLResponse: z.string().min(1).max(200_000), RelayState: z.string().max(100).default('') }),
    },
    data: z.null(),
    errors: ['SSO_UNKNOWN'],
    example: {
      params: { providerId: id },
      body: { SAMLResponse: 'PHNhbWxwOlJlc3BvbnNlLz4=', RelayState: state },
      data: null,
    },
  }),
  samlLogout: route({
    method: 'GET',
    path: `${SSO}/saml/:providerId/logout`,
    summary:
      'A SAML identity provider ends sessions here, and people come back from it after they signed out ' +
      '(SAML 2.0 Profiles, section 4.4).',
    callers: ['anyone'],
    limit: officeLimit,
    download: true,
    input: {
      params,
      query: z.object({
        SAMLRequest: z.string().max(20_000).optional(),
        SAMLResponse: z.string().max(20_000).optional(),
        RelayState: z.string().max(1_000).optional(),
        SigAlg: z.string().max(200).optional(),
        Signature: z.string().max(2_000).optional(),
      }),
    },
    data: z.null(),
    errors: ['SSO_UNKNOWN', 'SSO_LOGOUT_INVALID'],
    example: { params: { providerId: id }, query: { SAMLResponse: 'fZFBa4MwGIb' }, data: null },
  }),
  casCallback: route({
    method: 'GET',
    path: `${SSO}/cas/:providerId`,
    summary: 'Where CAS sends people back to (the service): leads to the page /sso with their ticket.',
    callers: ['anyone'],
    limit: officeLimit,
    download: true,
    input: { params, query: z.object({ state: sent, ticket: sent }) },
    data: z.null(),
    errors: [],
    example: { params: { providerId: id }, query: { state, ticket: 'ST-1-n3ZcQx1YzP0c' }, data: null },
  }),
  casLogout: route({
    method: 'POST',
    path: `${SSO}/cas/:providerId`,
    summary: 'CAS ends the session that a ticket of it opened (CAS Protocol 3.0, section 2.3.3).',
    callers: ['anyone'],
    limit: officeLimit,
    form: true,
    input: { params, body: z.object({ logoutRequest: z.string().min(1).max(20_000) }) },
    data: z.null(),
    errors: ['SSO_UNKNOWN', 'SSO_LOGOUT_INVALID'],
    example: { params: { providerId: id }, body: { logoutRequest: '<samlp:LogoutRequest/>' }, data: null },
  }),
};
