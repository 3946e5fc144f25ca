import type { CertAlgorithm } from '@rmeet/contract';
import type forge from 'node-forge';
import { bytesOf, derOf, oidOf, partsOf, toBase64, toBytes } from './der.ts';
import { CertificateFault } from './signer.ts';

const RSA = '1.2.840.113549.1.1.1';
const EC = '1.2.840.10045.2.1';
const SM2_CURVE = '1.2.156.10197.1.301';
/** What Web Crypto calls the curves and their hashes, and the contract both together. */
const CURVES: Readonly<Record<string, { curve: string; hash: string; algorithm: CertAlgorithm }>> = {
  '1.2.840.10045.3.1.7': { curve: 'P-256', hash: 'SHA-256', algorithm: 'ES256' },
  '1.3.132.0.34': { curve: 'P-384', hash: 'SHA-384', algorithm: 'ES384' },
  '1.3.132.0.35': { curve: 'P-521', hash: 'SHA-512', algorithm: 'ES512' },
};

export interface Signature {
  algorithm: CertAlgorithm;
  /** Base64. */
  signature: string;
}
/** Signs a text (UTF-8). */
export type Sign = (text: string) => Promise<Signature>;

/** Signing by Web Crypto; the imported key cannot be read again. */
async function bySubtle(
  pkcs8: string,
  key: RsaHashedImportParams | EcKeyImportParams,
  use: AlgorithmIdentifier | EcdsaParams,
  algorithm: CertAlgorithm,
): Promise<Sign> {
  if (!globalThis.isSecureContext) throw new CertificateFault('insecure');
  const imported = await crypto.subtle.importKey('pkcs8', toBytes(pkcs8), key, false, ['sign']);
  return async (text) => ({
    algorithm,
    signature: toBase64(await crypto.subtle.sign(use, imported, new TextEncoder().encode(text))),
  });
}

/** Browsers have no SM2. The private number is the second part of ECPrivateKey (RFC 5915, section 3). */
function bySm2(parse: (der: string) => forge.asn1.Asn1, ecPrivateKey: string): Sign {
  const number = bytesOf(partsOf(parse(ecPrivateKey))[1]);
  const hex = Array.from(toBytes(number), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return async (text) => {
    const { sm2 } = await import('sm-crypto-v2');
    const signature = sm2.doSignature(new TextEncoder().encode(text), hex, { hash: true, der: true });
    const bytes = Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    return { algorithm: 'SM2', signature: toBase64(bytes) };
  };
}

/** The key of a PrivateKeyInfo (RFC 5958, section 2). @throws CertificateFault if it is of another kind */
export async function signerOf(info: forge.asn1.Asn1, parse: (der: string) => forge.asn1.Asn1): Promise<Sign> {
  const [, algorithm, key] = partsOf(info);
  const [kind, parameters] = partsOf(algorithm);
  if (oidOf(kind) === RSA) {
    const use = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    return bySubtle(derOf(info), use, use.name, 'RS256');
  }
  const curve = oidOf(kind) === EC && typeof parameters?.value === 'string' ? oidOf(parameters) : '';
  if (curve === SM2_CURVE) return bySm2(parse, bytesOf(key));
  const known = CURVES[curve];
  if (!known) throw new CertificateFault('keyKind');
  const { curve: namedCurve, hash, algorithm: name } = known;
  return bySubtle(derOf(info), { name: 'ECDSA', namedCurve }, { name: 'ECDSA', hash }, name);
}
