import { getTableName, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { SEARCH_COUNT_LIMIT } from '@rmeet/contract';
import { drizzleOf } from './scope.ts';
import type { TenantTable, TenantTx } from './types.ts';

export interface PageOptions {
  sort: SQL | PgColumn;
  order: 'ASC' | 'DESC';
  limit: number;
  offset: number;
}

type WithId = TenantTable & { id: PgColumn };

const directionOf = ({ order }: PageOptions): SQL => sql.raw(order === 'DESC' ? 'desc' : 'asc');
const ofTenant = (tx: TenantTx, table: TenantTable, where: SQL | undefined): SQL =>
  where ? sql`${table.tenantId} = ${tx.tenantId} and ${where}` : sql`${table.tenantId} = ${tx.tenantId}`;

async function rowsOf<R>(tx: TenantTx, query: SQL): Promise<R[]> {
  return ((await drizzleOf(tx).execute(query)) as { rows: R[] }).rows;
}

/**
 * The ids of one page of the rows that meet one of the conditions; no row may meet more than one. Ordered by a column
 * and by id. An index that starts with the columns of each condition, followed by this column and the id, is read only
 * as far as the page; several are merged.
 */
export async function pageOfParts(
  tx: TenantTx,
  table: WithId,
  parts: readonly (SQL | undefined)[],
  page: PageOptions,
): Promise<string[]> {
  const direction = directionOf(page);
  // Without its own order and limit, each part would be read to its end and sorted.
  const part = (
    where: SQL | undefined,
  ): SQL => sql`(select ${table.id} as id, ${page.sort} as place from ${table} where ${ofTenant(tx, table, where)}
    order by ${page.sort} ${direction}, ${table.id} ${direction} limit ${page.offset + page.limit}::integer)`;
  const rows = await rowsOf<{ id: string }>(
    tx,
    sql`
    select id from (${sql.join(parts.map(part), sql` union all `)}) as part order by place ${direction}, id
    ${direction} limit ${page.limit}::integer offset ${page.offset}::integer`,
  );
  return rows.map(({ id }) => id);
}

/**
 * The search: the rows of a table with the keyword in a column of its search index (search-index.ts) that also meet
 * `also`.
 */
export interface Sought {
  columns: readonly [PgColumn, ...PgColumn[]];
  keyword: string;
  also: SQL | undefined;
}

/** A list to be searched by a keyword. */
export interface KeywordList {
  table: WithId;
  /** The condition for rows of the list. */
  where: SQL | undefined;
  /** Whether a row contains the keyword, checked row by row. */
  match: SQL;
  /** The same as an index search; undefined if too many rows contain it for that. */
  sought: Sought | undefined;
  /** The column of the list's table that refers to the searched table, if that is another one. */
  via?: PgColumn;
  /** The time of a row: an index has the list in this order. */
  time: PgColumn;
}

/** One page of the rows that contain a keyword. */
export interface KeywordPage {
  ids: string[];
  /** Their number; at least one more than SEARCH_COUNT_LIMIT if there are more. */
  total: number;
}

/** Rows of a list to read, in steps, while so many of them contain the keyword that a long list has enough. */
const STEPS = [2_000, 10_000, 60_000];
const FREQUENT = 0.03;
/** Rows with the keyword to read: few at first; many only if reading the list did not help. */
const FEW = 12_500;
const MANY = 150_000;
/**
 * The share of those few that is in the list; below it, reading the list will not help if that requires a lookup in
 * another table.
 */
const SELDOM = 0.1;
const ALL = 2_147_483_647;

/** In the requested order by time, else the newest first. */
const inTime = ({ table, time }: KeywordList, page: PageOptions): SQL => {
  const direction = page.sort === time ? directionOf(page) : sql.raw('desc');
  return sql`${time} ${direction}, ${table.id} ${direction}`;
};

/** The page with the ids, times and positions of `found`; only the first in time are offered. */
const pageOf = (found: SQL, page: PageOptions): SQL => {
  const direction = directionOf(page);
  return sql`(select string_agg(id::text, ',' order by rank) from (select id, row_number() over (order by place
    ${direction}, id ${direction}) as rank
    from ${found} where age <= ${SEARCH_COUNT_LIMIT}::bigint) as ranked where rank > ${page.offset}::bigint and
    rank <= ${page.offset + page.limit}::bigint)`;
};

/** Reads at most `atMost` rows along the list, until it has more than are counted. */
async function pageAlong(
  tx: TenantTx,
  list: KeywordList,
  page: PageOptions,
  atMost: number,
): Promise<KeywordPage & { isComplete: boolean }> {
  const { table, where, match } = list;
  const order = inTime(list, page);
  const [row] = await rowsOf<{ ids: string | null; total: number; ended: boolean }>(
    tx,
    sql`
    with looked as materialized (select * from (select ${table.id} as id, ${page.sort} as place, row_number()
    over (order by ${order}) as seen, ${match} as met
      from ${table} where ${ofTenant(tx, table, where)} order by ${order} limit ${atMost}::integer) as along
      where met or seen = ${atMost}::bigint limit ${SEARCH_COUNT_LIMIT + 2}::integer),
    met as (select id, place, row_number() over (order by seen) as age from looked where met)
    select ${pageOf(sql`met`, page)} as ids, (select count(*) from met)::integer as total, not exists (select 1
    from looked where seen = ${atMost}::bigint) as ended`,
  );
  const { ids, total, ended } = row ?? { ids: null, total: 0, ended: true };
  return { ids: ids?.split(',') ?? [], total, isComplete: total > SEARCH_COUNT_LIMIT || ended };
}

/** Reads at most `atMost` rows of the index search, for any order and page. */
async function pageOfFound(
  tx: TenantTx,
  list: KeywordList,
  { columns, keyword, also }: Sought,
  page: PageOptions,
  atMost: number,
): Promise<KeywordPage & { isComplete: boolean }> {
  const source = columns[0].table as WithId;
  const { table, via } = list;
  const names = `{${columns.map((column) => column.name).join(',')}}`;
  const places = sql`array(select found.place from found union all select further.place from further)`;
  const among = via
    ? sql`${via} = any(array(select ${source.id} from ${source} where ctid = any(${places}) and
      ${ofTenant(tx, source, undefined)}))`
    : sql`${sql.raw(`"${getTableName(source)}".ctid`)} = any(${places})`;
  const [row] = await rowsOf<{ ids: string | null; total: number; most: number }>(
    tx,
    sql`
    with found as materialized (select place from search_ids(${getTableName(source)}::text, ${names}::text[],
    ${keyword}::text, ${atMost}::integer)),
    further as materialized (select ctid as place from ${source} where
    ${ofTenant(tx, source, also ?? sql`false`)} limit ${atMost}::integer),
    met as materialized (select ${table.id} as id, ${page.sort} as place, row_number() over (order by
    ${inTime(list, page)}) as age from ${table} where ${among} and ${ofTenant(tx, table, list.where)})
    select ${pageOf(sql`met`, page)} as ids, (select count(*) from met)::integer as total, greatest((select
    count(*) from found), (select count(*) from further))::integer as most`,
  );
  const { ids, total, most } = row ?? { ids: null, total: 0, most: 0 };
  return { ids: ids?.split(',') ?? [], total, isComplete: most < atMost };
}

/**
 * One page of the rows of a list that contain a keyword. At most SEARCH_COUNT_LIMIT of them are offered: if there are
 * more, the first ones for an order by time, else the newest, in the requested order. A frequent keyword therefore
 * costs as much as reading the list until it was found that often, and a rare one as much as the index search.
 */
export async function pageOfKeyword(tx: TenantTx, list: KeywordList, page: PageOptions): Promise<KeywordPage> {
  let walked = 0;
  for (const atMost of STEPS) {
    const along = await pageAlong(tx, list, page, atMost);
    if (along.isComplete) return along;
    walked = atMost;
    if (along.total < atMost * FREQUENT) break;
  }
  if (list.sought) {
    const few = await pageOfFound(tx, list, list.sought, page, FEW);
    if (few.isComplete) return few;
    const furthest = STEPS.at(-1) ?? ALL;
    if (walked < furthest && !(list.via && few.total < FEW * SELDOM)) {
      const along = await pageAlong(tx, list, page, furthest);
      if (along.isComplete) return along;
    }
    const many = await pageOfFound(tx, list, list.sought, page, MANY);
    if (many.isComplete) return many;
  }
  return pageAlong(tx, list, page, ALL);
}
