import type { DataChunk } from '../wire/data.ts';
import type { SkippedStream } from '../wire/forward-tsn.ts';
import type { Assembly, WholeMessage } from './assembly.ts';
import type { BufferAccount } from './buffer-account.ts';

interface Unfinished {
  readonly streamId: number;
  readonly sequence: number;
  readonly isUnordered: boolean;
  protocol: number;
  sum: number;
  /** Number of the last fragment; -1 until it came. */
  last: number;
  readonly fragments: Map<number, Buffer>;
}

/** Fragments of I-DATA chunks: they belong together by stream, order and message id (RFC 8260 section 2.1). */
export class MessageAssembly implements Assembly {
  readonly #account: BufferAccount;
  readonly #mostBytes: number;
  /** By 2 x stream id, plus 1 for unordered messages, then by message id. */
  readonly #streams = new Map<number, Map<number, Unfinished>>();

  constructor(account: BufferAccount, mostBytes: number) {
    this.#account = account;
    this.#mostBytes = mostBytes;
  }

  add(packet: Buffer, chunk: DataChunk): WholeMessage | 'too long' | undefined {
    const message = this.#message(chunk);
    if (message.fragments.has(chunk.fragment)) return undefined;
    message.fragments.set(chunk.fragment, Buffer.from(packet.subarray(chunk.offset, chunk.offset + chunk.length)));
    this.#account.hold(chunk.length);
    message.sum += chunk.length;
    if (chunk.isFirst) message.protocol = chunk.protocol;
    if (chunk.isLast) message.last = chunk.fragment;
    if (message.sum > this.#mostBytes) return 'too long';
    if (message.fragments.size !== message.last + 1) return undefined;
    const bytes = this.#join(message);
    this.#drop(message);
    const { streamId, sequence, protocol, isUnordered } = message;
    return bytes === undefined ? undefined : { streamId, sequence, protocol, isUnordered, bytes };
  }

  skip(_cumulativeTsn: number, streams: readonly SkippedStream[]): void {
    for (const skipped of streams) {
      const messages = this.#streams.get(2 * skipped.streamId + (skipped.isUnordered ? 1 : 0));
      for (const message of messages?.values() ?? []) {
        if (((message.sequence - skipped.sequence) | 0) <= 0) this.#drop(message);
      }
    }
  }

  reset(streamIds?: ReadonlySet<number>): void {
    for (const messages of this.#streams.values()) {
      for (const message of messages.values()) {
        if (streamIds === undefined || streamIds.has(message.streamId)) this.#drop(message);
      }
    }
  }

  #message(chunk: DataChunk): Unfinished {
    const { streamId, sequence, isUnordered } = chunk;
    const key = 2 * streamId + (isUnordered ? 1 : 0);
    let messages = this.#streams.get(key);
    if (messages === undefined) {
      messages = new Map();
      this.#streams.set(key, messages);
    }
    let message = messages.get(sequence);
    if (message === undefined) {
      message = { streamId, sequence, isUnordered, protocol: 0, sum: 0, last: -1, fragments: new Map() };
      messages.set(sequence, message);
    }
    return message;
  }

  /** Undefined: a fragment has a number after the last one, so another one is missing for good. */
  #join(message: Unfinished): Buffer | undefined {
    const joined = Buffer.allocUnsafe(message.sum);
    let at = 0;
    for (let number = 0; number <= message.last; number++) {
      const fragment = message.fragments.get(number);
      if (fragment === undefined) return undefined;
      joined.set(fragment, at);
      at += fragment.length;
    }
    return joined;
  }

  #drop(message: Unfinished): void {
    for (const fragment of message.fragments.values()) this.#account.free(fragment.length);
    const key = 2 * message.streamId + (message.isUnordered ? 1 : 0);
    const messages = this.#streams.get(key);
    messages?.delete(message.sequence);
    if (messages?.size === 0) this.#streams.delete(key);
  }
}
