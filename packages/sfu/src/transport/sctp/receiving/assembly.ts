import type { DataChunk } from '../wire/data.ts';
import type { SkippedStream } from '../wire/forward-tsn.ts';

/** A message whose fragments are all there. */
export interface WholeMessage {
  readonly streamId: number;
  readonly sequence: number;
  readonly protocol: number;
  readonly isUnordered: boolean;
  readonly bytes: Buffer;
}

/** Collects the fragments of messages. A fragment is given once only. */
export interface Assembly {
  /**
   * Keeps a copy of the fragment.
   *
   * @returns the message if it is whole now; 'too long' if it exceeds the bound; undefined otherwise
   */
  add(packet: Buffer, chunk: DataChunk): WholeMessage | 'too long' | undefined;
  /** All TSNs up to this one, and these messages, will not come: drops their fragments. */
  skip(cumulativeTsn: number, streams: readonly SkippedStream[]): void;
  /** Drops the fragments of these streams; without them of all. */
  reset(streamIds?: ReadonlySet<number>): void;
}
