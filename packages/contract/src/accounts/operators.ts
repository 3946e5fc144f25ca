import { z } from 'zod';
import { API_BASE, LIMITS, LOCALES } from '../constants.ts';
import { contact, emailInput, phoneInput } from '../meetings/contacts.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { line } from '../line.ts';
import { route } from '../http/route.ts';
import { accountName, encryptedPassword, grants, profile } from './users.ts';

/** An account of the platform's staff. */
export const operator = z.object({
  id: z.uuid(),
  account: z.string(),
  name: z.string(),
  phoneNumber: contact,
  email: contact,
  locale: z.enum(LOCALES),
  isSuperAdmin: z.boolean(),
  enabled: z.boolean(),
  lastLoginAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  roles: z.array(z.object({ id: z.uuid(), name: z.string() })),
  sessions: z.number().int(),
  version: z.number().int(),
});
export type Operator = z.infer<typeof operator>;

const details = {
  name: line().min(1).max(LIMITS.displayName),
  phoneNumber: phoneInput.default(''),
  email: emailInput.default(''),
  locale: z.enum(LOCALES).default('zh'),
  isSuperAdmin: z.boolean().default(false),
  roleIds: grants.shape.roleIds.default([]),
};
export const operatorFilter = z.object({
  keyword: z.string().trim().max(100).optional(),
  status: z.enum(['enabled', 'disabled']).optional(),
  sort: z.enum(['name', 'account', 'createdAt', 'lastLoginAt']).default('name'),
  order: z.enum(['ASC', 'DESC']).default('ASC'),
  en: z.string().max(10).optional(),
});

const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d77';
const exampleOperator = {
  id: exampleId,
  account: 'root',
  name: 'Root',
  phoneNumber: '--',
  email: '--',
  locale: 'zh',
  isSuperAdmin: true,
  enabled: true,
  lastLoginAt: null,
  createdAt: '2026-11-01T08:00:00.000Z',
  roles: [],
  sessions: 1,
  version: 1,
};
const exampleProfile = {
  id: exampleId,
  account: 'root',
  name: 'Root',
  phoneNumber: '--',
  email: '--',
  department: '',
  locale: 'zh',
  accountRole: 'superAdmin',
  tenantId: exampleId,
  tenantName: 'Rmeet',
  isTenantAdmin: false,
  branding: { name: 'Rmeet', logoUrl: null, colour: null },
  passwordRules: { minLength: 12, minClasses: 3, history: 5, maxAgeDays: null },
  passwordExpiresAt: null,
  flags: {
    enableLocal: 0,
    enableNet: 0,
    enableVideo: 0,
    enableTel: 0,
    enableTencent: 0,
    enableLiveStreaming: 0,
    enableSms: 0,
    enableUploadMeetingFile: 0,
    enableVipMeeting: 0,
    enableHuaxiApprove: 0,
    enableRboardAdv: 0,
    enableBookLive: 0,
    enable3DVirtualLive: 0,
    enableSwitchLiveResource: 0,
  },
};
const manages = { callers: ['operator'], permission: 'operators:manage' } as const;
const ids = z.array(z.uuid()).min(1).max(500);

export const operators = {
  current: route({
    method: 'GET',
    path: `${API_BASE}/operators/user`,
    callers: ['operator'],
    summary: 'The signed-in operator.',
    input: {},
    data: profile,
    errors: [],
    example: { data: exampleProfile },
  }),
  setup: route({
    method: 'GET',
    path: `${API_BASE}/operators/setup`,
    callers: ['operator'],
    summary: 'The addresses this installation was told that it has (RMEET_PUBLIC_URL), the one for mails first.',
    input: {},
    data: z.object({ publicUrls: z.array(z.string()) }),
    errors: [],
    example: { data: { publicUrls: ['https://meet.example.org'] } },
  }),
  list: route({
    method: 'GET',
    path: `${API_BASE}/operators/query`,
    ...manages,
    summary: "The platform's staff, paged.",
    input: { query: operatorFilter.extend(pageQuery) },
    data: page(operator),
    errors: [],
    example: { query: {}, data: { records: [exampleOperator], total: 1, current: 1, size: 20 } },
  }),
  export: route({
    method: 'GET',
    path: `${API_BASE}/operators/export`,
    ...manages,
    download: true,
    summary: 'The operators that meet the filter as an Excel workbook.',
    input: { query: operatorFilter },
    data: z.null(),
    errors: ['TICKET_INVALID'],
    example: { query: {}, data: null },
  }),
  create: route({
    method: 'POST',
    path: `${API_BASE}/operators/createAccount`,
    ...manages,
    audit: true,
    summary: 'Makes an operator. Without a password the server makes one up and answers it, this once.',
    input: { body: z.object({ ...details, account: accountName, password: encryptedPassword.optional() }) },
    data: z.object({ operator, password: z.string().nullable() }),
    errors: ['ACCOUNT_TAKEN', 'ROLE_UNKNOWN', 'PASSWORD_UNREADABLE', 'PASSWORD_TOO_WEAK'],
    example: { body: { account: 'ops', name: 'Ops' }, data: { operator: exampleOperator, password: 'k7-Wm2-xQe' } },
  }),
  update: route({
    method: 'PUT',
    path: `${API_BASE}/operators/updateAccount`,
    ...manages,
    audit: true,
    summary: 'Changes an operator and its roles. `version` is the one that was edited.',
    input: { body: z.object({ ...details, id: z.uuid(), version: z.number().int() }) },
    data: operator,
    errors: ['CHANGED_MEANWHILE', 'LAST_ADMIN', 'OWN_ACCOUNT', 'ROLE_UNKNOWN'],
    example: { body: { id: exampleId, name: 'Root', isSuperAdmin: true, version: 1 }, data: exampleOperator },
  }),
  status: route({
    method: 'POST',
    path: `${API_BASE}/operators/status`,
    ...manages,
    audit: true,
    summary: 'Enables or disables operators, all of those named or none. Sessions of disabled ones end at once.',
    input: { body: z.object({ ids, enabled: z.boolean() }) },
    data: z.object({ changed: z.number().int() }),
    errors: ['LAST_ADMIN', 'OWN_ACCOUNT'],
    example: { body: { ids: [exampleId], enabled: false }, data: { changed: 1 } },
  }),
  resetPassword: route({
    method: 'POST',
    path: `${API_BASE}/operators/resetPassword`,
    ...manages,
    audit: true,
    summary: 'Gives an operator a password made up by the server, answered this once. Its sessions end.',
    input: { body: z.object({ id: z.uuid() }) },
    data: z.object({ password: z.string() }),
    errors: ['OWN_ACCOUNT'],
    example: { body: { id: exampleId }, data: { password: 'k7-Wm2-xQe' } },
  }),
  endSessions: route({
    method: 'POST',
    path: `${API_BASE}/operators/endSessions`,
    ...manages,
    audit: true,
    summary: 'Ends all sessions of operators.',
    input: { body: z.object({ ids }) },
    data: z.object({ ended: z.number().int() }),
    errors: [],
    example: { body: { ids: [exampleId] }, data: { ended: 1 } },
  }),
};
