import { z } from 'zod';
import { ACCOUNT_ROLES, type AccountRole } from './account-roles.ts';
import { API_BASE, LIMITS, LOCALES, USER_LOOKUP_SIZE } from '../constants.ts';
import { contact, emailInput, phoneInput } from '../meetings/contacts.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { line } from '../line.ts';
import { route } from '../http/route.ts';
import { FACTOR_MARKS } from './second-factor.ts';
import { SIGN_IN_METHODS } from './sign-in.ts';

/** Account names: letters, digits and `._-@`; what people type to sign in. */
export const ACCOUNT_PATTERN = /^[\p{L}\p{N}][\p{L}\p{N}._@-]*$/u;
export const accountName = z.string().trim().min(2).max(64).regex(ACCOUNT_PATTERN);
const personName = line().min(1).max(LIMITS.displayName);
/** Levels separated by `/`; spaces around levels and empty levels are removed. */
export const department = z
  .string()
  .max(300)
  .transform((path) =>
    path
      .split('/')
      .map((level) => level.trim())
      .filter((level) => level !== '')
      .join('/'),
  );
/** RSA-OAEP-256 under the key of loginMode, base64. */
export const encryptedPassword = z.string().min(1).max(2_000);
const flag = z.union([z.literal(0), z.literal(1)]);

/** One flag per feature of section 3 of the product document: 1 when the account has the code. */
export const featureFlags = z.object({
  enableLocal: flag,
  enableNet: flag,
  enableVideo: flag,
  enableTel: flag,
  enableTencent: flag,
  enableLiveStreaming: flag,
  enableSms: flag,
  enableUploadMeetingFile: flag,
  enableVipMeeting: flag,
  enableHuaxiApprove: flag,
  enableRboardAdv: flag,
  enableBookLive: flag,
  enable3DVirtualLive: flag,
  enableSwitchLiveResource: flag,
});
export type FeatureFlags = z.infer<typeof featureFlags>;

/**
 * What became of an invitation: its mail waits to be sent, was sent, was not accepted by the mail server; its link has
 * expired, or was withdrawn.
 */
export const INVITATION_STATES = ['waiting', 'sent', 'failed', 'expired', 'revoked'] as const;

/** An account as administrators see it. */
export const user = z.object({
  id: z.uuid(),
  account: z.string(),
  name: z.string(),
  phoneNumber: contact,
  email: contact,
  department: z.string(),
  locale: z.enum(LOCALES),
  isTenantAdmin: z.boolean(),
  enabled: z.boolean(),
  /** Until when a deleted account can be restored; null if not deleted. */
  restorableUntil: z.iso.datetime().nullable(),
  /** Of an account that has no password yet, because its owner was invited to set the first one. */
  invitation: z.object({ state: z.enum(INVITATION_STATES), expiresAt: z.iso.datetime().nullable() }).nullable(),
  lastLoginAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  roles: z.array(z.object({ id: z.uuid(), name: z.string() })),
  /** Sessions open now. */
  sessions: z.number().int(),
  version: z.number().int(),
  can: z.object({
    update: z.boolean(),
    setEnabled: z.boolean(),
    remove: z.boolean(),
    restore: z.boolean(),
    /** To send an invitation, the first or another one. */
    invite: z.boolean(),
    grant: z.boolean(),
    resetPassword: z.boolean(),
    endSessions: z.boolean(),
  }),
});
export type User = z.infer<typeof user>;

/** A colleague in a pick-list. */
export const person = z.object({
  id: z.uuid(),
  account: z.string(),
  name: z.string(),
  department: z.string(),
  phoneNumber: contact,
  email: contact,
});
export type Person = z.infer<typeof person>;

/** The contacts shown in the permission prompt, for requesting rights. */
export const tenantInfo = z.object({
  tenantId: z.uuid(),
  name: z.string(),
  meetingAdmin: z.object({ name: z.string(), phoneNumber: contact }),
  serviceDesk: z.object({ name: z.string(), phoneNumber: contact }),
});
export type TenantInfo = z.infer<typeof tenantInfo>;

