import { AsnConvert } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Extensions, Name, Time } from '@peculiar/asn1-x509';
import { derOf, type Parsed } from './certificate.ts';
import { derOfValue, partsOf, valuesIn, type Value } from './der.ts';
import { isIssuedBy } from './keys.ts';

/** A revocation list (RFC 5280, section 5) that its authority has signed. */
interface RevocationList {
  thisUpdate: Date;
  nextUpdate: Date | null;
  /** Serial numbers, as certificates have them. */
  serials: ReadonlySet<string>;
}

const INTEGER = 2;
const SEQUENCE = 0x30;
const EXTENSIONS = 0xa0;
const isTime = ({ tag }: Value): boolean => tag === 0x17 || tag === 0x18;
/** BOOLEAN TRUE. */
const CRITICAL = Buffer.from([1, 1, 0xff]);

/** Lists with a critical extension are incomplete (deltas, parts) or speak for other authorities (indirect ones). */
function hasCritical(extensions: Buffer): boolean {
  // Nearly no entry has one, and there are many entries.
  if (!extensions.includes(CRITICAL)) return false;
  return [...AsnConvert.parse(extensions, Extensions)].some(({ critical }) => critical);
}

const timeOf = (bytes: Buffer, value: Value): Date => AsnConvert.parse(derOfValue(bytes, value), Time).getTime();

/**
 * The serial numbers of the entries; undefined if one of them has a critical extension. Read by hand, since a list has
 * up to 50,000 of them.
 */
function serialsIn(bytes: Buffer, entries: Value | undefined): Set<string> | undefined {
  const serials = new Set<string>();
  for (const entry of entries ? valuesIn(bytes, entries.start, entries.end) : []) {
    const [serial, , extensions] = partsOf(bytes, entry);
    if (serial?.tag !== INTEGER) throw new RangeError('An entry has no serial number.');
    if (extensions && hasCritical(derOfValue(bytes, extensions))) return undefined;
    serials.add(bytes.toString('hex', serial.start, serial.end).replace(/^(?:00)+(?=..)/, ''));
  }
  return serials;
}

/** Whether an authority signed a list: name, usage, both names of the algorithm, signature. */
function isOf(
  { key, usage, subjectId }: Parsed,
  bytes: Buffer,
  { tbs, algorithm, signature, inner, issuer }: Record<'tbs' | 'algorithm' | 'signature' | 'inner' | 'issuer', Value>,
): boolean {
  if (!key || usage?.crlSign === false) return false;
  const outer = derOfValue(bytes, algorithm);
  if (!outer.equals(derOfValue(bytes, inner))) return false;
  // As certificates are compared.
  const name = AsnConvert.serialize(AsnConvert.parse(derOfValue(bytes, issuer), Name));
  if (Buffer.from(name).toString('hex') !== subjectId) return false;
  const { algorithm: id } = AsnConvert.parse(outer, AlgorithmIdentifier);
  // A bit string begins with its number of unused bits.
  return isIssuedBy(key, id, derOfValue(bytes, tbs), bytes.subarray(signature.start + 1, signature.end));
}

/** The fields of a list after the authority's name; undefined if it did not sign them. @throws Error, RangeError */
function signedFields(bytes: Buffer, authority: Parsed): Value[] | undefined {
  const [whole, ...more] = valuesIn(bytes, 0, bytes.length);
  const [tbs, algorithm, signature] = whole ? partsOf(bytes, whole) : [];
  if (!tbs || !algorithm || !signature || more.length > 0) return undefined;
  const fields = partsOf(bytes, tbs);
  if (fields[0]?.tag === INTEGER) fields.shift();
  const [inner, issuer, ...rest] = fields;
  if (!inner || !issuer || rest.length === 0) return undefined;
  return isOf(authority, bytes, { tbs, algorithm, signature, inner, issuer }) ? rest : undefined;
}

/** @throws Error, RangeError */
function parse(bytes: Buffer, authority: Parsed): RevocationList | undefined {
  const [thisUpdate, ...rest] = signedFields(bytes, authority) ?? [];
  if (!thisUpdate) return undefined;
  const nextUpdate = rest.find((one) => isTime(one));
  const extensions = rest.find(({ tag }) => tag === EXTENSIONS);
  const serials = serialsIn(
    bytes,
    rest.find(({ tag }) => tag === SEQUENCE),
  );
  if (!serials || (extensions && hasCritical(bytes.subarray(extensions.start, extensions.end)))) return undefined;
  return {
    thisUpdate: timeOf(bytes, thisUpdate),
    nextUpdate: nextUpdate ? timeOf(bytes, nextUpdate) : null,
    serials,
  };
}

/** The complete list of an authority from a file, DER or PEM; undefined if it is another file, or not signed by it. */
export function readList(file: Buffer, authority: Parsed): RevocationList | undefined {
  try {
    return parse(derOf(file), authority);
  } catch {
    return undefined;
  }
}
