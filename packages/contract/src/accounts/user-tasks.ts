import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { route } from '../http/route.ts';
import { line } from '../line.ts';
import { department, sheetFormat, userFilter } from './users.ts';

/** The columns of an imported sheet, in order. */
export const USER_COLUMNS = ['account', 'name', 'phone', 'email', 'department', 'roles', 'locale'] as const;
/**
 * What is wrong with a cell of an imported sheet. `mayNotGrant`: the caller cannot grant roles; `mayNotChange`: an
 * account with more rights than the caller.
 */
export const USER_FAULTS = [
  'missing',
  'tooLong',
  'unreadable',
  'twice',
  'roleUnknown',
  'mayNotGrant',
  'mayNotChange',
  'quota',
] as const;
/** Rows of a sheet besides the header. */
export const USER_IMPORT_ROWS = 10_000;
/** Accounts in one change of all that match a filter. */
export const USER_CHANGE_MAX = 10_000;

/**
 * An account in a task. Checked: `toCreate`, `toChange`, `wrong`, `same`, which is left alone. Then `created`,
 * `changed`, `same` or `failed`; after a cancellation the others keep their state.
 */
export const TASK_ITEM_STATES = ['toCreate', 'toChange', 'same', 'wrong', 'created', 'changed', 'failed'] as const;
export type TaskItemState = (typeof TASK_ITEM_STATES)[number];

/** One change of many accounts. */
export const accountChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('enable') }),
  z.object({ kind: z.literal('disable') }),
  z.object({ kind: z.literal('invite') }),
  z.object({ kind: z.literal('remove') }),
  z.object({ kind: z.literal('move'), department }),
  z.object({ kind: z.literal('addRole'), roleId: z.uuid() }),
  z.object({ kind: z.literal('removeRole'), roleId: z.uuid() }),
]);
export type AccountChange = z.infer<typeof accountChange>;

/** How imported people get into their new accounts. */
export const FIRST_ACCESS = ['invitation', 'password'] as const;

const task = z.object({
  id: z.uuid(),
  kind: z.enum(['import', 'change']),
  /** The imported file; empty in other tasks. */
  name: z.string(),
  /** Null for an import. */
  change: accountChange.nullable(),
  /** `checked`: nothing has been changed yet. */
  state: z.enum(['checked', 'running', 'done', 'cancelled']),
  total: z.number().int(),
  counts: z.record(z.enum(TASK_ITEM_STATES), z.number().int()),
  /** New accounts in it without a mail address, which cannot be invited. */
  withoutMail: z.number().int(),
  /** First passwords that can be downloaded, once. */
  passwords: z.number().int(),
  createdAt: z.iso.datetime(),
});
export type UserTask = z.infer<typeof task>;

const fault = z.object({ column: z.enum(USER_COLUMNS), fault: z.enum(USER_FAULTS), value: z.string() });
const item = z.object({
  id: z.number().int(),
  /** The row in the sheet; the header is 1. Null in other tasks. */
  row: z.number().int().nullable(),
  account: z.string(),
  name: z.string(),
  state: z.enum(TASK_ITEM_STATES),
  /** The columns that change. */
  columns: z.array(z.enum(USER_COLUMNS)),
  faults: z.array(fault),
  /** Why it failed, as a sentence; empty otherwise. */
  reason: z.string(),
});
export type UserTaskItem = z.infer<typeof item>;

const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
const exampleTask: UserTask = {
  id: exampleId,
  kind: 'import',
  name: 'people.xlsx',
  change: null,
  state: 'checked',
  total: 2,
  counts: { toCreate: 1, toChange: 0, same: 0, wrong: 1, created: 0, changed: 0, failed: 0 },
  withoutMail: 0,
  passwords: 0,
  createdAt: '2026-11-20T09:00:00.000Z',
};
const exampleItem: UserTaskItem = {
  id: 2,
  row: 3,
  account: 'bob',
  name: '',
  state: 'wrong',
  columns: [],
  faults: [{ column: 'name', fault: 'missing', value: '' }],
  reason: '',
};

const manages = { callers: ['user', 'operator'], permission: 'users:manage' } as const;
const ofTenant = { tenantId: z.uuid().optional() };
const params = z.object({ id: z.uuid() });
const path = `${API_BASE}/user-tasks`;
const language = { en: z.string().max(10).optional() };
const example = { params: { id: exampleId }, query: {} };

/**
 * Imports of users and changes of many at once: checked first, then started, and done in the background, account by
 * account. A task belongs to the account that made it and is kept for a week.
 */
