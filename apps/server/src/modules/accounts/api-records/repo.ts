import { TOTAL_COUNT_LIMIT, type ApiClientState, type contract, type Input } from '@rmeet/contract';
import { and, asc, desc, eq, gt, gte, ilike, inArray, isNotNull, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import { containing, type TenantTx } from '../../../platform/db/index.ts';
import { account } from '../users/tables.ts';
import {
  apiCall,
  apiClient,
  apiGrant,
  apiSecret,
  type ApiCallRow,
  type ApiClientRow,
  type ApiGrantRow,
} from './tables.ts';

/** Either kind of transaction, for reading. */
export type Reads = Pick<TenantTx, 'find' | 'findOne' | 'count' | 'select' | 'scoped'>;
type Paging = { current: number; size: number };
type ListQuery = Input<typeof contract.apiRecords.query>['query'];

export interface Found<R> {
  rows: R[];
  /** Counted to one past the limit. */
  total: number;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const pageOf = ({ current, size }: Paging) => ({ limit: size, offset: (current - 1) * size });

/** With `lock`, other changes of the client wait until the end of the transaction. */
export function findClient(tx: Pick<TenantTx, 'findOne'>, id: string, lock = false): Promise<ApiClientRow | undefined> {
  return tx.findOne(apiClient, eq(apiClient.id, id), lock ? { lock: 'no key update' } : {});
}

/** The condition of a state (see stateOf). */
function inState(state: ApiClientState, now: Date): SQL {
  const isOpen = isNull(apiClient.endedAt);
  const isValid = or(isNull(apiClient.expiresAt), gt(apiClient.expiresAt, now)) ?? sql`true`;
  switch (state) {
    case 'ended':
      return isNotNull(apiClient.endedAt);
    case 'disabled':
      return allOf(isOpen, eq(apiClient.enabled, false));
    case 'expired':
      return allOf(isOpen, eq(apiClient.enabled, true), lte(apiClient.expiresAt, now));
    case 'active':
      return allOf(isOpen, eq(apiClient.enabled, true), isValid);
  }
}

/** `disabled` before `expired`: a disabled one must be enabled, whatever its time. */
export function stateOf({ endedAt, enabled, expiresAt }: ApiClientRow, now: Date): ApiClientState {
  if (endedAt) return 'ended';
  if (!enabled) return 'disabled';
  return expiresAt && expiresAt <= now ? 'expired' : 'active';
}

const SORTS = {
  name: sql`lower(${apiClient.name})`,
  createdAt: apiClient.createdAt,
  lastUsedAt: apiClient.lastUsedAt,
  expiresAt: apiClient.expiresAt,
} as const;

/** One page of clients. */
export async function listClients(tx: Reads, query: ListQuery, now: Date): Promise<Found<ApiClientRow>> {
  const { keyword, state, sort, order } = query;
  const pattern = keyword ? containing(keyword) : undefined;
  const isNamed = pattern ? or(ilike(apiClient.name, pattern), ilike(apiClient.description, pattern)) : undefined;
  const where = and(
    keyword && UUID.test(keyword) ? eq(apiClient.id, keyword.toLowerCase()) : isNamed,
    state && inState(state, now),
  );
  // Those without a time are last in either direction.
  const by = sql`${SORTS[sort]} ${sql.raw(order === 'ASC' ? 'asc' : 'desc')} nulls last`;
  const rows = await tx.find(apiClient, where, { orderBy: [by, asc(apiClient.id)], ...pageOf(query) });
  return { rows, total: await tx.count(apiClient, where, TOTAL_COUNT_LIMIT + 1) };
}

/** The valid secrets of clients, the newest first. */
export function secretsOf(
  tx: Reads,
  clientIds: readonly string[],
  now: Date,
): Promise<(typeof apiSecret.$inferSelect)[]> {
  if (clientIds.length === 0) return Promise.resolve([]);
  const isValid = or(isNull(apiSecret.expiresAt), gt(apiSecret.expiresAt, now)) ?? sql`true`;
  return tx.find(apiSecret, allOf(inArray(apiSecret.clientId, [...clientIds]), isValid), {
    // The newest has no end; PostgreSQL sorts null first in this direction.
    orderBy: [desc(apiSecret.expiresAt), desc(apiSecret.createdAt)],
  });
}

/** The clients that may act for every user. */
export async function clientsGrantedByTenant(tx: Reads, clientIds: readonly string[]): Promise<Set<string>> {
  if (clientIds.length === 0) return new Set();
  const rows = await tx.find(
    apiGrant,
    allOf(inArray(apiGrant.clientId, [...clientIds]), isNull(apiGrant.accountId), isNull(apiGrant.endedAt)),
  );
  return new Set(rows.map((row) => row.clientId));
}

/** A grant with the person's account and name; empty names if it is for every user. */
export interface NamedGrant extends Omit<ApiGrantRow, 'tenantId'> {
  account: string | null;
  name: string | null;
}

/** One page of the open grants of a client, the newest first. */
export async function listGrants(tx: Reads, clientId: string, paging: Paging): Promise<Found<NamedGrant>> {
  const [grants, people] = [tx.scoped(apiGrant), tx.scoped(account)];
  const rows = await tx
    .select({
      id: grants.id,
      clientId: grants.clientId,
      accountId: grants.accountId,
      grantedBy: grants.grantedBy,
      grantedAt: grants.grantedAt,
      endedAt: grants.endedAt,
      lastUsedAt: grants.lastUsedAt,
      account: people.account,
      name: people.name,
    })
    .from(grants)
    .leftJoin(people, eq(people.id, grants.accountId))
    .where(and(eq(grants.clientId, clientId), isNull(grants.endedAt)))
    .orderBy(desc(grants.grantedAt), asc(grants.id))
    .limit(paging.size)
    .offset((paging.current - 1) * paging.size);
  const where = allOf(eq(apiGrant.clientId, clientId), isNull(apiGrant.endedAt));
  return { rows, total: await tx.count(apiGrant, where, TOTAL_COUNT_LIMIT + 1) };
}

/** The open grants by which a client may act for a person: the own one first. */
export function grantsFor(tx: Reads, clientId: string, accountId: string): Promise<ApiGrantRow[]> {
  return tx.find(
    apiGrant,
    allOf(
      eq(apiGrant.clientId, clientId),
      isNull(apiGrant.endedAt),
      or(eq(apiGrant.accountId, accountId), isNull(apiGrant.accountId)) ?? sql`false`,
    ),
    { orderBy: sql`${apiGrant.accountId} nulls last` },
  );
}

export interface NamedCall extends Omit<ApiCallRow, 'tenantId' | 'clientId'> {
  userName: string | null;
}

/** One page of the calls of a client, the newest first. */
export async function listCalls(
  tx: Reads,
  clientId: string,
  { failed, ...paging }: Paging & { failed?: boolean | undefined },
): Promise<Found<NamedCall>> {
  const [calls, people] = [tx.scoped(apiCall), tx.scoped(account)];
  const rows = await tx
    .select({
      id: calls.id,
      at: calls.at,
      accountId: calls.accountId,
      action: calls.action,
      status: calls.status,
      ms: calls.ms,
      address: calls.address,
      requestId: calls.requestId,
      userName: people.name,
    })
    .from(calls)
    .leftJoin(people, eq(people.id, calls.accountId))
    .where(and(eq(calls.clientId, clientId), failed ? gte(calls.status, 400) : undefined))
    .orderBy(desc(calls.at), desc(calls.id))
    .limit(paging.size)
    .offset((paging.current - 1) * paging.size);
  const where = and(eq(apiCall.clientId, clientId), failed ? gte(apiCall.status, 400) : undefined);
  return { rows, total: await tx.count(apiCall, where, TOTAL_COUNT_LIMIT + 1) };
}
