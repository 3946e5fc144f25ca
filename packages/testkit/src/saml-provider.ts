import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import {
  getSamlResponse,
  logout,
  metadata,
  parseRequest,
  type Participant,
  type Request,
  type Response,
  type ResponseOptions,
} from 'samlp';
import SessionParticipants from 'samlp/lib/sessionParticipants/index.js';

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

/** What the provider says about a person, under the names of attributes. */
export type SamlAttributes = Record<string, string | string[]>;

/** The form that the provider's page posts. */
export interface SamlForm {
  action: string;
  /** The response, XML. */
  xml: string;
  relayState: string;
}

/** The product, as the provider knows it from its metadata. */
interface ServiceProvider {
  entityId: string;
  certificate: string;
  logout: string;
}

export interface RunningSamlProvider {
  /** host:port, as the operator lists it. */
  host: string;
  entityId: string;
  metadataUrl: string;
  /** Its key and certificate, PEM, for tests that forge messages. */
  key: string;
  cert: string;
  /** The people by the name that identifies them. */
  people: Map<string, SamlAttributes>;
  /** Why requests failed. */
  failures: string[];
  /** Takes over the metadata of the product, as its administrator does. */
  trust(metadata: string): void;
  /** Signs a person in, from the address that the product sends the browser to. `changes`: what a test does wrong. */
  signIn(url: string, person: string, changes?: Partial<ResponseOptions>): Promise<SamlForm>;
  /** Where a browser goes that signs out there; it follows by itself to where that leads. */
  signOut(person: string): Promise<URL>;
  /**
   * Where a request to sign out of the session that was opened last leads, or an answer to one; undefined when all is
   * done.
   */
  follow(url: string): Promise<URL | undefined>;
  close(): Promise<void>;
}

