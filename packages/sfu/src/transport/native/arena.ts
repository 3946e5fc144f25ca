/**
 * All memory that native code sees comes from one block outside V8's heap. It lives as long as the process, so that no
 * garbage collection frees or moves what a raw address names, and every address is checked here, and only here.
 *
 * The block is big, but the kernel gives a page only when it is touched first.
 */
import { koffi } from './koffi.ts';

const SIZE = 96 << 20;
const ALIGNMENT = 64;

export const memory: Buffer = Buffer.alloc(SIZE);
/** The same bytes as 32-bit words in the byte order of the machine: the word at offset o is `words[o >>> 2]`. */
export const words = new Uint32Array(memory.buffer, memory.byteOffset, SIZE / 4);
/** The same bytes for numbers in network order. */
export const view = new DataView(memory.buffer, memory.byteOffset, SIZE);

const base = koffi === undefined ? 0 : Number(koffi.address(memory));
/** Offset 0 is never handed out: 0 may stand for "none". */
let used = ALIGNMENT;

/**
 * Reserves bytes for as long as the process lives.
 *
 * @returns an offset, aligned to 64 bytes; the bytes are zero
 * @throws Error 'arena full'
 */
export function reserve(bytes: number): number {
  const at = used;
  const end = (at + bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
  if (!(bytes >= 0) || end > SIZE) throw new Error('arena full');
  used = end;
  return at;
}

/**
 * The native address of [offset, offset + length).
 *
 * @throws RangeError if these bytes are not all in the arena
 */
export function address(offset: number, length = 1): number {
  if (!(offset >= ALIGNMENT && length >= 0 && offset + length <= SIZE)) {
    throw new RangeError(`outside the arena: ${String(offset)}+${String(length)}`);
  }
  return base + offset;
}

/** Writes the address of [offset, offset + length) as a 64-bit pointer at `at`. */
export function point(at: number, offset: number, length: number): void {
  const pointer = address(offset, length);
  words[at >>> 2] = pointer; // modulo 2^32
  words[(at >>> 2) + 1] = pointer / 4_294_967_296;
}

/** The native address of a new NUL-terminated string in Latin-1, which native code may keep. */
export function cstring(text: string): number {
  const at = reserve(text.length + 1);
  memory.write(`${text}\0`, at, 'latin1');
  return base + at;
}
