import { difference16 } from '../wire/serial.ts';
import type { BufferAccount } from './buffer-account.ts';

interface Waiting {
  readonly protocol: number;
  readonly bytes: Buffer;
}

interface IncomingStream {
  /** Sequence number of the next ordered message. */
  next: number;
  /** Later messages, by sequence number. */
  waiting: Map<number, Waiting> | undefined;
}

type Deliver = (streamId: number, protocol: number, message: Buffer) => void;

/** Puts the ordered messages of each stream in order (RFC 9260 section 6.6). */
export class IncomingStreams {
  readonly #account: BufferAccount;
  readonly #deliver: Deliver;
  readonly #isInterleaved: boolean;
  readonly #streams = new Map<number, IncomingStream>();

  /** `isInterleaved`: sequence numbers are message ids of 32 bits (RFC 8260), otherwise they have 16 bits. */
  constructor(isInterleaved: boolean, account: BufferAccount, deliver: Deliver) {
    this.#isInterleaved = isInterleaved;
    this.#account = account;
    this.#deliver = deliver;
  }

  /** A whole ordered message; `bytes` is its own copy. */
  add(streamId: number, sequence: number, protocol: number, bytes: Buffer): void {
    const stream = this.#stream(streamId);
    const ahead = this.#difference(sequence, stream.next);
    if (ahead < 0) return;
    if (ahead === 0) {
      this.#advance(stream);
      this.#deliver(streamId, protocol, bytes);
      this.#drain(streamId, stream);
      return;
    }
    stream.waiting ??= new Map();
    if (stream.waiting.has(sequence)) return;
    stream.waiting.set(sequence, { protocol, bytes });
    this.#account.hold(bytes.length);
  }

  /** Messages up to `sequence` will not come; those that came are delivered (RFC 3758 section 3.6). */
  skip(streamId: number, sequence: number): void {
    const stream = this.#stream(streamId);
    if (this.#difference(sequence, stream.next) < 0) return;
    const before = [...(stream.waiting?.keys() ?? [])]
      .filter((one) => this.#difference(one, sequence) <= 0)
      .toSorted((a, b) => this.#difference(a, b));
    stream.next = sequence;
    this.#advance(stream);
    for (const one of before) this.#deliverWaiting(streamId, stream, one);
    this.#drain(streamId, stream);
  }

  /** The stream begins once more at 0; what waits is dropped. Without ids: all streams. */
  reset(streamIds?: ReadonlySet<number>): void {
    for (const [id, stream] of this.#streams) {
      if (streamIds !== undefined && !streamIds.has(id)) continue;
      for (const message of stream.waiting?.values() ?? []) this.#account.free(message.bytes.length);
      this.#streams.delete(id);
    }
  }

  #stream(streamId: number): IncomingStream {
    let stream = this.#streams.get(streamId);
    if (stream === undefined) {
      stream = { next: 0, waiting: undefined };
      this.#streams.set(streamId, stream);
    }
    return stream;
  }

  #difference(a: number, b: number): number {
    return this.#isInterleaved ? (a - b) | 0 : difference16(a, b);
  }

  #advance(stream: IncomingStream): void {
    stream.next = this.#isInterleaved ? (stream.next + 1) | 0 : (stream.next + 1) & 0xffff;
  }

  #drain(streamId: number, stream: IncomingStream): void {
    while (stream.waiting !== undefined && stream.waiting.has(stream.next)) {
      const { next } = stream;
      this.#advance(stream);
      this.#deliverWaiting(streamId, stream, next);
    }
  }

  #deliverWaiting(streamId: number, stream: IncomingStream, sequence: number): void {
    const message = stream.waiting?.get(sequence);
    if (message === undefined) return;
    stream.waiting?.delete(sequence);
    this.#account.free(message.bytes.length);
    this.#deliver(streamId, message.protocol, message.bytes);
  }
}
