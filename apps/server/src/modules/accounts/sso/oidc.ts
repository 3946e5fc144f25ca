import type { SettingsOf } from '@rmeet/contract';
import { createRemoteJWKSet, customFetch as fetchOfJose, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  type Configuration,
} from 'openid-client';
import { z } from 'zod';
import { isForbidden, webAddress, whyUnreachable, type SsoHttp } from './http.ts';
import { faultOf, redirectUriOf, type Peer, type ProviderCheck, type ProviderKind } from './kinds.ts';

type Settings = SettingsOf<'OIDC'>;
type OidcPeer = Peer<Settings>;

/** Seconds that the clocks of both sides may differ. */
const CLOCK_TOLERANCE = 60;
/** How long metadata and keys of a provider are used before they are asked for again, ms. */
const METADATA_FOR = 600_000;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Signatures with a key pair: the client's secret is no proof of who the issuer is. */
const SIGNATURES = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

const CLIENT_AUTH = {
  client_secret_basic: ClientSecretBasic,
  client_secret_post: ClientSecretPost,
  none: None,
} as const;

/** The parts of provider metadata that are checked (OpenID Connect Discovery 1.0, section 3). */
const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  response_types_supported: z.array(z.string()),
  end_session_endpoint: z.url().optional(),
});

/** A logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
export interface LogoutToken {
  jti: string;
  /** At least one of both. */
  sub: string | undefined;
  sid: string | undefined;
  expiresAt: Date;
}

interface Opened {
  version: number;
  until: number;
  config: Configuration;
  keys: JWTVerifyGetKey;
}

const hostIn = (url: string): string => new URL(url).host;

