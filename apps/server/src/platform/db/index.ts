export { containing } from './patterns.ts';
export { isUniqueViolation, sqlError } from './errors.ts';
export { NestedTransaction } from './guard.ts';
export { newId } from './ids.ts';
export { LockTaken, takeLock } from './lock.ts';
export { DatabaseNewer } from './migrate.ts';
export { drizzleOf } from './scope.ts';
export { openDb, type JobStore, type OpenedDb } from './open.ts';
export type { Db, FindOptions, PlatformTx, Row, Scoped, TenantTable, TenantTx, Tx } from './types.ts';