/** The tenant's branding, as far as it differs from the product's. */
export const branding = z.object({
  name: z.string(),
  /** Path of the logo; null for the product's own. */
  logoUrl: z.string().nullable(),
  /** `#rrggbb`; null for the product's own. */
  colour: z.string().nullable(),
});
export type Branding = z.infer<typeof branding>;

/** The branding shown to people who are about to join a meeting of the tenant, guests too. */
export const entryLook = branding.extend({
  /** A sentence in both languages; empty for none. */
  welcome: z.object({ zh: z.string(), en: z.string() }),
});
export type EntryLook = z.infer<typeof entryLook>;

/** Password rules of a tenant. */
export const passwordRules = z.object({
  minLength: z.number().int().min(8).max(64),
  /** How many of lower case, upper case, digits and other characters a password needs. */
  minClasses: z.number().int().min(1).max(4),
  /** How many former passwords may not be reused. */
  history: z.number().int().min(0).max(24),
  /** Days until a password must be changed; null for never. */
  maxAgeDays: z.number().int().min(1).max(730).nullable(),
});
export type PasswordRules = z.infer<typeof passwordRules>;

/** The signed-in account, with everything the browser needs to know about it. */
export const profile = z.object({
  id: z.uuid(),
  account: z.string(),
  name: z.string(),
  phoneNumber: contact,
  email: contact,
  department: z.string(),
  locale: z.enum(LOCALES),
  accountRole: z.enum(Object.keys(ACCOUNT_ROLES) as AccountRole[]),
  tenantId: z.uuid(),
  tenantName: z.string(),
  isTenantAdmin: z.boolean(),
  branding,
  passwordRules,
  /** When the password must be changed; null for never. */
  passwordExpiresAt: z.iso.datetime().nullable(),
  flags: featureFlags,
});
export type Profile = z.infer<typeof profile>;

export const userSession = z.object({
  id: z.uuid(),
  address: z.string(),
  userAgent: z.string(),
  method: z.enum(SIGN_IN_METHODS),
  /** Null if none was asked. */
  secondFactor: z.enum(FACTOR_MARKS).nullable(),
  /** The name of the tenant's place with this address; null if no place contains it. */
  place: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  isCurrent: z.boolean(),
});
export type UserSession = z.infer<typeof userSession>;

/** Why an account has an entry or not. */
export const accessRule = z.object({
  /**
   * `accountRole`: by the account role; `role`: by a role; `direct`: granted to the account itself; `anyone`: open to
   * all accounts of its kind. Denying rules: `tenantDenies`, `notGranted`, `wrongKind` (not for such accounts),
   * `disabled`, `hidden` (with an ancestor), `requires` (the entry requires a code the account lacks).
   */
  kind: z.enum([
    'accountRole',
    'role',
    'direct',
    'anyone',
    'tenantDenies',
    'notGranted',
    'wrongKind',
    'disabled',
    'hidden',
    'requires',
  ]),
  /** Names of the roles, of the account role, or of the required code. */
  names: z.array(z.string()),
});
export type AccessRule = z.infer<typeof accessRule>;

/** "See as": what an account sees and may call, and why. */
export const access = z.object({
  user: z.object({
    id: z.uuid(),
    account: z.string(),
    name: z.string(),
    accountRole: profile.shape.accountRole,
    enabled: z.boolean(),
    tenantName: z.string(),
  }),
  flags: featureFlags,
  permissions: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      nameEn: z.string(),
      inUse: z.boolean(),
      allowed: z.boolean(),
      rule: accessRule,
    }),
  ),
  menus: z.array(
    z.object({
      id: z.uuid(),
      pid: z.uuid().nullable(),
      name: z.string(),
      nameEn: z.string(),
      system: z.enum(['user', 'manage', 'admin']),
      allowed: z.boolean(),
      rule: accessRule,
    }),
  ),
  calls: z.array(
    z.object({
      id: z.string(),
      method: z.string(),
      path: z.string(),
      summary: z.string(),
      allowed: z.boolean(),
      rule: accessRule,
    }),
  ),
});
export type Access = z.infer<typeof access>;

