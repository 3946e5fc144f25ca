export * from './api.ts';
export * from './browser.ts';
export * from './database.ts';
export * from './server.ts';
export * from './wait.ts';
