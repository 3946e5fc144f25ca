import { sql, type SQL } from 'drizzle-orm';

/** All of the conditions together. Drizzle's own `and` may be empty, which must never happen in an update or delete. */
export function allOf(first: SQL, ...others: SQL[]): SQL {
  return sql.join(
    [first, ...others].map((condition) => sql`(${condition})`),
    sql` and `,
  );
}
