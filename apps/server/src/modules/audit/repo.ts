import { and, asc, desc, eq, gte, ilike, inArray, lt, or, sql, type SQL } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type contract, type Input } from '@rmeet/contract';
import { containing, type TenantTx } from '../../platform/db/index.ts';
import { auditLog, type AuditRow } from './tables.ts';

export type Filter = Omit<Input<typeof contract.audit.export>['query'], 'tenantId'>;
/** Of one tenant, or of all. */
export type Reader = Pick<TenantTx, 'find' | 'count'>;
type Paging = Pick<Input<typeof contract.audit.list>['query'], 'current' | 'size'>;

/** `from` is in, `to` is out. */
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

/** Rows of the same millisecond are kept apart by their ids. */
const orderOf = ({ order }: Filter): SQL[] =>
  order === 'ASC' ? [asc(auditLog.at), asc(auditLog.id)] : [desc(auditLog.at), desc(auditLog.id)];

/** One page of the rows that meet the filter, and how many there are up to one past the counting limit. */
export async function listAudit(
  tx: Reader,
  filter: Filter,
  { current, size }: Paging,
): Promise<{ rows: AuditRow[]; total: number }> {
  const where = matching(filter);
  const rows = await tx.find(auditLog, where, { orderBy: orderOf(filter), limit: size, offset: (current - 1) * size });
  // A page that is not full is the last one: counting would look through the whole log once more.
  const isLast = rows.length < size && (rows.length > 0 || current === 1);
  return {
    rows,
    total: isLast ? (current - 1) * size + rows.length : await tx.count(auditLog, where, TOTAL_COUNT_LIMIT + 1),
  };
}

/** The rows that come after one, in the filter's order; the first without one. */
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
 * Deletes rows older than so many calendar months, the oldest first, `limit` at most. Returns how many. The month is
 * taken off by the database, as its trigger does that refuses younger rows: the two agree on the ends of months.
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
