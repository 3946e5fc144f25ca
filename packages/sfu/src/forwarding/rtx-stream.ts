import { randomInt } from 'node:crypto';
import { Scratch } from './scratch.ts';

const scratch = new Scratch();
/** Bytes of the original sequence number in front of the payload (RFC 4588 section 4). */
const ORIGINAL_SEQUENCE = 2;

/** The retransmission stream of one subscriber's media stream (RFC 4588), with its own SSRC and sequence numbers. */
export class RtxStream {
  readonly ssrc = randomInt(1, 0xffff_ffff);
  payloadType = 0;
  #sequence = randomInt(0x10000);

  /** Wraps a whole packet of the media stream, whose payload starts at `payloadOffset`. Valid until the next call. */
  wrap(packet: Buffer, payloadOffset: number): Buffer {
    const out = scratch.view(packet.length + ORIGINAL_SEQUENCE);
    packet.copy(out, 0, 0, payloadOffset);
    packet.copy(out, payloadOffset + ORIGINAL_SEQUENCE, payloadOffset);
    out[payloadOffset] = packet[2]!;
    out[payloadOffset + 1] = packet[3]!;
    this.#sequence = (this.#sequence + 1) & 0xffff;
    out[1] = (packet[1]! & 0x80) | this.payloadType;
    out.writeUInt16BE(this.#sequence, 2);
    out.writeUInt32BE(this.ssrc, 8);
    return out;
  }

  /** A packet of padding only, at most `bytes` long; `timestamp` is that of the last packet of the media stream. */
  padding(bytes: number, headerBytes: number, timestamp: number): Buffer {
    const size = Math.max(1, Math.min(255, bytes - headerBytes));
    const out = scratch.view(headerBytes + size);
    writePadding(out, headerBytes);
    this.#sequence = (this.#sequence + 1) & 0xffff;
    out[1] = this.payloadType;
    out.writeUInt16BE(this.#sequence, 2);
    out.writeUInt32BE(timestamp, 4);
    out.writeUInt32BE(this.ssrc, 8);
    return out;
  }
}

/** Fills a packet with padding after a header with an empty extension block (RFC 3550 section 5.1, RFC 8285). */
export function writePadding(out: Buffer, headerBytes: number): void {
  out[0] = 0xb0;
  out.writeUInt32BE(0xbede_0000 + (headerBytes - 16) / 4, 12);
  out.fill(0, 16);
  out[out.length - 1] = out.length - headerBytes;
}
