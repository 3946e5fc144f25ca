import { address, memory, point, reserve, words } from './arena.ts';
import { bindings, errno } from './bindings.ts';
import { NAME_BYTES } from './socket-address.ts';
import type { PacketQueue } from './packet-queue.ts';

const MESSAGES = 256;
const VECTORS = 2048;
/** Limits of UDP_SEGMENT. */
const SEGMENTS = 64;
const SEGMENTED_BYTES = 65_000;
const HEADER_BYTES = 64;
/** struct cmsghdr and the size of the segments, aligned. */
const CONTROL_BYTES = 24;
const SOL_UDP = 17;
const UDP_SEGMENT = 103;
const EINTR = 4;
const EIO = 5;
const EAGAIN = 11;
const EINVAL = 22;
const EMSGSIZE = 90;

/** Where a queue goes. */
export interface SendTarget {
  readonly nameAt: number;
  /** Whether the kernel segments messages to this destination; cleared when it refuses. */
  canSegment: boolean;
}

/** The socket of a batch. */
interface SendSocket {
  readonly descriptor: number;
  readonly nameBytes: number;
  canSegment: boolean;
}

/**
 * Sends what waits for many destinations in few calls: runs of packets of equal size, of which the last may be shorter,
 * as one message that the kernel segments (UDP_SEGMENT), and many messages by one sendmmsg. One instance serves all
 * sockets: nothing in it outlives a flush.
 */
class SendBatch {
  /** Packets that the kernel refused since the last `begin`. */
  unsent = 0;
  /** The kernel's buffer is full: nothing more is sent until the next `begin`. */
  isBlocked = false;
  readonly #headers = reserve(MESSAGES * HEADER_BYTES);
  readonly #vectors = reserve(VECTORS * 16);
  readonly #controls = reserve(MESSAGES * 32);
  readonly #sendmmsg = bindings().libc.sendmmsg;
  /** Of each message. Emptied after each flush, or they would keep what is closed. */
  readonly #queues: (PacketQueue | undefined)[] = Array.from({ length: MESSAGES });
  readonly #targets: (SendTarget | undefined)[] = Array.from({ length: MESSAGES });
  #socket: SendSocket | undefined;
  #messages = 0;
  /** The most messages since `begin`. */
  #used = 0;
  #vector = 0;

  constructor() {
    for (let index = 0; index < MESSAGES; index += 1) {
      const header = this.#headers + index * HEADER_BYTES;
      const control = this.#controls + index * 32;
      point(header + 32, control, CONTROL_BYTES);
      words[control >>> 2] = 18;
      words[(control + 8) >>> 2] = SOL_UDP;
      words[(control + 12) >>> 2] = UDP_SEGMENT;
    }
  }

  begin(socket: SendSocket): void {
    this.#socket = socket;
    this.unsent = 0;
    this.isBlocked = false;
  }

  /**
   * Adds the sealed packets of a queue. Those that were sent or refused are counted in `queue.done`, after `end` at the
   * latest.
   */
  add(queue: PacketQueue, target: SendTarget): void {
    let index = queue.done;
    while (index < queue.sealed && !this.isBlocked) {
      if (this.#messages === MESSAGES || this.#vector + SEGMENTS > VECTORS) this.#send();
      if (this.isBlocked) return;
      index += this.#addRun(queue, target, index);
    }
  }

  /** Sends the rest. */
  end(): void {
    if (this.#messages > 0) this.#send();
    this.#socket = undefined;
    this.#queues.fill(undefined, 0, this.#used);
    this.#targets.fill(undefined, 0, this.#used);
    this.#used = 0;
  }

  /** Adds a message with the packets from `first` on. Returns their number. */
  #addRun(queue: PacketQueue, target: SendTarget, first: number): number {
    const socket = this.#socket!;
    const size = queue.lengthOf(first);
    const most = socket.canSegment && target.canSegment ? SEGMENTS : 1;
    const start = this.#vectors + this.#vector * 16;
    let count = 0;
    let total = 0;
    let last = size;
    while (count < most && first + count < queue.sealed && last === size) {
      const length = queue.lengthOf(first + count);
      if (length > size || total + length > SEGMENTED_BYTES) break;
      const vector = start + count * 16;
      point(vector, queue.slots[first + count]!, length);
      words[(vector + 8) >>> 2] = length;
      total += length;
      last = length;
      count += 1;
    }
    const header = this.#headers + this.#messages * HEADER_BYTES;
    point(header, target.nameAt, NAME_BYTES);
    words[(header + 8) >>> 2] = socket.nameBytes;
    point(header + 16, start, count * 16);
    words[(header + 24) >>> 2] = count;
    words[(header + 40) >>> 2] = count > 1 ? CONTROL_BYTES : 0;
    words[(this.#controls + this.#messages * 32 + 16) >>> 2] = size;
    this.#queues[this.#messages] = queue;
    this.#targets[this.#messages] = target;
    this.#vector += count;
    this.#messages += 1;
    return count;
  }

  #send(): void {
    this.#used = Math.max(this.#used, this.#messages);
    let done = 0;
    while (done < this.#messages) {
      const header = this.#headers + done * HEADER_BYTES;
      const left = this.#messages - done;
      const sent = this.#sendmmsg(this.#socket!.descriptor, address(header, left * HEADER_BYTES), left, 0);
      if (sent > 0) {
        for (let index = done; index < done + sent; index += 1) this.#queues[index]!.done += this.#parts(index);
        done += sent;
        continue;
      }
      const code = errno();
      if (code === EINTR) continue;
      if (code === EAGAIN) {
        this.isBlocked = true;
        break;
      }
      this.#refused(done, code);
      done += 1;
    }
    this.#messages = 0;
    this.#vector = 0;
  }

  #parts(message: number): number {
    return words[(this.#headers + message * HEADER_BYTES + 24) >>> 2]!;
  }

  /**
   * A message that the kernel does not take. If it was to be segmented, its packets are sent one by one, now and from
   * now on: the path's MTU is smaller, or the interface (EIO) has no checksum offload.
   */
  #refused(message: number, code: number): void {
    const parts = this.#parts(message);
    const queue = this.#queues[message]!;
    if (parts > 1 && (code === EINVAL || code === EMSGSIZE || code === EIO)) {
      if (code === EIO) this.#socket!.canSegment = false;
      this.#targets[message]!.canSegment = false;
      const header = this.#headers + message * HEADER_BYTES;
      const vectors = this.#vectorsOf(message);
      words[(header + 40) >>> 2] = 0;
      words[(header + 24) >>> 2] = 1;
      for (let part = 0; part < parts; part += 1) {
        point(header + 16, vectors + part * 16, 16);
        if (this.#sendmmsg(this.#socket!.descriptor, address(header, HEADER_BYTES), 1, 0) !== 1) this.unsent += 1;
      }
    } else this.unsent += parts;
    queue.done += parts;
  }

  /** Where the vectors of a message are, by the pointer in its header. */
  #vectorsOf(message: number): number {
    const first = address(this.#vectors);
    const pointer = memory.readUIntLE(this.#headers + message * HEADER_BYTES + 16, 6);
    return this.#vectors + (pointer - first);
  }
}

let shared: SendBatch | undefined;

/** The batch of this process. */
export function sendBatch(): SendBatch {
  shared ??= new SendBatch();
  return shared;
}
