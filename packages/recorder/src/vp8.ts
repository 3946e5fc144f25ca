import { paddingLength, payloadOffset } from '@rmeet/participant';
import type { OrderedPackets } from './reorder.ts';

/** A coded picture. */
export interface Vp8Frame {
  data: Uint8Array;
  /** RTP, 90 kHz. */
  timestamp: number;
  /** Decodes without any before it. */
  isKey: boolean;
  /** Pixels; of a key frame alone, others have the size of the last one. */
  width: number;
  height: number;
}

/**
 * Where the coded bytes start in a payload, and whether they are a frame's first; undefined for what is no VP8 (RFC
 * 7741, section 4.2).
 */
export function readDescriptor(payload: Buffer): { length: number; startsFrame: boolean } | undefined {
  const first = payload[0];
  if (first === undefined) return undefined;
  let length = 1;
  if ((first & 0x80) !== 0) {
    const extended = payload[length++] ?? 0;
    if ((extended & 0x80) !== 0) length += ((payload[length] ?? 0) & 0x80) !== 0 ? 2 : 1;
    if ((extended & 0x40) !== 0) length += 1;
    if ((extended & 0x30) !== 0) length += 1;
  }
  // The first byte of partition 0 starts a frame.
  return length < payload.length ? { length, startsFrame: (first & 0x10) !== 0 && (first & 0x0f) === 0 } : undefined;
}

/** A frame's own header (RFC 6386, section 9.1); undefined where it is broken. */
export function readFrame(data: Buffer, timestamp: number): Vp8Frame | undefined {
  if (data.length < 3) return undefined;
  if ((data[0]! & 1) !== 0) return { data, timestamp, isKey: false, width: 0, height: 0 };
  if (data.length < 10 || data[3] !== 0x9d || data[4] !== 0x01 || data[5] !== 0x2a) return undefined;
  return { data, timestamp, isKey: true, width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}

/**
 * Puts frames together from the packets of one stream. Only what decodes gets out: after a packet that never came
 * nothing does until the next key frame, which is for the receiver to ask for.
 */
export class Vp8Frames implements OrderedPackets {
  #onFrame: (frame: Vp8Frame) => void;
  #needsKey = true;
  #parts: Buffer[] = [];
  #timestamp = 0;

  constructor(onFrame: (frame: Vp8Frame) => void) {
    this.#onFrame = onFrame;
  }

  /** Nothing comes out before a key frame. */
  get needsKey(): boolean {
    return this.#needsKey;
  }

  packet(packet: Buffer): void {
    const payload = packet.subarray(payloadOffset(packet), packet.length - paddingLength(packet));
    // Padding alone probes the way here.
    if (payload.length === 0) return;
    const descriptor = readDescriptor(payload);
    if (!descriptor) return this.lost();
    const timestamp = packet.readUInt32BE(4);
    if (descriptor.startsFrame) {
      // Nothing was lost, so a frame that another follows is whole, with or without its marker.
      this.#complete();
      this.#timestamp = timestamp;
    } else if (this.#parts.length === 0 || timestamp !== this.#timestamp) return this.lost();
    this.#parts.push(payload.subarray(descriptor.length));
    if ((packet[1]! & 0x80) !== 0) this.#complete();
  }

  lost(): void {
    this.#parts = [];
    this.#needsKey = true;
  }

  #complete(): void {
    if (this.#parts.length === 0) return;
    const frame = readFrame(Buffer.concat(this.#parts), this.#timestamp);
    this.#parts = [];
    if (!frame) this.#needsKey = true;
    else if (frame.isKey || !this.#needsKey) {
      this.#needsKey = false;
      this.#onFrame(frame);
    }
  }
}
