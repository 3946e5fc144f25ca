import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { line } from '../line.ts';
import { route } from '../http/route.ts';

/** A named set of permissions and menu entries, made by the platform and granted to accounts of one kind. */
export const role = z.object({
  id: z.uuid(),
  name: z.string(),
  nameEn: z.string(),
  description: z.string(),
  /** Which accounts it can be granted to. */
  kind: z.enum(['user', 'operator']),
  /** Granted to every new account of its kind if the creator names no roles. */
  isDefault: z.boolean(),
  /** Part of the product: can be changed, not deleted. */
  builtIn: z.boolean(),
  /** Permissions and menu entries. */
  permissionIds: z.array(z.uuid()),
  /** Accounts that have it, counted to 10,000. */
  accounts: z.number().int(),
  version: z.number().int(),
});
export type Role = z.infer<typeof role>;

const details = {
  name: line().min(1).max(60),
  nameEn: line().max(60).default(''),
  description: z.string().trim().max(300).default(''),
  isDefault: z.boolean().default(false),
  permissionIds: z.array(z.uuid()).max(1_000),
};
const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2e01';
const exampleRole = {
  id: exampleId,
  name: '员工',
  nameEn: 'Staff',
  description: '',
  kind: 'user',
  isDefault: true,
  builtIn: true,
  permissionIds: [exampleId],
  accounts: 12,
  version: 1,
};
const manages = { callers: ['operator'], permission: 'roles:manage' } as const;

export const roles = {
  list: route({
    method: 'GET',
    path: `${API_BASE}/roles/query`,
    ...manages,
    summary: 'The roles, paged.',
    input: {
      query: z.object({
        ...pageQuery,
        id: z.uuid().optional(),
        keyword: z.string().trim().max(100).optional(),
        kind: z.enum(['user', 'operator']).optional(),
        sort: z.enum(['name', 'kind', 'createdAt']).default('name'),
        order: z.enum(['ASC', 'DESC']).default('ASC'),
      }),
    },
    data: page(role),
    errors: [],
    example: { query: {}, data: { records: [exampleRole], total: 1, current: 1, size: 20 } },
  }),
  options: route({
    method: 'GET',
    path: `${API_BASE}/roles/options`,
    callers: ['user', 'operator'],
    permission: 'users:manage',
    summary: 'Roles that can be granted to accounts of a kind; tenants choose among those for users.',
    input: { query: z.object({ kind: z.enum(['user', 'operator']).default('user') }) },
    data: z.array(role.pick({ id: true, name: true, nameEn: true, description: true, isDefault: true })),
    errors: [],
    example: { query: {}, data: [{ id: exampleId, name: '员工', nameEn: 'Staff', description: '', isDefault: true }] },
  }),
  create: route({
    method: 'POST',
    path: `${API_BASE}/roles/new`,
    ...manages,
    audit: true,
    summary: 'Makes a role.',
    input: { body: z.object({ ...details, kind: z.enum(['user', 'operator']) }) },
    data: role,
    errors: ['NAME_TAKEN', 'PERMISSION_UNKNOWN', 'NOT_GRANTABLE'],
    example: { body: { name: '员工', kind: 'user', permissionIds: [exampleId] }, data: exampleRole },
  }),
  update: route({
    method: 'POST',
    path: `${API_BASE}/roles/update`,
    ...manages,
    audit: true,
    summary: 'Changes a role and what it grants. `version` is the one that was edited.',
    input: { body: z.object({ ...details, id: z.uuid(), version: z.number().int() }) },
    data: role,
    errors: ['NAME_TAKEN', 'PERMISSION_UNKNOWN', 'NOT_GRANTABLE', 'CHANGED_MEANWHILE'],
    example: { body: { id: exampleId, name: '员工', permissionIds: [exampleId], version: 1 }, data: exampleRole },
  }),
  remove: route({
    method: 'DELETE',
    path: `${API_BASE}/roles/delete`,
    ...manages,
    audit: true,
    summary: 'Deletes a role nobody has.',
    input: { query: z.object({ id: z.uuid() }) },
    data: z.null(),
    errors: ['BUILT_IN', 'ROLE_GRANTED'],
    example: { query: { id: exampleId }, data: null },
  }),
};
