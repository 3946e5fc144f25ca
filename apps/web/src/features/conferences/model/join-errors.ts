import { ApiError } from '../../../lib/api/error.ts';

export type JoinField = 'number' | 'password' | 'name' | 'form';

export interface JoinError {
  field: JoinField;
  /** The server's sentence in the language in use; empty when the failure never reached it. */
  readonly message: string;
  /** Key of our own sentence for when there is none. */
  fallback: 'unreachable' | 'timeout' | 'failed';
}

const FIELDS: Record<string, JoinField> = {
  MEETING_NUMBER_UNKNOWN: 'number',
  MEETING_ENDED: 'number',
  MEETING_CANCELLED: 'number',
  MEETING_NOT_STARTED: 'number',
  MEETING_PASSWORD_WRONG: 'password',
  MEETING_PASSWORD_REQUIRED: 'password',
  NAME_REQUIRED: 'name',
};
const INPUTS: Record<string, JoinField> = { numericId: 'number', password: 'password', name: 'name' };

/** Where a failed join is shown, and with which words. */
export function joinErrorOf(error: unknown): JoinError {
  if (!(error instanceof ApiError)) return { field: 'form', message: '', fallback: 'failed' };
  const fallback = error.code === 'UNREACHABLE' ? 'unreachable' : error.code === 'REQUEST_TIMEOUT' ? 'timeout' : 'failed';
  const input = error.code === 'INVALID_INPUT' ? Object.keys(error.fields).map((name) => INPUTS[name]).find((field) => field !== undefined) : undefined;
  return {
    field: FIELDS[error.code] ?? input ?? 'form',
    get message() {
      return fallback === 'unreachable' ? '' : error.message;
    },
    fallback,
  };
}
