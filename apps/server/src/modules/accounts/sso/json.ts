import { isForbidden, whyUnreachable, type SsoHttp } from './http.ts';
import { faultOf, Refusal, type ProviderCheck } from './kinds.ts';

export interface JsonAnswer {
  status: number;
  /** An object; empty if it sent none. */
  body: Record<string, unknown>;
}

interface JsonRequest {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Sent by POST. */
  body?: Record<string, string>;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text of an answer; empty if it has none. */
export function textIn(body: Record<string, unknown>, name: string): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** An address with parameters. The path of `base`, if it has one, stays. */
export function addressOf(base: string, path: string, query: Record<string, string> = {}): string {
  const url = new URL(`${base.replace(/\/+$/, '')}${path}`);
  url.search = new URLSearchParams(query).toString();
  return url.href;
}

function read(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Calls an API that speaks JSON. @throws Refusal `busy` for a failure of its server, and the errors of SsoHttp.call */
export async function callJson(
  http: Pick<SsoHttp, 'call'>,
  [base, path]: readonly [base: string, path: string],
  { query, headers = {}, body }: JsonRequest = {},
): Promise<JsonAnswer> {
  const answer = await http.call(addressOf(base, path, query), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json; charset=utf-8', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (answer.status >= 500) throw new Refusal('busy', `HTTP ${answer.status}`);
  return { status: answer.status, body: read(answer.text) };
}

/** What is wrong with the addresses of a provider, or, if `tried` is given, with its credentials. */
export async function checkApi(
  http: Pick<SsoHttp, 'allows' | 'call'>,
  { page, api }: { page: string; api: string },
  tried: () => Promise<unknown>,
): Promise<ProviderCheck> {
  const refused = [api, page].find((url) => !http.allows(url));
  if (refused !== undefined)
    return faultOf(refused.startsWith('http:') ? 'INSECURE' : 'ADDRESS_REFUSED', new URL(refused).host);
  const { host } = new URL(api);
  try {
    await tried();
    return faultOf(null, host);
  } catch (error) {
    if (error instanceof Refusal) return faultOf(error.reason === 'busy' ? 'UNREACHABLE' : 'REFUSED', error.message);
    if (isForbidden(error)) return faultOf('ADDRESS_REFUSED', host);
    return faultOf('UNREACHABLE', `${host}: ${whyUnreachable(error) ?? String(error)}`);
  }
}
