import { RtpPacket, type OrderedPacketHandler } from '@rmeet/rtp';
import type { OpusDecoderHandle } from 'libopus-wasm';

export const SAMPLE_RATE = 48_000;
export const CHANNELS = 2;
/** 20 ms. */
export const BLOCK = 960;
/** Samples stored before they are mixed, 2.7 s; a power of two. */
const RING = 131_072;
/** Audio stays continuous while it differs from the clocks by at most this (40 ms); beyond, it jumps. */
const TOLERANCE = 1_920;
/** Longest gap that the decoder conceals; a longer one is silent. */
const MOST_CONCEALED = 5 * BLOCK;
/** A packet of at most so many bytes is silence, as sent while nothing is said. */
const SILENT_BYTES = 3;

/** The decoded audio of one participant, each sample at its position in the recording. */
export class Voice implements OrderedPacketHandler {
  readonly termId: string;
  readonly isMicrophone: boolean;
  readonly #packet = new RtpPacket();
  #decoder: OpusDecoderHandle;
  #positionOf: (timestamp: number) => number;
  #ring = new Float32Array(RING * CHANNELS);
  /** The first sample that can still be mixed. */
  #read = 0;
  /** Everything from here on is silence. */
  #written = 0;
  #block = new Float32Array(BLOCK * CHANNELS);
  /** The end position of the previous packet. */
  #end = 0;
  #base: { timestamp: number; position: number } | undefined;
  #missing = false;

  /** `positionOf`: the position of a timestamp by the clocks, in samples since the recording began. */
  constructor(
    termId: string,
    isMicrophone: boolean,
    decoder: OpusDecoderHandle,
    positionOf: (timestamp: number) => number,
  ) {
    this.termId = termId;
    this.isMicrophone = isMicrophone;
    this.#decoder = decoder;
    this.#positionOf = positionOf;
  }

  handlePacket(buffer: Buffer): void {
    const packet = this.#packet;
    if (!packet.parse(buffer) || packet.payloadOffset === packet.payloadEnd) return;
    const position = this.#place(packet.timestamp);
    const gap = position - this.#end;
    if (this.#missing && gap > 0 && gap <= MOST_CONCEALED) {
      for (let at = this.#end; at < position; at += BLOCK) this.#write(at, this.#decoder.decodePacketLossFloat(BLOCK));
    }
    this.#missing = false;
    if (packet.payloadEnd - packet.payloadOffset <= SILENT_BYTES) {
      this.#end = position + BLOCK;
      return;
    }
    let sound: Float32Array;
    try {
      sound = this.#decoder.decodeFloat(buffer.subarray(packet.payloadOffset, packet.payloadEnd));
    } catch {
      // A packet that is not Opus counts as silence.
      return;
    }
    this.#write(position, sound);
    this.#end = position + sound.length / CHANNELS;
  }

  handleLoss(): void {
    this.#missing = true;
  }

  /** Timestamps count samples, so audio stays continuous while the clocks drift slightly. */
  #place(timestamp: number): number {
    const said = this.#positionOf(timestamp);
    const position = this.#base === undefined ? said : this.#base.position + ((timestamp - this.#base.timestamp) | 0);
    const settled = Math.abs(position - said) > TOLERANCE ? said : position;
    this.#base = { timestamp, position: settled };
    return settled;
  }

  #write(position: number, sound: Float32Array): void {
    const first = Math.max(position, this.#read);
    const end = Math.min(position + sound.length / CHANNELS, this.#read + RING);
    for (const { at, offset, count } of inRing(first, end))
      this.#ring.set(sound.subarray((at - position) * CHANNELS, (at - position + count) * CHANNELS), offset * CHANNELS);
    this.#written = Math.max(this.#written, end);
  }

  /** The block from `position` on, or undefined if it is silent; the array is reused. Blocks are taken in order. */
  take(position: number): Float32Array | undefined {
    const block = position < this.#written ? this.#block : undefined;
    if (block) {
      for (const { at, offset, count } of inRing(position, position + BLOCK)) {
        const stretch = this.#ring.subarray(offset * CHANNELS, (offset + count) * CHANNELS);
        block.set(stretch, (at - position) * CHANNELS);
        stretch.fill(0);
      }
    }
    this.#read = position + BLOCK;
    return block;
  }

  /** Skips to this position; for a voice that begins in the middle, and after an interruption. */
  beginAt(position: number): void {
    for (const { offset, count } of inRing(this.#read, Math.min(position, this.#written)))
      this.#ring.fill(0, offset * CHANNELS, (offset + count) * CHANNELS);
    this.#read = position;
  }

  free(): void {
    this.#decoder.free();
  }
}

/** Where the samples between two positions are in the ring: in one or two stretches. */
function inRing(from: number, to: number): { at: number; offset: number; count: number }[] {
  const stretches = [];
  for (let at = from; at < to;) {
    const offset = at & (RING - 1);
    const count = Math.min(to - at, RING - offset);
    stretches.push({ at, offset, count });
    at += count;
  }
  return stretches;
}
