import { ChunkType } from './constants.ts';
import type { PacketReader } from './packet-reader.ts';

/** Flags of DATA and I-DATA chunks (RFC 9260 section 3.3.1, RFC 8260 section 2.1). */
export const DataFlag = { end: 1, beginning: 2, unordered: 4, immediate: 8 } as const;

/** Bytes before the payload: of a DATA chunk, and of an I-DATA chunk, both without the header of the chunk. */
export const DATA_FIXED = 12;
export const I_DATA_FIXED = 16;

/** One DATA or I-DATA chunk. One object is filled again and again: nothing is allocated for a chunk. */
export class DataChunk {
  /** Signed 32 bits. */
  tsn = 0;
  streamId = 0;
  /** DATA: the stream sequence number, 16 bits. I-DATA: the message id, signed 32 bits. */
  sequence = 0;
  /** I-DATA only: the fragment sequence number. */
  fragment = 0;
  /** Of I-DATA only in the first fragment. */
  protocol = 0;
  isInterleaved = false;
  isFirst = false;
  isLast = false;
  isUnordered = false;
  isImmediate = false;
  /** The payload, in the packet of the reader. */
  offset = 0;
  length = 0;

  /** Fills this from the reader's chunk. False: too short, or without payload (RFC 9260 section 6.2). */
  read(reader: PacketReader): boolean {
    const { packet, offset, flags } = reader;
    const isInterleaved = reader.type === ChunkType.iData;
    const fixed = isInterleaved ? I_DATA_FIXED : DATA_FIXED;
    if (reader.length <= fixed) return false;
    this.isInterleaved = isInterleaved;
    this.isFirst = (flags & DataFlag.beginning) !== 0;
    this.isLast = (flags & DataFlag.end) !== 0;
    this.isUnordered = (flags & DataFlag.unordered) !== 0;
    this.isImmediate = (flags & DataFlag.immediate) !== 0;
    this.tsn = packet.readInt32BE(offset);
    this.streamId = packet.readUInt16BE(offset + 4);
    if (isInterleaved) {
      this.sequence = packet.readInt32BE(offset + 8);
      const last = packet.readInt32BE(offset + 12);
      this.protocol = this.isFirst ? last : 0;
      this.fragment = this.isFirst ? 0 : last;
    } else {
      this.sequence = packet.readUInt16BE(offset + 6);
      this.protocol = packet.readInt32BE(offset + 8);
      this.fragment = 0;
    }
    this.offset = offset + fixed;
    this.length = reader.length - fixed;
    return true;
  }
}
