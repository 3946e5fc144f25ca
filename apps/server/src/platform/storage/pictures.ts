interface Size {
  width: number;
  height: number;
}

/** A picture that browsers show and that cannot contain code. */
export interface Picture extends Size {
  type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
}

/** Shorter than any picture's header. */
const MIN_BYTES = 30;

const hasText = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

/** PNG (third edition), 5.2 and 11.2.1: the header chunk comes first. */
function sizeOfPng(bytes: Buffer): Size | undefined {
  if (!hasText(bytes, 0, '\x89PNG\r\n\x1a\n') || !hasText(bytes, 12, 'IHDR')) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/**
 * JPEG (ITU-T T.81), B.1.1.3 and B.2.2: segments up to the frame header, whose marker is C0 to CF except three.
 */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  if (!hasText(bytes, 0, '\xff\xd8\xff')) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** WebP (RFC 9649), 2.5 to 2.7: one of three kinds of first chunk. */
function sizeOfWebp(bytes: Buffer): Size | undefined {
  if (!hasText(bytes, 0, 'RIFF') || !hasText(bytes, 8, 'WEBP')) return undefined;
  if (hasText(bytes, 12, 'VP8X')) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (hasText(bytes, 12, 'VP8L') && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (hasText(bytes, 12, 'VP8 ') && hasText(bytes, 23, '\x9d\x01\x2a')) {
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
  return undefined;
}

/** GIF89a, 17 and 18: the logical screen follows the signature. */
function sizeOfGif(bytes: Buffer): Size | undefined {
  if (!hasText(bytes, 0, 'GIF87a') && !hasText(bytes, 0, 'GIF89a')) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

const kinds = [
  ['image/png', sizeOfPng],
  ['image/jpeg', sizeOfJpeg],
  ['image/webp', sizeOfWebp],
  ['image/gif', sizeOfGif],
] as const;

/** The picture whose file begins with these bytes; undefined if it is none, or its size cannot be read from them. */
export function pictureOf(bytes: Buffer): Picture | undefined {
  if (bytes.length < MIN_BYTES) return undefined;
  for (const [type, sizeOf] of kinds) {
    const size = sizeOf(bytes);
    if (size && Math.min(size.width, size.height) > 0) return { type, ...size };
  }
  return undefined;
}
