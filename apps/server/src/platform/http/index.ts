export { AppError, type ErrorParams } from './app-error.ts';
export type { AnyoneCaller, Authenticate, Caller, CallerOf, Context, Handlers, TerminalCaller, UserCaller } from './context.ts';
export { mount } from './mount.ts';
export { createHttp } from './server.ts';
