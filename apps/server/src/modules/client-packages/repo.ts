import { and, asc, desc, eq, ilike, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { PLATFORM_TENANT_ID, TOTAL_COUNT_LIMIT, type contract, type Input } from '@rmeet/contract';
import { allOf } from '../../platform/db/conditions.ts';
import { containing } from '../../platform/db/patterns.ts';
import type { PlatformTx, TenantTx } from '../../platform/db/index.ts';
import { tenant } from '../accounts/tenants/tables.ts';
import { storedFile, type StoredFileRow } from '../files/tables.ts';
import { clientPackage, type ClientPackageRow } from './tables.ts';

type ListQuery = Input<typeof contract.clientPackages.query>['query'];

const isPublished = isNull(clientPackage.withdrawnAt);

/** Whether no newer package of the type is offered to everyone. */
const isNotOutdated = sql`not exists (select 1 from ${clientPackage} newer where newer.type = ${clientPackage.type}
  and newer.withdrawn_at is null and newer.rollout_kind = 'all'
  and newer.version_parts > ${clientPackage.versionParts})`;

/** The published packages that may be offered to anyone, of each type the newest first. */
export function findCandidates(tx: TenantTx): Promise<ClientPackageRow[]> {
  return tx.find(clientPackage, and(isPublished, isNotOutdated), {
    orderBy: [asc(clientPackage.type), desc(clientPackage.versionParts)],
  });
}

/** A published package by its id or link. */
export function findPublished(
  tx: TenantTx,
  by: { id: string } | { link: string },
): Promise<ClientPackageRow | undefined> {
  const named = 'id' in by ? eq(clientPackage.id, by.id) : eq(clientPackage.link, by.link);
  return tx.findOne(clientPackage, and(isPublished, named), { orderBy: [desc(clientPackage.publishedAt)] });
}

/** The published package of a type with this version. */
export function findPublishedVersion(
  tx: TenantTx,
  type: number,
  versionParts: readonly number[],
): Promise<ClientPackageRow | undefined> {
  return tx.findOne(
    clientPackage,
    and(isPublished, eq(clientPackage.type, type), eq(clientPackage.versionParts, [...versionParts])),
  );
}

export function findPackage(tx: TenantTx, id: string, lock = false): Promise<ClientPackageRow | undefined> {
  return tx.findOne(clientPackage, eq(clientPackage.id, id), lock ? { lock: 'update' } : {});
}

/** One page of all packages, and their number. */
export async function listPackages(
  tx: TenantTx,
  { keyword, type, state, current, size }: ListQuery,
): Promise<{ rows: ClientPackageRow[]; total: number }> {
  const where = and(
    keyword ? matching(keyword) : undefined,
    type === undefined ? undefined : eq(clientPackage.type, type),
    state === undefined ? undefined : state === 'published' ? isPublished : isNotNull(clientPackage.withdrawnAt),
  );
  const rows = await tx.find(clientPackage, where, {
    orderBy: [asc(clientPackage.type), desc(clientPackage.versionParts), desc(clientPackage.publishedAt)],
    limit: size,
    offset: (current - 1) * size,
  });
  return { rows, total: await tx.count(clientPackage, where, TOTAL_COUNT_LIMIT + 1) };
}

function matching(keyword: string) {
  const pattern = containing(keyword);
  const ofFile = sql`exists (select 1 from ${storedFile} where ${storedFile.id} = ${clientPackage.fileId}
    and ${ilike(storedFile.name, pattern)})`;
  return or(
    ilike(clientPackage.version, pattern),
    ilike(clientPackage.link, pattern),
    ilike(clientPackage.notes, pattern),
    ofFile,
  );
}

/** The newest package of each type that everyone is offered: its id, by type. */
export async function findCurrent(tx: TenantTx): Promise<Map<number, string>> {
  const rows = (await findCandidates(tx)).filter(({ rolloutKind }) => rolloutKind === 'all');
  return new Map(rows.map(({ type, id }) => [type, id]));
}

/** The files of packages, by id. */
export async function filesOf(
  tx: TenantTx,
  rows: readonly Pick<ClientPackageRow, 'fileId'>[],
): Promise<Map<string, StoredFileRow>> {
  const ids = rows.flatMap(({ fileId }) => fileId ?? []);
  const files = ids.length === 0 ? [] : await tx.find(storedFile, inArray(storedFile.id, ids));
  return new Map(files.map((row) => [row.id, row]));
}

/** The names of those of these tenants that are customers, by id. */
export async function tenantNames(tx: PlatformTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.find(tenant, and(inArray(tenant.tenantId, [...ids]), eq(tenant.kind, 'customer')));
  return new Map(rows.map(({ tenantId, name }) => [tenantId, name]));
}

export async function insertPackage(
  tx: TenantTx,
  values: Omit<typeof clientPackage.$inferInsert, 'tenantId'>,
): Promise<ClientPackageRow> {
  const [row] = await tx.insert(clientPackage, values);
  if (!row) throw new Error('The package was not stored.');
  return row;
}

export async function updatePackage(
  tx: TenantTx,
  { id, edition }: Pick<ClientPackageRow, 'id' | 'edition'>,
  set: Partial<ClientPackageRow>,
): Promise<ClientPackageRow> {
  const [row] = await tx.update(clientPackage, { ...set, edition: edition + 1 }, eq(clientPackage.id, id));
  if (!row) throw new Error('The package is gone.');
  return row;
}

export async function deletePackage(tx: TenantTx, id: string): Promise<void> {
  await tx.delete(clientPackage, allOf(eq(clientPackage.id, id)));
}

/** The platform's own rows, in a transaction across tenants. */
export const ofPlatform = (tx: PlatformTx): TenantTx => tx.asTenant(PLATFORM_TENANT_ID);
