import { createPrivateKey, createPublicKey, generateKeyPair, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';

/** DER tags (X.690, section 8). */
const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const NULL = 0x05;
const OID = 0x06;
const UTF8 = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;

const SHA256_WITH_RSA = Buffer.from('2a864886f70d01010b', 'hex');
const COMMON_NAME = Buffer.from('550403', 'hex');
const YEARS = 20;

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const hex = content.length.toString(16);
  const length = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}

/** A time of a certificate: UTCTime until 2049 (RFC 5280, section 4.1.2.5). */
function timeOf(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/\D/g, '').slice(0, 14);
  return date.getUTCFullYear() < 2050
    ? der(UTC_TIME, Buffer.from(`${digits.slice(2)}Z`))
    : der(GENERALIZED_TIME, Buffer.from(`${digits}Z`));
}

/** A key pair, with the certificate in which identity providers expect its public half. */
export interface SigningKey {
  /** PKCS#8, PEM. */
  privateKey: string;
  /** DER in base64. */
  certificate: string;
}

/** A certificate that its own key signs (RFC 5280, section 4.1; version 1): it carries the key, and proves nothing. */
function selfSigned(privateKey: string, name: string, now: Date): string {
  const algorithm = der(SEQUENCE, der(OID, SHA256_WITH_RSA), der(NULL));
  const subject = der(SEQUENCE, der(SET, der(SEQUENCE, der(OID, COMMON_NAME), der(UTF8, Buffer.from(name)))));
  const until = new Date(now);
  until.setUTCFullYear(now.getUTCFullYear() + YEARS);
  // Its first byte makes it positive.
  const serial = Buffer.concat([Buffer.from([0x40]), randomBytes(15)]);
  const key = createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'der' });
  const body = der(
    SEQUENCE,
    der(INTEGER, serial),
    algorithm,
    subject,
    der(SEQUENCE, timeOf(now), timeOf(until)),
    subject,
    key,
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', body, privateKey));
  return der(SEQUENCE, body, algorithm, signature).toString('base64');
}

/** A new key pair to sign messages with, RSA of 2,048 bits. */
export async function newSigningKey(name: string, now: Date): Promise<SigningKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return { privateKey, certificate: selfSigned(privateKey, name, now) };
}
