import type { LivePart } from './window.ts';

/**
 * What an origin sends to a relay: frames of a type (1 byte), the length of the rest (4 bytes) and the rest. First
 * `hello`, then what the window has and `sync`, then each initialization segment and part as it is made.
 */
export type Frame =
  | { type: 'hello'; startsAt: number; gaps: number }
  | { type: 'init'; number: number; data: Buffer }
  | { type: 'part'; part: LivePart }
  /** That is what the window has. */
  | { type: 'sync' }
  /** The origin is alive. */
  | { type: 'beat' }
  /** Nothing follows: the recording is over. */
  | { type: 'end' };

const TYPES = { hello: 1, init: 2, part: 3, beat: 4, end: 5, sync: 6 } as const;
const HEAD = 5;
const HELLO = 12;
const INIT_HEAD = 4;
const PART_HEAD = 25;
/** Longer ones are no frames. */
const LONGEST = 64 * 2 ** 20;

function headed(type: keyof typeof TYPES, size: number, dataLength = 0): Buffer {
  const head = Buffer.alloc(HEAD + size);
  head.writeUInt8(TYPES[type], 0);
  head.writeUInt32BE(size + dataLength, 1);
  return head;
}

function partHead({ segment, init, startsSegment, at, duration, data }: LivePart): Buffer {
  const head = headed('part', PART_HEAD, data.length);
  head.writeUInt32BE(segment, HEAD);
  head.writeUInt32BE(init, HEAD + 4);
  head.writeUInt8(startsSegment ? 1 : 0, HEAD + 8);
  head.writeDoubleBE(at, HEAD + 9);
  head.writeDoubleBE(duration, HEAD + 17);
  return head;
}

/** The bytes of a frame; its data is not copied. */
export function frameOf(frame: Frame): Buffer[] {
  if (frame.type === 'part') return [partHead(frame.part), frame.part.data];
  if (frame.type === 'init') {
    const head = headed('init', INIT_HEAD, frame.data.length);
    head.writeUInt32BE(frame.number, HEAD);
    return [head, frame.data];
  }
  if (frame.type !== 'hello') return [headed(frame.type, 0)];
  const head = headed('hello', HELLO);
  head.writeDoubleBE(frame.startsAt, HEAD);
  head.writeUInt32BE(frame.gaps, HEAD + 8);
  return [head];
}

function frameIn(type: number, body: Buffer): Frame {
  if (type === TYPES.hello && body.length === HELLO)
    return { type: 'hello', startsAt: body.readDoubleBE(0), gaps: body.readUInt32BE(8) };
  if (type === TYPES.init && body.length >= INIT_HEAD)
    return { type: 'init', number: body.readUInt32BE(0), data: body.subarray(INIT_HEAD) };
  if (type === TYPES.part && body.length >= PART_HEAD) {
    const [segment, init] = [body.readUInt32BE(0), body.readUInt32BE(4)];
    const [at, duration] = [body.readDoubleBE(9), body.readDoubleBE(17)];
    const data = body.subarray(PART_HEAD);
    return { type: 'part', part: { segment, init, startsSegment: body.readUInt8(8) === 1, at, duration, data } };
  }
  if (type === TYPES.sync) return { type: 'sync' };
  if (type === TYPES.beat) return { type: 'beat' };
  if (type === TYPES.end) return { type: 'end' };
  throw new Error(`An origin sent a frame of type ${type} and ${body.length} bytes.`);
}

/** Puts frames together again. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #length = 0;

  /** The frames that are complete with this. @throws Error if it is none */
  *add(chunk: Buffer): Generator<Frame> {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#length >= HEAD) {
      const head = this.#chunks[0]!.length >= HEAD ? this.#chunks[0]! : this.#joined();
      const size = HEAD + head.readUInt32BE(1);
      if (size > LONGEST) throw new Error(`An origin sent a frame of ${size} bytes.`);
      if (this.#length < size) return;
      const bytes = this.#joined();
      const rest = bytes.subarray(size);
      this.#chunks = rest.length > 0 ? [rest] : [];
      this.#length = rest.length;
      // A copy: a part must not keep the whole chunk that it came with.
      yield frameIn(bytes.readUInt8(0), Buffer.from(bytes.subarray(HEAD, size)));
    }
  }

  #joined(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks, this.#length)];
    return this.#chunks[0]!;
  }
}
