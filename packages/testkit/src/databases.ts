/**
 * What tests of the server need of a database; without the browsers that index.ts brings along, which take long to
 * load.
 */
export * from './database.ts';
export * from './postgres.ts';
