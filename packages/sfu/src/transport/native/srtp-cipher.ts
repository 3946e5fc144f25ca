/** The ciphers of SRTP over bytes in the arena: AEAD_AES_128_GCM, and AES-CM with HMAC-SHA1 of 80 bits. */
import { address, memory, reserve, view } from './arena.ts';
import { type Ssl, bindings } from './bindings.ts';
import { KEY_BYTES, type SessionKeys, type SrtpProfile } from './srtp-keys.ts';

const GCM_TAG_BYTES = 16;
const CM_TAG_BYTES = 10;
const GCM_GET_TAG = 0x10;
const GCM_SET_TAG = 0x11;
const KEEP_DIRECTION = -1;

/** Of one packet at a time. */
const ivAt = reserve(16);
const macAt = reserve(64);
const keyAt = reserve(32);
const lengthAt = reserve(8);
const ivAddress = address(ivAt, 16);
const macAddress = address(macAt, 64);
const lengthAddress = address(lengthAt, 4);

/** Length in bytes of the authentication tag. */
export const tagBytes = (profile: SrtpProfile): number => (profile === 'AES_128_GCM' ? GCM_TAG_BYTES : CM_TAG_BYTES);

/** Starts OpenSSL's contexts for the keys of one direction; they keep the key, so that a packet sets the IV only. */
function start(ssl: Ssl, gcm: boolean, keys: SessionKeys, encrypts: boolean): { cipher: number; hmac: number } {
  const cipher = ssl.EVP_CIPHER_CTX_new();
  const hmac = gcm ? 0 : ssl.HMAC_CTX_new();
  memory.set(keys.cipherKey, keyAt);
  const algorithm = gcm ? ssl.EVP_aes_128_gcm() : ssl.EVP_aes_128_ctr();
  let good = ssl.EVP_CipherInit_ex(cipher, algorithm, 0, address(keyAt, KEY_BYTES), 0, encrypts ? 1 : 0) === 1;
  if (!gcm) {
    memory.set(keys.authKey, keyAt);
    good = ssl.HMAC_Init_ex(hmac, address(keyAt, 20), 20, ssl.EVP_sha1(), 0) === 1 && good;
  }
  memory.fill(0, keyAt, keyAt + 32);
  if (!good) throw new Error('OpenSSL refused a cipher of SRTP');
  return { cipher, hmac };
}

/**
 * AEAD_AES_128_GCM (RFC 7714). A packet is `signed` bytes that stay clear, and `bytes` that are encrypted in place,
 * with the tag after them.
 */
export class GcmCipher {
  readonly #ssl = bindings().ssl;
  /** Words of the salt where SSRC and index are mixed in, as signed 32-bit numbers. */
  readonly #salt: Int32Array;
  #cipher: number;

  constructor(keys: SessionKeys, encrypts: boolean) {
    const { salt } = keys;
    this.#salt = Int32Array.of(salt.readUInt16BE(0), salt.readInt32BE(2), salt.readInt32BE(6), salt.readUInt16BE(10));
    this.#cipher = start(this.#ssl, true, keys, encrypts).cipher;
  }

  /** False: OpenSSL refused, and the packet must not be sent. */
  seal(signedAt: number, signed: number, at: number, bytes: number): boolean {
    const tag = address(at + bytes, GCM_TAG_BYTES);
    return (
      this.#crypt(signedAt, signed, at, bytes) &&
      this.#ssl.EVP_CipherFinal_ex(this.#cipher, tag, lengthAddress) === 1 &&
      this.#ssl.EVP_CIPHER_CTX_ctrl(this.#cipher, GCM_GET_TAG, GCM_TAG_BYTES, tag) === 1
    );
  }

  /** False: the tag is wrong. The bytes are spoilt then. */
  open(signedAt: number, signed: number, at: number, bytes: number): boolean {
    const tag = address(at + bytes, GCM_TAG_BYTES);
    return (
      this.#ssl.EVP_CIPHER_CTX_ctrl(this.#cipher, GCM_SET_TAG, GCM_TAG_BYTES, tag) === 1 &&
      this.#crypt(signedAt, signed, at, bytes) &&
      this.#ssl.EVP_CipherFinal_ex(this.#cipher, macAddress, lengthAddress) === 1
    );
  }

