import forge from 'node-forge';
import { CertificateFault } from './signer.ts';

const { asn1, util } = forge;

/** The parts of a constructed value. @throws CertificateFault if it has none */
export function partsOf(node: forge.asn1.Asn1 | undefined): forge.asn1.Asn1[] {
  if (!node || !Array.isArray(node.value)) throw new CertificateFault('notPkcs12');
  return node.value;
}

/** The bytes of a plain value, one character for each. @throws CertificateFault if it has parts */
export function bytesOf(node: forge.asn1.Asn1 | undefined): string {
  if (!node || typeof node.value !== 'string') throw new CertificateFault('notPkcs12');
  return node.value;
}

export const oidOf = (node: forge.asn1.Asn1 | undefined): string => asn1.derToOid(bytesOf(node));

export const derOf = (node: forge.asn1.Asn1): string => asn1.toDer(node).getBytes();
export const toBytes = (binary: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(binary, (character) => character.charCodeAt(0));
export const toBase64 = (bytes: ArrayBuffer | Uint8Array): string =>
  btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''));

/** UTCTime or GeneralizedTime (RFC 5280, section 4.1.2.5). */
function timeOf(node: forge.asn1.Asn1 | undefined): Date {
  const digits = bytesOf(node);
  const isShort = node?.type === asn1.Type.UTCTIME;
  // Two digits of a year are between 1950 and 2049.
  const full = isShort ? `${Number(digits.slice(0, 2)) >= 50 ? '19' : '20'}${digits}` : digits;
  const [, year, month, day, hour, minute, second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?Z$/.exec(full) ?? [];
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

const COMMON_NAME = '2.5.4.3';

function textOf(node: forge.asn1.Asn1 | undefined): string {
  const bytes = bytesOf(node);
  if (node?.type === asn1.Type.UTF8) return util.decodeUtf8(bytes);
  if (node?.type !== asn1.Type.BMPSTRING) return bytes;
  return new TextDecoder('utf-16be').decode(toBytes(bytes));
}

export interface CertificateFacts {
  /** The first common name of the subject; empty without one. */
  name: string;
  notBefore: Date;
  notAfter: Date;
}

/** What a certificate says about its owner and its time. @throws CertificateFault */
export function factsOf(certificate: forge.asn1.Asn1): CertificateFacts {
  const fields = partsOf(partsOf(certificate)[0]);
  // The version comes first, unless it is the oldest one.
  const start = fields[0]?.tagClass === asn1.Class.CONTEXT_SPECIFIC ? 1 : 0;
  const [notBefore, notAfter] = partsOf(fields[start + 3]).map((one) => timeOf(one));
  const names = partsOf(fields[start + 4])
    .flatMap((part) => partsOf(part).map((attribute) => partsOf(attribute)))
    .filter(([type]) => oidOf(type) === COMMON_NAME)
    .map(([, value]) => textOf(value));
  if (!notBefore || !notAfter) throw new CertificateFault('notPkcs12');
  return { name: names[0] ?? '', notBefore, notAfter };
}
