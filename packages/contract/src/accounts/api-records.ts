import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { route } from '../http/route.ts';
import { line } from '../line.ts';
import { auditEntry } from '../platform/audit.ts';
import { API_SCOPES } from './api-scopes.ts';

/** `ended` for ever; `expired` and `disabled` can be undone. */
export const API_CLIENT_STATES = ['active', 'disabled', 'expired', 'ended'] as const;
export type ApiClientState = (typeof API_CLIENT_STATES)[number];

/** The previous secret stays valid for at most this many hours after a new one was made. */
export const MOST_OVERLAP_HOURS = 168;
/** Calls of API clients are listed for this many days. */
export const API_CALL_DAYS = 30;

const scope = z.enum(API_SCOPES);
const networks = z
  .array(
    z
      .string()
      .trim()
      .pipe(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])),
  )
  .max(50);

/** A machine that calls this API for one tenant. */
export const apiClient = z.object({
  /** Also its `client_id`. */
  id: z.uuid(),
  tenantId: z.uuid(),
  tenantName: z.string(),
  name: z.string(),
  description: z.string(),
  state: z.enum(API_CLIENT_STATES),
  enabled: z.boolean(),
  scopes: z.array(scope),
  /** Addresses and networks (CIDR) it may call from; empty: any. */
  networks: z.array(z.string()),
  /** Calls per minute. */
  perMinute: z.number().int(),
  /** Without a user it sees and manages what the tenant's administrators do, within its scopes. */
  wholeTenant: z.boolean(),
  /** It may ask for tokens in the name of users who have granted that. */
  actsForUsers: z.boolean(),
  /** The administrators have granted that for all users of the tenant. */
  grantedByTenant: z.boolean(),
  expiresAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  /** Counted within seconds. */
  lastUsedAt: z.iso.datetime().nullable(),
  /** It signs its requests for tokens (RFC 7523) with the private key of this PEM or JWK set; empty: it has secrets. */
  publicKey: z.string(),
  /** The valid secrets: their last characters, the newest first. */
  secrets: z.array(
    z.object({ ending: z.string(), createdAt: z.iso.datetime(), expiresAt: z.iso.datetime().nullable() }),
  ),
  version: z.number().int(),
});
export type ApiClient = z.infer<typeof apiClient>;

const withSecret = z.object({
  client: apiClient,
  /** Shown once; null if it has a key. */
  secret: z.string().nullable(),
});

const details = {
  name: line().min(1).max(60),
  description: z.string().trim().max(300).default(''),
  scopes: z.array(scope).min(1).max(API_SCOPES.length),
  networks: networks.default([]),
  perMinute: z.number().int().min(1).max(6_000).default(600),
  wholeTenant: z.boolean().default(false),
  actsForUsers: z.boolean().default(false),
  expiresAt: z.iso.datetime({ offset: true }).nullable().default(null),
  enabled: z.boolean().default(true),
  /** PEM, JWK or JWK set of one or two keys: RSA of 2048 bits or more, or EC (P-256, P-384, P-521). */
  publicKey: z.string().trim().max(10_000).default(''),
};

/** One call of a client. */
const apiCall = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  /** `domain.name` of the route, or `oauth.token`. */
  action: z.string(),
  /** HTTP status. */
  status: z.number().int(),
  /** Milliseconds. */
  ms: z.number().int(),
  address: z.string(),
  requestId: z.string(),
  /** The user it acted for; null: for itself. */
  user: z.object({ id: z.uuid(), name: z.string() }).nullable(),
});
export type ApiCall = z.infer<typeof apiCall>;

