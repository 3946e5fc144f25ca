import { getTableName, ilike, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { containing } from './patterns.ts';
import { drizzleOf } from './scope.ts';
import type { TenantTable, TenantTx } from './types.ts';

/** From this number on, a scan in the list's order soon finds enough of them. */
const MANY = 10_000;

/**
 * Ids of at most `atMost` rows of the transaction's tenant with the keyword in one of the columns, which must belong to
 * one search index (search-index.ts).
 */
export async function searchedIds(
  tx: TenantTx,
  columns: readonly [PgColumn, ...PgColumn[]],
  keyword: string,
  atMost: number,
): Promise<string[]> {
  const names = `{${columns.map((column) => column.name).join(',')}}`;
  const found = sql`search_ids(${getTableName(columns[0].table)}::text, ${names}::text[], ${keyword}::text,
    ${atMost}::integer)`;
  const { rows } = (await drizzleOf(tx).execute(sql`select string_agg(found_id::text, ',') as ids from ${found}`)) as {
    rows: { ids: string | null }[];
  };
  return rows[0]?.ids?.split(',') ?? [];
}

interface PageOptions {
  /** Further conditions. */
  where: SQL;
  orderBy: readonly SQL[];
  limit: number;
  offset?: number;
}

/** A page of a search result, and the number of rows, counted to one past 10,000. */
export interface FoundPage {
  /** In the requested order. */
  ids: string[];
  total: number;
}

/** Rows to test whether nearly all rows contain a keyword, and how many of them must contain it. */
const PROBE = { rows: 200, frequent: 50 };

/**
 * One page of the rows that contain the keyword, in an order. Up to 10,000 rows are found by the index and sorted in
 * one statement, and fetched by their physical positions: with ids, the planner may read all rows of the tenant
 * instead. If there are more, or nearly all rows contain the keyword, a scan in the requested order soon finds enough.
 * The columns are those of searchedIds.
 */
export async function searchPage(
  tx: TenantTx,
  columns: readonly [PgColumn, ...PgColumn[]],
  keyword: string,
  options: PageOptions,
): Promise<FoundPage> {
  const { where, orderBy, limit, offset = 0 } = options;
  const [{ table }] = columns;
  const { id, tenantId } = table as unknown as { id: PgColumn; tenantId: PgColumn };
  const own = sql`${tenantId} = ${tx.tenantId} and ${where}`;
  const matching = sql`(${or(...columns.map((column) => ilike(column, containing(keyword))))})`;
  const order = sql.join([...orderBy], sql`, `);
  const run = async <R>(query: SQL) => ((await drizzleOf(tx).execute(query)) as { rows: R[] }).rows;

  async function byScan(total?: number): Promise<FoundPage> {
    const page = await run<{ id: string }>(
      sql`select ${id} as id from ${table} where ${own} and ${matching} order by ${order} limit ${limit}::integer
        offset ${offset}::integer`,
    );
    return {
      ids: page.map((row) => row.id),
      total: total ?? (await tx.count(table as TenantTable, sql`${where} and ${matching}`, MANY + 1)),
    };
  }

  const [probe] = await run<{ n: number }>(
    sql`select count(*)::integer as n from (select ${matching} as met from ${table} where ${own} limit
      ${PROBE.rows}::integer) as probe where met`,
  );
  if (probe && probe.n >= PROBE.frequent) return byScan();
  const names = `{${columns.map((column) => column.name).join(',')}}`;
  const rows = await run<{ id: string | null; total: number; found: number }>(sql`
    with found as materialized (select place from search_ids(${getTableName(table)}::text, ${names}::text[],
    ${keyword}::text, ${MANY + 1}::integer)),
    met as materialized (select ${id} as met_id, row_number() over (order by ${order}) as place from ${table}
      where ctid = any(array(select found.place from found)) and ${own})
    select met_id as id, sums.total, sums.found
    from (select (select count(*) from met)::integer as total, (select count(*) from found)::integer as found) as sums
    left join lateral (select met_id, place from met where place > ${offset}::bigint and place <=
    ${offset + limit}::bigint) as page on true
    order by place`);
  const [{ total, found } = { total: 0, found: 0 }] = rows;
  // If there are more than were found, all may meet the conditions; else they must be counted one by one.
  if (found > MANY) return byScan(total > MANY ? total : undefined);
  return { ids: rows.flatMap((row) => (row.id === null ? [] : [row.id])), total };
}
