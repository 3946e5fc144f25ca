import type { Envelope, ErrorCode } from '@rmeet/contract';

/** What a call failed with when no envelope came back. */
export type TransportCode = 'REQUEST_TIMEOUT' | 'UNREACHABLE' | 'NOT_AN_ENVELOPE';

/** A failed call: the HTTP status, the code and the sentence of the envelope, what is wrong per field, and what a page asks about it with. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly httpStatus: number;
  readonly code: ErrorCode | TransportCode | (string & {});
  readonly fields: Record<string, string>;
  /** Seconds after which the same call may work; null where the server named none. */
  readonly seconds: number | null;
  /** What the page asks about in its own words (see Envelope). */
  readonly details: Record<string, string>;

  constructor(httpStatus: number, code: string, message = '', fields: Record<string, string> = {}, { seconds = null, details = {} }: { seconds?: number | null; details?: Record<string, string> } = {}) {
    super(message);
    this.httpStatus = httpStatus;
    this.code = code;
    this.fields = fields;
    this.seconds = seconds;
    this.details = details;
  }

  static of(httpStatus: number, envelope: Partial<Envelope>): ApiError {
    const seconds = (envelope.data as { seconds?: unknown } | null | undefined)?.seconds;
    const more = { seconds: typeof seconds === 'number' ? seconds : null, details: envelope.details ?? {} };
    return new ApiError(httpStatus, envelope.statusCode ?? 'NOT_AN_ENVELOPE', envelope.message, envelope.fields, more);
  }
}

/** Whether `error` is a failed call with one of the codes. */
export function isApiError(error: unknown, ...codes: ErrorCode[]): error is ApiError {
  return error instanceof ApiError && (codes.length === 0 || (codes as string[]).includes(error.code));
}
