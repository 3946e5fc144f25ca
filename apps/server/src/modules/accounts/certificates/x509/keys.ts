import { constants, createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { CertAlgorithm, CertKey } from '@rmeet/contract';
import { sm2 } from 'sm-crypto-v2';

const RSA_KEY = '1.2.840.113549.1.1.1';
const EC_KEY = '1.2.840.10045.2.1';
/** Curves by their names in SubjectPublicKeyInfo (RFC 5480, section 2.1.1.1; GM/T 0006 for SM2). */
const CURVES: Readonly<Record<string, Exclude<CertKey, 'RSA'>>> = {
  '1.2.840.10045.3.1.7': 'P-256',
  '1.3.132.0.34': 'P-384',
  '1.3.132.0.35': 'P-521',
  '1.2.156.10197.1.301': 'SM2',
};
/** Bits of RSA keys that are neither too weak nor so long that checking them costs too much. */
const [RSA_LEAST, RSA_MOST] = [2_048, 8_192];
/** Bytes of r and s together (IEEE P1363). */
const POINT_BYTES = { 'P-256': 64, 'P-384': 96, 'P-521': 132, SM2: 64 } as const;

/** A public key of a kind that is accepted. That of SM2 is the uncompressed point, hexadecimal. */
export type PublicKey = { kind: Exclude<CertKey, 'SM2'>; key: KeyObject } | { kind: 'SM2'; point: string };

interface KeyInfo {
  /** Object identifier of the kind of key. */
  algorithm: string;
  /** Object identifier of the curve; undefined if the parameters are none. */
  curve: string | undefined;
  /** The content of its bit string. */
  bits: Buffer;
  /** The whole SubjectPublicKeyInfo, DER. */
  der: Buffer;
}

/** A public key; undefined if it is of another kind, too weak, or no point of its curve. */
export function readKey({ algorithm, curve, bits, der }: KeyInfo): PublicKey | undefined {
  const kind = algorithm === RSA_KEY ? 'RSA' : algorithm === EC_KEY ? CURVES[curve ?? ''] : undefined;
  if (kind === undefined) return undefined;
  try {
    if (kind === 'SM2') {
      const point = bits.toString('hex');
      return bits.length === 65 && bits[0] === 4 && sm2.verifyPublicKey(point) ? { kind, point } : undefined;
    }
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const length = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return kind === 'RSA' && (length < RSA_LEAST || length > RSA_MOST) ? undefined : { kind, key };
  } catch {
    return undefined;
  }
}

/** One non-negative INTEGER of DER at an offset: its 32 bytes, and where it ends. */
function integerAt(der: Buffer, at: number): { bytes: Buffer; end: number } | undefined {
  const length = der[at + 1] ?? 0;
  const end = at + 2 + length;
  if (der[at] !== 2 || length === 0 || length > 33 || end > der.length) return undefined;
  const content = der.subarray(at + 2, end);
  if (((content[0] ?? 0) & 0x80) !== 0) return undefined;
  const bytes = content.length === 33 && content[0] === 0 ? content.subarray(1) : content;
  return bytes.length > 32 ? undefined : { bytes: Buffer.concat([Buffer.alloc(32 - bytes.length), bytes]), end };
}

/** r and s of an SM2 signature, hexadecimal and behind each other, from either form. */
function pointsOf(signature: Buffer): string | undefined {
  if (signature.length === POINT_BYTES.SM2) return signature.toString('hex');
  if (signature[0] !== 0x30 || signature[1] !== signature.length - 2) return undefined;
  const r = integerAt(signature, 2);
  const s = r && integerAt(signature, r.end);
  return r && s?.end === signature.length ? Buffer.concat([r.bytes, s.bytes]).toString('hex') : undefined;
}

/**
 * SM2 with SM3 and the usual identity (GM/T 0009, section 10). Node's own SM2 differs from it: it signs without the
 * identity of the signer.
 */
function verifySm2(point: string, data: Buffer, signature: Buffer): boolean {
  const points = pointsOf(signature);
  // The library rejects s outside the group, but not r = 0.
  if (points === undefined || /^0+$/.test(points.slice(0, 64))) return false;
  return sm2.doVerifySignature(new Uint8Array(data), points, point, { hash: true });
}

type Hash = 'sha256' | 'sha384' | 'sha512';

const isRsa = (key: KeyObject, hash: Hash, data: Buffer, signature: Buffer): boolean =>
  verify(hash, data, { key, padding: constants.RSA_PKCS1_PADDING }, signature);

const isPss = (key: KeyObject, hash: Hash, data: Buffer, signature: Buffer): boolean =>
  verify(
    hash,
    data,
    { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO },
    signature,
  );

/** A signature on a curve, in either form. */
function isEc(kind: 'P-256' | 'P-384' | 'P-521', key: KeyObject, hash: Hash, data: Buffer, signature: Buffer): boolean {
  const isPlain = signature.length === POINT_BYTES[kind];
  return (
    (isPlain && verify(hash, data, { key, dsaEncoding: 'ieee-p1363' }, signature)) ||
    verify(hash, data, { key, dsaEncoding: 'der' }, signature)
  );
}

/** False in place of errors about the form of what strangers sent. */
function orFalse(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

/** The curve of each ECDSA algorithm of challenges, and its hash. */
const EC_PROOFS = {
  ES256: ['P-256', 'sha256'],
  ES384: ['P-384', 'sha384'],
  ES512: ['P-521', 'sha512'],
} as const;

/** Whether a challenge was signed by the owner of a key, by an algorithm that belongs to its kind. */
export function isSignedBy(key: PublicKey, algorithm: CertAlgorithm, data: Buffer, signature: Buffer): boolean {
  return orFalse(() => {
    if (key.kind === 'SM2') return algorithm === 'SM2' && verifySm2(key.point, data, signature);
    if (algorithm === 'SM2') return false;
    if (algorithm === 'RS256') return key.kind === 'RSA' && isRsa(key.key, 'sha256', data, signature);
    if (algorithm === 'PS256') return key.kind === 'RSA' && isPss(key.key, 'sha256', data, signature);
    const [curve, hash] = EC_PROOFS[algorithm];
    return key.kind === curve && isEc(curve, key.key, hash, data, signature);
  });
}

const RSA_SIGNATURES: Readonly<Record<string, Hash>> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
};
const RSA_PSS_SIGNATURE = '1.2.840.113549.1.1.10';
const EC_SIGNATURES: Readonly<Record<string, Hash>> = {
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
};
const SM2_SIGNATURE = '1.2.156.10197.1.501';
const HASHES = ['sha256', 'sha384', 'sha512'] as const;

/**
 * Whether an authority signed a certificate or list. `algorithm`: the object identifier that it names; those with MD5
 * and SHA-1 are not known here (RFC 8603 and GM/T 0015 name the others).
 */
export function isIssuedBy(key: PublicKey, algorithm: string, data: Buffer, signature: Buffer): boolean {
  return orFalse(() => {
    if (key.kind === 'SM2') return algorithm === SM2_SIGNATURE && verifySm2(key.point, data, signature);
    if (key.kind === 'RSA') {
      const hash = RSA_SIGNATURES[algorithm];
      if (hash !== undefined) return isRsa(key.key, hash, data, signature);
      // Whichever of the accepted hashes its parameters name.
      return algorithm === RSA_PSS_SIGNATURE && HASHES.some((one) => isPss(key.key, one, data, signature));
    }
    const hash = EC_SIGNATURES[algorithm];
    return hash !== undefined && isEc(key.kind, key.key, hash, data, signature);
  });
}
