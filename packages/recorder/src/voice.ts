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
    const count = sound.length / CHANNELS;
    for (let n = Math.max(0, this.#read - position); n < count && position + n < this.#read + RING; n += 1) {
      const at = ((position + n) & (RING - 1)) * CHANNELS;
      for (let channel = 0; channel < CHANNELS; channel += 1) this.#ring[at + channel] = sound[n * CHANNELS + channel]!;
    }
  }

  /**
   * Adds the block from `position` on to `into`, with the gain changing from `before` to `after` within it. Blocks are
   * read in order.
   */
  mixInto(into: Float32Array, position: number, before: number, after: number): void {
    for (let n = 0; n < BLOCK; n += 1) {
      const at = ((position + n) & (RING - 1)) * CHANNELS;
      const gain = before + ((after - before) * n) / BLOCK;
      for (let channel = 0; channel < CHANNELS; channel += 1) {
        into[n * CHANNELS + channel]! += this.#ring[at + channel]! * gain;
        this.#ring[at + channel] = 0;
      }
    }
    this.#read = position + BLOCK;
  }

  /** Skips to the current mixing position; for a voice that begins in the middle. */
  beginAt(position: number): void {
    this.#read = position;
  }

  free(): void {
    this.#decoder.free();
  }
}
