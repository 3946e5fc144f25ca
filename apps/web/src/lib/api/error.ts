import type { Envelope, ErrorCode } from '@rmeet/contract';

/** What a call failed with when no envelope came back. */
export type TransportCode = 'REQUEST_TIMEOUT' | 'UNREACHABLE' | 'NOT_AN_ENVELOPE';

/** A failed call: the HTTP status, the code and the sentence of the envelope, what is wrong per field, and what a page asks about it with. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly httpStatus: number;
  readonly code: ErrorCode | TransportCode | (string & {});
  readonly fields: Record<string, string>;
  readonly details: Record<string, string>;

  constructor(httpStatus: number, code: string, message = '', fields: Record<string, string> = {}, details: Record<string, string> = {}) {
    super(message);
    this.httpStatus = httpStatus;
    this.code = code;
    this.fields = fields;
    this.details = details;
  }

  static of(httpStatus: number, envelope: Partial<Envelope>): ApiError {
    return new ApiError(httpStatus, envelope.statusCode ?? 'NOT_AN_ENVELOPE', envelope.message, envelope.fields, envelope.details);
  }
}

/** Whether `error` is a failed call with one of the codes. */
export function isApiError(error: unknown, ...codes: ErrorCode[]): error is ApiError {
  return error instanceof ApiError && (codes.length === 0 || (codes as string[]).includes(error.code));
}
