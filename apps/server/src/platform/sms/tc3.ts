import { createHash, createHmac } from 'node:crypto';

const ALGORITHM = 'TC3-HMAC-SHA256';
const SIGNED = ['content-type', 'host', 'x-tc-action'] as const;

/** A POST request to a Tencent Cloud API; header values as they are sent. */
interface TcRequest {
  headers: Record<(typeof SIGNED)[number], string>;
  payload: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** SHA-256 of the canonical request, hexadecimal (Tencent Cloud, signature v3, step 1). */
export function tcRequestHash({ headers, payload }: TcRequest): string {
  const lines = SIGNED.map((name) => `${name}:${headers[name].toLowerCase()}\n`).join('');
  return sha256(['POST', '/', '', lines, SIGNED.join(';'), sha256(payload)].join('\n'));
}

/** The `Authorization` header of a request. `at`: seconds since 1970, as in `X-TC-Timestamp`. */
export function tcAuthorization(
  request: TcRequest,
  { id, secret, service, at }: { id: string; secret: string; service: string; at: number },
): string {
  const date = new Date(at * 1_000).toISOString().slice(0, 10);
  const scope = `${date}/${service}/tc3_request`;
  const key = hmac(hmac(hmac(`TC3${secret}`, date), service), 'tc3_request');
  const signature = hmac(key, [ALGORITHM, at, scope, tcRequestHash(request)].join('\n')).toString('hex');
  return `${ALGORITHM} Credential=${id}/${scope}, SignedHeaders=${SIGNED.join(';')}, Signature=${signature}`;
}
