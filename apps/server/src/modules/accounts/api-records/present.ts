import { TOTAL_COUNT_LIMIT, type ApiCall, type ApiClient, type ApiGrant, type Page } from '@rmeet/contract';
import { inArray } from 'drizzle-orm';
import { tenant } from '../tenants/tables.ts';
import {
  clientsGrantedByTenant,
  secretsOf,
  stateOf,
  type Found,
  type NamedCall,
  type NamedGrant,
  type Reads,
} from './repo.ts';
import type { ApiClientRow } from './tables.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Clients with their secrets, tenants and grants. */
export async function presentClients(tx: Reads, rows: readonly ApiClientRow[], now: Date): Promise<ApiClient[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const secrets = Map.groupBy(await secretsOf(tx, ids, now), (row) => row.clientId);
  const granted = await clientsGrantedByTenant(tx, ids);
  const tenants = await tx.find(tenant, inArray(tenant.tenantId, [...new Set(rows.map((row) => row.tenantId))]));
  const names = new Map(tenants.map((row) => [row.tenantId, row.name]));
  return rows.map((row) => ({
    id: row.id,
    tenantId: row.tenantId,
    tenantName: names.get(row.tenantId) ?? '',
    name: row.name,
    description: row.description,
    state: stateOf(row, now),
    enabled: row.enabled,
    scopes: row.scopes,
    networks: row.networks,
    perMinute: row.perMinute,
    wholeTenant: row.wholeTenant,
    actsForUsers: row.actsForUsers,
    grantedByTenant: granted.has(row.id),
    expiresAt: iso(row.expiresAt),
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
    lastUsedAt: iso(row.lastUsedAt),
    publicKey: row.publicKey,
    secrets: (secrets.get(row.id) ?? []).map(({ ending, createdAt, expiresAt }) => ({
      ending,
      createdAt: createdAt.toISOString(),
      expiresAt: iso(expiresAt),
    })),
    version: row.version,
  }));
}

export async function presentClient(tx: Reads, row: ApiClientRow, now: Date): Promise<ApiClient> {
  const [client] = await presentClients(tx, [row], now);
  if (!client) throw new Error('The client was not presented.');
  return client;
}

export const presentGrant = (row: NamedGrant): ApiGrant => ({
  id: row.id,
  user: row.accountId === null ? null : { id: row.accountId, account: row.account ?? '', name: row.name ?? '' },
  grantedBy: row.grantedBy,
  grantedAt: row.grantedAt.toISOString(),
  lastUsedAt: iso(row.lastUsedAt),
});

export const presentCall = (row: NamedCall): ApiCall => ({
  id: row.id,
  at: row.at.toISOString(),
  action: row.action,
  status: row.status,
  ms: row.ms,
  address: row.address,
  requestId: row.requestId,
  user: row.accountId === null ? null : { id: row.accountId, name: row.userName ?? '' },
});

/** A page of a list. */
export function pageOf<R, T>(
  { rows, total }: Found<R>,
  { current, size }: { current: number; size: number },
  present: (row: R) => T,
): Page<T> {
  const page = { records: rows.map(present), total: Math.min(total, TOTAL_COUNT_LIMIT), current, size };
  return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
}
