/** VP8 payload descriptor (RFC 7741 section 4.2), read once per packet and rewritten once per subscriber. */

export class Vp8Descriptor {
  keyframe = false;
  /** Offsets in the payload; -1 when the field is absent. */
  pictureIdOffset = -1;
  tl0Offset = -1;
  keyIndexOffset = -1;
  pictureId = 0;
  longPictureId = false;
  tl0 = 0;
  keyIndexByte = 0;

  /** False when the descriptor is cut off. */
  parse(buffer: Buffer, start: number, end: number): boolean {
    this.keyframe = false;
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
    // first packet of the first partition, and its frame header says key frame
    this.keyframe = (first & 0x10) !== 0 && (first & 0x07) === 0 && at < end && (buffer[at]! & 1) === 0;
    return true;
  }
}

/**
 * Keeps PictureID, TL0PICIDX and KEYIDX running on without a jump for one subscriber while the
 * source below changes. Within one source the distance to the original is constant.
 */
export class Vp8Rewriter {
  #pictureIdShift = 0;
  #tl0Shift = 0;
  #keyIndexShift = 0;
  #lastPictureId = -1;
  #lastTl0 = -1;
  #lastKeyIndex = -1;

  /** The next packets come from another source, this one's first: continue where the last one ended. */
  switchSource(descriptor: Vp8Descriptor): void {
    if (this.#lastPictureId >= 0) this.#pictureIdShift = (this.#lastPictureId + 1 - descriptor.pictureId) & 0x7fff;
    if (this.#lastTl0 >= 0) this.#tl0Shift = (this.#lastTl0 + 1 - descriptor.tl0) & 0xff;
    if (this.#lastKeyIndex >= 0)
      this.#keyIndexShift = (this.#lastKeyIndex + 1 - (descriptor.keyIndexByte & 0x1f)) & 0x1f;
  }

  /** Writes the rewritten fields into `out`, whose payload starts at `start`. `newest`: not late and not a repeat. */
  rewrite(descriptor: Vp8Descriptor, out: Buffer, start: number, newest: boolean): void {
    if (descriptor.pictureIdOffset >= 0) {
      const at = start + descriptor.pictureIdOffset;
      const pictureId = (descriptor.pictureId + this.#pictureIdShift) & 0x7fff;
      if (newest) this.#lastPictureId = pictureId;
      if (descriptor.longPictureId) {
        out[at] = 0x80 | (pictureId >> 8);
        out[at + 1] = pictureId & 0xff;
      } else out[at] = pictureId & 0x7f;
    }
    if (descriptor.tl0Offset >= 0) {
      const tl0 = (descriptor.tl0 + this.#tl0Shift) & 0xff;
      if (newest) this.#lastTl0 = tl0;
      out[start + descriptor.tl0Offset] = tl0;
    }
    if (descriptor.keyIndexOffset >= 0) {
      const keyIndex = ((descriptor.keyIndexByte & 0x1f) + this.#keyIndexShift) & 0x1f;
      if (newest) this.#lastKeyIndex = keyIndex;
      out[start + descriptor.keyIndexOffset] = (descriptor.keyIndexByte & 0xe0) | keyIndex;
    }
  }
}
