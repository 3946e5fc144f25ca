/**
 * SRTP and SRTCP of one direction, in place in the arena: RFC 3711 with AES_128_CM_SHA1_80, RFC 7714 with
 * AEAD_AES_128_GCM.
 */
import { address, reserve, view } from './arena.ts';
import { CmCipher, GcmCipher, tagBytes } from './srtp-cipher.ts';
import { type SrtpProfile, deriveSessionKeys } from './srtp-keys.ts';
import { SrtpSources, type SourceLimits } from './srtp-sources.ts';

/** Bytes that protection adds to an RTP packet at most. */
export const SRTP_OVERHEAD = 16;
/** Bytes that protection adds to an RTCP packet at most. */
export const SRTCP_OVERHEAD = 20;

/** Of a slot in the arena, so that a protected packet fits. */
const MAX_PLAIN_BYTES = 1536 - SRTCP_OVERHEAD;
const RTP_HEADER_BYTES = 12;
const RTCP_HEADER_BYTES = 8;
const INDEX_BYTES = 4;
const RTCP_ENCRYPTED = 0x8000_0000;
const LAST_RTCP_INDEX = 0x7fff_ffff;

/** A sender keeps the sources of all tracks that a connection ever had: each index is used once only. */
const SENT: SourceLimits = { window: 1024, maxSources: 8192, forgets: false };
/** The window is a tenth of a second at 10,000 packets a second. A peer that uses more sources at a time is broken. */
const RECEIVED: SourceLimits = { window: 1024, maxSources: 512, forgets: true };
const RECEIVED_REPORTS: SourceLimits = { window: 128, maxSources: 512, forgets: true };

/** What GCM signs of an RTCP packet: its header, and the index. */
const signedAt = reserve(RTCP_HEADER_BYTES + INDEX_BYTES);

/** Length in bytes of an RTP header with CSRCs and extension; 0 if it is malformed or longer than the packet. */
function rtpHeaderBytes(at: number, length: number): number {
  if (length < RTP_HEADER_BYTES) return 0;
  const first = view.getUint8(at);
  if (first >>> 6 !== 2) return 0;
  let header = RTP_HEADER_BYTES + (first & 15) * 4;
  if ((first & 16) !== 0) {
    if (header + 4 > length) return 0;
    header += 4 + view.getUint16(at + header + 2) * 4;
  }
  return header <= length ? header : 0;
}

interface RefusalCounters {
  malformed: number;
  /** Seen already, older than the window, or of one source too many. */
  replayed: number;
  /** Not authentic. */
  forged: number;
}

/**
 * A session protects or unprotects: the first call decides, the other direction refuses all packets. Methods return
 * the new length in bytes, or 0 for a packet that is refused, whose bytes may be spoilt.
 */
export class SrtpSession {
  /** Packets for which the result was 0. */
  readonly refused: RefusalCounters = { malformed: 0, replayed: 0, forged: 0 };
  /** Until the first packet. */
  #keys: (ReturnType<typeof deriveSessionKeys> & { profile: SrtpProfile }) | undefined;
  readonly #tagBytes: number;
  #direction: 'none' | 'protects' | 'unprotects' | 'freed' = 'none';
  #rtp: GcmCipher | CmCipher | undefined;
  #rtcp: GcmCipher | CmCipher | undefined;
  #sources: SrtpSources | undefined;
  #rtcpSources: SrtpSources | undefined;
  /** Shared by all sources: an index must not repeat, but may skip. */
  #nextRtcpIndex = 0;

  /**
   * @param key master key of 16 bytes
   * @param salt master salt: 12 bytes for GCM, 14 for CM
   * @throws RangeError if they have another length
   */
  constructor(profile: SrtpProfile, key: Buffer, salt: Buffer) {
    this.#keys = { profile, ...deriveSessionKeys(profile, key, salt) };
    this.#tagBytes = tagBytes(profile);
  }