export const userTasks = {
  list: route({
    method: 'GET',
    path,
    ...manages,
    summary: 'The tasks of the caller that were started, the newest first; ten at most.',
    input: { query: z.object(ofTenant) },
    data: z.array(task),
    errors: ['TENANT_REQUIRED'],
    example: { query: {}, data: [{ ...exampleTask, state: 'done' }] },
  }),
  template: route({
    method: 'GET',
    path: `${path}/template`,
    ...manages,
    download: true,
    summary: 'An empty sheet with the columns of the import.',
    input: { query: z.object({ ...language, format: sheetFormat }) },
    data: z.null(),
    errors: ['TICKET_INVALID'],
    example: { query: {}, data: null },
  }),
  import: route({
    method: 'POST',
    path: `${path}/import`,
    ...manages,
    bodyBytes: 8 * 1024 * 1024,
    limit: { by: 'caller', max: 60, seconds: 60 },
    summary:
      'Checks an Excel workbook or CSV (base64; UTF-8 or GB18030), 10,000 rows at most, and changes nothing: what ' +
      'starting the task would do with each row. Known account names are changed, new ones added; a column that is ' +
      'missing, and an empty cell of roles and language, leaves accounts as they are.',
    input: { body: z.object({ ...ofTenant, file: z.base64().min(1), name: line().max(200).default('') }) },
    data: task,
    errors: ['TENANT_REQUIRED', 'TABLE_UNREADABLE', 'SHEET_TOO_LONG'],
    example: { body: { file: 'UEsDBA==' }, data: exampleTask },
  }),
  change: route({
    method: 'POST',
    path,
    ...manages,
    limit: { by: 'caller', max: 60, seconds: 60 },
    summary: 'Prepares a change of accounts, those named or all that meet a filter (10,000 at most).',
    input: {
      body: z.object({
        ...ofTenant,
        of: z.union([
          z.object({ ids: z.array(z.uuid()).min(1).max(500) }),
          z.object({ filter: userFilter.omit({ tenantId: true, sort: true, order: true, en: true }) }),
        ]),
        change: accountChange,
      }),
    },
    data: task,
    errors: ['TENANT_REQUIRED', 'ROLE_UNKNOWN', 'INVITATIONS_UNAVAILABLE'],
    example: {
      body: { of: { ids: [exampleId] }, change: { kind: 'disable' } },
      data: {
        ...exampleTask,
        kind: 'change',
        name: '',
        change: { kind: 'disable' },
        total: 1,
        counts: { ...exampleTask.counts, toCreate: 0, toChange: 1, wrong: 0 },
      },
    },
  }),
  read: route({
    method: 'GET',
    path: `${path}/:id`,
    ...manages,
    summary: 'A task of the caller, with its progress.',
    input: { params, query: z.object(ofTenant) },
    data: task,
    errors: ['TENANT_REQUIRED'],
    example: { ...example, data: exampleTask },
  }),
  items: route({
    method: 'GET',
    path: `${path}/:id/items`,
    ...manages,
    summary: 'The accounts of a task in order, paged.',
    input: {
      params,
      query: z.object({ ...ofTenant, ...language, state: z.enum(TASK_ITEM_STATES).optional(), ...pageQuery }),
    },
    data: page(item),
    errors: ['TENANT_REQUIRED'],
    example: { ...example, data: { records: [exampleItem], total: 1, current: 1, size: 20 } },
  }),
  start: route({
    method: 'POST',
    path: `${path}/:id/start`,
    ...manages,
    audit: true,
    summary:
      'Starts a checked task. `firstAccess`: invitations by mail, or first passwords that can be downloaded once; ' +
      'new accounts without a mail address get a password in any case.',
    input: {
      params,
      body: z.object({ ...ofTenant, firstAccess: z.enum(FIRST_ACCESS).default('password') }),
    },
    data: task,
    errors: ['TENANT_REQUIRED', 'TASK_STARTED', 'INVITATIONS_UNAVAILABLE'],
    example: {
      params: { id: exampleId },
      body: { firstAccess: 'invitation' },
      data: { ...exampleTask, state: 'running' },
    },
  }),
  cancel: route({
    method: 'POST',
    path: `${path}/:id/cancel`,
    ...manages,
    summary: 'Ends a task. What has been done stays done, and is listed.',
    input: { params, body: z.object(ofTenant) },
    data: task,
    errors: ['TENANT_REQUIRED'],
    example: { params: { id: exampleId }, body: {}, data: { ...exampleTask, state: 'cancelled' } },
  }),
  report: route({
    method: 'GET',
    path: `${path}/:id/report`,
    ...manages,
    download: true,
    summary: 'The accounts of a task as an Excel workbook or CSV, with what is done, planned or wrong.',
    input: { params, query: z.object({ ...ofTenant, ...language, format: sheetFormat }) },
    data: z.null(),
    errors: ['TENANT_REQUIRED', 'TICKET_INVALID'],
    example: { ...example, data: null },
  }),
  passwords: route({
    method: 'POST',
    path: `${path}/:id/passwords`,
    ...manages,
    audit: true,
    summary: 'The first passwords of accounts that a task has created, as a CSV file (base64): once, within a day.',
    input: { params, body: z.object({ ...ofTenant, ...language }) },
    data: z.object({ name: z.string(), file: z.base64() }),
    errors: ['TENANT_REQUIRED', 'PASSWORDS_TAKEN'],
    example: { params: { id: exampleId }, body: {}, data: { name: 'passwords.csv', file: 'YWNjb3VudA==' } },
  }),
};
