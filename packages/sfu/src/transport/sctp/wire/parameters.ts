/**
 * Walks over the parameters in [start, end) of `bytes` (RFC 9260 section 3.2.1). `visit` returns false to stop.
 *
 * @returns false if a length is wrong; parameters before it have been visited
 */
export function readParameters(
  bytes: Buffer,
  start: number,
  end: number,
  visit: (type: number, value: Buffer) => boolean | void,
): boolean {
  for (let at = start; at < end;) {
    if (end - at < 4) return false;
    const length = bytes.readUInt16BE(at + 2);
    if (length < 4 || length > end - at) return false;
    if (visit(bytes.readUInt16BE(at), bytes.subarray(at + 4, at + length)) === false) return true;
    at += (length + 3) & ~3;
  }
  return true;
}

/** One parameter or error cause, padded to four bytes. */
export function parameter(type: number, value: Uint8Array): Buffer {
  const bytes = Buffer.alloc((value.length + 7) & ~3);
  bytes.writeUInt16BE(type, 0);
  bytes.writeUInt16BE(value.length + 4, 2);
  bytes.set(value, 4);
  return bytes;
}

/** What the upper two bits of an unknown chunk or parameter ask for (RFC 9260 sections 3.2 and 3.2.1). */
export function unknownChunk(type: number): { stop: boolean; report: boolean } {
  return { stop: (type & 0x80) === 0, report: (type & 0x40) !== 0 };
}

export function unknownParameter(type: number): { stop: boolean; report: boolean } {
  return unknownChunk(type >> 8);
}
