import { address, memory, reserve } from './arena.ts';
import { bindings } from './bindings.ts';

/** Protection profiles of DTLS-SRTP (RFC 5764, RFC 7714). */
export type SrtpProfile = 'AES_128_GCM' | 'AES_128_CM_SHA1_80';

/** Keys of one direction for RTP, or for RTCP. */
export interface SessionKeys {
  /** 16 bytes. */
  readonly cipherKey: Buffer;
  /** 20 bytes for HMAC-SHA1; unused by GCM. */
  readonly authKey: Buffer;
  /** 14 bytes (CM) or 12 bytes (GCM). */
  readonly salt: Buffer;
}

export const KEY_BYTES = 16;
const AUTH_KEY_BYTES = 20;

/** Length in bytes of the master salt, and of the session salts. */
export const saltBytes = (profile: SrtpProfile): number => (profile === 'AES_128_GCM' ? 12 : 14);

const ivAt = reserve(16);
const keyAt = reserve(32);
const lengthAt = reserve(8);

/** Labels 0 to 2 are of RTP, 3 to 5 of RTCP: cipher key, authentication key, salt. */
function derive(cipher: number, salt: Buffer, label: number, bytes: number): Buffer {
  const { ssl } = bindings();
  // The key derivation rate is 0, so that only the label is mixed in. A salt of 12 bytes is padded with zeros on the
  // right (RFC 7714 section 11).
  memory.fill(0, ivAt, ivAt + 16);
  memory.set(salt, ivAt);
  memory.writeUInt8(memory.readUInt8(ivAt + 7) ^ label, ivAt + 7);
  memory.fill(0, keyAt, keyAt + 32);
  ssl.EVP_CipherInit_ex(cipher, 0, 0, 0, address(ivAt, 16), 1);
  ssl.EVP_CipherUpdate(cipher, address(keyAt, 32), address(lengthAt, 4), address(keyAt, 32), 32);
  const derived = Buffer.from(memory.subarray(keyAt, keyAt + bytes));
  memory.fill(0, keyAt, keyAt + 32);
  return derived;
}

/**
 * Derives session keys from a master key (16 bytes) and its salt by AES-CM (RFC 3711 section 4.3).
 *
 * @throws RangeError if key or salt have a wrong length
 */
export function deriveSessionKeys(
  profile: SrtpProfile,
  key: Uint8Array,
  salt: Uint8Array,
): { rtp: SessionKeys; rtcp: SessionKeys } {
  if (key.length !== KEY_BYTES || salt.length !== saltBytes(profile)) throw new RangeError('SRTP key or salt length');
  const { ssl } = bindings();
  const master = Buffer.from(salt);
  const cipher = ssl.EVP_CIPHER_CTX_new();
  memory.set(key, keyAt);
  ssl.EVP_CipherInit_ex(cipher, ssl.EVP_aes_128_ctr(), 0, address(keyAt, KEY_BYTES), 0, 1);
  const keysFrom = (label: number): SessionKeys => ({
    cipherKey: derive(cipher, master, label, KEY_BYTES),
    authKey: derive(cipher, master, label + 1, AUTH_KEY_BYTES),
    salt: derive(cipher, master, label + 2, master.length),
  });
  const keys = { rtp: keysFrom(0), rtcp: keysFrom(3) };
  ssl.EVP_CIPHER_CTX_free(cipher);
  return keys;
}
