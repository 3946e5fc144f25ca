/** Fields of an RTP packet made for a test. */
export interface PacketFields {
  sequence?: number;
  timestamp?: number;
  ssrc?: number;
  payloadType?: number;
  marker?: boolean;
  payload?: Buffer;
  /** Bytes of padding, the last of which says how many. */
  padding?: number;
  /** Header extensions by id, in the one-byte form or, with `twoByte`, in the two-byte form. */
  extensions?: Record<number, Buffer>;
  twoByte?: boolean;
  csrcs?: number;
}

function extensionBlock(extensions: Record<number, Buffer>, twoByte: boolean): Buffer {
  const parts = Object.entries(extensions).map(([id, value]) =>
    Buffer.concat([
      twoByte ? Buffer.from([Number(id), value.length]) : Buffer.from([(Number(id) << 4) | (value.length - 1)]),
      value,
    ]),
  );
  const body = Buffer.concat(parts);
  const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)]);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(twoByte ? 0x1000 : 0xbede, 0);
  head.writeUInt16BE(padded.length / 4, 2);
  return Buffer.concat([head, padded]);
}

const defaults = { sequence: 1, timestamp: 0, ssrc: 1, payloadType: 96, marker: false, padding: 0, csrcs: 0 };

export function rtpPacket(fields: PacketFields = {}): Buffer {
  const { sequence, timestamp, ssrc, payloadType, marker, padding, csrcs } = { ...defaults, ...fields };
  const header = Buffer.alloc(12 + csrcs * 4);
  header[0] = 0x80 | csrcs | (fields.extensions ? 0x10 : 0) | (padding > 0 ? 0x20 : 0);
  header[1] = payloadType | (marker ? 0x80 : 0);
  header.writeUInt16BE(sequence & 0xffff, 2);
  header.writeUInt32BE(timestamp >>> 0, 4);
  header.writeUInt32BE(ssrc, 8);
  const tail = Buffer.alloc(padding);
  if (padding > 0) tail[padding - 1] = padding;
  const extensions = fields.extensions ? extensionBlock(fields.extensions, fields.twoByte ?? false) : Buffer.alloc(0);
  return Buffer.concat([header, extensions, fields.payload ?? Buffer.from([1, 2, 3, 4]), tail]);
}

/** A VP8 payload (RFC 7741) with 15-bit picture id, TL0PICIDX and KEYIDX. */
export function vp8Payload(
  fields: { keyframe?: boolean; pictureId?: number; tl0?: number; keyIndex?: number; first?: boolean } = {},
): Buffer {
  const { keyframe = false, pictureId = 0, tl0 = 0, keyIndex = 0, first = true } = fields;
  return Buffer.from([
    0x80 | (first ? 0x10 : 0),
    0xf0,
    0x80 | (pictureId >> 8),
    pictureId & 0xff,
    tl0,
    keyIndex & 0x1f,
    keyframe ? 0 : 1,
    9,
    9,
    9,
  ]);
}
