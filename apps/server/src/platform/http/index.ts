export { AppError, type ErrorParams } from './app-error.ts';
export { connectionLimits } from './connection-limits.ts';
export type {
  AccountCaller,
  AnyoneCaller,
  Authenticate,
  Caller,
  CallerOf,
  Context,
  DeskCaller,
  Handlers,
  OperatorCaller,
  TerminalCaller,
  UserCaller,
} from './context.ts';
export { FileAnswer } from './file-answer.ts';
export { UPLOADS } from './forms.ts';
export { serveHealth, serveOpenApi } from './health.ts';
export { metricsAccess } from './metrics-access.ts';
export { serveMetrics } from './metrics.ts';
export { mount } from './mount.ts';
export { networkOf } from './network.ts';
export { Queues } from './queues.ts';
export { createHttp } from './server.ts';
export { serveWebApp } from './static-files.ts';
export { readTlsPair, selfSignedPair, type TlsPair } from './tls.ts';
