/** Twirp error codes the engine gives, with their HTTP status (Twirp protocol v7). */
const statuses = {
  invalid_argument: 400,
  malformed: 400,
  unauthenticated: 401,
  not_found: 404,
  bad_route: 404,
  failed_precondition: 412,
  resource_exhausted: 429,
  internal: 500,
  unknown: 500,
  unimplemented: 501,
} as const;

export type TwirpCode = keyof typeof statuses;

/** A refusal of the server API, sent as `{code, msg}`. */
export class TwirpError extends Error {
  readonly code: TwirpCode;

  constructor(code: TwirpCode, message: string) {
    super(message);
    this.code = code;
  }

  get status(): number {
    return statuses[this.code];
  }
}
