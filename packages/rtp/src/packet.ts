/** Offsets of the fields in the fixed RTP header (RFC 3550 section 5.1). */
export const SEQUENCE_OFFSET = 2;
export const TIMESTAMP_OFFSET = 4;
export const SSRC_OFFSET = 8;

/** Tells RTCP from RTP on a shared port: payload types 64 to 95 are RTCP (RFC 5761 section 4). */
export function isRtcp(packet: Buffer): boolean {
  const type = packet[1]! & 0x7f;
  return type >= 64 && type <= 95;
}

/**
 * An RTP packet, parsed in place (RFC 3550 section 5.1, RFC 8285 extensions). Parsing allocates nothing: one instance
 * is reused for all incoming packets, so its fields are valid only until the next `parse`.
 */
export class RtpPacket {
  buffer: Buffer = Buffer.alloc(0);
  marker = false;
  payloadType = 0;
  sequenceNumber = 0;
  timestamp = 0;
  ssrc = 0;
  payloadOffset = 0;
  /** End of the payload: the start of the padding, if there is any. */
  payloadEnd = 0;
  /** Set by `findExtension`. */
  extensionOffset = 0;
  extensionLength = 0;
  #extensionsOffset = 0;
  #extensionsEnd = 0;
  #twoByteExtensions = false;

  /** Returns false if the buffer is not an RTP packet, is truncated, or contains inconsistent lengths. */
  parse(buffer: Buffer): boolean {
    const size = buffer.length;
    if (size < 12) return false;
    const first = buffer[0]!;
    if (first >> 6 !== 2) return false;
    let offset = 12 + (first & 0x0f) * 4;
    this.#extensionsOffset = 0;
    this.#extensionsEnd = 0;
    if ((first & 0x10) !== 0) {
      if (offset + 4 > size) return false;
      const profile = (buffer[offset]! << 8) | buffer[offset + 1]!;
      const end = offset + 4 + (((buffer[offset + 2]! << 8) | buffer[offset + 3]!) << 2);
      if (end > size) return false;
      if (profile === 0xbede || (profile & 0xfff0) === 0x1000) {
        this.#twoByteExtensions = profile !== 0xbede;
        this.#extensionsOffset = offset + 4;
        this.#extensionsEnd = end;
      }
      offset = end;
    }
    let end = size;
    if ((first & 0x20) !== 0) end -= buffer[size - 1]!;
    if (offset > end) return false;
    const second = buffer[1]!;
    this.buffer = buffer;
    this.marker = second > 127;
    this.payloadType = second & 0x7f;
    this.sequenceNumber = (buffer[2]! << 8) | buffer[3]!;
    this.timestamp = ((buffer[4]! << 24) | (buffer[5]! << 16) | (buffer[6]! << 8) | buffer[7]!) >>> 0;
    this.ssrc = ((buffer[8]! << 24) | (buffer[9]! << 16) | (buffer[10]! << 8) | buffer[11]!) >>> 0;
    this.payloadOffset = offset;
    this.payloadEnd = end;
    return true;
  }

  /** Finds the header extension with this negotiated id and sets `extensionOffset` and `extensionLength`. */
  findExtension(id: number): boolean {
    const { buffer } = this;
    const end = this.#extensionsEnd;
    let offset = this.#extensionsOffset;
    while (offset < end) {
      const head = buffer[offset]!;
      if (head === 0) {
        offset += 1; // padding between elements
        continue;
      }
      let found: number;
      let length: number;
      if (this.#twoByteExtensions) {
        if (offset + 1 >= end) return false;
        found = head;
        length = buffer[offset + 1]!;
        offset += 2;
      } else {
        found = head >> 4;
        if (found === 15) return false;
        length = (head & 0x0f) + 1;
        offset += 1;
      }
      if (offset + length > end) return false;
      if (found === id) {
        this.extensionOffset = offset;
        this.extensionLength = length;
        return true;
      }
      offset += length;
    }
    return false;
  }

  /** The value of a header extension as text (mid, rid); undefined if it is absent. */
  extensionText(id: number): string | undefined {
    if (id === 0 || !this.findExtension(id)) return undefined;
    return this.buffer.toString('latin1', this.extensionOffset, this.extensionOffset + this.extensionLength);
  }
}

/** Signed distance from `from` to `to` on the 16-bit circle of sequence numbers. */
export function sequenceDistance(from: number, to: number): number {
  return ((to - from) << 16) >> 16;
}

/** Signed distance from `from` to `to` on the 32-bit circle of timestamps. */
export function timestampDistance(from: number, to: number): number {
  return (to - from) | 0;
}
