/** RTMP's chunk stream, which carries messages in pieces (Adobe's RTMP 1.0 specification, section 5.3). */

/** A whole message. `time` in ms, wraps at 32 bits; `streamId` 0 is the connection itself. */
export interface RtmpMessage {
  type: number;
  streamId: number;
  time: number;
  payload: Buffer;
}

/** Payload bytes per chunk until the peer announces another size (section 5.4.1). */
const FIRST_CHUNK_SIZE = 128;
/** From this value on, a timestamp is in four bytes of its own (section 5.3.1.3). */
const EXTENDED = 0xffffff;
/** Bytes of a message header by its format (section 5.3.1.2). */
const HEADER_BYTES = [11, 7, 3, 0] as const;
/** Bytes of unfinished messages that are kept at first: commands are small. */
const COMMANDS = 64 << 10;
/** Chunk streams that a peer may have; encoders use four or five. */
const MOST_STREAMS = 64;

/**
 * Splits a message into chunks. Every message has a full header (format 0), so that a lost connection between two
 * messages cannot put the peer out of step.
 */
export function writeChunks(chunkStream: number, message: RtmpMessage, chunkSize: number): Buffer {
  const { payload } = message;
  const time = message.time >>> 0;
  const extended = time >= EXTENDED ? 4 : 0;
  const pieces = Math.max(1, Math.ceil(payload.length / chunkSize));
  const bytes = Buffer.allocUnsafe(12 + extended + payload.length + (pieces - 1) * (1 + extended));
  let at = bytes.writeUInt8(chunkStream, 0);
  at = bytes.writeUIntBE(Math.min(time, EXTENDED), at, 3);
  at = bytes.writeUIntBE(payload.length, at, 3);
  at = bytes.writeUInt8(message.type, at);
  at = bytes.writeUInt32LE(message.streamId, at);
  if (extended > 0) at = bytes.writeUInt32BE(time, at);
  for (let start = 0; ;) {
    const end = Math.min(start + chunkSize, payload.length);
    at += payload.copy(bytes, at, start, end);
    start = end;
    if (start >= payload.length) return bytes;
    at = bytes.writeUInt8(0xc0 | chunkStream, at);
    // Peers expect the extended timestamp in continuations too.
    if (extended > 0) at = bytes.writeUInt32BE(time, at);
  }
}

/** The last header of one chunk stream, and what has arrived of its current message. */
interface ChunkStream {
  time: number;
  /** The timestamp or delta of the last header; a continuation without a header repeats it. */
  step: number;
  isExtended: boolean;
  length: number;
  type: number;
  streamId: number;
  payload: Buffer | null;
  filled: number;
}

/** Assembles messages from a peer's bytes. */
export class ChunkReader {
  readonly #streams = new Map<number, ChunkStream>();
  #pending: Buffer = Buffer.alloc(0);
  #chunkSize = FIRST_CHUNK_SIZE;
  #allowed = COMMANDS;
  /** Bytes of the messages that have begun and not ended. */
  #unfinished = 0;

  /** Sets how many bytes of unfinished messages may be kept; a peer that exceeds it is cut off. */
  allow(bytes: number): void {
    this.#allowed = bytes;
  }

  /** The peer announced another chunk size. Throws RangeError outside 1 to 16,777,215. */
  setChunkSize(size: number): void {
    if (size < 1 || size > 0xffffff) throw new RangeError(`RTMP: chunk size ${size}`);
    this.#chunkSize = size;
  }

  /**
   * Takes the next bytes and calls `onMessage` for each message that is complete; the chunk size it sets applies to the
   * chunks behind that message. Throws RangeError on impossible headers; the connection must then be closed.
   */
  push(bytes: Buffer, onMessage: (message: RtmpMessage) => void): void {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    let at = 0;
    for (;;) {
      const used = this.#readChunk(at, onMessage);
      if (used === 0) break;
      at += used;
    }
    this.#pending = this.#pending.subarray(at);
  }

