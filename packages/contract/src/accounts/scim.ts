import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { route } from '../http/route.ts';
import { line } from '../line.ts';

/** Where directories push people and groups (RFC 7644); not part of this contract, since the RFC defines it. */
export const SCIM_PATH = '/api/scim/v2';
/** Two, so that one can be replaced while the other is in use. */
export const SCIM_TOKENS_MAX = 2;

const token = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
const group = z.object({
  id: z.uuid(),
  name: z.string(),
  members: z.number().int(),
  /** The role that its people get; null: none. */
  roleId: z.uuid().nullable(),
});
const overview = z.object({ tokens: z.array(token), groups: z.array(group) });
export type ScimOverview = z.infer<typeof overview>;

const SCIM = `${API_BASE}/scim`;
const administers = { callers: ['user'], permission: 'tenants:settings' } as const;
const exampleId = '0198f6a2-0000-7c40-9a11-5b1f0e3c2d10';
const exampleToken = { id: exampleId, name: 'Entra', createdAt: '2026-11-20T08:00:00.000Z', lastUsedAt: null };
const exampleGroup = { id: exampleId, name: 'Doctors', members: 12, roleId: null };

/** What tenant administrators set for directories that push (SCIM 2.0). */
export const scim = {
  overview: route({
    method: 'GET',
    path: SCIM,
    ...administers,
    summary: 'The tokens of directories that push, and the groups that they have pushed.',
    input: {},
    data: overview,
    errors: [],
    example: { data: { tokens: [exampleToken], groups: [exampleGroup] } },
  }),
  createToken: route({
    method: 'POST',
    path: `${SCIM}/tokens`,
    ...administers,
    stepUp: true,
    audit: true,
    summary: 'Makes a token, which is answered this once. Two at most are valid.',
    input: { body: z.object({ name: line().min(1).max(60) }) },
    data: token.extend({ token: z.string() }),
    errors: ['SCIM_TOKENS'],
    example: { body: { name: 'Entra' }, data: { ...exampleToken, token: 'q1YzP0cQx1YzP0cn3ZcQx' } },
  }),
  removeToken: route({
    method: 'DELETE',
    path: `${SCIM}/tokens/:id`,
    ...administers,
    audit: true,
    summary: 'Ends a token at once.',
    input: { params: z.object({ id: z.uuid() }) },
    data: z.null(),
    errors: [],
    example: { params: { id: exampleId }, data: null },
  }),
  setRole: route({
    method: 'PUT',
    path: `${SCIM}/groups/:id`,
    ...administers,
    audit: true,
    summary: 'Sets the role that people of a group get. Takes `users:grant`.',
    input: { params: z.object({ id: z.uuid() }), body: z.object({ roleId: z.uuid().nullable() }) },
    data: group,
    errors: ['ROLE_UNKNOWN'],
    example: { params: { id: exampleId }, body: { roleId: exampleId }, data: { ...exampleGroup, roleId: exampleId } },
  }),
};
