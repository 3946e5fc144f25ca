import { and, asc, desc, eq, gte, ilike, inArray, lt, or, sql, type SQL } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type contract, type Input } from '@rmeet/contract';
import { containing, type TenantTx } from '../../platform/db/index.ts';
import { auditLog, type AuditRow } from './tables.ts';

export type Filter = Omit<Input<typeof contract.audit.export>['query'], 'tenantId'>;
/** For one tenant, or for all. */
export type Reader = Pick<TenantTx, 'find' | 'count'>;
type Paging = Pick<Input<typeof contract.audit.list>['query'], 'current' | 'size'>;

/** `from` is included, `to` is not. */
function matching({ from, to, action, actorId, targetId, keyword }: Filter): SQL | undefined {
  const pattern = keyword ? containing(keyword) : undefined;
  return and(
    from ? gte(auditLog.at, new Date(from)) : undefined,
    to ? lt(auditLog.at, new Date(to)) : undefined,
    action ? eq(auditLog.action, action) : undefined,
    actorId ? eq(auditLog.actorId, actorId) : undefined,
    targetId ? eq(auditLog.targetId, targetId) : undefined,
    pattern ? or(ilike(auditLog.actorName, pattern), ilike(auditLog.targetName, pattern)) : undefined,
  );
}

/** Ids order rows of the same millisecond. */
const orderOf = ({ order }: Filter): SQL[] =>
  order === 'ASC' ? [asc(auditLog.at), asc(auditLog.id)] : [desc(auditLog.at), desc(auditLog.id)];

/** One page of the rows that meet the filter, and their number, counted to one past the limit. */
export async function listAudit(
  tx: Reader,
  filter: Filter,
  { current, size }: Paging,
): Promise<{ rows: AuditRow[]; total: number }> {
  const where = matching(filter);
  const rows = await tx.find(auditLog, where, { orderBy: orderOf(filter), limit: size, offset: (current - 1) * size });
  // A page that is not full is the last one: counting would read the whole log once more.
  const isLast = rows.length < size && (rows.length > 0 || current === 1);
  return {
    rows,
    total: isLast ? (current - 1) * size + rows.length : await tx.count(auditLog, where, TOTAL_COUNT_LIMIT + 1),
  };
}

/** What was changed at an API client, and what it has changed; newest first, counted to one past the limit. */
export async function listTrail(
  tx: Reader,
  clientId: string,
  { current, size }: Paging,
): Promise<{ rows: AuditRow[]; total: number }> {
  const where = or(eq(auditLog.targetId, clientId), eq(auditLog.clientId, clientId));
  const rows = await tx.find(auditLog, where, {
    orderBy: [desc(auditLog.at), desc(auditLog.id)],
    limit: size,
    offset: (current - 1) * size,
  });
  return { rows, total: await tx.count(auditLog, where, TOTAL_COUNT_LIMIT + 1) };
}

/** The rows after the given one, in the filter's order; without one, the first. */
export function findAuditAfter(
  tx: Reader,
  filter: Filter,
  last: AuditRow | undefined,
  limit: number,
): Promise<AuditRow[]> {
  const place = sql`(${auditLog.at}, ${auditLog.id})`;
  const mark = last && sql`(${last.at.toISOString()}::timestamptz, ${last.id}::uuid)`;
  const beyond = mark && (filter.order === 'ASC' ? sql`${place} > ${mark}` : sql`${place} < ${mark}`);
  return tx.find(auditLog, and(matching(filter), beyond), { orderBy: orderOf(filter), limit });
}

/**
 * Deletes rows older than this many calendar months, the oldest first, at most `limit`. Returns how many. The database
 * subtracts the months, as does its trigger that rejects younger rows, so that both treat the ends of months alike.
 */
export async function deleteAuditOlderThan(tx: TenantTx, now: Date, months: number, limit: number): Promise<number> {
  const old = await tx.find(
    auditLog,
    sql`${auditLog.at} < ${now.toISOString()}::timestamptz - make_interval(months => ${months}::int)`,
    { orderBy: [asc(auditLog.at)], limit },
  );
  if (old.length > 0)
    await tx.delete(
      auditLog,
      inArray(
        auditLog.id,
        old.map((row) => row.id),
      ),
    );
  return old.length;
}
