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

/** Who proves to be the client by what its administration calls an id and a secret. */
const client = line().min(1).max(300);

/** Public addresses; installations of their own, and Lark in place of Feishu, have others. */
export const WECOM_ADDRESSES = {
  page: 'https://login.work.weixin.qq.com',
  api: 'https://qyapi.weixin.qq.com',
} as const;
export const DINGTALK_ADDRESSES = { page: 'https://login.dingtalk.com', api: 'https://api.dingtalk.com' } as const;
export const FEISHU_ADDRESSES = { page: 'https://accounts.feishu.cn', api: 'https://open.feishu.cn' } as const;

const wecomSettings = z.object({
  kind: z.literal('WECOM'),
  /** The id of the organisation (CorpID). */
  clientId: client,
  /** The application of the organisation (AgentId). */
  agentId: line().min(1).max(30),
  /** Where people sign in, and what the server calls. */
  page: address.default(WECOM_ADDRESSES.page),
  api: address.default(WECOM_ADDRESSES.api),
});
const dingtalkSettings = z.object({
  kind: z.literal('DINGTALK'),
  /** Client ID (AppKey) of an application of the organisation. */
  clientId: client,
  /** The id of the organisation: anyone has a DingTalk account, its members only may enter. */
  corpId: line().min(1).max(100),
  page: address.default(DINGTALK_ADDRESSES.page),
  api: address.default(DINGTALK_ADDRESSES.api),
});
const feishuSettings = z.object({
  kind: z.literal('FEISHU'),
  /** App ID of an application of the organisation. */
  clientId: client,
  /** The organisation (tenant_key); empty: all whom the application admits. */
  tenantKey: line().max(100).default(''),
  page: address.default(FEISHU_ADDRESSES.page),
  api: address.default(FEISHU_ADDRESSES.api),
});
const samlSettings = z.object({
  kind: z.literal('SAML'),
  /** What its metadata says (SAML 2.0 Metadata, section 2.4.3). */
  entityId: line().min(1).max(1_024),
  signInUrl: address,
  /** Empty: it ends no sessions. */
  logoutUrl: z.union([z.literal(''), address]).default(''),
  /** The certificates that it signs with, in base64 without headers. */
  certificates: z
    .array(
      z
        .string()
        .max(10_000)
        .overwrite((text) => text.replaceAll(/-----[^-]+-----|\s/g, ''))
        .regex(/^[A-Za-z\d+/]+={0,2}$/),
    )
    .min(1)
    .max(10),
  /** Its mail addresses are verified ones. */
  trustsMail: z.boolean().default(false),
  /** Signing out here also signs out there. */
  logout: z.boolean().default(true),
});
const casSettings = z.object({
  kind: z.literal('CAS'),
  /** The address before `/login`. */
  server: address.overwrite((text) => text.replace(/\/+$/, '').replace(/\/login$/, '')),
  trustsMail: z.boolean().default(false),
  logout: z.boolean().default(true),
});
/** What is set for each kind of identity provider, apart from its secret. */
export const providerSettings = z.discriminatedUnion('kind', [
  oidcSettings,
  samlSettings,
  wecomSettings,
  dingtalkSettings,
  feishuSettings,
  casSettings,
]);
export type ProviderSettings = z.infer<typeof providerSettings>;
export type SettingsOf<K extends ProviderSettings['kind']> = Extract<ProviderSettings, { kind: K }>;

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
  'REFUSED',
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

/** The parts of the metadata of a SAML identity provider that are stored. */
const samlMetadata = samlSettings.pick({ entityId: true, signInUrl: true, logoutUrl: true, certificates: true });
export type SamlMetadata = z.infer<typeof samlMetadata>;

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
      /** Before the id of a provider: its SAML metadata is at `{samlUri}{id}/metadata`. */
      samlUri: z.url(),
      /** For CAS: the services that it must admit begin with this, and the id of the provider. */
      casUri: z.url(),
      can: z.object({ update: z.boolean() }),
    }),
    errors: [],
    example: {
      data: {
        records: [example],
        redirectUris: ['https://meet.example.org/api/sso/callback'],
        loggedOutUris: ['https://meet.example.org/'],
        backchannelLogoutUri: 'https://meet.example.org/api/sso/backchannel-logout/',
        samlUri: 'https://meet.example.org/api/sso/saml/',
        casUri: 'https://meet.example.org/api/sso/cas/',
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
    errors: [
      'NAME_TAKEN',
      'SSO_ADDRESS_REFUSED',
      'SSO_SECRET_REQUIRED',
      'SSO_METADATA_INVALID',
      'SSO_PROVIDERS_MAX',
      'ROLE_UNKNOWN',
    ],
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
    errors: [
      'NAME_TAKEN',
      'SSO_ADDRESS_REFUSED',
      'SSO_SECRET_REQUIRED',
      'SSO_METADATA_INVALID',
      'ROLE_UNKNOWN',
      'CHANGED_MEANWHILE',
    ],
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
    /** `secret`: tried, too, where a kind can do so without a person. */
    input: { body: z.object({ settings: providerSettings, secret: body.shape.secret }) },
    data: check,
    errors: [],
    example: {
      body: { settings: exampleSettings },
      data: { fault: 'ISSUER_DIFFERS', detail: 'https://id.example.org/', canLogOut: false },
    },
  }),
  readSamlMetadata: route({
    method: 'POST',
    path: `${PROVIDERS}/saml-metadata`,
    ...managed,
    limit: { by: 'caller', max: 20, seconds: 60 },
    summary: 'Reads the metadata of a SAML identity provider: XML, or its address. Nothing is stored.',
    input: {
      body: z
        .object({ xml: z.string().min(1).max(200_000).optional(), url: address.optional() })
        .refine(({ xml, url }) => (xml === undefined) !== (url === undefined)),
    },
    data: samlMetadata,
    errors: ['SSO_ADDRESS_REFUSED', 'SSO_METADATA_UNREACHABLE', 'SSO_METADATA_INVALID'],
    example: {
      body: { url: 'https://id.example.org/metadata' },
      data: {
        entityId: 'https://id.example.org/metadata',
        signInUrl: 'https://id.example.org/sso',
        logoutUrl: 'https://id.example.org/slo',
        certificates: ['MIIBszCCARygAwIBAgIBATANBgkqhkiG9w0BAQsFADAAMB4XDTI2MTEwMTAwMDAwMFo='],
      },
    },
  }),
};
