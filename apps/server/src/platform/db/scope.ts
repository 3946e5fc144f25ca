import { and, count as countOf, eq, getTableColumns, getTableName, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgDatabase, PgQueryResultHKT, PgTable, SelectedFields } from 'drizzle-orm/pg-core';
import { APPLICATION_ROLE, isShared, PLATFORM_TENANT_ID } from './shared.ts';
import type { FindOptions, OnConflict, PlatformTx, Scoped, SetOnConflict, TenantTable, TenantTx, Tx } from './types.ts';

export type Drizzle = PgDatabase<PgQueryResultHKT>;
type Predicate = (table: PgTable) => SQL | undefined;
type AnyValues = Record<string, unknown>;

/** Sources that contain their predicate; selects from any other source are rejected. */
const safeSources = new WeakSet<object>();
const connections = new WeakMap<object, Drizzle>();
/** Transactions that run with the application's role. */
const fenced = new WeakSet<Drizzle>();

/** Drizzle's own transaction under `tx`, without a tenant predicate. For use inside the platform only. */
export function drizzleOf(tx: Tx): Drizzle {
  const drizzle = connections.get(tx);
  if (!drizzle) throw new Error('This is not a transaction of platform/db.');
  return drizzle;
}

/** Runs statements across tenants within a transaction of any kind. For the platform's own tables only. */
export async function asOwner<T>(tx: Tx, work: (drizzle: Drizzle) => Promise<T>): Promise<T> {
  const drizzle = drizzleOf(tx);
  if (!fenced.has(drizzle)) return work(drizzle);
  await drizzle.execute(sql.raw('set local role none'));
  const result = await work(drizzle);
  await drizzle.execute(sql.raw(`set local role ${APPLICATION_ROLE}`));
  return result;
}

const sourceMethods = new Set([
  'from',
  'leftJoin',
  'rightJoin',
  'innerJoin',
  'fullJoin',
  'crossJoin',
  'leftJoinLateral',
  'innerJoinLateral',
  'crossJoinLateral',
]);
const setMethods = new Set(['union', 'unionAll', 'intersect', 'intersectAll', 'except', 'exceptAll']);

/** A select builder that accepts only safe sources and whose own `.as()` is safe, too. */
function guarded<B extends object>(builder: B): B {
  return new Proxy(builder, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function' || typeof property !== 'string') return value;
      const method = value as (...args: unknown[]) => unknown;
      if (property === 'then' || property === 'catch' || property === 'finally') return method.bind(target);
      if (setMethods.has(property)) throw new Error(`select().${property}() is not offered: make two selects.`);
      return (...args: unknown[]) => {
        if (sourceMethods.has(property) && !safeSources.has(args[0] as object)) {
          throw new Error(`select().${property}() takes sources made by scoped() only.`);
        }
        const result = method.apply(target, args);
        if (property === 'as') safeSources.add(result as object);
        return property !== 'as' && typeof result === 'object' && result !== null && 'getSQL' in result
          ? guarded(result)
          : result;
      };
    },
  });
}

/** The condition of a change; without one, as from `and()` without arguments, every row would change. */
function given(where: SQL | undefined): SQL {
  if (!where) throw new Error('A change needs a condition.');
  return where;
}

function verbs(db: Drizzle, predicate: Predicate, afterCommit: (run: () => void | Promise<void>) => void) {
  const found = (table: PgTable, where: SQL | undefined, options: FindOptions) => {
    const { orderBy = [], limit, offset, lock } = options;
    const query = db
      .select()
      .from(table)
      .where(and(predicate(table), where))
      .$dynamic();
    const order = Array.isArray(orderBy) ? orderBy : [orderBy];
    if (order.length > 0) query.orderBy(...order);
    if (limit !== undefined) query.limit(limit);
    if (offset !== undefined) query.offset(offset);
    if (lock === 'update of free') query.for('update', { skipLocked: true });
    else if (lock) query.for(lock);
    return query;
  };
  return {
    find: async (table: PgTable, where?: SQL, options: FindOptions = {}) => found(table, where, options),
    findOne: async (table: PgTable, where?: SQL, options: FindOptions = {}) =>
      (await found(table, where, { ...options, limit: 1 }))[0],
    count: async (table: PgTable, where?: SQL, atMost?: number) => {
      const rows = db
        .select({ one: sql`1`.as('one') })
        .from(table)
        .where(and(predicate(table), where))
        .$dynamic();
      if (atMost !== undefined) rows.limit(atMost);
      const [row] = await db.select({ n: countOf() }).from(rows.as('counted'));
      return row?.n ?? 0;
    },
    update: async (table: PgTable, set: AnyValues, where: SQL | undefined) =>
      db
        .update(table)
        .set(set)
        .where(and(predicate(table), given(where)))
        .returning(),
    delete: async (table: PgTable, where: SQL | undefined) =>
      db
        .delete(table)
        .where(and(predicate(table), given(where)))
        .returning(),
    scoped: (table: PgTable, alias = getTableName(table)) => {
      const source = db.select().from(table).where(predicate(table)).as(alias);
      safeSources.add(source);
      return source as unknown as Scoped<PgTable>;
    },
    select: <F extends SelectedFields>(fields: F) => guarded(db.select(fields)),
    notify: async (channel: string, payload: string) => {
      await db.execute(sql`select pg_notify(${channel}, ${payload})`);
    },
    afterCommit,
  };
}

