export { ConfigError, readConfig, type Config } from './config.ts';
