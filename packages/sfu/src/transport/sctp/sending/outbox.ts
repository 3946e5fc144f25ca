import type { Delivery } from '../parts.ts';

/** What a queued message costs beyond its bytes, so that many small ones are bounded too. */
const MESSAGE_COST = 128;
const NEVER = 2 ** 30;

/** One message from `enqueue` until all its chunks are acknowledged or it is abandoned. */
export interface OutgoingMessage {
  readonly stream: OutgoingStream;
  readonly protocol: number;
  readonly isUnordered: boolean;
  /** How many transmissions of a chunk are allowed. */
  readonly mostSends: number;
  /** Infinity: never. */
  readonly expiresAt: number;
  /** Empty once it is abandoned. */
  bytes: Buffer;
  /** Bytes that have a TSN. */
  sent: number;
  /** Chunks that have a TSN. */
  fragments: number;
  /** Chunks that are acknowledged, and those of them that are acknowledged cumulatively. */
  arrived: number;
  acknowledged: number;
  firstTsn: number;
  /** Stream sequence number, or message id of I-DATA: given with the first TSN. */
  sequence: number;
  isAbandoned: boolean;
}

export interface OutgoingStream {
  readonly id: number;
  /** Messages with bytes that have no TSN yet. */
  readonly queue: OutgoingMessage[];
  /** Bytes queued or not acknowledged. */
  bytes: number;
  nextOrdered: number;
  nextUnordered: number;
}

/** Messages that wait, by stream, and whose turn it is. */
export class Outbox {
  isInterleaved = false;
  /** Bytes of messages that may be begun and not wholly sent at a time, unless it is one. */
  mostBegun = Infinity;
  #begun = 0;
  /** Bytes queued or not acknowledged, with the cost of queued messages. */
  #total = 0;
  readonly #mostBytes: number;
  readonly #streams = new Map<number, OutgoingStream>();
  /** Streams with something to send, in turn: the first is served. */
  readonly #turns: OutgoingStream[] = [];

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** False: full. */
  add(streamId: number, protocol: number, bytes: Uint8Array, delivery: Delivery, now: number): boolean {
    const cost = bytes.length + MESSAGE_COST;
    if (this.#total + cost > this.#mostBytes) return false;
    let stream = this.#streams.get(streamId);
    if (stream === undefined) {
      stream = { id: streamId, queue: [], bytes: 0, nextOrdered: 0, nextUnordered: 0 };
      this.#streams.set(streamId, stream);
    }
    this.#total += cost;
    stream.bytes += bytes.length;
    if (stream.queue.length === 0) this.#turns.push(stream);
    stream.queue.push({
      stream,
      protocol,
      isUnordered: !delivery.ordered,
      mostSends: Math.min(delivery.maxRetransmits ?? NEVER, NEVER) + 1,
      expiresAt: delivery.maxLifetimeMs === undefined ? Infinity : now + delivery.maxLifetimeMs,
      bytes: Buffer.from(bytes),
      sent: 0,
      fragments: 0,
      arrived: 0,
      acknowledged: 0,
      firstTsn: 0,
      sequence: 0,
      isAbandoned: false,
    });
    return true;
  }

  /**
   * The message whose fragment is sent next. With I-DATA the peer holds what is unfinished: messages that are begun
   * together fit into half of its window, or it could fill with fragments of which no message becomes whole.
   */
  get next(): OutgoingMessage | undefined {
    for (let turn = this.#turns.length; turn > 0 && this.isInterleaved; turn--) {
      const message = this.#turns[0]!.queue[0]!;
      const isBegun = message.fragments > 0;
      if (isBegun || this.#begun === 0 || this.#begun + message.bytes.length <= this.mostBegun) break;
      this.#turns.push(this.#turns.shift()!);
    }
    return this.#turns[0]?.queue[0];
  }

  /** The first fragment of the message gets a TSN: numbers the message. */
  begin(message: OutgoingMessage, tsn: number): void {
    const { stream } = message;
    const mask = this.isInterleaved ? -1 : 0xffff;
    message.firstTsn = tsn;
    this.#begun += message.bytes.length;
    if (!message.isUnordered) {
      message.sequence = stream.nextOrdered;
      stream.nextOrdered = (stream.nextOrdered + 1) & mask;
    } else if (this.isInterleaved) {
      message.sequence = stream.nextUnordered;
      stream.nextUnordered = (stream.nextUnordered + 1) | 0;
    }
  }

  /**
   * A fragment of `next` was sent. With I-DATA the turn goes to the next stream after each fragment, otherwise after
   * each message, whose fragments need consecutive TSNs (RFC 9260 section 6.9).
   */
  advance(message: OutgoingMessage): void {
    if (message.sent === message.bytes.length) this.#leave(message);
    else if (this.isInterleaved && this.#turns.length > 1) this.#turns.push(this.#turns.shift()!);
  }

  /** `bytes` of a message were acknowledged. */
  release(message: OutgoingMessage, bytes: number): void {
    message.stream.bytes -= bytes;
    this.#total -= bytes;
  }

  /** Drops the message: what has no TSN is not sent, and `bytes` that have one are not awaited any more. */
  abandon(message: OutgoingMessage, bytes: number): void {
    const unsent = message.bytes.length - message.sent;
    message.isAbandoned = true;
    this.release(message, bytes + unsent);
    if (unsent > 0) this.#leave(message);
    message.bytes = message.bytes.subarray(0, 0);
  }

  /** True: a message of the stream has bytes without TSN. */
  hasQueued(streamId: number): boolean {
    return (this.#streams.get(streamId)?.queue.length ?? 0) > 0;
  }

  bytesOf(streamId: number): number {
    return this.#streams.get(streamId)?.bytes ?? 0;
  }

  reset(streamId: number): void {
    const stream = this.#streams.get(streamId);
    if (stream === undefined) return;
    stream.nextOrdered = 0;
    stream.nextUnordered = 0;
    if (stream.bytes === 0 && stream.queue.length === 0) this.#streams.delete(streamId);
  }

  clear(): void {
    this.#streams.clear();
    this.#turns.length = 0;
    this.#total = this.#mostBytes;
  }

  /** All of the message has a TSN, or it is abandoned: it leaves the queue, and its stream goes behind the others. */
  #leave(message: OutgoingMessage): void {
    const { stream } = message;
    const place = stream.queue.indexOf(message);
    if (place === -1) return;
    if (place === 0) stream.queue.shift();
    else stream.queue.splice(place, 1);
    if (message.fragments > 0) this.#begun -= message.bytes.length;
    this.#total -= MESSAGE_COST;
    const turn = this.#turns.indexOf(stream);
    this.#turns.splice(turn, 1);
    if (stream.queue.length > 0) this.#turns.push(stream);
  }
}
