import { crc32, createInflateRaw } from 'node:zlib';

/** A file inside an archive, packed, as described in the archive's directory. */
export interface ZipPart {
  isDeflated: boolean;
  packed: Buffer;
  /** Bytes it unpacks to. */
  size: number;
  crc: number;
}

const END = { signature: 0x06_05_4b_50, length: 22, comment: 65_535 };
const ENTRY = { signature: 0x02_01_4b_50, length: 46 };
const LOCAL = { signature: 0x04_03_4b_50, length: 30 };
const ENCRYPTED = 1;
const METHODS = { stored: 0, deflated: 8 };

function expectSignature(file: Buffer, at: number, signature: number): void {
  if (file.readUInt32LE(at) !== signature) throw new Error('This is not a zip archive.');
}

/** Where the directory's end record begins: near the end of the file, possibly before a comment. */
function endOf(file: Buffer): number {
  const first = Math.max(0, file.length - END.length - END.comment);
  for (let at = file.length - END.length; at >= first; at -= 1) if (file.readUInt32LE(at) === END.signature) return at;
  throw new Error('This is not a zip archive.');
}

/**
 * The files of an archive by their names in lower case, from its directory (APPNOTE.TXT, section 4.3.12); nothing is
 * unpacked. Encrypted files, and those packed by methods no office program uses, are left out.
 *
 * @throws Error for anything that is not a complete archive
 */
export function partsOf(file: Buffer): Map<string, ZipPart> {
  const end = endOf(file);
  const parts = new Map<string, ZipPart>();
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    expectSignature(file, at, ENTRY.signature);
    const [flags, method, packedSize] = [
      file.readUInt16LE(at + 8),
      file.readUInt16LE(at + 10),
      file.readUInt32LE(at + 20),
    ];
    const nameEnd = at + ENTRY.length + file.readUInt16LE(at + 28);
    const local = file.readUInt32LE(at + 42);
    expectSignature(file, local, LOCAL.signature);
    const begin = local + LOCAL.length + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    if (begin + packedSize > file.length) throw new Error('The archive is cut off.');
    if ((flags & ENCRYPTED) === 0 && (method === METHODS.stored || method === METHODS.deflated)) {
      parts.set(file.toString('utf8', at + ENTRY.length, nameEnd).toLowerCase(), {
        isDeflated: method === METHODS.deflated,
        packed: file.subarray(begin, begin + packedSize),
        size: file.readUInt32LE(at + 24),
        crc: file.readUInt32LE(at + 16),
      });
    }
    at = nameEnd + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return parts;
}

/**
 * The bytes of a file, piece by piece. A directory may be wrong: no piece is unpacked beyond the size it states.
 *
 * @throws Error if size or checksum differ from the directory, or the packed bytes are broken
 */
export async function* unpack({ isDeflated, packed, size, crc }: ZipPart): AsyncGenerator<Buffer> {
  const pieces: AsyncIterable<Buffer> | Buffer[] = isDeflated ? createInflateRaw().end(packed) : [packed];
  let [length, sum] = [0, 0];
  for await (const piece of pieces) {
    length += piece.length;
    if (length > size) throw new Error('A file of the archive is longer than its directory tells.');
    sum = crc32(piece, sum);
    yield piece;
  }
  if (length !== size || sum !== crc) throw new Error('A file of the archive is damaged.');
}
