import { sql } from 'drizzle-orm';
import type { Drizzle } from '../db/scope.ts';

/** Rows of a statement, with any driver. */
export async function rowsOf<R>(tx: Drizzle, statement: string): Promise<R[]> {
  const { rows } = (await tx.execute(sql.raw(statement))) as { rows: R[] };
  return rows;
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export interface TableShape {
  name: string;
  /** Columns with their own data, without generated ones. */
  columns: string[];
  /** Columns of its primary key. */
  key: string[];
}

/** Every table of the product, by name. */
export async function tablesOf(tx: Drizzle): Promise<TableShape[]> {
  const columns = await rowsOf<{ name: string; columns: string[] }>(
    tx,
    `
    select c.table_name as name, json_agg(c.column_name order by c.ordinal_position) as columns
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
     group by c.table_name order by c.table_name`,
  );
  const keys = await rowsOf<{ name: string; key: string[] }>(
    tx,
    `
    select r.relname as name, json_agg(a.attname order by array_position(i.indkey::int2[], a.attnum)) as key
      from pg_index i join pg_class r on r.oid = i.indrelid
      join pg_attribute a on a.attrelid = r.oid and a.attnum = any (i.indkey)
     where i.indisprimary and r.relnamespace = 'public'::regnamespace group by r.relname`,
  );
  const keyOf = new Map(keys.map(({ name, key }) => [name, key]));
  return columns.map((table) => ({ name: table.name, columns: table.columns, key: keyOf.get(table.name) ?? [] }));
}
