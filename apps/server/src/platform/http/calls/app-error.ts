import type { ErrorCode } from '@rmeet/contract';

export type ErrorParams = Record<string, string | number>;

/** A failure a user can cause or meet: a code of the contract's table, and the values of its sentence's places. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly params: ErrorParams;
  /** Per input field, what is wrong with it; only with INVALID_INPUT. */
  readonly fields: Record<string, string> | undefined;
  /** Facts for a page that asks about it in its own words (see Envelope). */
  readonly details: Record<string, string> | undefined;
  /** What the caller chooses from (see Envelope). */
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
