export { DiskFull, MEGABYTES_NEEDED, PostgresUnusable } from './errors.ts';
export { hasRoom } from './folder.ts';
export { keepPostgres, type KeepPostgresOptions, type PostgresKeeper } from './keep.ts';
export { packagedPrograms, programsIn, type Programs } from './programs.ts';
export {
  preparePostgres,
  startPostgres,
  type PreparedPostgres,
  type RunningPostgres,
  type StartPostgresOptions,
} from './server.ts';
export { DatabaseDamaged, troubleOf } from './troubles.ts';
