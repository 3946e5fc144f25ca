import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { route } from '../http/route.ts';
import { line } from '../line.ts';
import { SSO_KINDS } from './sign-in.ts';

/** How many identity providers a tenant may have. */
export const IDENTITY_PROVIDERS_MAX = 20;

const address = z.url({ protocol: /^https?$/ }).max(500);

/** An issuer; the address of its metadata, which people copy from, stands for it (OpenID Connect Discovery, 4). */
const issuer = address
  .overwrite((text) => text.replace(/\/\.well-known\/openid-configuration\/?$/, ''))
  .refine((text) => !text.includes('/.well-known/'));

/** How a client proves its identity to the token endpoint (RFC 6749, section 2.3); `none`: public clients. */
export const OIDC_CLIENT_AUTH = ['client_secret_basic', 'client_secret_post', 'none'] as const;

const oidcSettings = z.object({
  kind: z.literal('OIDC'),
  issuer,
  clientId: line().min(1).max(300),
  clientAuth: z.enum(OIDC_CLIENT_AUTH).default('client_secret_basic'),
  /** Scopes besides `openid`, separated by spaces. */
  scopes: line().max(300).default('profile email'),
  /** Signing out here also signs out there (OpenID Connect RP-Initiated Logout 1.0). */
  logout: z.boolean().default(true),
});
/** What is set for each kind of identity provider, apart from its secret. */
export const providerSettings = z.discriminatedUnion('kind', [oidcSettings]);
export type ProviderSettings = z.infer<typeof providerSettings>;

/** The details of an account that an identity provider can tell. */
export const SSO_FIELDS = ['account', 'name', 'email', 'phone', 'department'] as const;
export type SsoField = (typeof SSO_FIELDS)[number];

/** Who without a linked account may enter: no one, or an account is created. */
export const SSO_ADMISSIONS = ['known', 'create'] as const;
/** How an account is found at the first sign-in: only by an earlier link, by account name, or by verified mail. */
export const SSO_MATCHES = ['link', 'account', 'mail'] as const;

const claim = line().max(100);
/** Whom an identity provider signs in, and what it says about them. */
export const providerRules = z.object({
  admission: z.enum(SSO_ADMISSIONS).default('known'),
  match: z.enum(SSO_MATCHES).default('link'),
  /** Domains of verified mail addresses that are admitted; empty: all. */
  domains: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .max(200)
        .regex(/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u),
    )
    .max(50)
    .default([]),
  /** The claims that hold the details; an empty one is not read. */
  claims: z
    .object({ account: claim, name: claim, email: claim, phone: claim, department: claim, roles: claim })
    .default({
      account: 'preferred_username',
      name: 'name',
      email: 'email',
      phone: 'phone_number',
      department: '',
      roles: '',
    }),
  /** The details that every sign-in takes over. */
  owned: z.array(z.enum(SSO_FIELDS)).max(SSO_FIELDS.length).default([]),
  /** Roles by values of the claim `roles`: each sign-in grants and withdraws them. Others stay. */
  roles: z
    .array(z.object({ value: line().min(1).max(200), roleId: z.uuid() }))
    .max(100)
    .default([]),
});
export type ProviderRules = z.infer<typeof providerRules>;

const fields = {
  /** On the sign-in page. */
  name: line().min(1).max(60),
  enabled: z.boolean(),
  /** Position among the providers of the tenant, the smallest first. */
  sort: z.number().int().min(0).max(999),
  settings: providerSettings,
  rules: providerRules,
};

/** An identity provider of a tenant, as its administrators see it; its secret is never sent. */
export const identityProvider = z.object({
  ...fields,
  id: z.uuid(),
  kind: z.enum(SSO_KINDS),
  hasSecret: z.boolean(),
  /** Accounts that are linked. */
  identities: z.number().int(),
  version: z.number().int(),
});
export type IdentityProvider = z.infer<typeof identityProvider>;

const body = z.object({
  name: fields.name,
  enabled: fields.enabled.default(true),
  sort: fields.sort.default(0),
  settings: providerSettings,
  rules: providerRules.prefault({}),
  /** The client's secret; an omitted one stays. */
  secret: z.string().min(1).max(2_000).optional(),
});
export type IdentityProviderBody = z.input<typeof body>;

/** What is wrong with an identity provider, found by asking it. */
export const PROVIDER_FAULTS = [
  'ADDRESS_REFUSED',
  'INSECURE',
  'UNREACHABLE',
  'NOT_FOUND',
  'REDIRECTS',
  'NOT_READABLE',
  'ISSUER_DIFFERS',
  'NO_CODE_FLOW',
] as const;
export type ProviderFault = (typeof PROVIDER_FAULTS)[number];
const check = z.object({
  /** Null: nothing was found. */
  fault: z.enum(PROVIDER_FAULTS).nullable(),
  /** What was called, and what it answered: a status, or a value that differs. */
  detail: z.string(),
  /** It can end sessions there, too. */
  canLogOut: z.boolean(),
});