/** A key and a certificate that it signs itself, PEM. */
function makeKey(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-saml-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const kind = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=Test identity provider'];
    execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert], { stdio: 'pipe' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const pem = (base64: string): string =>
  `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;

/** The metadata of the product are its own, so that patterns suffice to read them. */
function readServiceProvider(xml: string): ServiceProvider {
  const find = (pattern: RegExp): string => pattern.exec(xml)?.[1] ?? '';
  return {
    entityId: find(/entityID="([^"]+)"/),
    certificate: pem(find(/<ds:X509Certificate>([^<]+)</)),
    logout: find(/<md:SingleLogoutService [^>]*Location="([^"]+)"/),
  };
}

/** What waits between two steps of a logout. */
function createStore() {
  const states = new Map<string, unknown>();
  return {
    save: (_request: unknown, state: unknown, done: (error: null, id: string) => void) => {
      const id = `state${states.size}`;
      states.set(id, state);
      done(null, id);
    },
    load: (_request: unknown, id: string, ...rest: unknown[]) => {
      const done = rest.at(-1) as (error: null, state: unknown) => void;
      done(null, states.get(id));
    },
    update: (_request: unknown, id: string, state: unknown, done: (error: null) => void) => {
      states.set(id, state);
      done(null);
    },
  };
}

function requestAt(url: string): Request {
  const { searchParams, pathname, search, host } = new URL(url);
  const query = Object.fromEntries(searchParams);
  return { method: 'GET', query, body: {}, originalUrl: pathname + search, protocol: 'http', headers: { host } };
}

/** A SAML 2.0 identity provider (npm samlp) on loopback. */
// oxlint-disable-next-line max-lines-per-function -- one provider with its state
export async function startSamlProvider(): Promise<RunningSamlProvider> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `http://${host}/metadata`;
  const { key, cert } = makeKey();
  const people = new Map<string, SamlAttributes>();
  const failures: string[] = [];
  const store = createStore();
  const opened: Participant[] = [];
  let known: ServiceProvider | undefined;
  let participants = new SessionParticipants([]);

  const signing = { issuer, cert, key, signatureAlgorithm: 'rsa-sha256', digestAlgorithm: 'sha256' };

  async function signIn(url: string, person: string, changes: Partial<ResponseOptions> = {}): Promise<SamlForm> {
    const request = requestAt(url);
    const asked = await promisify(parseRequest)(request, known ? { signingCert: known.certificate } : {});
    const sessionIndex = `session-${opened.length}`;
    const acs = asked.assertionConsumerServiceURL;
    const xml = await promisify(getSamlResponse)(
      {
        ...signing,
        audience: asked.issuer,
        recipient: acs,
        destination: acs,
        inResponseTo: asked.id,
        sessionIndex,
        lifetimeInSeconds: 300,
        signResponse: true,
        signAssertion: true,
        profileMapper: () => ({
          getClaims: () => people.get(person) ?? {},
          getNameIdentifier: () => ({ nameIdentifier: person, nameIdentifierFormat: PERSISTENT }),
        }),
        ...changes,
      },
      { id: person },
    );
    if (known)
      opened.push({
        serviceProviderId: known.entityId,
        nameId: person,
        nameIdFormat: PERSISTENT,
        sessionIndex,
        serviceProviderLogoutURL: known.logout,
        cert: known.certificate,
      });
    return { action: acs, xml, relayState: request.query['RelayState'] ?? '' };
  }

  /** One step of a logout, at the address of the provider. */
  const step = (url: string): Promise<URL | undefined> =>
    new Promise((resolve, reject) => {
      const response: Response = {
        set: () => undefined,
        send: () => resolve(undefined),
        redirect: (to) => resolve(new URL(to)),
      };
      const take = logout({
        ...signing,
        deflate: true,
        protocolBinding: REDIRECT,
        sessionParticipants: participants,
        store,
        clearIdPSession: (done) => done(),
      });
      take(requestAt(url), response, (error) => {
        failures.push(error?.message ?? 'unknown');
        reject(error ?? new Error('The logout failed.'));
      });
    });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = `http://${host}${request.url ?? ''}`;
    const { pathname } = new URL(url);
    const html = (body: string): void => {
      response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Identity provider</title>${body}`);
    };
    if (pathname === '/metadata')
      metadata({
        issuer,
        cert,
        redirectEndpointPath: '/sso',
        postEndpointPath: '/sso',
        logoutEndpointPaths: { redirect: '/logout' },
      })(
        requestAt(url),
        {
          set: (name, value) => void response.setHeader(name, value),
          send: (body) => void response.end(String(body)),
          redirect: (to) => void response.writeHead(302, { location: to }).end(),
        },
        () => undefined,
      );
    else if (pathname === '/sso' && request.method === 'GET')
      html(
        '<form method="post"><label>Subject <input name="subject" autofocus></label><button>Continue</button></form>',
      );
    else if (pathname === '/sso') {
      const person = new URLSearchParams(await text(request)).get('subject') ?? '';
      const { action, xml, relayState } = await signIn(url, person);
      const value = Buffer.from(xml).toString('base64');
      html(
        `<form method="post" action="${action}"><input type="hidden" name="SAMLResponse" value="${value}">` +
          `<input type="hidden" name="RelayState" value="${relayState}"></form>` +
          '<script>document.forms[0].submit()</script>',
      );
    } else if (pathname === '/logout') {
      participants = new SessionParticipants(opened.slice(-1));
      const next = await step(url);
      if (next) response.writeHead(302, { location: next.href }).end();
      else html('Signed out');
    } else response.writeHead(404).end();
  }
  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      failures.push(String(error));
      response.writeHead(500).end();
    });
  });

  return {
    host,
    entityId: issuer,
    metadataUrl: issuer,
    key,
    cert,
    people,
    failures,
    trust: (xml) => {
      known = readServiceProvider(xml);
    },
    signIn,
    signOut: async (person) => {
      participants = new SessionParticipants(opened.filter(({ nameId }) => nameId === person).slice(-1));
      const next = await step(`http://${host}/logout`);
      if (!next) throw new Error('The person is not signed in there.');
      return next;
    },
    follow: (url) => {
      if (new URL(url).searchParams.has('SAMLRequest')) participants = new SessionParticipants(opened.slice(-1));
      return step(url);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
