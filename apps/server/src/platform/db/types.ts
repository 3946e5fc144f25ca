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
   * `update`: other transactions that want the rows wait until this one ends; `no key update`: except those that only
   * refer to them; `update of free`: the same as `update`, but rows that another transaction has locked are skipped.
   */
  lock?: 'update' | 'no key update' | 'share' | 'update of free';
}

/** What to do with existing rows: leave them unchanged (they are missing from the result), or update them. */
export type OnConflict<T extends PgTable> = 'nothing' | SetOnConflict<T>;
export interface SetOnConflict<T extends PgTable> {
  target: PgColumn | PgColumn[];
  set: UpdateSet<T>;
}

/** A table as a source for joins: the rows this transaction may see, with an alias. */
export type Scoped<T extends PgTable> = SubqueryWithSelection<T['_']['columns'], string>;

interface Verbs<V extends PgTable> {
  /** The rows that meet the condition; without one, all of them. */
  find<T extends V>(table: T, where?: SQL, options?: FindOptions): Promise<Row<T>[]>;
  findOne<T extends V>(table: T, where?: SQL, options?: FindOptions): Promise<Row<T> | undefined>;
  /** How many rows meet the condition, counted up to `atMost`. */
  count(table: V, where?: SQL, atMost?: number): Promise<number>;
  /** Updates the rows that meet the condition and returns them with their new values. Throws without a condition. */
  update<T extends V>(table: T, set: UpdateSet<T>, where: SQL | undefined): Promise<Row<T>[]>;
  /** Deletes the rows that meet the condition and returns them. Throws without a condition. */
  delete<T extends V>(table: T, where: SQL | undefined): Promise<Row<T>[]>;
  /**
   * The rows of a table this transaction may see, as a source for `select`; `alias` is for a table that is joined
   * twice.
   */
  scoped<T extends V>(table: T, alias?: string): Scoped<T>;
  /** Drizzle's select; every source must come from `scoped()` or be a subquery of such a select, else it throws. */
  select<F extends SelectedFields>(fields: F): PgSelectBuilder<F>;
  /** NOTIFY when the transaction commits, after its earlier notifications; at most 8,000 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  /** Runs after the commit, outside the transaction; not after a rollback. A failure is logged, not thrown. */
  afterCommit(run: () => void | Promise<void>): void;
}

/**
 * The rows of one tenant: every statement contains the tenant predicate, which cannot be omitted. For the catalogues
 * (`SHARED_TABLES`) it reads the platform's rows instead, and throws when they are to be changed, except for the
 * platform's tenant.
 */
export interface TenantTx extends Verbs<TenantTable> {
  readonly tenantId: string;
  /** Inserts rows of this tenant and returns them with their defaults. */
  insert<T extends TenantTable>(
    table: T,
    values: TenantValues<T> | TenantValues<T>[],
    onConflict?: OnConflict<T>,
  ): Promise<Row<T>[]>;
  /**
   * Inserts thousands of rows of this tenant, about five times faster than `insert`. All have the columns of the first
   * one; their values are written as JSON.
   */
  insertMany<T extends TenantTable>(
    table: T,
    values: readonly TenantValues<T>[],
    onConflict?: SetOnConflict<T>,
  ): Promise<void>;
}

/** The rows of all tenants: for sign-in, the search by meeting number, and jobs. */
export interface PlatformTx extends Verbs<PgTable> {
  insert<T extends PgTable>(
    table: T,
    values: PlatformValues<T> | PlatformValues<T>[],
    onConflict?: OnConflict<T>,
  ): Promise<Row<T>[]>;
  /**
   * The same transaction limited to one tenant, only by the predicate of its statements: the database enforces the
   * limit (row-security.ts) only in `Db.tenant`.
   */
  asTenant(tenantId: string): TenantTx;
}

export type Tx = TenantTx | PlatformTx;
export type Source = Subquery;

export interface Db {
  /**
   * One transaction over one tenant's rows; the database denies access to all others. Throws NestedTransaction inside
   * another transaction.
   */
  tenant<T>(tenantId: string, work: (tx: TenantTx) => Promise<T>): Promise<T>;
  /** One transaction across tenants. Throws NestedTransaction inside another transaction. */
  platform<T>(work: (tx: PlatformTx) => Promise<T>): Promise<T>;
  /**
   * Calls `onPayload` with each NOTIFY on the channel, from any server process. `onGap` is called if notifications may
   * have been missed (the connection was lost and is restored).
   */
  listen(channel: string, onPayload: (payload: string) => void, onGap: () => void): Promise<void>;
  /** NOTIFY outside a transaction; at most 8,000 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  /** Rejects if the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
