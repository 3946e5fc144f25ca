import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Provider, type Context } from 'oidc-provider';

export const OIDC_CLIENT = { id: 'rmeet', secret: 'a secret of the client, 32 bytes' };

/** What the provider says about a person. */
export type OidcClaims = Record<string, string | boolean | string[]>;

export interface RunningIdentityProvider {
  issuer: string;
  /** host:port, as the operator lists it. */
  host: string;
  /** The people by subject; tests change what is said about them. */
  people: Map<string, OidcClaims>;
  /** Why requests failed. */
  failures: string[];
  /** Signs a person in with a new browser, from the address that a client sends it to; returns where it leads back. */
  signIn(url: string, subject: string): Promise<URL>;
  browser(): IdentityProviderBrowser;
  close(): Promise<void>;
}

/** A browser with cookies of the provider. */
export interface IdentityProviderBrowser {
  signIn(url: string, subject: string): Promise<URL>;
  /** Signs out at the address that a client sends it to; returns where it leads back. */
  signOut(url: string): Promise<URL>;
}

export interface IdentityProviderOptions {
  port?: number;
  /** The addresses of the product: where people are sent back to. */
  origins: readonly string[];
  people: Record<string, OidcClaims>;
  /** Where it ends sessions (OpenID Connect Back-Channel Logout 1.0). */
  backchannelLogoutUri?: string;
}

const PAGE = `<!doctype html><title>Identity provider</title>
<form method="post"><label>Subject <input name="subject" autofocus></label><button>Continue</button></form>`;

/** The page with which people confirm that they sign out; submits itself. */
const confirmLogout = (context: Context, form: string): void => {
  context.body = `<!doctype html><title>Identity provider</title>${form}
    <script>
      const form = document.forms[0];
      const input = Object.assign(document.createElement('input'), { type: 'hidden', name: 'logout', value: 'yes' });
      form.append(input);
      form.submit();
    </script>`;
};

function configurationOf({ origins, backchannelLogoutUri }: IdentityProviderOptions, people: Map<string, OidcClaims>) {
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
  return {
    clients: [
      {
        client_id: OIDC_CLIENT.id,
        client_secret: OIDC_CLIENT.secret,
        redirect_uris: origins.map((origin) => `${origin}/api/sso/callback`),
        post_logout_redirect_uris: origins.map((origin) => `${origin}/`),
        ...(backchannelLogoutUri === undefined
          ? {}
          : { backchannel_logout_uri: backchannelLogoutUri, backchannel_logout_session_required: true }),
      },
    ],
    jwks: { keys: [{ ...key, kid: 'test', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['of the tests'] },
    claims: {
      openid: ['sub', 'sid'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username', 'department', 'groups'],
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true, logoutSource: confirmLogout },
    },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    // Its own one calls no address on this machine.
    fetch: (url: string, { method, headers, body, signal }: RequestInit) =>
      fetch(url, { method, headers, body, signal } as RequestInit),
    pkce: { required: () => true },
    interactions: { url: (_context: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: Context, subject: string) => ({
      accountId: subject,
      claims: () => ({ sub: subject, ...people.get(subject) }),
    }),
    // No one is asked whether the client may know the claims.
    async loadExistingGrant({ oidc: { client, session, params, provider } }: Context) {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(params.scope);
      await grant.save();
      return grant;
    },
  };
}

/** Shows the page on which people say who they are, and takes their answer. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html').end(PAGE);
    return;
  }
  const accountId = new URLSearchParams(await text(request)).get('subject') ?? '';
  await provider.interactionFinished(request, response, { login: { accountId } });
}

/** A real OpenID Provider (npm oidc-provider) on loopback, with one client. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<RunningIdentityProvider> {
  const server = createServer();
  await once(server.listen(options.port ?? 0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `http://${host}`;
  const people = new Map(Object.entries(options.people));
  const provider = new Provider(issuer, configurationOf(options, people));
  const failures: string[] = [];
  for (const event of ['server_error', 'authorization.error', 'grant.error', 'end_session.error', 'backchannel.error'])
    provider.on(event, (...args) => {
      const error = args.find((one) => one instanceof Error);
      failures.push(
        `${event}: ${error?.message} ${(error as { error_description?: string })?.error_description ?? ''}`,
      );
    });
  const answer = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/interaction/')) void interact(provider, request, response);
    else answer(request, response);
  });
  return {
    issuer,
    host,
    people,
    failures,
    signIn: (url, subject) => browserOf(issuer).signIn(url, subject),
    browser: () => browserOf(issuer),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function browserOf(issuer: string): IdentityProviderBrowser {
  const cookies = new Map<string, string>();

  async function call(url: URL, form?: Record<string, string>): Promise<Response> {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    return answer;
  }

  /** Follows redirects to the first address outside the provider; `forms` fills in its pages. */
  async function follow(url: string, forms: (page: URL, html: string) => [URL, Record<string, string>]): Promise<URL> {
    let [next, form]: [URL, Record<string, string> | undefined] = [new URL(url), undefined];
    for (let n = 0; n < 12; n += 1) {
      const answer = await call(next, form);
      const location = answer.headers.get('location');
      const html = location === null ? await answer.text() : '';
      if (answer.status >= 400) throw new Error(`The identity provider answered ${answer.status}: ${html}`);
      [next, form] = location === null ? forms(next, html) : [new URL(location, next), undefined];
      if (next.origin !== issuer) return next;
    }
    throw new Error('The identity provider redirects too often.');
  }

  return {
    signIn: (url, subject) => follow(url, (page) => [page, { subject }]),
    signOut: (url) =>
      follow(url, (page, html) => {
        const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
        const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(html) ?? [];
        return [new URL(action, page), { xsrf, logout: 'yes' }];
      }),
  };
}
