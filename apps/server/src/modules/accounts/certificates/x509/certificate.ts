import { createHash } from 'node:crypto';
import type { Attribute } from './names.ts';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  KeyUsage,
  KeyUsageFlags,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  type AlgorithmIdentifier,
  type Extension,
} from '@peculiar/asn1-x509';
import { attributesOf, nameText, upnOf } from './names.ts';
import { readKey, type PublicKey } from './keys.ts';

/** The parts of a certificate that decide a sign-in (RFC 5280, section 4). */
export interface Parsed {
  der: Buffer;
  /** SHA-256 of all of it, hexadecimal. */
  fingerprint: string;
  version: number;
  serial: string;
  /** Names for people. */
  subject: string;
  issuer: string;
  /** Names to compare: their DER, hexadecimal. */
  subjectId: string;
  issuerId: string;
  attributes: readonly Attribute[];
  notBefore: Date;
  notAfter: Date;
  /** Undefined: of a kind that is not accepted. */
  key: PublicKey | undefined;
  /** SubjectPublicKeyInfo, DER, hexadecimal. */
  keyInfo: string;
  signed: Buffer;
  algorithm: string;
  signature: Buffer;
  isAuthority: boolean;
  /** How many authorities may be below it; undefined: any number. */
  pathLength: number | undefined;
  /** Undefined: any use. */
  usage: { digitalSignature: boolean; keyCertSign: boolean; crlSign: boolean } | undefined;
  /** Object identifiers of purposes; undefined: any purpose. */
  purposes: readonly string[] | undefined;
  keyId: string | undefined;
  issuerKeyId: string | undefined;
  mails: readonly string[];
  upns: readonly string[];
  /** It demands something that is not understood here (RFC 5280, section 4.2: such a certificate must be refused). */
  hasUnknownDemand: boolean;
}

const OID = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  certificatePolicies: '2.5.29.32',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;
/** Extensions that are followed here. No policy is demanded, so any policy will do. Name constraints are not known. */
const UNDERSTOOD: ReadonlySet<string> = new Set(Object.values(OID));

const MARKS = /-----BEGIN (CERTIFICATE|X509 CRL)-----([A-Za-z0-9+/=\s]+)-----END \1-----/;

/** DER of a file in DER or PEM. Of several certificates in one file, the first. */
export function derOf(file: Buffer): Buffer {
  const inside = MARKS.exec(file.toString('latin1'))?.[2];
  return inside === undefined ? file : Buffer.from(inside.replace(/\s+/g, ''), 'base64');
}

/** DER of a text: PEM, or base64 of a file in DER or PEM. */
export const derOfText = (text: string): Buffer =>
  derOf(text.includes('-----BEGIN') ? Buffer.from(text) : Buffer.from(text.replace(/\s+/g, ''), 'base64'));

const hexOf = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('hex');
/** A serial number, hexadecimal, without leading zeros, as certificates and lists have it. */
const serialOf = (bytes: ArrayBuffer): string => hexOf(bytes).replace(/^(?:00)+(?=..)/, '');
const bufferOf = (bytes: ArrayBuffer): Buffer => Buffer.from(bytes);
const derOfValue = (value: unknown): Buffer => Buffer.from(AsnConvert.serialize(value));

/** The object identifier of a curve from the parameters of a key. */
function curveOf({ parameters }: AlgorithmIdentifier): string | undefined {
  if (!parameters) return undefined;
  const bytes = Buffer.from(parameters);
  if (bytes[0] !== 6 || bytes[1] !== bytes.length - 2) return undefined;
  const [first = 0, ...rest] = bytes.subarray(2);
  const parts = [Math.floor(first / 40), first % 40];
  let part = 0;
  for (const byte of rest) {
    part = part * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      parts.push(part);
      part = 0;
    }
  }
  return parts.join('.');
}

/** Object identifier and parameters as one text, to compare the two places that name the algorithm. */
const algorithmId = (one: AlgorithmIdentifier): string => derOfValue(one).toString('hex');