  /** Sets the IV of the next packet: `high` are the 32 bits above the 16 bits of `low` of its index. */
  nonce(ssrc: number, high: number, low: number): boolean {
    const salt = this.#salt;
    view.setUint16(ivAt, salt[0]!);
    view.setInt32(ivAt + 2, salt[1]! ^ ssrc);
    view.setInt32(ivAt + 6, salt[2]! ^ high);
    view.setUint16(ivAt + 10, salt[3]! ^ low);
    return this.#ssl.EVP_CipherInit_ex(this.#cipher, 0, 0, 0, ivAddress, KEEP_DIRECTION) === 1;
  }

  free(): void {
    this.#ssl.EVP_CIPHER_CTX_free(this.#cipher);
    this.#cipher = 0;
  }

  #crypt(signedAt: number, signed: number, at: number, bytes: number): boolean {
    const { EVP_CipherUpdate } = this.#ssl;
    if (EVP_CipherUpdate(this.#cipher, 0, lengthAddress, address(signedAt, signed), signed) !== 1) return false;
    if (bytes === 0) return true;
    const payload = address(at, bytes);
    return EVP_CipherUpdate(this.#cipher, payload, lengthAddress, payload, bytes) === 1;
  }
}

/** AES-CM with HMAC-SHA1 of 80 bits (RFC 3711). */
export class CmCipher {
  readonly #ssl = bindings().ssl;
  readonly #salt: Int32Array;
  #cipher: number;
  #hmac: number;

  constructor(keys: SessionKeys, encrypts: boolean) {
    const { salt } = keys;
    this.#salt = Int32Array.of(salt.readInt32BE(0), salt.readInt32BE(4), salt.readInt32BE(8), salt.readUInt16BE(12));
    const { cipher, hmac } = start(this.#ssl, false, keys, encrypts);
    this.#cipher = cipher;
    this.#hmac = hmac;
  }

  /** Sets the IV of the next packet (section 4.1.1). */
  nonce(ssrc: number, high: number, low: number): boolean {
    const salt = this.#salt;
    view.setInt32(ivAt, salt[0]!);
    view.setInt32(ivAt + 4, salt[1]! ^ ssrc);
    view.setInt32(ivAt + 8, salt[2]! ^ high);
    view.setInt32(ivAt + 12, (salt[3]! ^ low) << 16);
    return this.#ssl.EVP_CipherInit_ex(this.#cipher, 0, 0, 0, ivAddress, KEEP_DIRECTION) === 1;
  }

  /** Encrypts or decrypts in place. */
  crypt(at: number, bytes: number): boolean {
    if (bytes === 0) return true;
    const payload = address(at, bytes);
    return this.#ssl.EVP_CipherUpdate(this.#cipher, payload, lengthAddress, payload, bytes) === 1;
  }

  /** Writes the tag of [at, at + bytes) to `tagAt`. */
  sign(at: number, bytes: number, tagAt: number): boolean {
    if (!this.#mac(at, bytes)) return false;
    view.setInt32(tagAt, view.getInt32(macAt));
    view.setInt32(tagAt + 4, view.getInt32(macAt + 4));
    view.setUint16(tagAt + 8, view.getUint16(macAt + 8));
    return true;
  }

  /**
   * Whether the tag of [at, at + bytes) is the one at `tagAt`; in constant time. `trailer` replaces the last four of
   * these bytes, which the tag may overlap: the rollover counter is signed, but not sent.
   */
  verify(at: number, bytes: number, tagAt: number, trailer?: number): boolean {
    const first = view.getInt32(tagAt);
    const second = view.getInt32(tagAt + 4);
    const third = view.getUint16(tagAt + 8);
    if (trailer !== undefined) view.setInt32(at + bytes - 4, trailer);
    if (!this.#mac(at, bytes)) return false;
    const difference =
      (first ^ view.getInt32(macAt)) | (second ^ view.getInt32(macAt + 4)) | (third ^ view.getUint16(macAt + 8));
    return difference === 0;
  }

  free(): void {
    this.#ssl.EVP_CIPHER_CTX_free(this.#cipher);
    this.#ssl.HMAC_CTX_free(this.#hmac);
    this.#cipher = 0;
    this.#hmac = 0;
  }

  #mac(at: number, bytes: number): boolean {
    const ssl = this.#ssl;
    return (
      ssl.HMAC_Init_ex(this.#hmac, 0, 0, 0, 0) === 1 &&
      ssl.HMAC_Update(this.#hmac, address(at, bytes), bytes) === 1 &&
      ssl.HMAC_Final(this.#hmac, macAddress, 0) === 1
    );
  }
}
