import { ApiError } from '../../../lib/api/error.ts';

export type JoinField = 'number' | 'password' | 'name' | 'form';

export interface JoinError {
  field: JoinField;
  /** The field is asked for, though it was known before. */
  asks: boolean;
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
/** Failures that another input in the field mends. */
const ASKED = new Set([
  'MEETING_NUMBER_UNKNOWN',
  'MEETING_PASSWORD_WRONG',
  'MEETING_PASSWORD_REQUIRED',
  'NAME_REQUIRED',
  'INVALID_INPUT',
]);
const INPUTS: Record<string, JoinField> = { numericId: 'number', password: 'password', name: 'name' };

/** Where a failed join is shown, and with which words. */
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
