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
 * The ids of one page of the rows that meet one of the conditions, no row more than one of them, in the order of a
 * column and of ids. An index that begins with what each condition compares, and goes on with the column and the id, is
 * read up to the page and no further: several are merged.
 */
export async function pageOfParts(
  tx: TenantTx,
  table: WithId,
  parts: readonly (SQL | undefined)[],
  page: PageOptions,
): Promise<string[]> {
  const direction = directionOf(page);
  // Without an order and a limit of its own, each part would be read to its end and sorted.
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
 * What to look for: the rows of a table with the keyword in a column of its search index (search-index.ts), and those
 * that meet `also`.
 */
export interface Sought {
  columns: readonly [PgColumn, ...PgColumn[]];
  keyword: string;
  also: SQL | undefined;
}

/** A list, of which those rows are asked for that a keyword is in. */
export interface KeywordList {
  table: WithId;
  /** What is of the list. */
  where: SQL | undefined;
  /** Whether a row has the keyword, to be looked at one by one. */
  match: SQL;
  /** The same, to be found by indexes; undefined when too many have it for that. */
  sought: Sought | undefined;
  /** The column of the list's table that refers to what is sought, where that is another table. */
  via?: PgColumn;
  /** When a row was or will be: an index has the list in this order. */
  time: PgColumn;
}

/** One page of what a keyword is in. */
export interface KeywordPage {
  ids: string[];
  /** How many there are, at least one past SEARCH_COUNT_LIMIT when there are more. */
  total: number;
}

/**
 * Rows of a list that are looked at, in steps, as long as so many of them have the keyword that a list of any length
 * has enough.
 */
const STEPS = [2_000, 10_000, 60_000];
const FREQUENT = 0.03;
/** Rows with the keyword that are looked at: few first; many only when the list was of no help. */
const FEW = 12_500;
const MANY = 150_000;
/**
 * Part of those few that is in the list, below which it will be of no help, where reading the list takes a look into
 * another table.
 */
const SELDOM = 0.1;
const ALL = 2_147_483_647;

/** In the order of time asked for, else the newest first. */
const inTime = ({ table, time }: KeywordList, page: PageOptions): SQL => {
  const direction = page.sort === time ? directionOf(page) : sql.raw('desc');
  return sql`${time} ${direction}, ${table.id} ${direction}`;
};

/** The page of the ids, places and times of `found`, of which the first in time alone are offered. */
const pageOf = (found: SQL, page: PageOptions): SQL => {
  const direction = directionOf(page);
  return sql`(select string_agg(id::text, ',' order by rank) from (select id, row_number() over (order by place
    ${direction}, id ${direction}) as rank
    from ${found} where age <= ${SEARCH_COUNT_LIMIT}::bigint) as ranked where rank > ${page.offset}::bigint and
    rank <= ${page.offset + page.limit}::bigint)`;
};

/** Looks along the list, at `atMost` of its rows, until there are more than are counted. */
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

/** Looks at what is sought, `atMost` of it, whatever the order and however far the page. */
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
 * One page of the rows of a list that a keyword is in. There are at most SEARCH_COUNT_LIMIT of them: of more, the first
 * when the order is that of time, else the newest, in the order asked for. So a frequent keyword costs what is read
 * along the list until it was met so often, and a rare one what the indexes find.
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
