import { createHash, createHmac } from 'node:crypto';

const ALGORITHM = 'ACS3-HMAC-SHA256';

/** A request to an Alibaba Cloud API. */
interface AcsRequest {
  method: 'GET' | 'POST';
  path: string;
  query: Record<string, string>;
  /** Names in lower case; `host`, `content-type` and `x-acs-*` are signed. */
  headers: Record<string, string>;
  body: string;
}

/** Percent-encoding of RFC 3986: unlike encodeURIComponent, also of `!'()*`. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : 1);

/** The query of a request in its canonical form, which is also sent. */
export const acsQuery = (query: Record<string, string>): string =>
  Object.entries(query)
    .toSorted(byName)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');

/** The `Authorization` header of a request (Alibaba Cloud, V3 request structure and signature). */
export function acsAuthorization(
  { method, path, query, headers, body }: AcsRequest,
  { id, secret }: { id: string; secret: string },
): string {
  const signed = Object.entries(headers)
    .filter(([name]) => name === 'host' || name === 'content-type' || name.startsWith('x-acs-'))
    .toSorted(byName);
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value.trim()}\n`).join('');
  const canonical = [method, path, acsQuery(query), lines, names, sha256(body)].join('\n');
  const signature = createHmac('sha256', secret)
    .update(`${ALGORITHM}\n${sha256(canonical)}`)
    .digest('hex');
  return `${ALGORITHM} Credential=${id},SignedHeaders=${names},Signature=${signature}`;
}
