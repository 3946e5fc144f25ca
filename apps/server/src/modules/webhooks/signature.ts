import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const KEY_BYTES = 32;

/** A new secret: `whsec_` and 256 random bits in base64. */
export const newSecret = (): string => `${PREFIX}${randomBytes(KEY_BYTES).toString('base64')}`;

/**
 * The headers of a delivery, as Standard Webhooks 1.0 has them: HMAC-SHA-256 of `id.timestamp.body` with each secret,
 * base64, after `v1,`. `timestamp` is in seconds, and of this attempt.
 */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  now: Date,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
