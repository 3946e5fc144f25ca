/**
 * All calls of the contract, made as the signed-in user. Errors are thrown; the caller reports them. Each domain is a
 * module, so that a page loads only the routes of the domains it calls.
 */
export * as api from './clients/index.ts';
export { abortableApi } from './abortableApi.ts';
export { assistantApiWithTimeout } from './assistantApiWithTimeout.ts';
export { ApiError, isApiError, sentenceOf } from './error.ts';
export { Cancelled, retryWhileBusy } from './retryWhileBusy.ts';
export { terminalsApiWithTimeout } from './terminalsApiWithTimeout.ts';
export { reportError } from './report.ts';
export { terminalApi } from './terminalApi.ts';
export { terminalFiles, type TerminalFiles } from './terminalFiles.ts';
export { uploadingMeetingsApi } from './uploadingMeetingsApi.ts';
export { uploadingPackagesApi } from './uploadingPackagesApi.ts';
export { userTasksApiWithTimeout } from './userTasksApiWithTimeout.ts';
