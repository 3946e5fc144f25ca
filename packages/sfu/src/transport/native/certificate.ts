/** The self-signed certificate that identifies this process in DTLS: peers know its fingerprint from the SDP. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { address, cstring, memory, point, reserve } from './arena.ts';
import { bindings } from './bindings.ts';
import { opensslResult } from './openssl-errors.ts';

const DAY_SECONDS = 86_400;
const YEARS_10 = 3650 * DAY_SECONDS;
const X509_VERSION_3 = 2;
const MBSTRING_ASC = 0x1001;
const DIGEST_BYTES = 32;
/** Of a P-256 key in PKCS #8, with room. */
const KEY_BYTES = 512;

const digestAt = reserve(DIGEST_BYTES);
const digestLengthAt = reserve(4);

export interface Certificate {
  /** OpenSSL's X509. */
  readonly x509: number;
  /** OpenSSL's EVP_PKEY. */
  readonly key: number;
  /** SHA-256 as in SDP: 'AB:CD:…'. */
  readonly fingerprint: string;
}

/** SHA-256 of an X509 as in SDP (RFC 8122): 'AB:CD:…'. Empty if there is none. */
export function fingerprintOf(x509: number): string {
  const { ssl } = bindings();
  if (x509 === 0) return '';
  const done = ssl.X509_digest(x509, ssl.EVP_sha256(), address(digestAt, DIGEST_BYTES), address(digestLengthAt, 4));
  if (done !== 1) return '';
  const hex = memory.toString('hex', digestAt, digestAt + DIGEST_BYTES).toUpperCase();
  return hex.replaceAll(/(..)(?=.)/g, '$1:');
}

function newKey(): number {
  const { ssl } = bindings();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const der = privateKey.export({ type: 'pkcs8', format: 'der' });
  const keyAt = reserve(KEY_BYTES);
  const pointerAt = reserve(8);
  memory.set(der, keyAt);
  point(pointerAt, keyAt, der.length);
  const key = ssl.d2i_AutoPrivateKey(0, address(pointerAt, 8), der.length);
  memory.fill(0, keyAt, keyAt + KEY_BYTES);
  der.fill(0);
  return opensslResult('private key', key);
}

function newCertificate(): Certificate {
  const { ssl } = bindings();
  ssl.ERR_clear_error();
  const key = newKey();
  const x509 = opensslResult('certificate', ssl.X509_new());
  ssl.X509_set_version(x509, X509_VERSION_3);
  ssl.ASN1_INTEGER_set(ssl.X509_get_serialNumber(x509), (randomBytes(4).readUInt32BE() >>> 1) + 1);
  // Peers check the fingerprint, not the time; some refuse a certificate from what their clock calls the future.
  ssl.X509_gmtime_adj(ssl.X509_getm_notBefore(x509), -DAY_SECONDS);
  ssl.X509_gmtime_adj(ssl.X509_getm_notAfter(x509), YEARS_10);
  const name = ssl.X509_get_subject_name(x509);
  ssl.X509_NAME_add_entry_by_txt(name, cstring('CN'), MBSTRING_ASC, cstring('rmeet'), -1, -1, 0);
  ssl.X509_set_issuer_name(x509, name);
  ssl.X509_set_pubkey(x509, key);
  opensslResult('signature of the certificate', ssl.X509_sign(x509, key, ssl.EVP_sha256()));
  return { x509, key, fingerprint: fingerprintOf(x509) };
}

let certificate: Certificate | undefined;

/** The certificate (ECDSA with P-256) of this process; made by the first call, kept until the process ends. */
export function processCertificate(): Certificate {
  certificate ??= newCertificate();
  return certificate;
}
