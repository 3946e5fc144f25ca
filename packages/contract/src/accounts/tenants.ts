import { z } from 'zod';
import { initialRecordingSettings, recordingSettings } from '../recordings/settings.ts';
import { CHAT_FILE_LIMITS, chatFileSettings, INITIAL_CHAT_FILE_KINDS } from '../conferences/chat-files.ts';
import { API_BASE } from '../constants.ts';
import { contact, phoneInput } from '../meetings/contacts.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { line } from '../line.ts';
import { FEATURE_CODES, type PermissionCode } from './permissions-catalogue.ts';
import { route } from '../http/route.ts';
import { initialSecondFactor, secondFactorSettings } from './second-factor.ts';
import { initialSignInSettings, signInSettings } from './sign-in.ts';
import { accountName, passwordRules } from './users.ts';

export const tenantName = line().min(1).max(100);
const contactName = z.string().trim().max(60);
const bytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** `#rrggbb`. */
const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i)
  .transform((text) => text.toLowerCase());
/** A PNG, JPEG or WebP picture in base64; 96 KiB at most. Its bytes are checked; its name and type are not trusted. */
const logo = z.base64().min(1).max(131_072);

/** The shortest time the audit log is kept, in months. */
export const AUDIT_MONTHS_MIN = 6;

/** The limits of a tenant; null for no limit. */
export const quotas = z.object({
  users: z.number().int().min(1).max(1_000_000).nullable(),
  /** In all running conferences together. */
  terminals: z.number().int().min(2).max(100_000).nullable(),
  /** Of recordings, the bin included; above it, recordings pause. */
  recordingBytes: bytes.nullable(),
  /** Of meeting files, those of bookings aside. */
  meetingFileBytes: bytes.nullable().default(null),
  /** Longest meeting, in minutes; a running one is ended after that time. */
  meetingMinutes: z.number().int().min(5).max(1_440).nullable(),
});
export type Quotas = z.infer<typeof quotas>;

/** The sentence that greets people who are about to join, in both languages; empty for none. */
const welcome = z.object({ zh: line().max(100), en: line().max(200) });

const person = z.object({ name: z.string(), phoneNumber: contact });

/** An organisation as the platform's staff see it. */
export const tenant = z.object({
  id: z.uuid(),
  name: z.string(),
  enabled: z.boolean(),
  createdAt: z.iso.datetime(),
  quotas,
  usage: z.object({ users: z.number().int(), terminals: z.number().int() }),
  deniedFeatures: z.array(z.string()),
  colour: z.string().nullable(),
  logoUrl: z.string().nullable(),
  welcome: z.object({ zh: z.string(), en: z.string() }),
  meetingAdmin: person,
  serviceDesk: person,
  passwordRules,
  signIn: signInSettings,
  secondFactor: secondFactorSettings,
  chatFiles: chatFileSettings,
  recording: recordingSettings,
  auditMonths: z.number().int(),
  version: z.number().int(),
});
export type Tenant = z.infer<typeof tenant>;

const contactInput = z.object({ name: contactName, phoneNumber: phoneInput });
/** What a tenant's own administrators may set. */
const own = {
  colour: colour.nullable(),
  /** null: the product's own; undefined: unchanged. */
  logo: logo.nullable().optional(),
  /** undefined: unchanged. */
  welcome: welcome.optional(),
  meetingAdmin: contactInput,
  serviceDesk: contactInput,
  passwordRules,
  /** undefined: unchanged. */
  signIn: signInSettings.optional(),
  /** undefined: unchanged. */
  secondFactor: secondFactorSettings.optional(),
  /** undefined: unchanged. */
  chatFiles: chatFileSettings.optional(),
  /** undefined: unchanged. */
  recording: recordingSettings.optional(),
  auditMonths: z.number().int().min(AUDIT_MONTHS_MIN).max(120),
};
const platformSets = {
  name: tenantName,
  quotas,
  deniedFeatures: z.array(z.enum(FEATURE_CODES as [PermissionCode, ...PermissionCode[]])).max(50),
};

const exampleId = '0198f6a2-0000-7c40-9a11-5b1f0e3c2d10';
const exampleOwn = {
  colour: null,
  welcome: { zh: '欢迎参加会议', en: 'Welcome to our meeting' },
  meetingAdmin: { name: 'Admin', phoneNumber: '--' },
  serviceDesk: { name: 'IT', phoneNumber: 'MTIzNDU=' },
  passwordRules: { minLength: 8, minClasses: 2, history: 3, maxAgeDays: null },
  signIn: initialSignInSettings,
  secondFactor: initialSecondFactor,
  chatFiles: {
    enabled: true,
    megabytes: CHAT_FILE_LIMITS.megabytes.initial,
    kinds: [...INITIAL_CHAT_FILE_KINDS],
  },
  recording: initialRecordingSettings,
  auditMonths: 12,
};
const exampleQuotas = {
  users: 500,
  terminals: 200,
  recordingBytes: null,
  meetingFileBytes: null,
  meetingMinutes: 240,
};
const exampleTenant = {
  id: exampleId,
  name: 'demo',
  enabled: true,
  createdAt: '2026-11-01T08:00:00.000Z',
  quotas: exampleQuotas,
  usage: { users: 12, terminals: 4 },
  deniedFeatures: [],
  logoUrl: null,
  version: 1,
  ...exampleOwn,
};
const manages = { callers: ['operator'], permission: 'tenants:manage' } as const;

