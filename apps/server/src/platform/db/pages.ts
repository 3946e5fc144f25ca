import { getTableName, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
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
const ofTenant = (tx: TenantTx, table: TenantTable, where: SQL | undefined): SQL => (where ? sql`${table.tenantId} = ${tx.tenantId} and ${where}` : sql`${table.tenantId} = ${tx.tenantId}`);

async function rowsOf<R>(tx: TenantTx, query: SQL): Promise<R[]> {
  return ((await drizzleOf(tx).execute(query)) as { rows: R[] }).rows;
}

/**
 * The ids of one page of the rows that meet one of the conditions, no row more than one of them, in the order of a column
 * and of ids. An index that begins with what each condition compares, and goes on with the column and the id, is read up to
 * the page and no further: several are merged.
 */
export async function pageOfParts(tx: TenantTx, table: WithId, parts: readonly (SQL | undefined)[], page: PageOptions): Promise<string[]> {
  const direction = directionOf(page);
  // Without an order and a limit of its own, each part would be read to its end and sorted.
  const part = (where: SQL | undefined): SQL => sql`(select ${table.id} as id, ${page.sort} as place from ${table} where ${ofTenant(tx, table, where)}
    order by ${page.sort} ${direction}, ${table.id} ${direction} limit ${page.offset + page.limit}::integer)`;
  const rows = await rowsOf<{ id: string }>(tx, sql`
    select id from (${sql.join(parts.map(part), sql` union all `)}) as part order by place ${direction}, id ${direction} limit ${page.limit}::integer offset ${page.offset}::integer`);
  return rows.map(({ id }) => id);
}

/** What to look for: the rows of a table with the keyword in a column of its search index (search-index.ts), and those that meet `also`. */
export interface Sought {
  columns: readonly [PgColumn, ...PgColumn[]];
  keyword: string;
  also: SQL | undefined;
}

/** One page of what was found. */
export interface FoundPage {
  ids: string[];
  /** How many rows there are. */
  total: number;
  /** Whether all that is sought was looked at; else there are more of them, and `ids` says nothing. */
  isComplete: boolean;
  /** How many of those sought were looked at. */
  looked: number;
}

/**
 * Looks at up to `atMost` rows that are sought, through the search index, and gives one page of those that meet `where` and
 * their number: so a keyword that is rare costs what it finds, whatever the order and however far the page.
 *
 * @param via the column of another table that refers to what is sought: the page is one of that table
 */
export async function pageOfFound(tx: TenantTx, { columns, keyword, also }: Sought, where: SQL | undefined, page: PageOptions, atMost: number, via?: PgColumn): Promise<FoundPage> {
  const source = columns[0].table as WithId;
  const target = (via?.table ?? source) as WithId;
  const names = `{${columns.map((column) => column.name).join(',')}}`;
  const direction = directionOf(page);
  const places = sql`array(select found.place from found union all select further.place from further)`;
  const among = via ? sql`${via} = any(array(select ${source.id} from ${source} where ctid = any(${places}) and ${ofTenant(tx, source, undefined)}))` : sql`${sql.raw(`"${getTableName(source)}".ctid`)} = any(${places})`;
  const [row] = await rowsOf<{ ids: string | null; total: number; found: number; further: number }>(tx, sql`
    with found as materialized (select place from search_ids(${getTableName(source)}::text, ${names}::text[], ${keyword}::text, ${atMost}::integer)),
    further as materialized (select ctid as place from ${source} where ${ofTenant(tx, source, also ?? sql`false`)} limit ${atMost}::integer),
    met as materialized (select ${target.id} as met_id, row_number() over (order by ${page.sort} ${direction}, ${target.id} ${direction}) as place from ${target}
      where ${among} and ${ofTenant(tx, target, where)})
    select (select string_agg(met_id::text, ',' order by place) from met where place > ${page.offset}::bigint and place <= ${page.offset + page.limit}::bigint) as ids,
      (select count(*) from met)::integer as total, (select count(*) from found)::integer as found, (select count(*) from further)::integer as further`);
  const { ids, total, found, further } = row ?? { ids: null, total: 0, found: 0, further: 0 };
  return { ids: ids === null ? [] : ids.split(','), total, isComplete: found < atMost && further < atMost, looked: found + further };
}

/**
 * The condition, in a form that the database takes to hold for every other row: of a pattern it thinks that hardly a row
 * meets it, and would rather read and sort all of them than walk an index until a page is full.
 */
export const often = (condition: SQL): SQL => sql`(case when ${condition} then true else false end)`;