/** OpenID Connect, by authorization code with PKCE. */
// oxlint-disable-next-line max-lines-per-function -- short methods that share the opened providers
export function createOidc({ http, now }: { http: SsoHttp; now: () => Date }) {
  const opened = new Map<string, Opened>();

  async function open({ id, version, settings, secret }: OidcPeer): Promise<Opened> {
    const known = opened.get(id);
    if (known?.version === version && known.until > now().getTime()) return known;
    const { issuer, clientId, clientAuth } = settings;
    const config = await discovery(
      new URL(issuer),
      clientId,
      { [clockTolerance]: CLOCK_TOLERANCE },
      CLIENT_AUTH[clientAuth](secret),
      // Which addresses may use http is decided by `http`.
      { execute: [allowInsecureRequests], [customFetch]: http.asFetch },
    );
    // Without it, tokens that come from the token endpoint are accepted unsigned (OpenID Connect Core, 3.1.3.7).
    enableNonRepudiationChecks(config);
    const { jwks_uri: jwks = '' } = config.serverMetadata();
    const keys = createRemoteJWKSet(new URL(jwks), { [fetchOfJose]: http.asFetch });
    const made = { version, until: now().getTime() + METADATA_FOR, config, keys };
    opened.set(id, made);
    return made;
  }

  const kind: ProviderKind<Settings> = {
    async begin(peer, { state, origin }) {
      const { config } = await open(peer);
      const [nonce, verifier] = [randomNonce(), randomPKCECodeVerifier()];
      const scopes = new Set(['openid', ...peer.settings.scopes.split(/\s+/).filter((one) => one !== '')]);
      const url = buildAuthorizationUrl(config, {
        redirect_uri: redirectUriOf(origin),
        scope: [...scopes].join(' '),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url: webAddress(url), kept: { nonce, verifier } };
    },

    async finish(peer, { nonce = '', verifier = '' }, { state, code = '', iss }, origin) {
      const { config } = await open(peer);
      const url = new URL(redirectUriOf(origin));
      url.search = new URLSearchParams({ state, code, ...(iss === undefined ? {} : { iss }) }).toString();
      const tokens = await authorizationCodeGrant(config, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims || !tokens.id_token) throw new Error('There is no id_token.');
      const { userinfo_endpoint: userInfo } = config.serverMetadata();
      // Its subject must be that of the id_token (OpenID Connect Core, 5.3.4).
      const more = userInfo === undefined ? {} : await fetchUserInfo(config, tokens.access_token, claims.sub);
      const sid = claims['sid'];
      return {
        subject: claims.sub,
        claims: { ...claims, ...more },
        sid: typeof sid === 'string' ? sid : '',
        hint: peer.settings.logout ? tokens.id_token : null,
      };
    },

    check: (settings) => checkMetadata(http, settings),

    async endAddress(peer, hint, returnTo) {
      if (!peer.settings.logout) return null;
      const { config } = await open(peer);
      if (config.serverMetadata().end_session_endpoint === undefined) return null;
      const asked = { post_logout_redirect_uri: returnTo, ...(hint === null ? {} : { id_token_hint: hint }) };
      return webAddress(buildEndSessionUrl(config, asked));
    },
  };

  return {
    ...kind,
    /**
     * Checks a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6), except that its `jti` is new.
     *
     * @throws an error of jose, or of the connection
     */
    async readLogout(peer: OidcPeer, token: string): Promise<LogoutToken> {
      const { config, keys } = await open(peer);
      const { payload } = await jwtVerify(token, keys, {
        issuer: config.serverMetadata().issuer,
        audience: peer.settings.clientId,
        algorithms: SIGNATURES,
        clockTolerance: CLOCK_TOLERANCE,
        requiredClaims: ['iat', 'exp', 'jti', 'events'],
      });
      return logoutOf(payload);
    },
  };
}

export type Oidc = ReturnType<typeof createOidc>;

function logoutOf({ jti, sub, sid, exp = 0, events, nonce }: JWTPayload): LogoutToken {
  const session = typeof sid === 'string' ? sid : undefined;
  const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
  // An id_token must not pass as one.
  if (!isLogout || nonce !== undefined || jti === undefined || (sub ?? session) === undefined)
    throw new Error('This is not a logout token.');
  return { jti, sub, sid: session, expiresAt: new Date((exp + CLOCK_TOLERANCE) * 1_000) };
}

/** What is wrong with the metadata of a provider, the first fault only. */
async function checkMetadata(http: SsoHttp, { issuer }: Settings): Promise<ProviderCheck> {
  if (!http.allows(issuer))
    return faultOf(issuer.startsWith('http:') ? 'INSECURE' : 'ADDRESS_REFUSED', new URL(issuer).host);
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  let answer;
  try {
    answer = await http.call(address, { headers: { accept: 'application/json' } });
  } catch (error) {
    if (isForbidden(error)) return faultOf('ADDRESS_REFUSED', hostIn(issuer));
    return faultOf('UNREACHABLE', `${hostIn(issuer)}: ${whyUnreachable(error) ?? String(error)}`);
  }
  if (answer.status >= 300 && answer.status < 400)
    return faultOf('REDIRECTS', answer.headers.location ?? String(answer.status));
  if (answer.status !== 200) return faultOf('NOT_FOUND', `${address}: ${answer.status}`);
  return checkContent(http, issuer, answer.text);
}

function checkContent(http: SsoHttp, issuer: string, text: string): ProviderCheck {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return faultOf('NOT_READABLE', text.slice(0, 80));
  }
  const read = metadata.safeParse(content);
  if (!read.success) return faultOf('NOT_READABLE', read.error.issues[0]?.path.join('.') ?? '');
  const { issuer: named, token_endpoint, jwks_uri, authorization_endpoint, ...rest } = read.data;
  if (new URL(named).href !== new URL(issuer).href) return faultOf('ISSUER_DIFFERS', named);
  const refused = [token_endpoint, jwks_uri, authorization_endpoint].find((url) => !http.allows(url));
  if (refused !== undefined)
    return faultOf(refused.startsWith('http:') ? 'INSECURE' : 'ADDRESS_REFUSED', new URL(refused).host);
  if (!rest.response_types_supported.includes('code'))
    return faultOf('NO_CODE_FLOW', rest.response_types_supported.join(', '));
  return { fault: null, detail: named, canLogOut: rest.end_session_endpoint !== undefined };
}