export const tenants = {
  list: route({
    method: 'GET',
    path: `${API_BASE}/tenant`,
    ...manages,
    summary: 'The tenants of the platform, paged.',
    input: {
      query: z.object({
        ...pageQuery,
        keyword: z.string().trim().max(100).optional(),
        status: z.enum(['enabled', 'disabled']).optional(),
        sort: z.enum(['name', 'createdAt']).default('name'),
        order: z.enum(['ASC', 'DESC']).default('ASC'),
      }),
    },
    data: page(tenant),
    errors: [],
    example: { query: {}, data: { records: [exampleTenant], total: 1, current: 1, size: 20 } },
  }),
  options: route({
    method: 'GET',
    path: `${API_BASE}/tenant/options`,
    callers: ['operator'],
    summary:
      'Tenants by part of their name, to choose one; 50 at most, for operators who manage tenants or users or ' +
      'read the audit log. With an id the one tenant chosen before, if it is still there.',
    input: { query: z.object({ keyword: z.string().trim().max(100).default(''), id: z.uuid().optional() }) },
    data: z.array(z.object({ id: z.uuid(), name: z.string(), enabled: z.boolean() })),
    errors: [],
    example: { query: {}, data: [{ id: exampleId, name: 'demo', enabled: true }] },
  }),
  isTenantAdmin: route({
    method: 'GET',
    path: `${API_BASE}/tenant/tenant`,
    callers: ['user', 'operator'],
    summary: 'Whether the caller administers its tenant.',
    input: {},
    data: z.boolean(),
    errors: [],
    example: { data: true },
  }),
  setEnabled: route({
    method: 'POST',
    path: `${API_BASE}/tenant/enable/disable`,
    ...manages,
    stepUp: true,
    audit: true,
    summary: 'Enables or disables a tenant. Sessions and conferences of a disabled one end at once.',
    input: { body: z.object({ id: z.uuid(), enabled: z.boolean() }) },
    data: tenant,
    errors: [],
    example: { body: { id: exampleId, enabled: false }, data: { ...exampleTenant, enabled: false } },
  }),
  create: route({
    method: 'POST',
    path: `${API_BASE}/tenant/createTenant`,
    ...manages,
    audit: true,
    summary: 'Makes a tenant with its first administrator, whose password is answered this once.',
    input: {
      body: z.object({ ...platformSets, admin: z.object({ account: accountName, name: line().min(1).max(60) }) }),
    },
    data: z.object({ tenant, password: z.string() }),
    errors: ['TENANT_NAME_TAKEN'],
    example: {
      body: { name: 'demo', quotas: exampleQuotas, deniedFeatures: [], admin: { account: 'admin', name: 'Admin' } },
      data: { tenant: exampleTenant, password: 'k7-Wm2-xQe' },
    },
  }),
  update: route({
    method: 'POST',
    path: `${API_BASE}/tenant/updateTenant`,
    ...manages,
    audit: true,
    summary: 'Changes a tenant. `version` is the one that was edited.',
    input: { body: z.object({ ...platformSets, ...own, id: z.uuid(), version: z.number().int() }) },
    data: tenant,
    errors: ['TENANT_NAME_TAKEN', 'CHANGED_MEANWHILE', 'PICTURE_UNREADABLE'],
    example: {
      body: { id: exampleId, version: 1, name: 'demo', quotas: exampleQuotas, deniedFeatures: [], ...exampleOwn },
      data: exampleTenant,
    },
  }),
  own: route({
    method: 'GET',
    path: `${API_BASE}/tenant/own`,
    callers: ['user'],
    permission: 'tenants:settings',
    summary: "The caller's own tenant.",
    input: {},
    data: tenant,
    errors: [],
    example: { data: exampleTenant },
  }),
  updateOwn: route({
    method: 'PUT',
    path: `${API_BASE}/tenant/own`,
    callers: ['user'],
    permission: 'tenants:settings',
    audit: true,
    summary: "Changes look, contacts, password rules, files in chats and audit period of the caller's own tenant.",
    input: { body: z.object({ ...own, version: z.number().int() }) },
    data: tenant,
    errors: ['CHANGED_MEANWHILE', 'PICTURE_UNREADABLE'],
    example: { body: { version: 1, ...exampleOwn }, data: exampleTenant },
  }),
  logo: route({
    method: 'GET',
    path: `${API_BASE}/tenant/:id/logo`,
    callers: ['anyone'],
    download: true,
    summary: 'The logo of a tenant, as a picture.',
    input: { params: z.object({ id: z.uuid() }), query: z.object({ v: z.string().max(20).optional() }) },
    data: z.null(),
    errors: [],
    example: { params: { id: exampleId }, query: {}, data: null },
  }),
};
