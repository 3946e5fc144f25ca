export { ConfigError, isLoopbackHost, readConfig, type Config } from './config.ts';
