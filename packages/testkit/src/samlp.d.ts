/** The parts of the package that are used here; it has no types of its own. */
declare module 'samlp' {
  type Done<T> = (error: Error | null, result: T) => void;
  /** What it reads of a request, and writes of a response, of Express. */
  interface Request {
    method: string;
    query: Record<string, string>;
    body: Record<string, string>;
    originalUrl: string;
    protocol: string;
    headers: Record<string, string>;
  }
  interface Response {
    set(name: string, value: string): void;
    send(body: string | number): void;
    redirect(url: string): void;
  }
  type Middleware = (request: Request, response: Response, next: (error?: Error) => void) => void;

  interface AuthnRequest {
    id: string;
    issuer: string;
    assertionConsumerServiceURL: string;
    destination: string;
  }

  interface Profile {
    getClaims(): Record<string, unknown>;
    getNameIdentifier(): { nameIdentifier: string; nameIdentifierFormat?: string };
  }

  interface ResponseOptions {
    issuer: string;
    cert: string;
    key: string;
    audience: string;
    recipient: string;
    destination: string;
    inResponseTo: string;
    sessionIndex: string;
    lifetimeInSeconds: number;
    signatureAlgorithm: string;
    digestAlgorithm: string;
    signResponse: boolean;
    signAssertion: boolean;
    nameIdentifierFormat?: string;
    profileMapper: (user: unknown) => Profile;
  }

  interface Participant {
    serviceProviderId: string;
    nameId: string;
    nameIdFormat: string;
    sessionIndex: string;
    serviceProviderLogoutURL: string;
    cert: string;
  }

  interface LogoutOptions {
    issuer: string;
    cert: string;
    key: string;
    deflate: boolean;
    protocolBinding: string;
    signatureAlgorithm: string;
    digestAlgorithm: string;
    sessionParticipants: object;
    store: object;
    clearIdPSession: (done: () => void) => void;
  }

  export function parseRequest(request: Request, options: { signingCert?: string }, done: Done<AuthnRequest>): void;
  export function getSamlResponse(options: ResponseOptions, user: unknown, done: Done<string>): void;
  export function metadata(options: Record<string, unknown>): Middleware;
  export function logout(options: LogoutOptions): Middleware;
  export type { AuthnRequest, Participant, Request, Response, ResponseOptions };
}
declare module 'samlp/lib/sessionParticipants/index.js' {
  import type { Participant } from 'samlp';
  const SessionParticipants: new (participants: Participant[]) => object;
  export default SessionParticipants;
}
