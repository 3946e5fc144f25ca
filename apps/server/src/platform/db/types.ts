// oxlint-disable typescript/no-generated-empty-object-type -- what may be set in a table is empty for no table in
// particular
import type { InferInsertModel, InferSelectModel, SQL, Subquery } from 'drizzle-orm';
import type {
  PgColumn,
  PgSelectBuilder,
  PgTable,
  PgUpdateSetSource,
  SelectedFields,
  SubqueryWithSelection,
} from 'drizzle-orm/pg-core';

/** Every table of the product: it has a `tenantId` column. */
export type TenantTable = PgTable & { tenantId: PgColumn };

export type Row<T extends PgTable> = InferSelectModel<T>;
type PlatformValues<T extends PgTable> = InferInsertModel<T>;
type TenantValues<T extends PgTable> = Omit<InferInsertModel<T>, 'tenantId'>;
export type UpdateSet<T extends PgTable> = PgUpdateSetSource<T>;

type Order = SQL | SQL.Aliased | PgColumn;

export interface FindOptions {
  orderBy?: Order | Order[];
  limit?: number;
  offset?: number;
  /**
   * `update`: other transactions that want the rows wait until this one ends; `no key update`: but those that only
   * refer to them do not.
   */
  lock?: 'update' | 'no key update' | 'share';
}

/** What to do with rows that are there already: leave them (they are missing from the answer), or change them. */
export type OnConflict<T extends PgTable> = 'nothing' | { target: PgColumn | PgColumn[]; set: UpdateSet<T> };

/** A table as a source for joins: the rows this transaction may see, under an alias. */
export type Scoped<T extends PgTable> = SubqueryWithSelection<T['_']['columns'], string>;

interface Verbs<V extends PgTable> {
  /** The rows that meet the condition; all of them without one. */
  find<T extends V>(table: T, where?: SQL, options?: FindOptions): Promise<Row<T>[]>;
  findOne<T extends V>(table: T, where?: SQL, options?: FindOptions): Promise<Row<T> | undefined>;
  /** How many rows meet the condition, counted no further than `atMost`. */
  count(table: V, where?: SQL, atMost?: number): Promise<number>;
  /** Changes the rows that meet the condition and returns them as they are now. Throws without a condition. */
  update<T extends V>(table: T, set: UpdateSet<T>, where: SQL | undefined): Promise<Row<T>[]>;
  /** Deletes the rows that meet the condition and returns them. Throws without a condition. */
  delete<T extends V>(table: T, where: SQL | undefined): Promise<Row<T>[]>;
  /** The rows of a table this transaction may see, as a source for `select`; `alias` when a table is joined twice. */
  scoped<T extends V>(table: T, alias?: string): Scoped<T>;
  /** Drizzle's select; every source must come from `scoped()` or be a subquery of such a select, else it throws. */
  select<F extends SelectedFields>(fields: F): PgSelectBuilder<F>;
  /** NOTIFY when the transaction commits, after what it notified before; at most 8,000 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  /** Runs after the commit, outside the transaction; never when it rolls back. A failure is logged, not thrown. */
  afterCommit(run: () => void | Promise<void>): void;
}

/**
 * The rows of one tenant: every statement made through it carries the tenant predicate, which cannot be left out.
 * Of the catalogues (`SHARED_TABLES`) it reads the platform's rows instead, and throws when it is to change them,
 * unless the platform's tenant is its own.
 */
export interface TenantTx extends Verbs<TenantTable> {
  readonly tenantId: string;
  /** Inserts rows of this tenant and returns them with their defaults. */
  insert<T extends TenantTable>(
    table: T,
    values: TenantValues<T> | TenantValues<T>[],
    onConflict?: OnConflict<T>,
  ): Promise<Row<T>[]>;
}

/** The rows of all tenants: for sign-in, the search by meeting number, and jobs. */
export interface PlatformTx extends Verbs<PgTable> {
  insert<T extends PgTable>(
    table: T,
    values: PlatformValues<T> | PlatformValues<T>[],
    onConflict?: OnConflict<T>,
  ): Promise<Row<T>[]>;
  /**
   * The same transaction limited to one tenant, by the predicate of its statements alone: the database's own fence
   * (row-security.ts) stands in `Db.tenant` only.
   */
  asTenant(tenantId: string): TenantTx;
}

export type Tx = TenantTx | PlatformTx;
export type Source = Subquery;

export interface Db {
  /**
   * One transaction over one tenant's rows; the database refuses it all others. Throws NestedTransaction inside another
   * transaction.
   */
  tenant<T>(tenantId: string, work: (tx: TenantTx) => Promise<T>): Promise<T>;
  /** One transaction across tenants. Throws NestedTransaction inside another transaction. */
  platform<T>(work: (tx: PlatformTx) => Promise<T>): Promise<T>;
  /**
   * Calls `onPayload` with each NOTIFY on the channel, from any server process.
   * `onGap` is called when notifications may have been missed (the connection was lost and is back).
   */
  listen(channel: string, onPayload: (payload: string) => void, onGap: () => void): Promise<void>;
  /** NOTIFY outside a transaction; at most 8,000 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
