import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A browser with a subscription: what it sends to the server, and how it reads messages. */
export interface TestBrowser {
  body: { endpoint: string; p256dh: string; auth: string };
  /** What arrived, decrypted as JSON, with its headers; fails for a message that is not encrypted for this browser. */
  received: { message: unknown; headers: IncomingHttpHeaders }[];
}

export interface PushService {
  origin: string;
  /** A new subscription, bound to the public key of a server. */
  browser(): TestBrowser;
  /** Statuses of the next answers; otherwise 201. */
  answers: number[];
  /** What was wrong with a request; empty as long as every one was right. */
  faults: string[];
  close(): Promise<void>;
}

const base64url = (bytes: Buffer): string => bytes.toString('base64url');
const hkdf = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** Decrypts a message (RFC 8291, section 3.4, with the one record of RFC 8188, section 2). */
function decrypt(body: Buffer, own: ReturnType<typeof createECDH>, auth: Buffer): string {
  const [salt, idLength] = [body.subarray(0, 16), body.readUInt8(20)];
  const sender = body.subarray(21, 21 + idLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender]);
  const key = hkdf(own.computeSecret(sender), auth, info, 32);
  const [cek, nonce] = [
    hkdf(key, salt, 'Content-Encoding: aes128gcm\0', 16),
    hkdf(key, salt, 'Content-Encoding: nonce\0', 12),
  ];
  const [sealed, tag] = [body.subarray(21 + idLength, -16), body.subarray(-16)];
  const cipher = createDecipheriv('aes-128-gcm', cek, nonce).setAuthTag(tag);
  const plain = Buffer.concat([cipher.update(sealed), cipher.final()]);
  // The last record ends with 2, and padding of zeros.
  return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8');
}

/** What is wrong with the sender's identification (VAPID, RFC 8292, section 2); undefined if nothing is. */
function faultOf({ authorization = '' }: IncomingHttpHeaders, origin: string): string | undefined {
  const { token = '', key = '' } = /^vapid t=(?<token>[\w.-]+), k=(?<key>[\w-]+)$/.exec(authorization)?.groups ?? {};
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  if (point.length !== 65) return 'no public key';
  const jwk = { kty: 'EC', crv: 'P-256', x: base64url(point.subarray(1, 33)), y: base64url(point.subarray(33)) };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  if (!verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')))
    return 'wrong signature';
  return faultIn(JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims, origin);
}

interface Claims {
  aud?: string;
  exp?: number;
  sub?: string;
}

function faultIn({ aud, exp = 0, sub = '' }: Claims, origin: string): string | undefined {
  if (aud !== origin) return `made for ${aud}`;
  const seconds = exp - Date.now() / 1_000;
  if (seconds <= 0 || seconds > 24 * 60 * 60) return `valid for ${seconds} s`;
  return /^(mailto:|https:)/.test(sub) ? undefined : `no contact, but ${sub}`;
}

/** A push service of browsers (RFC 8030), which checks what servers send to it. */
export async function startPushService(): Promise<PushService> {
  const readers = new Map<string, (body: Buffer, headers: IncomingHttpHeaders) => void>();
  const [answers, faults]: [number[], string[]] = [[], []];
  let origin = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const status = answers.shift() ?? 201;
      const read = readers.get(request.url ?? '');
      const fault = read === undefined ? `nobody is at ${request.url}` : faultOf(request.headers, origin);
      if (fault !== undefined) faults.push(fault);
      else if (status === 201) read?.(Buffer.concat(chunks), request.headers);
      response.writeHead(status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    answers,
    faults,
    browser() {
      const [own, auth] = [createECDH('prime256v1'), randomBytes(16)];
      const path = `/send/${base64url(randomBytes(16))}`;
      const received: TestBrowser['received'] = [];
      const p256dh = base64url(own.generateKeys());
      readers.set(path, (body, headers) => {
        received.push({ message: JSON.parse(decrypt(body, own, auth)), headers });
      });
      return { body: { endpoint: origin + path, p256dh, auth: base64url(auth) }, received };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}
