import type { Vp8Descriptor } from '@rmeet/rtp';

/**
 * Keeps PictureID, TL0PICIDX and KEYIDX continuous for one subscriber across changes of the source. Within one source
 * the offset from the original values is constant.
 */
export class Vp8Rewriter {
  #pictureIdShift = 0;
  #tl0Shift = 0;
  #keyIndexShift = 0;
  #lastPictureId = -1;
  #lastTl0 = -1;
  #lastKeyIndex = -1;

  /** The next packets come from another source, which starts with this descriptor. */
  switchSource(descriptor: Vp8Descriptor): void {
    if (this.#lastPictureId >= 0) this.#pictureIdShift = (this.#lastPictureId + 1 - descriptor.pictureId) & 0x7fff;
    if (this.#lastTl0 >= 0) this.#tl0Shift = (this.#lastTl0 + 1 - descriptor.tl0) & 0xff;
    if (this.#lastKeyIndex >= 0)
      this.#keyIndexShift = (this.#lastKeyIndex + 1 - (descriptor.keyIndexByte & 0x1f)) & 0x1f;
  }

  /** Writes the rewritten fields into `out`, whose payload starts at `start`. `newest`: not late, and no duplicate. */
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