const id = '0198f6a2-1111-7c40-9a11-5b1f0e3c2d10';
const exampleSettings: ProviderSettings = {
  kind: 'OIDC',
  issuer: 'https://id.example.org',
  clientId: 'rmeet',
  clientAuth: 'client_secret_basic',
  scopes: 'profile email',
  logout: true,
};
const exampleRules: ProviderRules = {
  admission: 'known',
  match: 'mail',
  domains: ['example.org'],
  claims: {
    account: 'preferred_username',
    name: 'name',
    email: 'email',
    phone: 'phone_number',
    department: 'department',
    roles: 'groups',
  },
  owned: ['name', 'department'],
  roles: [{ value: 'meeting-planners', roleId: id }],
};
const exampleBody = { name: 'North Hospital', settings: exampleSettings, rules: exampleRules, secret: 'n3ZcQx1YzP0c' };
const example: IdentityProvider = {
  id,
  kind: 'OIDC',
  name: 'North Hospital',
  enabled: true,
  sort: 0,
  settings: exampleSettings,
  rules: exampleRules,
  hasSecret: true,
  identities: 12,
  version: 1,
};
const PROVIDERS = `${API_BASE}/identity-providers`;
const managed = { callers: ['user'], permission: 'tenants:settings' } as const;
const params = z.object({ id: z.uuid() });

/** The identity providers of the caller's tenant. Only its administrators change them: they sign anyone in. */
export const identityProviders = {
  list: route({
    method: 'GET',
    path: PROVIDERS,
    ...managed,
    summary: 'All of them in their order, and the addresses to enter there.',
    input: {},
    data: z.object({
      records: z.array(identityProvider),
      /** For the identity provider: where it sends people back to, one for each address of this server. */
      redirectUris: z.array(z.url()),
      /** Where people are after they signed out there. */
      loggedOutUris: z.array(z.url()),
      /** Where it ends sessions; the id of the provider follows. */
      backchannelLogoutUri: z.url(),
      can: z.object({ update: z.boolean() }),
    }),
    errors: [],
    example: {
      data: {
        records: [example],
        redirectUris: ['https://meet.example.org/api/sso/callback'],
        loggedOutUris: ['https://meet.example.org/'],
        backchannelLogoutUri: 'https://meet.example.org/api/sso/backchannel-logout/',
        can: { update: true },
      },
    },
  }),
  create: route({
    method: 'POST',
    path: PROVIDERS,
    ...managed,
    audit: true,
    summary: 'Adds an identity provider.',
    input: { body },
    data: identityProvider,
    errors: ['NAME_TAKEN', 'SSO_ADDRESS_REFUSED', 'SSO_SECRET_REQUIRED', 'SSO_PROVIDERS_MAX', 'ROLE_UNKNOWN'],
    example: { body: exampleBody, data: example },
  }),
  update: route({
    method: 'PUT',
    path: `${PROVIDERS}/:id`,
    ...managed,
    audit: true,
    summary: 'Changes an identity provider; its kind stays. A secret that is not sent stays.',
    input: { params, body: body.extend({ version: z.number().int() }) },
    data: identityProvider,
    errors: ['NAME_TAKEN', 'SSO_ADDRESS_REFUSED', 'SSO_SECRET_REQUIRED', 'ROLE_UNKNOWN', 'CHANGED_MEANWHILE'],
    example: { params: { id }, body: { ...exampleBody, version: 1 }, data: example },
  }),
  remove: route({
    method: 'DELETE',
    path: `${PROVIDERS}/:id`,
    ...managed,
    audit: true,
    summary: 'Removes an identity provider. The accounts that are linked to it stay.',
    input: { params },
    data: z.null(),
    errors: [],
    example: { params: { id }, data: null },
  }),
  check: route({
    method: 'POST',
    path: `${PROVIDERS}/check`,
    ...managed,
    limit: { by: 'caller', max: 20, seconds: 60 },
    summary: 'Asks an identity provider, which need not be saved, and says what is wrong.',
    input: { body: z.object({ settings: providerSettings }) },
    data: check,
    errors: [],
    example: {
      body: { settings: exampleSettings },
      data: { fault: 'ISSUER_DIFFERS', detail: 'https://id.example.org/', canLogOut: false },
    },
  }),
};
