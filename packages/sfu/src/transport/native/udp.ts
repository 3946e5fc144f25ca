import { address, memory, point, reserve, words } from './arena.ts';
import { bindings, errno } from './bindings.ts';
import { Poll } from './poll.ts';
import { receiveBatch, RECEIVE_BATCH, type DatagramHandler } from './receive-batch.ts';
import { AF_INET, AF_INET6, NAME_BYTES, nameBytes, readPort, writeSocketAddress } from './socket-address.ts';
import type { AddressFamily } from './socket-address.ts';
import { READABLE, WRITABLE } from './uv-handle.ts';

const SOCK_DGRAM = 2;
const NONBLOCK_CLOEXEC = 0o2004000;
const SOL_SOCKET = 1;
const SO_SNDBUF = 7;
const SO_RCVBUF = 8;
const IPPROTO_IPV6 = 41;
const IPV6_V6ONLY = 26;
const BUFFER_BYTES = 4 << 20;
/** At most 256 datagrams at a time, so that the event loop gets its turn. */
const ROUNDS = 4;
const ERRORS: Readonly<Record<number, string>> = {
  13: 'EACCES',
  97: 'EAFNOSUPPORT',
  98: 'EADDRINUSE',
  99: 'EADDRNOTAVAIL',
};

/** Memory for calls that end before the next one begins. */
interface CallMemory {
  option: number;
  name: number;
  header: number;
  vector: number;
}
let calls: CallMemory | undefined;

interface UdpHandler {
  /** One datagram, valid during the call. */
  datagram: DatagramHandler;
  /** After the datagrams that were read together. */
  batchEnd(): void;
  /** After `awaitWritable`. */
  writable(): void;
}

function failed(what: string): never {
  const code = ERRORS[errno()] ?? `errno ${errno()}`;
  throw Object.assign(new Error(`${what} ${code}`), { code, syscall: what });
}

/** A nonblocking UDP socket, of both address families unless bound to an address of IPv4. */
export class UdpSocket {
  readonly family: AddressFamily;
  /** Bytes of its socket addresses. */
  readonly nameBytes: number;
  readonly descriptor: number;
  readonly port: number;
  /** Whether the kernel segments messages of this socket. */
  canSegment = true;
  readonly #handler: UdpHandler;
  readonly #poll: Poll;
  #closed = false;

  /**
   * Opens and binds a socket.
   *
   * @param port 0 for any free one
   * @param host the only address, as text; undefined for all
   * @throws Error with a code, and the syscall `bind` or `socket`
   */
  constructor(port: number, host: string | undefined, handler: UdpHandler) {
    calls ??= { option: reserve(64), name: reserve(NAME_BYTES), header: reserve(64), vector: reserve(16) };
    const { libc } = bindings();
    let family: AddressFamily = host === undefined || host.includes(':') ? AF_INET6 : AF_INET;
    let descriptor = libc.socket(family, SOCK_DGRAM | NONBLOCK_CLOEXEC, 0);
    if (descriptor < 0 && host === undefined) {
      family = AF_INET;
      descriptor = libc.socket(family, SOCK_DGRAM | NONBLOCK_CLOEXEC, 0);
    }
    if (descriptor < 0) failed('socket');
    this.family = family;
    this.nameBytes = nameBytes(family);
    this.descriptor = descriptor;
    this.#handler = handler;
    try {
      if (family === AF_INET6) this.#setOption(IPPROTO_IPV6, IPV6_V6ONLY, 0);
      this.#setOption(SOL_SOCKET, SO_SNDBUF, BUFFER_BYTES);
      this.#setOption(SOL_SOCKET, SO_RCVBUF, BUFFER_BYTES);
      this.port = this.#bind(host, port);
      this.#poll = new Poll(descriptor, (events) => this.#ready(events));
    } catch (error) {
      libc.close(descriptor);
      throw error;
    }
  }

  /**
   * Sends one datagram of the arena at once.
   *
   * @param nameAt the receiver's socket address in the arena
   * @returns false if the kernel did not take it
   */
  sendNow(nameAt: number, at: number, length: number): boolean {
    if (this.#closed) return false;
    const { header, vector } = calls!;
    point(vector, at, length);
    words[(vector + 8) >>> 2] = length;
    point(header, nameAt, this.nameBytes);
    words[(header + 8) >>> 2] = this.nameBytes;
    point(header + 16, vector, 16);
    words[(header + 24) >>> 2] = 1;
    return bindings().libc.sendmmsg(this.descriptor, address(header, 64), 1, 0) === 1;
  }

  /** Calls `writable` once the kernel's buffer has space. */
  awaitWritable(): void {
    this.#poll.watch(READABLE | WRITABLE);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#poll.close();
    bindings().libc.close(this.descriptor);
  }

  #ready(events: number): void {
    if ((events & WRITABLE) !== 0) {
      this.#poll.watch(READABLE);
      this.#handler.writable();
    }
    if ((events & READABLE) === 0) return;
    let round = 0;
    while (!this.#closed && round < ROUNDS) {
      if (receiveBatch(this.descriptor, this.#handler.datagram) < RECEIVE_BATCH) break;
      round += 1;
    }
    if (!this.#closed) this.#handler.batchEnd();
  }

  #setOption(level: number, option: number, value: number): void {
    const { option: at } = calls!;
    memory.writeInt32LE(value, at);
    bindings().libc.setsockopt(this.descriptor, level, option, address(at, 4), 4);
  }

  #bind(host: string | undefined, port: number): number {
    const { libc } = bindings();
    const { name, option } = calls!;
    writeSocketAddress(name, this.family, host, port);
    if (libc.bind(this.descriptor, address(name, NAME_BYTES), this.nameBytes) !== 0) failed('bind');
    words[option >>> 2] = NAME_BYTES;
    if (libc.getsockname(this.descriptor, address(name, NAME_BYTES), address(option, 4)) !== 0) failed('getsockname');
    return readPort(name);
  }
}