async function insertRows(
  db: Drizzle,
  table: PgTable,
  values: AnyValues[],
  onConflict: OnConflict<PgTable> | undefined,
  scope?: SQL,
) {
  if (values.length === 0) return [];
  const query = db.insert(table).values(values).$dynamic();
  if (onConflict === 'nothing') query.onConflictDoNothing();
  else if (onConflict) {
    query.onConflictDoUpdate({ target: onConflict.target, set: onConflict.set, ...(scope ? { setWhere: scope } : {}) });
  }
  return query.returning();
}

/** A value of a column that rows do not name. */
const defaultOf = (column: PgColumn): SQL => sql`${column.default ?? null}::${sql.raw(column.getSQLType())}`;

/** Rows as the select of an insert: one JSON value, so that a statement has one parameter for all of them. */
function selectOf(table: PgTable, values: readonly AnyValues[], tenantId: string): SQL {
  const columns = Object.entries(getTableColumns(table));
  const named = columns.filter(([name]) => name !== 'tenantId' && name in (values[0] ?? {}));
  const names = new Set(named.map(([name]) => name));
  const valueOf = ([name, column]: [string, PgColumn]): SQL => {
    if (name === 'tenantId') return sql`${tenantId}::uuid`;
    return names.has(name) ? sql`given.${sql.identifier(name)}` : defaultOf(column);
  };
  const typeOf = ([name, column]: [string, PgColumn]): SQL =>
    sql`${sql.identifier(name)} ${sql.raw(column.getSQLType())}`;
  return sql`select ${sql.join(columns.map(valueOf), sql`, `)} from json_to_recordset(${JSON.stringify(values)}::json)
    as given(${sql.join(named.map(typeOf), sql`, `)})`;
}

function listOf(values: unknown): AnyValues[] {
  return Array.isArray(values) ? (values as AnyValues[]) : [values as AnyValues];
}

function tenantColumn(table: PgTable): PgColumn {
  const column = (table as Partial<TenantTable>).tenantId;
  if (!column) throw new Error(`Table ${getTableName(table)} has no tenantId column.`);
  return column;
}

/** A transaction started with `beginAs(tenantId)`: the database itself limits it to the tenant's rows. */
export function fencedTx(
  db: Drizzle,
  tenantId: string,
  afterCommit: (run: () => void | Promise<void>) => void,
): TenantTx {
  fenced.add(db);
  return tenantTx(db, tenantId, afterCommit);
}

/** A transaction whose statements contain one tenant's predicate. */
function tenantTx(db: Drizzle, tenantId: string, afterCommit: (run: () => void | Promise<void>) => void): TenantTx {
  const predicate: Predicate = (table) => eq(tenantColumn(table), isShared(table) ? PLATFORM_TENANT_ID : tenantId);
  const refuseShared = (table: PgTable): void => {
    if (tenantId !== PLATFORM_TENANT_ID && isShared(table))
      throw new Error(`Rows of ${getTableName(table)} are the platform's: a tenant may only read them.`);
  };
  const withoutTenant = (set: AnyValues): AnyValues => {
    if ('tenantId' in set) throw new Error('A row does not change its tenant.');
    return set;
  };
  const base = verbs(db, predicate, afterCommit);
  const tx = {
    ...base,
    tenantId,
    insert: async (table: PgTable, values: unknown, onConflict?: OnConflict<PgTable>) => {
      refuseShared(table);
      tenantColumn(table);
      return insertRows(
        db,
        table,
        listOf(values).map((row) => Object.assign({}, row, { tenantId })),
        onConflict,
        predicate(table),
      );
    },
    insertMany: async (table: PgTable, values: readonly AnyValues[], onConflict?: SetOnConflict<PgTable>) => {
      refuseShared(table);
      tenantColumn(table);
      if (values.length === 0) return;
      const query = db
        .insert(table)
        .select(selectOf(table, values, tenantId))
        .$dynamic();
      await (onConflict ? query.onConflictDoUpdate({ ...onConflict, setWhere: given(predicate(table)) }) : query);
    },
    update: async (table: PgTable, set: AnyValues, where: SQL | undefined) => {
      refuseShared(table);
      return base.update(table, withoutTenant(set), where);
    },
    delete: async (table: PgTable, where: SQL | undefined) => {
      refuseShared(table);
      return base.delete(table, where);
    },
  } as unknown as TenantTx;
  connections.set(tx, db);
  return tx;
}

/** A transaction across tenants. */
export function platformTx(db: Drizzle, afterCommit: (run: () => void | Promise<void>) => void): PlatformTx {
  const tx = {
    ...verbs(db, () => undefined, afterCommit),
    insert: (table: PgTable, values: unknown, onConflict?: OnConflict<PgTable>) =>
      insertRows(db, table, listOf(values), onConflict),
    asTenant: (tenantId: string) => tenantTx(db, tenantId, afterCommit),
  } as unknown as PlatformTx;
  connections.set(tx, db);
  return tx;
}
