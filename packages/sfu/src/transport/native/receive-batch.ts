import { address, point, reserve, words } from './arena.ts';
import { bindings } from './bindings.ts';
import { NAME_BYTES } from './socket-address.ts';

const BATCH = 64;
const DATAGRAM_BYTES = 2048;
const MSG_TRUNC = 0x20;
/**
 * struct mmsghdr of 64-bit Linux: name 0, namelen 8, iov 16, iovlen 24, control 32, controllen 40, flags 48, len 56.
 */
const HEADER_BYTES = 64;

/** Handles one datagram, valid during the call: its place and length, and the sender's socket address. */
export type DatagramHandler = (at: number, length: number, nameAt: number) => void;

/** Receives up to 64 datagrams by one call. One instance serves all sockets: reading never waits. */
class ReceiveBatch {
  readonly #headers = reserve(BATCH * HEADER_BYTES);
  readonly #vectors = reserve(BATCH * 16);
  readonly #names = reserve(BATCH * NAME_BYTES);
  readonly #data = reserve(BATCH * DATAGRAM_BYTES);
  readonly #recvmmsg = bindings().libc.recvmmsg;
  readonly #address = address(this.#headers, BATCH * HEADER_BYTES);

  constructor() {
    for (let index = 0; index < BATCH; index += 1) {
      const header = this.#headers + index * HEADER_BYTES;
      const vector = this.#vectors + index * 16;
      point(header, this.#names + index * NAME_BYTES, NAME_BYTES);
      point(header + 16, vector, 16);
      words[(header + 24) >>> 2] = 1;
      point(vector, this.#data + index * DATAGRAM_BYTES, DATAGRAM_BYTES);
      words[(vector + 8) >>> 2] = DATAGRAM_BYTES;
    }
  }

  /** Reads a batch. Returns the number of datagrams; fewer than 64 means that no more were there. */
  read(descriptor: number, handle: DatagramHandler): number {
    const headers = this.#headers >>> 2;
    // the kernel overwrites the length of the name
    for (let index = 0; index < BATCH; index += 1) words[headers + index * 16 + 2] = NAME_BYTES;
    const count = this.#recvmmsg(descriptor, this.#address, BATCH, 0, 0);
    for (let index = 0; index < count; index += 1) {
      const header = headers + index * 16;
      if ((words[header + 12]! & MSG_TRUNC) !== 0) continue;
      handle(this.#data + index * DATAGRAM_BYTES, words[header + 14]!, this.#names + index * NAME_BYTES);
    }
    return count;
  }
}

let shared: ReceiveBatch | undefined;

/** See ReceiveBatch.read. */
export function receiveBatch(descriptor: number, handle: DatagramHandler): number {
  shared ??= new ReceiveBatch();
  return shared.read(descriptor, handle);
}

export { BATCH as RECEIVE_BATCH };
