import { CHUNK_HEADER, ChunkType } from './chunk-types.ts';

/** One message that is skipped: ordered messages up to `sequence`, or, of I-FORWARD-TSN, unordered ones. */
export interface SkippedStream {
  streamId: number;
  sequence: number;
  isUnordered: boolean;
}

export interface ForwardTsnChunk {
  cumulativeTsn: number;
  streams: readonly SkippedStream[];
}

/** Reads a FORWARD-TSN (RFC 3758 section 3.2) or I-FORWARD-TSN (RFC 8260 section 2.3). */
export function readForwardTsn(packet: Buffer, start: number, end: number): ForwardTsnChunk | undefined {
  const offset = start + CHUNK_HEADER;
  if (end - offset < 4) return undefined;
  const isInterleaved = packet[start] === ChunkType.I_FORWARD_TSN;
  const size = isInterleaved ? 8 : 4;
  const streams: SkippedStream[] = [];
  for (let at = offset + 4; at + size <= end; at += size) {
    streams.push({
      streamId: packet.readUInt16BE(at),
      sequence: isInterleaved ? packet.readInt32BE(at + 4) : packet.readUInt16BE(at + 2),
      isUnordered: isInterleaved && (packet[at + 3]! & 1) === 1,
    });
  }
  return { cumulativeTsn: packet.readInt32BE(offset), streams };
}
