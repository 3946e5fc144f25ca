import type { Name, OtherName } from '@peculiar/asn1-x509';

/** One attribute of a name. */
export interface Attribute {
  /** Object identifier. */
  type: string;
  value: string;
}

export const COMMON_NAME = '2.5.4.3';
export const SERIAL_NUMBER = '2.5.4.5';
export const USER_ID = '0.9.2342.19200300.100.1.1';

/** Short names of attributes (RFC 4514, section 3; RFC 4519). */
const SHORT: Readonly<Record<string, string>> = {
  [COMMON_NAME]: 'CN',
  [SERIAL_NUMBER]: 'serialNumber',
  [USER_ID]: 'UID',
  '2.5.4.4': 'SN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.42': 'GN',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'E',
};
/** Characters of a name that is shown or stored. */
const LONGEST = 500;

/** The attributes of a name in the order of the certificate. */
export const attributesOf = (name: Name): Attribute[] =>
  [...name].flatMap((part) => [...part].map(({ type, value }) => ({ type, value: value.toString() })));

/** A name as people read it, the nearest part first: `CN=alice, O=North Hospital`. */
export function nameText(name: Name): string {
  const parts = attributesOf(name).map(
    ({ type, value }) => `${SHORT[type] ?? type}=${value.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')}`,
  );
  return parts.toReversed().join(', ').slice(0, LONGEST);
}

const UPN = '1.3.6.1.4.1.311.20.2.3';
const UTF8_STRING = 0x0c;

/** The user principal name that an otherName holds, a UTF8String; none for other kinds. */
export function upnOf({ typeId, value }: OtherName): string[] {
  const bytes = Buffer.from(value);
  // The explicit tag [0] may be there or be removed already.
  const inner = bytes[0] === 0xa0 && bytes[1] === bytes.length - 2 ? bytes.subarray(2) : bytes;
  const isText = inner[0] === UTF8_STRING && (inner[1] ?? 0x80) < 0x80 && inner[1] === inner.length - 2;
  return typeId === UPN && isText ? [inner.subarray(2).toString('utf8')] : [];
}