/** What is granted to one account in addition to its account role. */
export const grants = z.object({ roleIds: z.array(z.uuid()).max(50), permissionIds: z.array(z.uuid()).max(500) });

const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d10';
const exampleRole = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2e01';
const NONE = '--';
const exampleUser = {
  id: exampleId,
  account: 'alice',
  name: 'Alice',
  phoneNumber: NONE,
  email: 'YWxpY2VAZXhhbXBsZS5vcmc=',
  department: 'Surgery/General',
  locale: 'zh',
  isTenantAdmin: false,
  enabled: true,
  restorableUntil: null,
  invitation: null,
  lastLoginAt: '2026-11-20T08:00:00.000Z',
  createdAt: '2026-11-01T08:00:00.000Z',
  roles: [{ id: exampleRole, name: 'Staff' }],
  sessions: 1,
  version: 1,
  can: {
    update: true,
    setEnabled: true,
    remove: true,
    restore: false,
    invite: false,
    grant: true,
    resetPassword: true,
    endSessions: true,
  },
};
const examplePerson = {
  id: exampleId,
  account: 'alice',
  name: 'Alice',
  department: 'Surgery/General',
  phoneNumber: NONE,
  email: 'YWxpY2VAZXhhbXBsZS5vcmc=',
};
const exampleFlags = {
  enableLocal: 0,
  enableNet: 1,
  enableVideo: 1,
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
};
const exampleProfile = {
  id: exampleId,
  account: 'alice',
  name: 'Alice',
  phoneNumber: NONE,
  email: NONE,
  department: 'Surgery',
  locale: 'zh',
  accountRole: 'user',
  tenantId: exampleId,
  tenantName: 'demo',
  isTenantAdmin: false,
  branding: { name: 'demo', logoUrl: null, colour: null },
  passwordRules: { minLength: 8, minClasses: 2, history: 3, maxAgeDays: null },
  passwordExpiresAt: null,
  flags: exampleFlags,
};

/** The tenant whose users are meant; operators name it, for all other callers it is their own. */
const ofTenant = { tenantId: z.uuid().optional() };
const ids = z.array(z.uuid()).min(1).max(500);

const departmentSize = z.object({
  /** Levels separated by `/`. */
  path: z.string(),
  /** Number of users directly in it. */
  users: z.number().int(),
});
export type DepartmentSize = z.infer<typeof departmentSize>;

export const userFilter = z.object({
  ...ofTenant,
  /** Part of the name, account, phone number or mail address. */
  keyword: z.string().trim().max(100).optional(),
  /** A department including all departments below it. */
  department: z.string().max(300).optional(),
  /** `enabled`: those who have a password; `invited`: enabled ones who have none yet. */
  status: z.enum(['enabled', 'invited', 'disabled', 'deleted']).optional(),
  roleId: z.uuid().optional(),
  sort: z.enum(['name', 'account', 'department', 'createdAt', 'lastLoginAt']).default('name'),
  order: z.enum(['ASC', 'DESC']).default('ASC'),
  /** Truthy: role names in English. */
  en: z.string().max(10).optional(),
});

/** CSV: UTF-8 with a byte order mark; cells that a spreadsheet would calculate begin with an apostrophe. */
export const sheetFormat = z.enum(['xlsx', 'csv']).default('xlsx');

const details = {
  name: personName,
  phoneNumber: phoneInput.default(''),
  email: emailInput.default(''),
  department: department.default(''),
  locale: z.enum(LOCALES).default('zh'),
};
const manages = { callers: ['user', 'operator'], permission: 'users:manage' } as const;
const everyAccount = { callers: ['user', 'operator'] } as const;
const INVITATION_ERRORS = ['INVITATIONS_UNAVAILABLE', 'ACCOUNT_WITHOUT_MAIL'] as const;
const PASSWORD_ERRORS = ['PASSWORD_UNREADABLE', 'PASSWORD_TOO_WEAK', 'PASSWORD_REUSED'] as const;

