import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { line } from '../line.ts';
import { ENTRY_TYPES, USER_MANAGE_TYPES } from './entry-types.ts';
import { route } from '../http/route.ts';
import { featureFlags } from './users.ts';

const entryType = z.union([
  z.literal(ENTRY_TYPES.menu),
  z.literal(ENTRY_TYPES.page),
  z.literal(ENTRY_TYPES.permission),
]);
const userManageType = z.union([
  z.literal(USER_MANAGE_TYPES.meeting),
  z.literal(USER_MANAGE_TYPES.management),
  z.literal(USER_MANAGE_TYPES.classroom),
  z.literal(USER_MANAGE_TYPES.live),
]);
const zeroOrOne = z.union([z.literal(0), z.literal(1)]);

/** An entry of the list of menus and permissions (product document, sections 2 and 3). */
export const permissionEntry = z.object({
  id: z.uuid(),
  /** The parent entry; null at the top. */
  pid: z.uuid().nullable(),
  /** 0 menu, 1 page under a menu, 2 permission. */
  type: entryType,
  /**
   * The code of a permission; for a menu entry the code an account needs to see it, or null if the entry itself is
   * granted.
   */
  code: z.string().nullable(),
  name: z.string(),
  nameEn: z.string(),
  /** Route of the page, or an external address (http, https, mailto, tel). */
  url: z.string(),
  redirect: z.string(),
  icon: z.string(),
  /** 1: in the platform's admin system, for superAdmin; 0: in the user and manage apps. */
  isAdmin: zeroOrOne,
  /** `Layout`, or the name of a page. */
  component: z.string(),
  componentName: z.string(),
  hidden: z.boolean(),
  userManageType,
  sort: z.number().int(),
});
export type PermissionEntry = z.infer<typeof permissionEntry>;

/** An entry as the platform's staff see it. */
export const managedEntry = permissionEntry.extend({
  builtIn: z.boolean(),
  /** For a permission: whether the product checks it today. */
  inUse: z.boolean(),
  /** The kinds of accounts it can be granted to, by a role or directly; empty if only an account role includes it. */
  grantableTo: z.array(z.enum(['user', 'operator'])),
  version: z.number().int(),
});
export type ManagedEntry = z.infer<typeof managedEntry>;

/** An entry that can be granted to a user directly, besides the roles. */
export const grantableEntry = managedEntry
  .pick({ id: true, code: true, type: true, name: true, nameEn: true, inUse: true })
  .extend({
    /** The tenant is denied the feature: the grant takes effect once the tenant has it again. */
    denied: z.boolean(),
  });
export type GrantableEntry = z.infer<typeof grantableEntry>;

/** A path of the app, or an external address: http, https, mailto or tel (product document, section 5). */
const entryUrl = z
  .string()
  .trim()
  .max(500)
  .refine((text) => text === '' || text.startsWith('/') || /^(https?:|mailto:|tel:)/.test(text));
const code = z
  .string()
  .trim()
  .max(60)
  .regex(/^[A-Za-z][A-Za-z0-9]*:[A-Za-z0-9]+$/);
const details = {
  pid: z.uuid().nullable().default(null),
  code: code.nullable().default(null),
  name: line().min(1).max(60),
  nameEn: line().max(60).default(''),
  url: entryUrl.default(''),
  redirect: z.string().trim().max(200).default(''),
  icon: z.string().trim().max(60).default(''),
  isAdmin: zeroOrOne.default(0),
  component: z.string().trim().max(60).default(''),
  componentName: z.string().trim().max(60).default(''),
  hidden: z.boolean().default(false),
  userManageType: userManageType.default(USER_MANAGE_TYPES.meeting),
};

const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f01';
const exampleEntry = {
  id: exampleId,
  pid: null,
  type: 0,
  code: null,
  name: '我的会议',
  nameEn: 'My meetings',
  url: '/myMeeting',
  redirect: '',
  icon: 'calendar',
  isAdmin: 0,
  component: 'MyMeeting',
  componentName: 'MyMeeting',
  hidden: false,
  userManageType: 1,
  sort: 1,
};
const exampleManaged = { ...exampleEntry, builtIn: true, inUse: true, grantableTo: ['user'], version: 1 };
const manages = { callers: ['operator'], permission: 'menus:manage' } as const;
const accounts = { callers: ['user', 'operator'] } as const;

