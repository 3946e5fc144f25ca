import { ChunkType } from './constants.ts';
import type { PacketReader } from './packet-reader.ts';

/** One message that is skipped: ordered messages up to `sequence`, or, of I-FORWARD-TSN, unordered ones. */
export interface SkippedStream {
  streamId: number;
  sequence: number;
  isUnordered: boolean;
}

interface ForwardTsnChunk {
  cumulativeTsn: number;
  streams: readonly SkippedStream[];
}

/** Reads a FORWARD-TSN (RFC 3758 section 3.2) or I-FORWARD-TSN (RFC 8260 section 2.3). */
export function readForwardTsn(reader: PacketReader): ForwardTsnChunk | undefined {
  const { packet, offset, length } = reader;
  if (length < 4) return undefined;
  const isInterleaved = reader.type === ChunkType.iForwardTsn;
  const size = isInterleaved ? 8 : 4;
  // By stream and order: a correct peer names each once, and a hostile one gains nothing by naming it often.
  const streams = new Map<number, SkippedStream>();
  for (let at = offset + 4; at + size <= offset + length; at += size) {
    const streamId = packet.readUInt16BE(at);
    const isUnordered = isInterleaved && (packet[at + 3]! & 1) === 1;
    const sequence = isInterleaved ? packet.readInt32BE(at + 4) : packet.readUInt16BE(at + 2);
    streams.set(2 * streamId + (isUnordered ? 1 : 0), { streamId, sequence, isUnordered });
  }
  return { cumulativeTsn: packet.readInt32BE(offset), streams: [...streams.values()] };
}
