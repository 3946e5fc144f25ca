import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';

const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const KID = 'own';

/** An OpenID Provider that says and signs whatever a test wants; real ones do not. */
export interface ForgingProvider {
  issuer: string;
  host: string;
  /** The key that it publishes. */
  key: KeyObject;
  /** Changes its metadata. */
  metadata: Record<string, unknown>;
  /** The next id_token. */
  idToken: string;
  /** The next answer about the person. */
  userInfo: Record<string, unknown>;
  /** Answers every request with a redirect. */
  redirectTo: string | undefined;
  /** Paths that were asked for. */
  asked: string[];
  close(): Promise<void>;
}

/** The claims of an id_token that is right. */
export const rightClaims = (issuer: string, nonce: string | null): JWTPayload => ({
  iss: issuer,
  sub: '7',
  aud: 'rmeet',
  nonce,
  iat: Math.floor(Date.now() / 1_000),
  exp: Math.floor(Date.now() / 1_000) + 300,
});

export const signed = (claims: JWTPayload, key: KeyObject, header: { alg?: string; kid?: string } = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: KID, ...header }).sign(key);
export const unsigned = (claims: JWTPayload): string => new UnsecuredJWT(claims).encode();
/** A key that no one publishes. */
export const otherKey = (): KeyObject => keyPair().privateKey;

export async function startForgingProvider(): Promise<ForgingProvider> {
  const { privateKey, publicKey } = keyPair();
  const server: Server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `http://${host}`;
  const provider: ForgingProvider = {
    issuer,
    host,
    key: privateKey,
    metadata: {},
    idToken: '',
    userInfo: {},
    redirectTo: undefined,
    asked: [],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const answers: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/me`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      ...provider.metadata,
    }),
    '/keys': () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: KID, use: 'sig' }] }),
    '/token': () => ({ access_token: 'of the tests', token_type: 'Bearer', id_token: provider.idToken }),
    '/me': () => provider.userInfo,
  };
  server.on('request', (request, response) => {
    const path = request.url ?? '';
    provider.asked.push(path);
    const answer = answers[path];
    if (provider.redirectTo !== undefined) response.writeHead(302, { location: provider.redirectTo }).end();
    else if (!answer) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer()));
  });
  return provider;
}
