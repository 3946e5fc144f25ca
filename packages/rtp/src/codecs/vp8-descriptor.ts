/**
 * A VP8 payload descriptor (RFC 7741 section 4.2). Parsing allocates nothing: one instance is reused for all packets,
 * so its fields are valid only until the next `parse`.
 */
export class Vp8Descriptor {
  /** The first packet of a key frame. */
  keyframe = false;
  /** The first packet of a frame. */
  startsFrame = false;
  /** Bytes of the descriptor: where the coded data starts in the payload. */
  length = 0;
  /** Offsets in the payload; -1 when the field is absent. */
  pictureIdOffset = -1;
  tl0Offset = -1;
  keyIndexOffset = -1;
  pictureId = 0;
  longPictureId = false;
  tl0 = 0;
  keyIndexByte = 0;

  /** Returns false if the descriptor is truncated. */
  parse(buffer: Buffer, start: number, end: number): boolean {
    this.keyframe = false;
    this.startsFrame = false;
    this.pictureIdOffset = -1;
    this.tl0Offset = -1;
    this.keyIndexOffset = -1;
    if (start >= end) return false;
    const first = buffer[start]!;
    let at = start + 1;
    if ((first & 0x80) !== 0) {
      if (at >= end) return false;
      const present = buffer[at]!;
      at += 1;
      if ((present & 0x80) !== 0) {
        if (at + 1 >= end) return false;
        this.pictureIdOffset = at - start;
        this.longPictureId = (buffer[at]! & 0x80) !== 0;
        if (this.longPictureId) {
          this.pictureId = ((buffer[at]! & 0x7f) << 8) | buffer[at + 1]!;
          at += 2;
        } else {
          this.pictureId = buffer[at]! & 0x7f;
          at += 1;
        }
      }
      if ((present & 0x40) !== 0) {
        if (at >= end) return false;
        this.tl0Offset = at - start;
        this.tl0 = buffer[at]!;
        at += 1;
      }
      if ((present & 0x30) !== 0) {
        if (at >= end) return false;
        if ((present & 0x10) !== 0) {
          this.keyIndexOffset = at - start;
          this.keyIndexByte = buffer[at]!;
        }
        at += 1;
      }
    }
    this.length = at - start;
    // the start of partition 0
    this.startsFrame = (first & 0x10) !== 0 && (first & 0x07) === 0;
    this.keyframe = this.startsFrame && at < end && (buffer[at]! & 1) === 0;
    return true;
  }
}
