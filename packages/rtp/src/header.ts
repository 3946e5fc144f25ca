import { SSRC_OFFSET } from './packet.ts';

/** One header extension to write: its negotiated id and its value of 1 to 16 bytes. */
export interface ExtensionValue {
  id: number;
  value: Buffer;
}

/**
 * An RTP header with one-byte header extensions (RFC 8285 section 4.2). Sequence number and timestamp are zero: the
 * sender writes them into each packet (SEQUENCE_OFFSET, TIMESTAMP_OFFSET).
 */
export function writeHeader(
  payloadType: number,
  marker: boolean,
  ssrc: number,
  extensions: readonly ExtensionValue[],
): Buffer {
  const fixed = Buffer.alloc(12);
  fixed[0] = extensions.length > 0 ? 0x90 : 0x80;
  fixed[1] = (marker ? 0x80 : 0) | payloadType;
  fixed.writeUInt32BE(ssrc, SSRC_OFFSET);
  if (extensions.length === 0) return fixed;
  const body = Buffer.concat(
    extensions.map(({ id, value }) => Buffer.concat([Buffer.from([(id << 4) | (value.length - 1)]), value])),
  );
  const words = Math.ceil(body.length / 4);
  const block = Buffer.alloc(4 + words * 4);
  block.writeUInt16BE(0xbede, 0);
  block.writeUInt16BE(words, 2);
  body.copy(block, 4);
  return Buffer.concat([fixed, block]);
}
