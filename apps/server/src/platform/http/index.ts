export { AppError, type ErrorParams } from './app-error.ts';
export type { AnyoneCaller, Authenticate, Caller, CallerOf, Context, Handlers, TerminalCaller, UserCaller } from './context.ts';
export { serveHealth, serveOpenApi } from './health.ts';
export { mediaProxy } from './media-proxy.ts';
export { serveMetrics } from './metrics.ts';
export { mount } from './mount.ts';
export { createHttp } from './server.ts';
export { serveWebApp } from './static-files.ts';
export { readTlsPair, selfSignedPair, type TlsPair } from './tls.ts';
