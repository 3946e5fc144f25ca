import { contract, createClient } from '@rmeet/contract';
import { session } from '../browser.ts';
import { language } from '../i18n/index.ts';
import { endSession, isSessionOver } from './report.ts';
import { createSend, type SendOptions } from './send.ts';
import { fetchWithProgress } from './upload.ts';

export { ApiError, isApiError, sentenceOf } from './error.ts';
export { Cancelled, retryWhileBusy } from './retryWhileBusy.ts';
export { reportError } from './report.ts';

const asUser: SendOptions = { token: () => session.token, language, onUnauthorized: endSession, isOver: isSessionOver };
const send = createSend(asUser);

/** Every call of the contract, made as the signed-in user. Failures are thrown; the caller reports them. */
export const api = {
  auth: createClient(contract.auth, send),
  users: createClient(contract.users, send),
  tenants: createClient(contract.tenants, send),
  operators: createClient(contract.operators, send),
  roles: createClient(contract.roles, send),
  permissions: createClient(contract.permissions, send),
  guests: createClient(contract.guests, send),
  fixedNumber: createClient(contract.fixedNumber, send),
  whiteList: createClient(contract.whiteList, send),
  audit: createClient(contract.audit, send),
  meetings: createClient(contract.meetings, send),
  booking: createClient(contract.booking, send),
  meetingFiles: createClient(contract.meetingFiles, send),
  history: createClient(contract.history, send),
  conferences: createClient(contract.conferences, send),
  series: createClient(contract.series, send),
  rooms: createClient(contract.rooms, send),
  terminals: createClient(contract.terminals, send),
  setup: createClient(contract.setup, send),
  resources: createClient(contract.resources, send),
  approvals: createClient(contract.approvals, send),
  notices: createClient(contract.notices, send),
  downloads: createClient(contract.downloads, send),
};

/** The calls that lead in, which can be given up. */
export function entranceApi(signal: AbortSignal) {
  const sendUntil = createSend({ ...asUser, signal });
  return { auth: createClient(contract.auth, sendUntil), conferences: createClient(contract.conferences, sendUntil) };
}

/**
 * The calls of the terminal registry, with a time of their own and a signal that gives them up: its import takes long.
 */
export function terminalsApiWithTimeout(patience: Required<Pick<SendOptions, 'timeout' | 'signal'>>) {
  return createClient(contract.terminals, createSend({ ...asUser, ...patience }));
}

/** The calls of meetings, telling how much of their files has gone out (0 to 1). */
export function uploadingMeetingsApi(onProgress: (part: number) => void) {
  return createClient(contract.meetings, createSend({ ...asUser, fetch: fetchWithProgress(onProgress) }));
}

/** The conference calls, made as a terminal. Its 401 (TERMINAL_GONE) leaves the user's session alone. */
export function terminalApi(sessionToken: string) {
  return createClient(contract.conferences, createSend({ token: () => sessionToken, language }));
}