export const users = {
  list: route({
    method: 'GET',
    path: `${API_BASE}/users`,
    ...manages,
    scope: 'users:read',
    summary: 'The users of a tenant, paged.',
    input: { query: userFilter.extend(pageQuery) },
    data: page(user),
    errors: ['TENANT_REQUIRED'],
    example: { query: { keyword: 'ali' }, data: { records: [exampleUser], total: 1, current: 1, size: 20 } },
  }),
  departments: route({
    method: 'GET',
    path: `${API_BASE}/users/departments`,
    ...manages,
    scope: 'users:read',
    summary: 'The departments of a tenant, sorted by path; 5,000 at most.',
    input: { query: z.object(ofTenant) },
    data: z.array(departmentSize),
    errors: ['TENANT_REQUIRED'],
    example: {
      query: {},
      data: [
        { path: 'Surgery', users: 3 },
        { path: 'Surgery/General', users: 12 },
      ],
    },
  }),
  export: route({
    method: 'GET',
    path: `${API_BASE}/users/export`,
    ...manages,
    stepUp: true,
    download: true,
    summary: 'The users that meet the filter as an Excel workbook or CSV, with the columns that the import takes.',
    input: { query: userFilter.extend({ format: sheetFormat }) },
    data: z.null(),
    errors: ['TENANT_REQUIRED', 'TICKET_INVALID'],
    example: { query: {}, data: null },
  }),
  create: route({
    method: 'POST',
    path: `${API_BASE}/users/createAccount`,
    ...manages,
    audit: true,
    summary:
      'Makes an account. Without a password the server makes one up and answers it, this once; it must be changed ' +
      'at the first sign-in. With `invite` there is none: a mail invites the person to set the first one. Naming ' +
      'roles takes `users:grant`.',
    input: {
      body: z.object({
        ...ofTenant,
        ...details,
        account: accountName,
        password: encryptedPassword.optional(),
        invite: z.boolean().default(false),
        isTenantAdmin: z.boolean().default(false),
        roleIds: grants.shape.roleIds.optional(),
      }),
    },
    data: z.object({ user, password: z.string().nullable() }),
    errors: [
      'TENANT_REQUIRED',
      'ACCOUNT_TAKEN',
      'QUOTA_USERS',
      'ROLE_UNKNOWN',
      ...INVITATION_ERRORS,
      ...PASSWORD_ERRORS,
    ],
    example: { body: { account: 'alice', name: 'Alice' }, data: { user: exampleUser, password: 'k7-Wm2-xQe' } },
  }),
  update: route({
    method: 'PUT',
    path: `${API_BASE}/users/updateAccount`,
    ...manages,
    audit: true,
    summary: 'Changes an account. `version` is the one that was edited.',
    input: {
      body: z.object({ ...ofTenant, ...details, id: z.uuid(), isTenantAdmin: z.boolean(), version: z.number().int() }),
    },
    data: user,
    errors: ['TENANT_REQUIRED', 'CHANGED_MEANWHILE', 'LAST_ADMIN', 'OWN_ACCOUNT'],
    example: { body: { id: exampleId, name: 'Alice', isTenantAdmin: false, version: 1 }, data: exampleUser },
  }),
  remove: route({
    method: 'GET',
    path: `${API_BASE}/users/deleteBy`,
    ...manages,
    audit: true,
    summary: 'Deletes an account; it can be brought back for 30 days. Its sessions end.',
    input: { query: z.object({ ...ofTenant, id: z.uuid() }) },
    data: z.null(),
    errors: ['TENANT_REQUIRED', 'LAST_ADMIN', 'OWN_ACCOUNT'],
    example: { query: { id: exampleId }, data: null },
  }),
  restore: route({
    method: 'POST',
    path: `${API_BASE}/users/restore`,
    ...manages,
    audit: true,
    summary: 'Brings a deleted account back, under another account name if its own is taken by now.',
    input: { body: z.object({ ...ofTenant, id: z.uuid(), account: accountName.optional() }) },
    data: user,
    errors: ['TENANT_REQUIRED', 'QUOTA_USERS', 'ACCOUNT_TAKEN'],
    example: { body: { id: exampleId }, data: exampleUser },
  }),
  purge: route({
    method: 'POST',
    path: `${API_BASE}/users/purge`,
    ...manages,
    audit: true,
    summary: 'Removes the personal data of a deleted account now, not after 30 days. It cannot be brought back.',
    input: { body: z.object({ ...ofTenant, id: z.uuid() }) },
    data: z.null(),
    errors: ['TENANT_REQUIRED'],
    example: { body: { id: exampleId }, data: null },
  }),
  invitationMail: route({
    method: 'GET',
    path: `${API_BASE}/users/invitations`,
    ...manages,
    summary: 'Whether invitations can be sent, and if not, what the server lacks.',
    input: {},
    data: z.object({ lacks: z.enum(['mailServer', 'address']).nullable() }),
    errors: [],
    example: { data: { lacks: null } },
  }),
  invite: route({
    method: 'POST',
    path: `${API_BASE}/users/invitations`,
    ...manages,
    audit: true,
    summary:
      'Invites the person of an account that has never signed in to set a password: a mail with a link that works ' +
      'for seven days and once. Earlier links, and a password that someone else has set, no longer work.',
    input: { body: z.object({ ...ofTenant, id: z.uuid() }) },
    data: user,
    errors: ['TENANT_REQUIRED', 'NOT_INVITABLE', ...INVITATION_ERRORS],
    example: { body: { id: exampleId }, data: exampleUser },
  }),
  revokeInvitation: route({
    method: 'DELETE',
    path: `${API_BASE}/users/invitations`,
    ...manages,
    audit: true,
    summary: 'Withdraws the invitation of an account: its link no longer works.',
    input: { body: z.object({ ...ofTenant, id: z.uuid() }) },
    data: user,
    errors: ['TENANT_REQUIRED'],
    example: { body: { id: exampleId }, data: exampleUser },
  }),
  status: route({
    method: 'POST',
    path: `${API_BASE}/users/status`,
    ...manages,
    audit: true,
    summary: 'Enables or disables accounts, all of those named or none. Sessions of disabled ones end at once.',
    input: {
      body: z.union([
        z.object({ ...ofTenant, id: z.uuid(), enabled: z.boolean() }),
        z.object({ ...ofTenant, ids, enabled: z.boolean() }),
      ]),
    },
    data: z.object({ changed: z.number().int() }),
    errors: ['TENANT_REQUIRED', 'LAST_ADMIN', 'OWN_ACCOUNT'],
    example: { body: { id: exampleId, enabled: false }, data: { changed: 1 } },
  }),
  resetPassword: route({
    method: 'POST',
    path: `${API_BASE}/users/resetPassword`,
    ...manages,
    audit: true,
    summary:
      'Gives an account a password made up by the server, answered this ' +
      'once; it must be changed at the next sign-in. Its sessions end.',
    input: { body: z.object({ ...ofTenant, id: z.uuid() }) },
    data: z.object({ password: z.string() }),
    errors: ['TENANT_REQUIRED', 'OWN_ACCOUNT', 'PASSWORD_IN_DIRECTORY'],
    example: { body: { id: exampleId }, data: { password: 'k7-Wm2-xQe' } },
  }),
  endSessions: route({
    method: 'POST',
    path: `${API_BASE}/users/endSessions`,
    ...manages,
    audit: true,
    summary: 'Ends all sessions of accounts.',
    input: { body: z.object({ ...ofTenant, ids }) },
    data: z.object({ ended: z.number().int() }),
    errors: ['TENANT_REQUIRED'],
    example: { body: { ids: [exampleId] }, data: { ended: 1 } },
  }),
  grants: route({
    method: 'GET',
    path: `${API_BASE}/users/:id/grants`,
    callers: ['user', 'operator'],
    permission: 'users:grant',
    summary: 'The roles and permissions granted to an account.',
    input: { params: z.object({ id: z.uuid() }), query: z.object(ofTenant) },
    data: grants,
    errors: ['TENANT_REQUIRED'],
    example: { params: { id: exampleId }, query: {}, data: { roleIds: [exampleRole], permissionIds: [] } },
  }),
  setGrants: route({
    method: 'PUT',
    path: `${API_BASE}/users/:id/grants`,
    callers: ['user', 'operator'],
    permission: 'users:grant',
    audit: true,
    summary: 'Grants an account exactly these roles and permissions.',
    input: { params: z.object({ id: z.uuid() }), body: grants.extend(ofTenant) },
    data: grants,
    errors: ['TENANT_REQUIRED', 'ROLE_UNKNOWN', 'PERMISSION_UNKNOWN'],
    example: {
      params: { id: exampleId },
      body: { roleIds: [exampleRole], permissionIds: [] },
      data: { roleIds: [exampleRole], permissionIds: [] },
    },
  }),
  access: route({
    method: 'GET',
    path: `${API_BASE}/users/:id/access`,
    ...manages,
    stepUp: true,
    summary: 'What an account sees and may call, and by which rule. Nothing is done in its name.',
    input: { params: z.object({ id: z.uuid() }), query: z.object(ofTenant) },
    data: access,
    errors: ['TENANT_REQUIRED'],
    example: {
      params: { id: exampleId },
      query: {},
      data: {
        user: {
          id: exampleId,
          account: 'alice',
          name: 'Alice',
          accountRole: 'user',
          enabled: true,
          tenantName: 'demo',
        },
        flags: exampleFlags,
        permissions: [
          {
            code: 'sys:network',
            name: '网络会议',
            nameEn: 'Network meetings',
            inUse: true,
            allowed: true,
            rule: { kind: 'role', names: ['Staff'] },
          },
        ],
        menus: [
          {
            id: exampleRole,
            pid: null,
            name: '我的会议',
            nameEn: 'My meetings',
            system: 'user',
            allowed: true,
            rule: { kind: 'role', names: ['Staff'] },
          },
        ],
        calls: [
          {
            id: 'meetings.list',
            method: 'GET',
            path: `${API_BASE}/meetings/list`,
            summary: 'Meetings',
            allowed: true,
            rule: { kind: 'anyone', names: [] },
          },
        ],
      },
    },
  }),
  lookup: route({
    method: 'POST',
    path: `${API_BASE}/users/query`,
    callers: ['user'],
    scope: 'users:read',
    summary: 'Colleagues by id, sorted by name. An empty list answers empty.',
    input: {
      body: z.object({
        query: z
          .object({ IN: z.object({ id: z.array(z.uuid()).max(USER_LOOKUP_SIZE).default([]) }).default({ id: [] }) })
          .default({ IN: { id: [] } }),
        size: z.number().int().min(1).max(USER_LOOKUP_SIZE).default(USER_LOOKUP_SIZE),
        sort: z.object({ name: z.enum(['ASC', 'DESC']) }).default({ name: 'ASC' }),
      }),
    },
    data: page(person),
    errors: [],
    example: {
      body: { query: { IN: { id: [exampleId] } } },
      data: { records: [examplePerson], total: 1, current: 1, size: USER_LOOKUP_SIZE },
    },
  }),
  search: route({
    method: 'GET',
    path: `${API_BASE}/users/queryUsers`,
    callers: ['user'],
    scope: 'users:read',
    summary:
      'Colleagues whose name, account, phone number, mail address or department contains the keyword; 50 at most.',
    input: { query: z.object({ keyword: z.string().trim().max(100).default('') }) },
    data: z.array(person),
    errors: [],
    example: { query: { keyword: 'ali' }, data: [examplePerson] },
  }),
  current: route({
    method: 'GET',
    path: `${API_BASE}/users/user`,
    aliases: [`${API_BASE}/users/user/new`],
    callers: ['user'],
    summary: 'The signed-in user.',
    input: {},
    data: profile,
    errors: [],
    example: { data: exampleProfile },
  }),
  forClient: route({
    method: 'GET',
    path: `${API_BASE}/users/queryUserForClient`,
    callers: ['user'],
    summary: 'Whether the desktop client opens the user app for this account; false leads it to the management area.',
    input: {},
    data: z.object({ openNewPage: z.boolean() }),
    errors: [],
    example: { data: { openNewPage: true } },
  }),
  tenantInfo: route({
    method: 'GET',
    path: `${API_BASE}/users/queryTenantInfo/:id`,
    callers: ['user', 'operator'],
    summary: "The tenant of a user of the caller's own tenant, and whom to ask there.",
    input: { params: z.object({ id: z.uuid() }) },
    data: tenantInfo,
    errors: [],
    example: {
      params: { id: exampleId },
      data: {
        tenantId: exampleId,
        name: 'demo',
        meetingAdmin: { name: 'Admin', phoneNumber: NONE },
        serviceDesk: { name: 'IT', phoneNumber: 'MTIzNDU=' },
      },
    },
  }),
  updateSelf: route({
    method: 'PUT',
    path: `${API_BASE}/users/self`,
    ...everyAccount,
    audit: true,
    summary: "Changes the caller's own name, phone number, mail address and language.",
    input: {
      body: z.object({ name: personName, phoneNumber: phoneInput, email: emailInput, locale: z.enum(LOCALES) }),
    },
    data: profile,
    errors: [],
    example: { body: { name: 'Alice', phoneNumber: NONE, email: NONE, locale: 'zh' }, data: exampleProfile },
  }),
  changePassword: route({
    method: 'PUT',
    path: `${API_BASE}/users/self/password`,
    ...everyAccount,
    audit: true,
    summary: "Changes the caller's own password. The account's other sessions end.",
    limit: { by: 'caller', max: 10, seconds: 60 },
    input: { body: z.object({ oldPassword: encryptedPassword, newPassword: encryptedPassword }) },
    data: z.null(),
    errors: [
      'PASSWORD_WRONG',
      'PASSWORD_IN_DIRECTORY',
      'DIRECTORY_PASSWORD_REFUSED',
      'DIRECTORY_UNREACHABLE',
      'DIRECTORY_LOCKED',
      'DIRECTORY_REFUSED',
      ...PASSWORD_ERRORS,
    ],
    example: { body: { oldPassword: 'b2xk', newPassword: 'bmV3' }, data: null },
  }),
  sessions: route({
    method: 'GET',
    path: `${API_BASE}/users/self/sessions`,
    ...everyAccount,
    summary: 'Where the caller is signed in.',
    input: {},
    data: z.array(userSession),
    errors: [],
    example: {
      data: [
        {
          id: exampleId,
          address: '192.0.2.1',
          userAgent: 'Chromium',
          method: 'PASSWORD',
          secondFactor: null,
          place: null,
          createdAt: '2026-11-20T08:00:00.000Z',
          lastSeenAt: '2026-11-20T08:30:00.000Z',
          isCurrent: true,
        },
      ],
    },
  }),
  endSession: route({
    method: 'DELETE',
    path: `${API_BASE}/users/self/sessions/:id`,
    ...everyAccount,
    audit: true,
    summary: "Ends one of the caller's own sessions.",
    input: { params: z.object({ id: z.uuid() }) },
    data: z.null(),
    errors: [],
    example: { params: { id: exampleId }, data: null },
  }),
};
