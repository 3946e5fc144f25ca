/** Blocks in a packet: the frame itself and repeated ones. Senders use two to five. */
const MAX_BLOCKS = 8;

/**
 * A RED audio payload (RFC 2198): a frame, preceded by repeated earlier frames. One instance is reused for all packets.
 */
export class RedPayload {
  /** Number of repeated frames, oldest first. */
  repeated = 0;
  /** Where the frame itself starts; it ends with the payload. */
  primaryOffset = 0;
  /** By repeated frame: how much earlier it is, in timestamp units, and where it starts and ends. */
  readonly timestampOffset = new Uint16Array(MAX_BLOCKS);
  readonly start = new Uint16Array(MAX_BLOCKS);
  readonly end = new Uint16Array(MAX_BLOCKS);

  /** Reads a payload. Returns false if its lengths are inconsistent. */
  parse(buffer: Buffer, start: number, end: number): boolean {
    this.repeated = 0;
    let at = start;
    let bytes = 0;
    while (at < end && (buffer[at]! & 0x80) !== 0) {
      if (at + 4 > end || this.repeated === MAX_BLOCKS) return false;
      const length = ((buffer[at + 2]! & 0x03) << 8) | buffer[at + 3]!;
      this.timestampOffset[this.repeated] = (buffer[at + 1]! << 6) | (buffer[at + 2]! >> 2);
      this.start[this.repeated] = bytes;
      bytes += length;
      this.end[this.repeated] = bytes;
      this.repeated += 1;
      at += 4;
    }
    // the last header is one byte
    const first = at + 1;
    if (at >= end || first + bytes > end) return false;
    for (let block = 0; block < this.repeated; block += 1) {
      this.start[block]! += first;
      this.end[block]! += first;
    }
    this.primaryOffset = first + bytes;
    return true;
  }
}
