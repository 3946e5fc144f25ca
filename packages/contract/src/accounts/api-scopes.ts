/**
 * What an API client may be allowed to call: a domain, and whether it reads or changes. A route that machines may call
 * names its scope; every other route refuses them.
 */
export const API_SCOPES = [
  'meetings:read',
  'meetings:write',
  'rooms:read',
  'users:read',
  'history:read',
  'recordings:read',
  'webhooks:read',
  'webhooks:write',
] as const;
export type ApiScope = (typeof API_SCOPES)[number];

/** The token endpoint (RFC 6749, section 3.2); it answers the JSON of that RFC instead of the envelope. */
export const TOKEN_PATH = '/api/oauth2/token';
/** How access tokens of API clients begin. */
export const API_TOKEN_PREFIX = 'rma_';
