export { readConfig, type Config } from './config.ts';
export { ConfigError } from './error.ts';
