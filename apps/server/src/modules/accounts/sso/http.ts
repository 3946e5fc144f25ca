import { AddressForbidden, callOutside, hostOf, isInside, isNamedIn } from '../../../platform/outbound/index.ts';
import type { OutboundAnswer } from '../../../platform/outbound/index.ts';

/** Statuses whose answers have no body (Fetch standard, 2.2.3). */
const WITHOUT_BODY = new Set([204, 205, 304]);

interface Request {
  method?: string;
  headers?: Record<string, string>;
  body?: string | undefined;
}

/** Calls of identity providers, whose addresses tenants enter. */
export interface SsoHttp {
  /**
   * Whether an address may be used as far as it shows: https, and not inside the network. Hosts that the operator lists
   * (RMEET_SSO_HOSTS) may be inside, and use http.
   */
  allows(url: string): boolean;
  /** @throws AddressForbidden, AnswerTooLong, or the error of the connection. Redirects are not followed. */
  call(url: string, request?: Request): Promise<OutboundAnswer>;
  /** The same in the form of the Fetch standard, for libraries. */
  readonly asFetch: (
    url: string,
    options: { method?: string; headers?: RequestInit['headers']; body?: unknown },
  ) => Promise<Response>;
}

function textOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('Only texts and forms are sent to identity providers.');
}

/** The only way to identity providers. `hosts`: those inside the network, with or without ports. */
export function createSsoHttp(hosts: readonly string[]): SsoHttp {
  const allows = (url: string): boolean =>
    isNamedIn(hosts, url) || (url.startsWith('https:') && !isInside(hostOf(url)));

  const call: SsoHttp['call'] = async (url, { method = 'GET', headers = {}, body } = {}) => {
    if (!allows(url)) throw new AddressForbidden();
    return callOutside({ url, method, headers, body, isTrusted: isNamedIn(hosts, url) });
  };

  return {
    allows,
    call,
    asFetch: async (url, { method = 'GET', headers, body }) => {
      const sent = Object.fromEntries(new Headers(headers));
      const { status, headers: received, text } = await call(url, { method, headers: sent, body: textOf(body) });
      const kept = ['content-type', 'www-authenticate', 'location'].flatMap((name) => {
        const value = received[name];
        return typeof value === 'string' ? [[name, value] as [string, string]] : [];
      });
      return new Response(WITHOUT_BODY.has(status) ? null : text, { status, headers: kept });
    },
  };
}

/**
 * An address that a browser may be sent to: the metadata of a provider could also name one that runs code.
 *
 * @throws Error
 */
export function webAddress({ href, protocol }: URL): string {
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('The address of a page does not begin with http.');
  return href;
}

/** Codes of errors of connections: the other side cannot be reached, or not be trusted. */
const UNREACHABLE = /^(E[A-Z]+|ERR_TLS_\w+|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|ABORT_ERR)$/;

/** The error and those that caused it. */
function* causesOf(error: unknown): Generator<Error> {
  for (let at = error, n = 0; at instanceof Error && n < 5; at = at.cause, n += 1) yield at;
}

/** Why an identity provider could not be reached; undefined if it answered. */
export function whyUnreachable(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    const { code } = cause as { code?: unknown };
    if (cause instanceof AddressForbidden || cause.name === 'TimeoutError') return cause.name;
    if (typeof code === 'string' && UNREACHABLE.test(code)) return code;
  }
  return undefined;
}

/** Whether a private address was the reason. */
export const isForbidden = (error: unknown): boolean =>
  [...causesOf(error)].some((one) => one instanceof AddressForbidden);
