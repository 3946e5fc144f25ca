import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Seconds of a time step, digits of a code, bytes of a secret (RFC 4226 section 4: 160 bits). */
const STEP = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Steps before and after the present one whose codes are accepted, because clocks differ. */
const WINDOW = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS_PER_LETTER = 5;

/** RFC 4648 section 6, without padding. */
export function toBase32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(BITS_PER_LETTER, '0'), 2)]).join('');
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(BITS_PER_LETTER, '0')).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** A new secret, in base32. */
export const newTotpSecret = (): string => toBase32(randomBytes(SECRET_BYTES));

export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1_000 / STEP);

/** The code of a time step: RFC 6238 section 4.2 with HMAC-SHA-1, truncated as in RFC 4226 section 5.3. */
export function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The time step around `now` that a code belongs to, of those after `used`; undefined if there is none. */
export function matchingStep(secret: string, code: string, used: number | null, now: Date): number | undefined {
  const given = Buffer.from(code.replaceAll(/\s/g, ''));
  const present = stepAt(now);
  let found: number | undefined;
  for (let step = present - WINDOW; step <= present + WINDOW; step += 1) {
    const expected = Buffer.from(codeOfStep(secret, step));
    const isRight = given.length === expected.length && timingSafeEqual(given, expected);
    if (isRight && (used === null || step > used)) found = step;
  }
  return found;
}

/** The address that authenticator apps read from a QR code. */
export function otpauthUri(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const query = `secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP}`;
  return `otpauth://totp/${label}?${query}`;
}
