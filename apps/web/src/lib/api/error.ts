import type { Envelope, ErrorCode } from '@rmeet/contract';
import { language } from '../i18n/index.ts';
import type { Words } from '../notify.ts';

/** What a call failed with when no envelope came back. */
export type TransportCode = 'REQUEST_TIMEOUT' | 'UNREACHABLE' | 'NOT_AN_ENVELOPE';

/** A failed call: the HTTP status, the code and the sentence of the envelope in the language in use, and what is wrong per field. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly httpStatus: number;
  readonly code: ErrorCode | TransportCode | (string & {});
  readonly fields: Record<string, string>;

  readonly #message: string | Words;
  readonly #messages: Envelope['messages'];

  constructor(httpStatus: number, code: string, message: string | Words = '', { fields = {}, messages }: Pick<Envelope, 'fields' | 'messages'> = {}) {
    super();
    this.httpStatus = httpStatus;
    this.code = code;
    this.#message = message;
    this.#messages = messages;
    this.fields = fields;
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