  /** Protects an RTP packet of [at, at + length); `SRTP_OVERHEAD` bytes must be free behind it. */
  protectRtp(at: number, length: number): number {
    if (this.#direction !== 'protects' && !this.#begin(true)) return 0;
    const header = length > MAX_PLAIN_BYTES ? 0 : rtpHeaderBytes(at, length);
    if (header === 0) return this.#malformed();
    address(at, length + SRTP_OVERHEAD);
    const low = view.getUint16(at + 2);
    const ssrc = view.getInt32(at + 8);
    const sources = this.#sources!;
    if (!sources.find(ssrc, low)) return this.#replayed();
    const { high } = sources;
    // Before it is encrypted: an index that OpenSSL might have used is not used again.
    sources.mark(ssrc, high, low);
    const cipher = this.#rtp!;
    if (!cipher.nonce(ssrc, high, low)) return this.#forged();
    const bytes = length - header;
    if (cipher instanceof GcmCipher) {
      if (!cipher.seal(at, header, at + header, bytes)) return this.#forged();
    } else {
      if (!cipher.crypt(at + header, bytes)) return this.#forged();
      view.setInt32(at + length, high);
      if (!cipher.sign(at, length + 4, at + length)) return this.#forged();
    }
    return length + this.#tagBytes;
  }

  /** Protects an RTCP packet; `SRTCP_OVERHEAD` bytes must be free behind it. */
  protectRtcp(at: number, length: number): number {
    if (this.#direction !== 'protects' && !this.#begin(true)) return 0;
    if (length < RTCP_HEADER_BYTES || length > MAX_PLAIN_BYTES) return this.#malformed();
    address(at, length + SRTCP_OVERHEAD);
    if (this.#nextRtcpIndex > LAST_RTCP_INDEX) return this.#replayed();
    const index = this.#nextRtcpIndex++;
    const cipher = this.#rtcp!;
    if (!cipher.nonce(view.getInt32(at + 4), index >>> 16, index & 0xffff)) return this.#forged();
    const bytes = length - RTCP_HEADER_BYTES;
    const word = index | RTCP_ENCRYPTED;
    if (cipher instanceof GcmCipher) {
      this.#writeSigned(at, word);
      const sealed = cipher.seal(signedAt, RTCP_HEADER_BYTES + INDEX_BYTES, at + RTCP_HEADER_BYTES, bytes);
      if (!sealed) return this.#forged();
      view.setInt32(at + length + this.#tagBytes, word);
    } else {
      view.setInt32(at + length, word);
      if (!cipher.crypt(at + RTCP_HEADER_BYTES, bytes)) return this.#forged();
      if (!cipher.sign(at, length + INDEX_BYTES, at + length + INDEX_BYTES)) return this.#forged();
    }
    return length + this.#tagBytes + INDEX_BYTES;
  }

  unprotectRtp(at: number, length: number): number {
    if (this.#direction !== 'unprotects' && !this.#begin(false)) return 0;
    const end = length - this.#tagBytes;
    const header = rtpHeaderBytes(at, end);
    if (header === 0) return this.#malformed();
    address(at, length);
    const low = view.getUint16(at + 2);
    const ssrc = view.getInt32(at + 8);
    const sources = this.#sources!;
    if (!sources.find(ssrc, low)) return this.#replayed();
    const { high } = sources;
    const cipher = this.#rtp!;
    if (cipher instanceof GcmCipher) {
      const opened = cipher.nonce(ssrc, high, low) && cipher.open(at, header, at + header, end - header);
      if (!opened) return this.#forged();
    } else {
      const authentic = cipher.verify(at, end + 4, at + end, high);
      if (!authentic || !cipher.nonce(ssrc, high, low)) return this.#forged();
      if (!cipher.crypt(at + header, end - header)) return this.#forged();
    }
    sources.mark(ssrc, high, low);
    return end;
  }

  /** RTCP that is not encrypted (bit E is 0) is refused. */
  unprotectRtcp(at: number, length: number): number {
    if (this.#direction !== 'unprotects' && !this.#begin(false)) return 0;
    const end = length - this.#tagBytes - INDEX_BYTES;
    if (end < RTCP_HEADER_BYTES || view.getUint8(at) >>> 6 !== 2) return this.#malformed();
    address(at, length);
    const cipher = this.#rtcp!;
    const isGcm = cipher instanceof GcmCipher;
    const word = view.getInt32(isGcm ? at + end + this.#tagBytes : at + end);
    // Bit E is the sign.
    if (word >= 0) return this.#malformed();
    const ssrc = view.getInt32(at + 4);
    const high = (word & LAST_RTCP_INDEX) >>> 16;
    const low = word & 0xffff;
    if (!this.#rtcpSources!.check(ssrc, high, low)) return this.#replayed();
    const bytes = end - RTCP_HEADER_BYTES;
    if (isGcm) {
      this.#writeSigned(at, word);
      const signed = RTCP_HEADER_BYTES + INDEX_BYTES;
      const opened = cipher.nonce(ssrc, high, low) && cipher.open(signedAt, signed, at + RTCP_HEADER_BYTES, bytes);
      if (!opened) return this.#forged();
    } else {
      if (!cipher.verify(at, end + INDEX_BYTES, at + end + INDEX_BYTES)) return this.#forged();
      if (!cipher.nonce(ssrc, high, low) || !cipher.crypt(at + RTCP_HEADER_BYTES, bytes)) return this.#forged();
    }
    this.#rtcpSources!.mark(ssrc, high, low);
    return end;
  }

  /** Frees OpenSSL's contexts. Packets are refused from now on. */
  free(): void {
    this.#rtp?.free();
    this.#rtcp?.free();
    this.#rtp = undefined;
    this.#rtcp = undefined;
    this.#keys = undefined;
    this.#direction = 'freed';
  }

  #begin(protects: boolean): boolean {
    if (this.#keys === undefined) return false;
    const { profile, rtp, rtcp } = this.#keys;
    this.#keys = undefined;
    const Cipher = profile === 'AES_128_GCM' ? GcmCipher : CmCipher;
    this.#rtp = new Cipher(rtp, protects);
    this.#rtcp = new Cipher(rtcp, protects);
    this.#sources = new SrtpSources(protects ? SENT : RECEIVED);
    if (!protects) this.#rtcpSources = new SrtpSources(RECEIVED_REPORTS);
    this.#direction = protects ? 'protects' : 'unprotects';
    return true;
  }

  #writeSigned(at: number, word: number): void {
    view.setInt32(signedAt, view.getInt32(at));
    view.setInt32(signedAt + 4, view.getInt32(at + 4));
    view.setInt32(signedAt + 8, word);
  }

  #malformed(): 0 {
    this.refused.malformed++;
    return 0;
  }

  #replayed(): 0 {
    this.refused.replayed++;
    return 0;
  }

  #forged(): 0 {
    this.refused.forged++;
    return 0;
  }
}
