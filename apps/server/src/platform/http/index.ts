export { AppError, type ErrorParams } from './calls/app-error.ts';
export { connectionLimits } from './server/connection-limits.ts';
export type { ClientCallRecord } from './calls/client-calls.ts';
export { idOfCaller } from './calls/context.ts';
export type {
  AccountCaller,
  AnyoneCaller,
  ApiClientOfCall,
  Authenticate,
  Caller,
  CallerOf,
  ClientCaller,
  Context,
  DeskCaller,
  Handlers,
  OperatorCaller,
  TerminalCaller,
  UploadGates,
  UserCaller,
} from './calls/context.ts';
export { FileAnswer } from './calls/file-answer.ts';
export { fileNameOf } from './calls/file-name.ts';
export { mountFormPost, type FormPost, type PlainAnswer } from './calls/form-post.ts';
export { UPLOADS, type FileRules } from './calls/forms.ts';
export { serveHealth, serveOpenApi } from './monitoring/health.ts';
export { metricsAccess } from './monitoring/metrics-access.ts';
export { serveMetrics } from './monitoring/metrics.ts';
export { mount } from './calls/mount.ts';
export { mountUploads, type UploadHandlers } from './calls/uploads.ts';
export { clientAddresses, isInNetworks, networkOf, type ClientAddresses } from './server/network.ts';
export { Queues } from './calls/queues.ts';
export { createHttp, type Bypass } from './server/server.ts';
export { serveWebApp } from './server/static-files.ts';
export { readTlsPair, selfSignedPair, type TlsPair } from './server/tls.ts';
