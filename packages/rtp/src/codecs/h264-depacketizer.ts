import { RtpPacket } from '../packet.ts';
import type { OrderedPacketHandler } from '../receiving/reorder-buffer.ts';
import { H264, unitType } from './h264.ts';

/** An access unit: the NAL units of one picture. */
export interface H264Frame {
  /** Without start codes, access unit delimiters and filler data; a key frame's contain its parameter sets. */
  units: Buffer[];
  /** RTP timestamp, 90 kHz. */
  timestamp: number;
  /** An IDR picture: decodable without the frames before it. */
  isKey: boolean;
}

/** A larger frame is not one: 16 MB. */
const MAX_BYTES = 1 << 24;

/** Whether a slice is the first one of its picture: `first_mb_in_slice`, the first Exp-Golomb code, is 0. */
function startsPicture(slice: Buffer): boolean {
  return (slice[1]! & 0x80) !== 0;
}

/**
 * Reassembles access units from the packets of one stream, which arrive in order: single units, STAP-A and FU-A (RFC
 * 6184, packetization modes 0 and 1). Only decodable frames are passed on: after a lost packet none until the next key
 * frame, which the receiver has to request.
 */
export class H264Depacketizer implements OrderedPacketHandler {
  readonly #packet = new RtpPacket();
  #onFrame: (frame: H264Frame) => void;
  #needsKey = true;
  #units: Buffer[] = [];
  /** Parts of a fragmented unit whose end has not arrived. */
  #fragments: Buffer[] = [];
  #bytes = 0;
  #timestamp = 0;
  /** The start of the frame may be missing: a packet was lost before or in it. */
  #isCut = false;
  /** The timestamp of a frame that is ignored, because a part of it is missing. */
  #ignored: number | undefined;
  /** Encoders may send them once, in packets before a key frame. */
  #sps: Buffer | undefined;
  #pps: Buffer | undefined;

  constructor(onFrame: (frame: H264Frame) => void) {
    this.#onFrame = onFrame;
  }

  /** No frame is passed on before a key frame. */
  get needsKey(): boolean {
    return this.#needsKey;
  }

  handlePacket(buffer: Buffer): void {
    const packet = this.#packet;
    if (!packet.parse(buffer)) return this.handleLoss();
    const { payloadOffset, payloadEnd, timestamp } = packet;
    // Padding only, sent to probe the bandwidth.
    if (payloadOffset === payloadEnd) return;
    if (timestamp === this.#ignored) return;
    this.#ignored = undefined;
    if (timestamp !== this.#timestamp) this.#complete();
    this.#timestamp = timestamp;
    if (!this.#take(buffer.subarray(payloadOffset, payloadEnd)) || this.#bytes > MAX_BYTES) {
      this.handleLoss();
      this.#ignored = timestamp;
    } else if (packet.marker) this.#complete();
  }

  handleLoss(): void {
    if (this.#bytes > 0) this.#ignored = this.#timestamp;
    this.#clear();
    this.#isCut = true;
    this.#needsKey = true;
  }

  #clear(): void {
    this.#units = [];
    this.#fragments = [];
    this.#bytes = 0;
  }

  /** Takes a payload. Returns false if it is invalid. */
  #take(payload: Buffer): boolean {
    this.#bytes += payload.length;
    const type = unitType(payload);
    if (type === H264.fragment) return this.#takeFragment(payload);
    if (this.#fragments.length > 0) return false;
    if (type === H264.aggregate) return this.#takeAggregate(payload);
    if (type === 0 || type > H264.aggregate) return false;
    this.#units.push(payload);
    return true;
  }

  #takeAggregate(payload: Buffer): boolean {
    let at = 1;
    while (at + 2 < payload.length) {
      const end = at + 2 + payload.readUInt16BE(at);
      if (end > payload.length || end === at + 2) return false;
      this.#units.push(payload.subarray(at + 2, end));
      at = end;
    }
    return at === payload.length;
  }

  #takeFragment(payload: Buffer): boolean {
    if (payload.length < 3) return false;
    const isStart = (payload[1]! & 0x80) !== 0;
    if (isStart !== (this.#fragments.length === 0)) return false;
    if (isStart) this.#fragments.push(Buffer.from([(payload[0]! & 0xe0) | (payload[1]! & 0x1f)]));
    this.#fragments.push(payload.subarray(2));
    if ((payload[1]! & 0x40) !== 0) {
      this.#units.push(Buffer.concat(this.#fragments));
      this.#fragments = [];
    }
    return true;
  }

  #complete(): void {
    if (this.#bytes === 0) return;
    const units = this.#units.filter((unit) => unitType(unit) !== H264.delimiter && unitType(unit) !== H264.filler);
    const isWhole = this.#fragments.length === 0;
    this.#clear();
    const slice = units.find((unit) => unitType(unit) >= H264.slice && unitType(unit) <= H264.idr);
    const hasParameters = this.#keepParameters(units);
    // Parameter sets or filler only.
    if (slice === undefined && isWhole) return;
    const isKey = slice !== undefined && unitType(slice) === H264.idr;
    // After a loss, the lost packets may have contained other parameter sets.
    const isDecodable = isKey ? hasParameters || (!this.#isCut && this.#sps && this.#pps) : !this.#needsKey;
    this.#isCut = false;
    if (!slice || !isWhole || !startsPicture(slice) || !isDecodable) {
      this.#needsKey = true;
      return;
    }
    this.#needsKey = false;
    this.#onFrame({
      units: isKey && !hasParameters ? this.#withParameters(units) : units,
      timestamp: this.#timestamp,
      isKey,
    });
  }

  /** Keeps the parameter sets among these units. Returns whether both are there. */
  #keepParameters(units: readonly Buffer[]): boolean {
    const sps = units.find((unit) => unitType(unit) === H264.sps);
    const pps = units.find((unit) => unitType(unit) === H264.pps);
    this.#sps = sps ?? this.#sps;
    this.#pps = pps ?? this.#pps;
    return sps !== undefined && pps !== undefined;
  }

  /** Puts the parameter sets that were sent before in front of the units. */
  #withParameters(units: readonly Buffer[]): Buffer[] {
    const others = units.filter((unit) => unitType(unit) !== H264.sps && unitType(unit) !== H264.pps);
    return [this.#sps!, this.#pps!, ...others];
  }
}