/** The consent of a user, or of an administrator for all users, that a client acts for them. */
const apiGrant = z.object({
  id: z.uuid(),
  /** Null: all users of the tenant. */
  user: z.object({ id: z.uuid(), account: z.string(), name: z.string() }).nullable(),
  grantedBy: z.string(),
  grantedAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export type ApiGrant = z.infer<typeof apiGrant>;

/** A client that acts for users, as they see it. */
const offeredClient = z.object({
  clientId: z.uuid(),
  name: z.string(),
  description: z.string(),
  scopes: z.array(scope),
  /** Null: the user has not granted it. */
  grant: z.object({ id: z.uuid(), grantedAt: z.iso.datetime(), lastUsedAt: z.iso.datetime().nullable() }).nullable(),
  /** An administrator has granted it for everyone. */
  grantedByTenant: z.boolean(),
});
export type OfferedClient = z.infer<typeof offeredClient>;

const RECORD = `${API_BASE}/api-record`;
const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2e91';
const at = '2026-11-20T08:00:00.000Z';
const exampleClient: ApiClient = {
  id: exampleId,
  tenantId: exampleId,
  tenantName: 'demo',
  name: 'Ward planner',
  description: 'Books the meetings of the wards.',
  state: 'active',
  enabled: true,
  scopes: ['meetings:read', 'meetings:write'],
  networks: ['192.0.2.0/24'],
  perMinute: 600,
  wholeTenant: false,
  actsForUsers: true,
  grantedByTenant: false,
  expiresAt: null,
  createdAt: at,
  createdBy: 'Admin',
  lastUsedAt: at,
  publicKey: '',
  secrets: [{ ending: 'f3Qc', createdAt: at, expiresAt: null }],
  version: 1,
};
const exampleGrant: ApiGrant = {
  id: exampleId,
  user: { id: exampleId, account: 'alice', name: 'Alice' },
  grantedBy: 'Alice',
  grantedAt: at,
  lastUsedAt: null,
};
const exampleOffer: OfferedClient = {
  clientId: exampleId,
  name: 'Ward planner',
  description: 'Books the meetings of the wards.',
  scopes: ['meetings:read', 'meetings:write'],
  grant: { id: exampleId, grantedAt: at, lastUsedAt: null },
  grantedByTenant: false,
};
const manages = { callers: ['user', 'operator'], permission: 'api-records:manage' } as const;
const params = z.object({ id: z.uuid() });

/** API clients: machines with keys, scopes and networks (docs/features/api-clients.md). */
export const apiRecords = {
  query: route({
    method: 'GET',
    path: `${RECORD}/query`,
    ...manages,
    summary: 'The API clients, paged. Operators may name a tenant; all others see those of their own.',
    input: {
      query: z.object({
        ...pageQuery,
        tenantId: z.uuid().optional(),
        /** Part of the name or the description, or the client id. */
        keyword: z.string().trim().max(100).optional(),
        state: z.enum(API_CLIENT_STATES).optional(),
        sort: z.enum(['name', 'createdAt', 'lastUsedAt', 'expiresAt']).default('name'),
        order: z.enum(['ASC', 'DESC']).default('ASC'),
      }),
    },
    data: page(apiClient),
    errors: [],
    example: { query: {}, data: { records: [exampleClient], total: 1, current: 1, size: 20 } },
  }),
  show: route({
    method: 'GET',
    path: `${RECORD}/:id`,
    ...manages,
    summary: 'One API client.',
    input: { params },
    data: apiClient,
    errors: [],
    example: { params: { id: exampleId }, data: exampleClient },
  }),
  create: route({
    method: 'POST',
    path: `${RECORD}/new`,
    ...manages,
    stepUp: true,
    audit: true,
    summary:
      'Makes an API client with an account of its own, which cannot sign in. Without a public key it gets a secret, ' +
      'which is shown in this answer only.',
    input: { body: z.object({ ...details, tenantId: z.uuid().optional() }) },
    data: withSecret,
    errors: ['TENANT_REQUIRED', 'NAME_TAKEN', 'PUBLIC_KEY_INVALID'],
    example: {
      body: { name: 'Ward planner', scopes: ['meetings:read', 'meetings:write'], networks: ['192.0.2.0/24'] },
      data: { client: exampleClient, secret: 'rms_n3ZcQx1YzP0c' },
    },
  }),
  update: route({
    method: 'POST',
    path: `${RECORD}/update`,
    ...manages,
    stepUp: true,
    audit: true,
    summary:
      'Changes an API client at once, also for tokens that it holds. `version` is the one that was edited. A public ' +
      'key ends its secrets; when the key is removed, a secret can be made.',
    input: { body: z.object({ ...details, id: z.uuid(), version: z.number().int() }) },
    data: apiClient,
    errors: ['NAME_TAKEN', 'CHANGED_MEANWHILE', 'API_CLIENT_ENDED', 'PUBLIC_KEY_INVALID'],
    example: {
      body: { id: exampleId, name: 'Ward planner', scopes: ['meetings:read', 'meetings:write'], version: 1 },
      data: exampleClient,
    },
  }),
  rotate: route({
    method: 'POST',
    path: `${RECORD}/:id/secret`,
    ...manages,
    stepUp: true,
    audit: true,
    summary:
      'Makes a new secret, which is shown in this answer only. The previous one stays valid for `overlapHours`; with ' +
      '0 it ends now, and the tokens that the client holds, too.',
    input: { params, body: z.object({ overlapHours: z.number().min(0).max(MOST_OVERLAP_HOURS) }) },
    data: withSecret,
    errors: ['API_CLIENT_ENDED', 'API_CLIENT_HAS_KEY'],
    example: {
      params: { id: exampleId },
      body: { overlapHours: 24 },
      data: { client: exampleClient, secret: 'rms_n3ZcQx1YzP0c' },
    },
  }),
  end: route({
    method: 'POST',
    path: `${RECORD}/:id/end`,
    ...manages,
    audit: true,
    summary: 'Ends an API client with its secrets, tokens, grants and webhooks, for ever. Its records stay.',
    input: { params },
    data: apiClient,
    errors: ['API_CLIENT_ENDED'],
    example: { params: { id: exampleId }, data: { ...exampleClient, state: 'ended', enabled: false, secrets: [] } },
  }),
  trail: route({
    method: 'GET',
    path: `${RECORD}/:id/trail`,
    ...manages,
    summary: 'What was changed at an API client, and what it has changed; newest first, paged.',
    input: { params, query: z.object(pageQuery) },
    data: page(auditEntry),
    errors: [],
    example: { params: { id: exampleId }, query: {}, data: { records: [], total: 0, current: 1, size: 20 } },
  }),
  calls: route({
    method: 'GET',
    path: `${RECORD}/:id/calls`,
    ...manages,
    summary: 'The calls of an API client in the last 30 days, newest first, paged.',
    input: {
      params,
      query: z.object({
        ...pageQuery,
        /** Only those that failed. */
        failed: z.stringbool().optional(),
      }),
    },
    data: page(apiCall),
    errors: [],
    example: {
      params: { id: exampleId },
      query: {},
      data: {
        records: [
          {
            id: exampleId,
            at,
            action: 'meetings.list',
            status: 200,
            ms: 12,
            address: '192.0.2.7',
            requestId: 'k3Rt',
            user: null,
          },
        ],
        total: 1,
        current: 1,
        size: 20,
      },
    },
  }),
  grants: route({
    method: 'GET',
    path: `${RECORD}/:id/grants`,
    ...manages,
    summary: 'For whom an API client may act; the newest grants first, paged.',
    input: { params, query: z.object(pageQuery) },
    data: page(apiGrant),
    errors: [],
    example: {
      params: { id: exampleId },
      query: {},
      data: { records: [exampleGrant], total: 1, current: 1, size: 20 },
    },
  }),
  endGrant: route({
    method: 'POST',
    path: `${RECORD}/:id/grants/:grantId/end`,
    ...manages,
    audit: true,
    summary: 'Ends a grant of an API client, and the tokens that it gave.',
    input: { params: z.object({ id: z.uuid(), grantId: z.uuid() }) },
    data: z.null(),
    errors: [],
    example: { params: { id: exampleId, grantId: exampleId }, data: null },
  }),
  grantForTenant: route({
    method: 'POST',
    path: `${RECORD}/:id/grants`,
    callers: ['user'],
    permission: 'api-records:manage',
    audit: true,
    summary: 'An administrator allows an API client to act for every user of the organisation.',
    input: { params },
    data: apiGrant,
    errors: ['API_CLIENT_ENDED', 'NOT_OFFERED'],
    example: { params: { id: exampleId }, data: { ...exampleGrant, user: null, grantedBy: 'Admin' } },
  }),
  offered: route({
    method: 'GET',
    path: `${RECORD}/own-grants`,
    callers: ['user'],
    summary: "The API clients of the caller's organisation that act for users, and what the caller has granted them.",
    input: {},
    data: z.array(offeredClient),
    errors: [],
    example: { data: [exampleOffer] },
  }),
  grantOwn: route({
    method: 'POST',
    path: `${RECORD}/own-grants`,
    callers: ['user'],
    audit: true,
    summary: 'The caller allows an API client to act in the own name, within its scopes.',
    limit: { by: 'caller', max: 30, seconds: 60 },
    input: { body: z.object({ clientId: z.uuid() }) },
    data: z.null(),
    errors: ['NOT_OFFERED'],
    example: { body: { clientId: exampleId }, data: null },
  }),
  endOwnGrant: route({
    method: 'DELETE',
    path: `${RECORD}/own-grants/:id`,
    callers: ['user'],
    audit: true,
    summary: "Ends one of the caller's grants, and the tokens that it gave.",
    input: { params },
    data: z.null(),
    errors: [],
    example: { params: { id: exampleId }, data: null },
  }),
};