export const permissions = {
  codes: route({
    method: 'GET',
    path: `${API_BASE}/permissions`,
    ...accounts,
    summary: "The caller's permission codes.",
    input: {},
    data: z.array(z.string()),
    errors: [],
    example: { data: ['sys:network'] },
  }),
  mine: route({
    method: 'GET',
    path: `${API_BASE}/permission/user/permissions`,
    ...accounts,
    summary: 'The menu entries and permissions the caller has, parents before children, in order.',
    input: { query: z.object({ en: z.string().max(10).optional() }) },
    data: z.array(permissionEntry),
    errors: [],
    example: { query: {}, data: [exampleEntry] },
  }),
  flags: route({
    method: 'GET',
    path: `${API_BASE}/web/flag`,
    ...accounts,
    summary: "The caller's feature flags, each 1 or 0.",
    input: {},
    data: featureFlags,
    errors: [],
    example: {
      data: {
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
      },
    },
  }),
  list: route({
    method: 'GET',
    path: `${API_BASE}/permission/query`,
    callers: ['operator'],
    permission: 'roles:manage',
    summary: 'All menu entries and permissions, paged.',
    input: {
      query: z.object({
        ...pageQuery,
        keyword: z.string().trim().max(100).optional(),
        type: z.coerce.number().pipe(entryType).optional(),
        isAdmin: z.coerce.number().pipe(zeroOrOne).optional(),
        sort: z.enum(['name', 'code', 'sort', 'type']).default('sort'),
        order: z.enum(['ASC', 'DESC']).default('ASC'),
      }),
    },
    data: page(managedEntry),
    errors: [],
    example: { query: {}, data: { records: [exampleManaged], total: 1, current: 1, size: 20 } },
  }),
  tree: route({
    method: 'GET',
    path: `${API_BASE}/permission/tree`,
    callers: ['operator'],
    permission: 'roles:manage',
    summary: 'All menu entries and permissions, parents before children, in order; for trees.',
    input: {},
    data: z.array(managedEntry),
    errors: [],
    example: { data: [exampleManaged] },
  }),
  options: route({
    method: 'GET',
    path: `${API_BASE}/permission/options`,
    callers: ['user', 'operator'],
    permission: 'users:grant',
    summary: 'The menu entries and permissions that can be granted to users of a tenant directly, in order.',
    input: { query: z.object({ tenantId: z.uuid().optional() }) },
    data: z.array(grantableEntry),
    errors: ['TENANT_REQUIRED'],
    example: {
      query: {},
      data: [
        {
          id: exampleId,
          code: 'sys:network',
          type: 2,
          name: '网络会议',
          nameEn: 'Network meetings',
          inUse: true,
          denied: false,
        },
      ],
    },
  }),
  create: route({
    method: 'POST',
    path: `${API_BASE}/permission/new`,
    ...manages,
    audit: true,
    summary: 'Makes a menu entry or a permission, last among its siblings.',
    input: { body: z.object({ ...details, type: entryType }) },
    data: managedEntry,
    errors: ['CODE_TAKEN', 'PERMISSION_UNKNOWN', 'PARENT_UNFIT'],
    example: {
      body: { type: 2, code: 'sys:newThing', name: 'New thing' },
      data: { ...exampleManaged, type: 2, code: 'sys:newThing' },
    },
  }),
  update: route({
    method: 'POST',
    path: `${API_BASE}/permission/update`,
    ...manages,
    audit: true,
    summary:
      'Changes a menu entry or a permission. `version` is the one that was edited. Codes of the product itself stay.',
    input: { body: z.object({ ...details, id: z.uuid(), version: z.number().int() }) },
    data: managedEntry,
    errors: ['CODE_TAKEN', 'PERMISSION_UNKNOWN', 'PARENT_UNFIT', 'CHANGED_MEANWHILE', 'BUILT_IN', 'PERMISSION_GRANTED'],
    example: {
      body: { id: exampleId, name: '我的会议', url: '/myMeeting', component: 'MyMeeting', version: 1 },
      data: exampleManaged,
    },
  }),
  move: route({
    method: 'POST',
    path: `${API_BASE}/permission/move`,
    ...manages,
    audit: true,
    summary:
      'Puts an entry under a parent at a place among its siblings of the same system, counted from 0 without itself.',
    input: { body: z.object({ id: z.uuid(), pid: z.uuid().nullable(), index: z.number().int().min(0).max(1_000) }) },
    data: z.array(managedEntry),
    errors: ['PARENT_UNFIT'],
    example: { body: { id: exampleId, pid: null, index: 0 }, data: [exampleManaged] },
  }),
  remove: route({
    method: 'DELETE',
    path: `${API_BASE}/permission/delete`,
    ...manages,
    audit: true,
    summary: 'Deletes an entry that is granted to nobody and has nothing under it.',
    input: { query: z.object({ id: z.uuid() }) },
    data: z.null(),
    errors: ['BUILT_IN', 'PERMISSION_GRANTED', 'HAS_CHILDREN'],
    example: { query: { id: exampleId }, data: null },
  }),
};
