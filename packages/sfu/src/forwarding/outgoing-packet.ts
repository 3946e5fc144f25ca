import { type DependencyDescriptor, type RtpPacket, Vp8Descriptor } from '@rmeet/rtp';
import { Scratch } from './scratch.ts';

/** Larger payloads are invalid: they would not fit a datagram of 2048 bytes with every extension. */
const MAX_PAYLOAD = 1740;
const FIXED_HEADER = 12;
/** One-byte header extension block (RFC 8285 section 4.2) with room for the transport-wide sequence number. */
const EXTENSION_BLOCK = 8;
/** Where the payload of a packet without a descriptor starts. */
export const PLAIN_PAYLOAD_OFFSET = FIXED_HEADER + EXTENSION_BLOCK;
/** Position of the dependency descriptor's id in a packet that has one: after the transport-wide number. */
export const DESCRIPTOR_ID_OFFSET = FIXED_HEADER + 8;

const plainScratch = new Scratch();
const extendedScratch = new Scratch();

/**
 * One received packet on its way to all subscribers of a track. The payload is written once; each subscriber only
 * overwrites the header and sends. One instance serves all packets.
 *
 * Two layouts: with space for the transport-wide sequence number only, and with the dependency descriptor (AV1's frame
 * structure, which receivers of several spatial layers need) after it. In both, bytes 16 to 19 belong to the sink: it
 * writes the number there, or zeros, which count as padding (RFC 8285).
 */
export class OutgoingPacket {
  readonly vp8 = new Vp8Descriptor();
  /** First packet of a key frame (audio: always true). */
  keyframe = false;
  /** The frame of a scalable stream the packet belongs to; undefined if the sender does not provide it. */
  frame: DependencyDescriptor | undefined;
  hasVp8 = false;
  /** Padding only. */
  empty = false;
  /** RED audio (RFC 2198). */
  redundant = false;
  sequenceNumber = 0;
  timestamp = 0;
  markerBit = 0;
  /** Without its fixed header; the payload starts at PLAIN_PAYLOAD_OFFSET. */
  plain: Buffer = plainScratch.view(PLAIN_PAYLOAD_OFFSET);
  /** Like `plain`, with a descriptor whose id is at DESCRIPTOR_ID_OFFSET; undefined if the packet has none. */
  extended: Buffer | undefined;
  extendedPayloadOffset = 0;
  /** The frame number in the descriptor. */
  frameNumber = 0;

  /** Lays out the packet. Returns false if it is too large. */
  prepare(packet: RtpPacket, descriptorId: number): boolean {
    const { payloadOffset, payloadEnd } = packet;
    if (!this.prepareFrame(packet, packet.sequenceNumber, packet.timestamp, payloadOffset, payloadEnd)) return false;
    const payload = payloadEnd - payloadOffset;
    if (descriptorId !== 0 && packet.findExtension(descriptorId) && packet.extensionLength >= 3)
      this.#extend(packet, payload);
    return true;
  }

  /** Lays out a part of the payload as a separate packet: one frame of RED audio. */
  prepareFrame(packet: RtpPacket, sequenceNumber: number, timestamp: number, start: number, end: number): boolean {
    const payload = end - start;
    if (payload > MAX_PAYLOAD) return false;
    this.sequenceNumber = sequenceNumber;
    this.timestamp = timestamp;
    this.frame = undefined;
    this.redundant = false;
    this.markerBit = packet.marker && timestamp === packet.timestamp ? 0x80 : 0;
    this.empty = payload === 0;
    this.plain = plainScratch.view(PLAIN_PAYLOAD_OFFSET + payload);
    this.plain[0] = 0x90;
    this.plain[12] = 0xbe;
    this.plain[13] = 0xde;
    this.plain[14] = 0;
    this.plain[15] = 1;
    packet.buffer.copy(this.plain, PLAIN_PAYLOAD_OFFSET, start, end);
    this.extended = undefined;
    return true;
  }

  #extend(packet: RtpPacket, payload: number): void {
    const length = packet.extensionLength;
    const words = 1 + Math.ceil((length + 2) / 4);
    const payloadOffset = FIXED_HEADER + 4 + words * 4;
    const out = extendedScratch.view(payloadOffset + payload);
    out[0] = 0x90;
    // two-byte extension header (RFC 8285 section 4.3): a descriptor may exceed 16 bytes
    out.writeUInt16BE(0x1000, FIXED_HEADER);
    out.writeUInt16BE(words, FIXED_HEADER + 2);
    out[DESCRIPTOR_ID_OFFSET + 1] = length;
    this.frameNumber = packet.buffer.readUInt16BE(packet.extensionOffset + 1);
    packet.buffer.copy(out, DESCRIPTOR_ID_OFFSET + 2, packet.extensionOffset, packet.extensionOffset + length);
    out.fill(0, DESCRIPTOR_ID_OFFSET + 2 + length, payloadOffset);
    packet.buffer.copy(out, payloadOffset, packet.payloadOffset, packet.payloadEnd);
    this.extended = out;
    this.extendedPayloadOffset = payloadOffset;
  }
}
