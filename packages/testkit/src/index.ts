export * from './api.ts';
export * from './browser.ts';
export * from './database.ts';
export * from './postgres.ts';
export * from './relay.ts';
export * from './server.ts';
export * from './terminal.ts';
export * from './wait.ts';
