/**
 * The database functions for tests of the server; without the browsers that index.ts imports, which take long to load.
 */
export * from './database.ts';
export * from './postgres.ts';