function usageOf(usage: KeyUsage | undefined): Parsed['usage'] {
  if (!usage) return undefined;
  const flags = usage.toNumber();
  const has = (flag: KeyUsageFlags): boolean => (flags & flag) !== 0;
  return {
    digitalSignature: has(KeyUsageFlags.digitalSignature),
    keyCertSign: has(KeyUsageFlags.keyCertSign),
    crlSign: has(KeyUsageFlags.cRLSign),
  };
}

/** Reads the extensions that are understood. An extension that is there twice is an error (RFC 5280, section 4.2). */
function readExtensions(extensions: readonly Extension[]) {
  const byId = new Map(extensions.map((one) => [one.extnID, one]));
  if (byId.size < extensions.length) throw new Error('An extension is there twice.');
  const read = <T>(id: string, kind: new () => T): T | undefined => {
    const found = byId.get(id);
    return found && AsnConvert.parse(found.extnValue.buffer, kind);
  };
  const constraints = read(OID.basicConstraints, BasicConstraints);
  const names = [...(read(OID.subjectAltName, SubjectAlternativeName) ?? [])];
  const keyId = read(OID.subjectKeyId, SubjectKeyIdentifier);
  const issuerKeyId = read(OID.authorityKeyId, AuthorityKeyIdentifier)?.keyIdentifier;
  const purposes = read(OID.extendedKeyUsage, ExtendedKeyUsage);
  return {
    isAuthority: constraints?.cA === true,
    pathLength: constraints?.cA === true ? constraints.pathLenConstraint : undefined,
    usage: usageOf(read(OID.keyUsage, KeyUsage)),
    purposes: purposes && [...purposes],
    keyId: keyId && hexOf(keyId.buffer),
    issuerKeyId: issuerKeyId && hexOf(issuerKeyId.buffer),
    mails: names.flatMap(({ rfc822Name }) => (rfc822Name === undefined ? [] : [rfc822Name])),
    upns: names.flatMap(({ otherName }) => (otherName ? upnOf(otherName) : [])),
    hasUnknownDemand: extensions.some(({ extnID, critical }) => critical && !UNDERSTOOD.has(extnID)),
  };
}

/** @throws Error */
function parse(der: Buffer): Parsed {
  const read = AsnConvert.parse(der, Certificate);
  const { tbsCertificate: tbs, tbsCertificateRaw, signatureAlgorithm, signatureValue } = read;
  if (!tbsCertificateRaw) throw new Error('The signed part is missing.');
  // RFC 5280, section 4.1.1.2.
  if (algorithmId(tbs.signature) !== algorithmId(signatureAlgorithm)) throw new Error('The algorithms differ.');
  const { algorithm, subjectPublicKey } = tbs.subjectPublicKeyInfo;
  const keyInfo = derOfValue(tbs.subjectPublicKeyInfo);
  return {
    der,
    fingerprint: createHash('sha256').update(der).digest('hex'),
    version: tbs.version,
    serial: serialOf(tbs.serialNumber),
    subject: nameText(tbs.subject),
    issuer: nameText(tbs.issuer),
    subjectId: derOfValue(tbs.subject).toString('hex'),
    issuerId: derOfValue(tbs.issuer).toString('hex'),
    attributes: attributesOf(tbs.subject),
    notBefore: tbs.validity.notBefore.getTime(),
    notAfter: tbs.validity.notAfter.getTime(),
    key: readKey({
      algorithm: algorithm.algorithm,
      curve: curveOf(algorithm),
      bits: bufferOf(subjectPublicKey),
      der: keyInfo,
    }),
    keyInfo: keyInfo.toString('hex'),
    signed: bufferOf(tbsCertificateRaw),
    algorithm: signatureAlgorithm.algorithm,
    signature: bufferOf(signatureValue),
    ...readExtensions(tbs.extensions ?? []),
  };
}

/** A certificate; undefined if it is none. */
export function readCertificate(der: Buffer): Parsed | undefined {
  try {
    return parse(der);
  } catch {
    return undefined;
  }
}
