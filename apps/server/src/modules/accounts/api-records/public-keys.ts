import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { AppError } from '../../../platform/http/index.ts';

/** A public key of a client as it is stored, with the id that its owner gave it. */
interface StoredKey extends JsonWebKey {
  kid?: string;
}

const MOST_KEYS = 2;
const RSA_BITS = 2_048;
/** Curves, and with RSA the algorithms, of JSON Web Signature that clients may sign with (RFC 7518, section 3.1). */
const CURVES: Record<string, string> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };
const RSA_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];

const refused = (): AppError => new AppError('PUBLIC_KEY_INVALID');

/** The keys in a text: PEM, one JWK or a JWK set (RFC 7517). */
function keysIn(text: string): unknown[] {
  if (/^-----BEGIN (RSA )?PUBLIC KEY-----/.test(text)) return [createPublicKey(text).export({ format: 'jwk' })];
  const parsed: unknown = JSON.parse(text);
  const { keys } = parsed as { keys?: unknown };
  return Array.isArray(keys) ? keys : [parsed];
}

function strengthOf(key: KeyObject, { crv }: JsonWebKey): boolean {
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  return key.asymmetricKeyType === 'rsa' ? modulusLength >= RSA_BITS : CURVES[crv ?? ''] !== undefined;
}

/** One key, reduced to its public part. Private keys are refused, so that their owners learn that they gave one out. */
function publicPart(given: unknown): StoredKey {
  if (typeof given !== 'object' || given === null || 'd' in given || 'k' in given) throw refused();
  const key = createPublicKey({ key: given as JsonWebKey, format: 'jwk' });
  const jwk: StoredKey = key.export({ format: 'jwk' });
  if (!strengthOf(key, jwk)) throw refused();
  const { kid } = given as { kid?: unknown };
  return typeof kid === 'string' ? { ...jwk, kid: kid.slice(0, 200) } : jwk;
}

/**
 * The public keys of a client as a JWK set, of PEM, JWK or a JWK set; empty if the text is.
 *
 * @throws AppError PUBLIC_KEY_INVALID: RSA of 2048 bits or more, or P-256, P-384 or P-521; one or two; no private key
 */
export function storedKeysOf(text: string): string {
  if (text === '') return '';
  try {
    const keys = keysIn(text).map(publicPart);
    if (keys.length === 0 || keys.length > MOST_KEYS) throw refused();
    return JSON.stringify({ keys });
  } catch {
    throw refused();
  }
}

/** A key with the algorithms that fit it, for `jwtVerify`. */
export interface VerifyingKey {
  key: KeyObject;
  kid: string | undefined;
  algorithms: string[];
}

/** The keys of a stored JWK set. */
export function verifyingKeysOf(stored: string): VerifyingKey[] {
  const { keys } = JSON.parse(stored) as { keys: StoredKey[] };
  return keys.map((jwk) => ({
    key: createPublicKey({ key: jwk, format: 'jwk' }),
    kid: jwk.kid,
    algorithms: jwk.kty === 'RSA' ? RSA_ALGORITHMS : [CURVES[jwk.crv ?? ''] ?? ''],
  }));
}