  /** Bytes of the chunk at `at`; 0 if it is not complete yet. */
  #readChunk(at: number, onMessage: (message: RtmpMessage) => void): number {
    const bytes = this.#pending;
    if (at >= bytes.length) return 0;
    const format = bytes[at]! >> 6;
    const basic = readBasicHeader(bytes, at);
    if (basic === null) return 0;
    const header = at + basic.length;
    const headerBytes = HEADER_BYTES[format]!;
    if (bytes.length < header + headerBytes) return 0;

    const known = this.#streams.get(basic.id);
    if (known === undefined && format !== 0) throw new RangeError('RTMP: a chunk without a message before it');
    const next = readHeader(bytes, header, format, known);
    let end = header + headerBytes;
    if (next.isExtended) {
      if (bytes.length < end + 4) return 0;
      if (format !== 3) next.step = bytes.readUInt32BE(end);
      end += 4;
    }
    // Checked before the bytes are waited for, which a sender may put into one large chunk.
    const begins = next.payload === null ? next.length : 0;
    if (this.#unfinished + begins > this.#allowed) throw new RangeError(`RTMP: a message of ${next.length} bytes`);
    const left = next.length - next.filled;
    const piece = Math.min(left, this.#chunkSize);
    if (bytes.length < end + piece) return 0;

    if (format !== 3) this.abort(basic.id);
    next.payload ??= this.#begin(basic.id, next, format === 0);
    bytes.copy(next.payload, next.filled, end, end + piece);
    next.filled += piece;
    if (next.filled === next.length) this.#finish(next, onMessage);
    return end + piece - at;
  }

  #begin(id: number, stream: ChunkStream, isAbsolute: boolean): Buffer {
    this.#unfinished += stream.length;
    this.#streams.set(id, stream);
    if (this.#streams.size > MOST_STREAMS) throw new RangeError('RTMP: too many chunk streams');
    stream.time = (isAbsolute ? stream.step : stream.time + stream.step) >>> 0;
    return Buffer.allocUnsafe(stream.length);
  }

  #finish(stream: ChunkStream, onMessage: (message: RtmpMessage) => void): void {
    const { type, streamId, time, payload } = stream;
    this.#clear(stream);
    onMessage({ type, streamId, time, payload: payload! });
  }

  /** Forgets what has arrived of a message that the sender gave up (section 5.4.2). */
  abort(chunkStream: number): void {
    const stream = this.#streams.get(chunkStream);
    if (stream?.payload) this.#clear(stream);
  }

  #clear(stream: ChunkStream): void {
    this.#unfinished -= stream.length;
    stream.payload = null;
    stream.filled = 0;
  }
}

/** The chunk stream's id, in one to three bytes (section 5.3.1.1); null if more bytes are needed. */
function readBasicHeader(bytes: Buffer, at: number): { id: number; length: number } | null {
  const id = bytes[at]! & 0x3f;
  if (id > 1) return { id, length: 1 };
  const length = id + 2;
  if (bytes.length < at + length) return null;
  return { id: id === 0 ? bytes[at + 1]! + 64 : bytes.readUInt16LE(at + 1) + 64, length };
}

/** The chunk stream after a message header of this format, whose missing fields are those of the message before. */
function readHeader(bytes: Buffer, at: number, format: number, known: ChunkStream | undefined): ChunkStream {
  const next: ChunkStream = known ?? {
    time: 0,
    step: 0,
    isExtended: false,
    length: 0,
    type: 0,
    streamId: 0,
    payload: null,
    filled: 0,
  };
  if (format === 3) return next;
  const started = { ...next, payload: null, filled: 0 };
  started.step = bytes.readUIntBE(at, 3);
  started.isExtended = started.step === EXTENDED;
  if (format < 2) {
    started.length = bytes.readUIntBE(at + 3, 3);
    started.type = bytes[at + 6]!;
  }
  if (format === 0) started.streamId = bytes.readUInt32LE(at + 7);
  return started;
}
