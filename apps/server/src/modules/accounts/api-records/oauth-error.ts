/** The errors of the token endpoint (RFC 6749, section 5.2). */
type OAuthCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope';

/** A refusal of the token endpoint, with its HTTP status and a sentence for the programmer of the client. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly status: number;
  readonly code: OAuthCode;

  constructor(status: number, code: OAuthCode, description: string) {
    super(description);
    this.status = status;
    this.code = code;
  }
}

export const refuseClient = (description: string): OAuthError => new OAuthError(401, 'invalid_client', description);
