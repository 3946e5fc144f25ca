import type { ErrorCode } from '@rmeet/contract';

export type ErrorParams = Record<string, string | number>;

/**
 * An error a user can cause or see: a code of the contract's table, and the values for the placeholders of its
 * sentence.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly params: ErrorParams;
  /** What is wrong with each input field; only with INVALID_INPUT. */
  readonly fields: Record<string, string> | undefined;
  /** Values for a page that describes the error in its own words (see Envelope). */
  readonly details: Record<string, string> | undefined;
  /** The choices for the caller (see Envelope). */
  readonly data: Record<string, unknown> | undefined;

  constructor(
    code: ErrorCode,
    params: ErrorParams = {},
    fields?: Record<string, string>,
    details?: Record<string, string>,
    data?: Record<string, unknown>,
  ) {
    super(code);
    this.name = 'AppError';
    this.code = code;
    this.params = params;
    this.fields = fields;
    this.details = details;
    this.data = data;
  }
}
