import type { Envelope, ErrorCode } from '@rmeet/contract';
import { language } from '../i18n/index.ts';
import type { Words } from '../notify.ts';

/** Error codes of calls that returned no envelope. */
export type TransportCode = 'REQUEST_TIMEOUT' | 'UNREACHABLE' | 'NOT_AN_ENVELOPE';

/**
 * A failed call: the HTTP status, the envelope's code and its message in the current language, the errors per field,
 * and data for a question to the user.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly httpStatus: number;
  readonly code: ErrorCode | TransportCode | (string & {});
  readonly fields: Record<string, string>;
  /** Seconds after which a retry may succeed; null if the server gave none. */
  readonly seconds: number | null;
  /** The envelope's data: the options, if the user must choose (see Envelope). */
  readonly data: unknown;
  /** Values for a question that the page words itself (see Envelope). */
  readonly details: Record<string, string>;

  readonly #message: string | Words;
  readonly #messages: Envelope['messages'];

  constructor(
    httpStatus: number,
    code: string,
    message: string | Words = '',
    {
      fields = {},
      messages,
      details = {},
      data,
    }: Partial<Pick<Envelope, 'fields' | 'messages' | 'details' | 'data'>> = {},
  ) {
    super();
    this.httpStatus = httpStatus;
    this.code = code;
    this.#message = message;
    this.#messages = messages;
    this.fields = fields;
    this.data = data;
    const { seconds } = (data ?? {}) as { seconds?: unknown };
    this.seconds = typeof seconds === 'number' ? seconds : null;
    this.details = details;
  }

  static of(httpStatus: number, envelope: Partial<Envelope>): ApiError {
    return new ApiError(httpStatus, envelope.statusCode ?? 'NOT_AN_ENVELOPE', envelope.message, envelope);
  }

  /** Empty if the server sent none. */
  override get message(): string {
    if (this.#messages) return this.#messages[language()];
    return typeof this.#message === 'string' ? this.#message : this.#message();
  }
}

/** Whether `error` is a failed call with one of the codes. */
export function isApiError(error: unknown, ...codes: ErrorCode[]): error is ApiError {
  return error instanceof ApiError && (codes.length === 0 || (codes as string[]).includes(error.code));
}

/** The server's message; undefined if the server did not respond. */
export function sentenceOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.httpStatus > 0 && error.message !== '' ? error.message : undefined;
}
