/**
 * Serial numbers of 32 and 16 bits (RFC 1982). TSNs and message ids are kept as signed 32-bit numbers, which V8
 * stores without a heap number; only their differences have a meaning.
 */
export function isAfter(a: number, b: number): boolean {
  return ((a - b) | 0) > 0;
}

/** How far the 16-bit number `a` is ahead of `b`: -32,768 to 32,767. */
export function difference16(a: number, b: number): number {
  return ((a - b) << 16) >> 16;
}
