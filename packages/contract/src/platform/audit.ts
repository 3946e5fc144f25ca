import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { route } from '../http/route.ts';

/** One change and who is responsible for it. Rows are never edited. */
export const auditEntry = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  tenantId: z.uuid(),
  tenantName: z.string(),
  actor: z.object({
    kind: z.enum(['user', 'operator', 'terminal', 'desk', 'system']),
    id: z.string(),
    name: z.string(),
  }),
  /** The API client that acted in the actor's name. */
  client: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** The network address it came from. */
  address: z.string(),
  /** `domain.name` of the route. */
  action: z.string(),
  target: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  /** The changed fields before and after; secrets only as `***`. Null if there are none. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  requestId: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditFilter = z.object({
  /** Operators may name a tenant; all other callers read their own. */
  tenantId: z.uuid().optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  action: z.string().max(100).optional(),
  actorId: z.string().max(60).optional(),
  targetId: z.string().max(60).optional(),
  /** Part of the actor's or the target's name. */
  keyword: z.string().trim().max(100).optional(),
  order: z.enum(['ASC', 'DESC']).default('DESC'),
});

const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d10';
const exampleEntry = {
  id: exampleId,
  at: '2026-11-20T08:00:00.000Z',
  tenantId: exampleId,
  tenantName: 'demo',
  actor: { kind: 'user', id: exampleId, name: 'Admin' },
  client: null,
  address: '192.0.2.1',
  action: 'users.status',
  target: { kind: 'account', id: exampleId, name: 'alice' },
  before: { enabled: true },
  after: { enabled: false },
  requestId: 'k3Rt',
};
const reads = { callers: ['user', 'operator'], permission: 'audit:read' } as const;

export const audit = {
  list: route({
    method: 'GET',
    path: `${API_BASE}/audit/query`,
    ...reads,
    summary: 'The audit log, newest first, paged.',
    input: { query: auditFilter.extend(pageQuery) },
    data: page(auditEntry),
    errors: [],
    example: { query: { action: 'users.status' }, data: { records: [exampleEntry], total: 1, current: 1, size: 20 } },
  }),
  actions: route({
    method: 'GET',
    path: `${API_BASE}/audit/actions`,
    ...reads,
    summary: 'The actions that are recorded.',
    input: {},
    data: z.array(z.string()),
    errors: [],
    example: { data: ['users.status'] },
  }),
  export: route({
    method: 'GET',
    path: `${API_BASE}/audit/export`,
    ...reads,
    download: true,
    summary: 'The entries that meet the filter as an Excel workbook; 50,000 at most.',
    input: { query: auditFilter },
    data: z.null(),
    errors: ['TICKET_INVALID'],
    example: { query: {}, data: null },
  }),
};
