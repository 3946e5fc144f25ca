import type { Envelope, ErrorCode } from '@rmeet/contract';
import { language } from '../i18n/index.ts';
import type { Words } from '../notify.ts';

/** What a call failed with when no envelope came back. */
export type TransportCode = 'REQUEST_TIMEOUT' | 'UNREACHABLE' | 'NOT_AN_ENVELOPE';

/**
 * A failed call: the HTTP status, the code and the sentence of the envelope in the language in use, what is wrong per
 * field, and what a page asks about it with.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly httpStatus: number;
  readonly code: ErrorCode | TransportCode | (string & {});
  readonly fields: Record<string, string>;
  /** Seconds after which the same call may work; null where the server named none. */
  readonly seconds: number | null;
  /** The envelope's data: what there is to choose from, where there is a choice (see Envelope). */
  readonly data: unknown;
  /** What the page asks about in its own words (see Envelope). */
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

  /** Empty where none came. */
  override get message(): string {
    if (this.#messages) return this.#messages[language()];
    return typeof this.#message === 'string' ? this.#message : this.#message();
  }
}

/** Whether `error` is a failed call with one of the codes. */
export function isApiError(error: unknown, ...codes: ErrorCode[]): error is ApiError {
  return error instanceof ApiError && (codes.length === 0 || (codes as string[]).includes(error.code));
}

/** The server's sentence; undefined when it could not be asked. */
export function sentenceOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.httpStatus > 0 && error.message !== '' ? error.message : undefined;
}
