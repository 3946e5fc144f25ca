import { RtpPacket } from '../packet.ts';
import type { OrderedPacketHandler } from '../receiving/reorder-buffer.ts';
import { Vp8Descriptor } from './vp8-descriptor.ts';

/** A coded frame. */
export interface Vp8Frame {
  data: Uint8Array;
  /** RTP timestamp, 90 kHz. */
  timestamp: number;
  /** A key frame: decodable without the frames before it. */
  isKey: boolean;
  /** Size in pixels; 0 except for key frames. Other frames have the size of the last key frame. */
  width: number;
  height: number;
}

/** Reads a frame's header (RFC 6386 section 9.1); undefined if it is invalid. */
export function readFrame(data: Buffer, timestamp: number): Vp8Frame | undefined {
  if (data.length < 3) return undefined;
  if ((data[0]! & 1) !== 0) return { data, timestamp, isKey: false, width: 0, height: 0 };
  if (data.length < 10 || data[3] !== 0x9d || data[4] !== 0x01 || data[5] !== 0x2a) return undefined;
  return { data, timestamp, isKey: true, width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}

/**
 * Reassembles frames from the packets of one stream, which arrive in order. Only decodable frames are passed on: after
 * a lost packet none until the next key frame, which the receiver has to request.
 */
export class Vp8Depacketizer implements OrderedPacketHandler {
  readonly #packet = new RtpPacket();
  readonly #descriptor = new Vp8Descriptor();
  #onFrame: (frame: Vp8Frame) => void;
  #needsKey = true;
  #parts: Buffer[] = [];
  #timestamp = 0;

  constructor(onFrame: (frame: Vp8Frame) => void) {
    this.#onFrame = onFrame;
  }

  /** No frame is passed on before a key frame. */
  get needsKey(): boolean {
    return this.#needsKey;
  }

  handlePacket(buffer: Buffer): void {
    const packet = this.#packet;
    const descriptor = this.#descriptor;
    if (!packet.parse(buffer)) return this.handleLoss();
    const { payloadOffset, payloadEnd, timestamp } = packet;
    // Padding only, sent to probe the bandwidth.
    if (payloadOffset === payloadEnd) return;
    const start = descriptor.parse(buffer, payloadOffset, payloadEnd) ? payloadOffset + descriptor.length : payloadEnd;
    if (start === payloadEnd) return this.handleLoss();
    if (descriptor.startsFrame) {
      // No packet was lost, so the previous frame is complete even without a marker.
      this.#complete();
      this.#timestamp = timestamp;
    } else if (this.#parts.length === 0 || timestamp !== this.#timestamp) return this.handleLoss();
    this.#parts.push(buffer.subarray(start, payloadEnd));
    if (packet.marker) this.#complete();
  }

  handleLoss(): void {
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
