import { ApiError } from '../../../lib/api/error.ts';

export type JoinField = 'number' | 'password' | 'name' | 'key' | 'form';

export interface JoinError {
  field: JoinField;
  /** Whether the field must be asked for although a value was known. */
  asks: boolean;
  /** The server's message in the current language; empty if the request never reached the server. */
  readonly message: string;
  /** Key of our own message if the server sent none. */
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
  E2EE_KEY_REQUIRED: 'key',
};
/** Errors that another value of the field can fix. */
const ASKED = new Set([
  'MEETING_NUMBER_UNKNOWN',
  'MEETING_PASSWORD_WRONG',
  'MEETING_PASSWORD_REQUIRED',
  'NAME_REQUIRED',
  'E2EE_KEY_REQUIRED',
  'INVALID_INPUT',
]);
const INPUTS: Record<string, JoinField> = { numericId: 'number', password: 'password', name: 'name' };

/** Where the error of a failed join is shown, and its text. */
export function joinErrorOf(error: unknown): JoinError {
  if (!(error instanceof ApiError)) return { field: 'form', asks: false, message: '', fallback: 'failed' };
  const fallback =
    error.code === 'UNREACHABLE' ? 'unreachable' : error.code === 'REQUEST_TIMEOUT' ? 'timeout' : 'failed';
  const input =
    error.code === 'INVALID_INPUT'
      ? Object.keys(error.fields)
          .map((name) => INPUTS[name])
          .find((field) => field !== undefined)
      : undefined;
  return {
    field: FIELDS[error.code] ?? input ?? 'form',
    asks: ASKED.has(error.code),
    get message() {
      return fallback === 'unreachable' ? '' : error.message;
    },
    fallback,
  };
}
