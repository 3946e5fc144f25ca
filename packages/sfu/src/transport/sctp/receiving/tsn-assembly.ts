import type { DataChunk } from '../wire/data.ts';
import { isAfter } from '../wire/serial.ts';
import type { Assembly, WholeMessage } from './assembly.ts';
import type { BufferAccount } from './buffer-account.ts';

interface Fragment {
  readonly tsn: number;
  readonly streamId: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly bytes: Buffer;
  /** In the first and the last fragment of a run only: TSN of the other end, and bytes of the run. */
  other: number;
  sum: number;
}

/**
 * Fragments of DATA chunks: those of one message have consecutive TSNs (RFC 9260 section 6.9). Neighbours form a run,
 * whose two ends know each other, so that a fragment costs the same however long the message is.
 */
export class TsnAssembly implements Assembly {
  readonly #account: BufferAccount;
  readonly #mostBytes: number;
  readonly #fragments = new Map<number, Fragment>();

  constructor(account: BufferAccount, mostBytes: number) {
    this.#account = account;
    this.#mostBytes = mostBytes;
  }

  add(packet: Buffer, chunk: DataChunk): WholeMessage | 'too long' | undefined {
    const { tsn } = chunk;
    const fragment: Fragment = {
      tsn,
      streamId: chunk.streamId,
      isFirst: chunk.isFirst,
      isLast: chunk.isLast,
      bytes: Buffer.from(packet.subarray(chunk.offset, chunk.offset + chunk.length)),
      other: tsn,
      sum: chunk.length,
    };
    const before = chunk.isFirst ? undefined : this.#fragments.get((tsn - 1) | 0);
    const after = chunk.isLast ? undefined : this.#fragments.get((tsn + 1) | 0);
    this.#fragments.set(tsn, fragment);
    this.#account.hold(chunk.length);
    const left = before === undefined || before.isLast ? fragment : this.#fragments.get(before.other)!;
    const right = after === undefined || after.isFirst ? fragment : this.#fragments.get(after.other)!;
    const sum = (left === fragment ? 0 : left.sum) + fragment.sum + (right === fragment ? 0 : right.sum);
    left.other = right.tsn;
    right.other = left.tsn;
    left.sum = sum;
    right.sum = sum;
    if (sum > this.#mostBytes) return 'too long';
    if (!left.isFirst || !right.isLast) return undefined;
    const bytes = this.#take(left.tsn, right.tsn, sum);
    const { streamId, sequence, protocol, isUnordered } = chunk;
    return { streamId, sequence, protocol, isUnordered, bytes };
  }

  skip(cumulativeTsn: number): void {
    for (const fragment of this.#fragments.values()) {
      if (!isAfter(fragment.tsn, cumulativeTsn)) this.#drop(fragment);
    }
    // The rest of a message that lost its beginning.
    for (let tsn = (cumulativeTsn + 1) | 0; ; tsn = (tsn + 1) | 0) {
      const fragment = this.#fragments.get(tsn);
      if (fragment === undefined || fragment.isFirst) return;
      this.#drop(fragment);
      if (fragment.isLast) return;
    }
  }

  reset(streamIds?: ReadonlySet<number>): void {
    for (const fragment of this.#fragments.values()) {
      if (streamIds === undefined || streamIds.has(fragment.streamId)) this.#drop(fragment);
    }
  }

  #drop(fragment: Fragment): void {
    this.#fragments.delete(fragment.tsn);
    this.#account.free(fragment.bytes.length);
  }

  #take(first: number, last: number, length: number): Buffer {
    const message = Buffer.allocUnsafe(length);
    let at = 0;
    for (let tsn = first; ; tsn = (tsn + 1) | 0) {
      const fragment = this.#fragments.get(tsn)!;
      message.set(fragment.bytes, at);
      at += fragment.bytes.length;
      this.#drop(fragment);
      if (tsn === last) return message;
    }
  }
}
