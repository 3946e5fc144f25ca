import { memory } from './arena.ts';
import type { Addressed } from './address-table.ts';
import type { Path } from './path.ts';
import type { SendTarget } from './send-batch.ts';
import { BlockPool } from './slots.ts';
import { NAME_BYTES } from './socket-address.ts';
import type { UdpSocket } from './udp.ts';

const NAME_BLOCK = 64;
const names = new BlockPool(NAME_BLOCK, 64, 65_536);

/** A peer's UDP address. */
export class UdpPath implements Path, SendTarget {
  readonly kind = 'udp';
  readonly nameAt: number;
  canSegment = true;
  readonly #socket: UdpSocket;

  /** @param nameAt the address in the arena, which is copied. @throws Error if there are too many */
  constructor(socket: UdpSocket, nameAt: number) {
    this.#socket = socket;
    this.nameAt = names.take();
    if (this.nameAt === 0) throw new Error('too many addresses');
    memory.copyWithin(this.nameAt, nameAt, nameAt + NAME_BYTES);
  }

  sendNow(at: number, length: number): boolean {
    return this.#socket.sendNow(this.nameAt, at, length);
  }

  close(): void {
    names.give(this.nameAt);
  }
}

/** One way to a peer and what ICE knows about it. Times are ticks of the hub's clock. */
export class PeerPath<P> implements Addressed {
  readonly path: Path;
  readonly peer: P;
  readonly nameAt: number;
  readonly hash: number;
  /** A check came from here. Until then it was only seen: media that is authentic. */
  isVerified = false;
  /** The last check of the peer from here had USE-CANDIDATE, at this time; -1 before. */
  nominatedAt = -1;
  /** Of the peer's candidate as its checks give it, a quarter. */
  priority = 0;
  /** When something authentic came from here. */
  heardAt: number;
  readonly createdAt: number;

  constructor(path: Path, peer: P, hash: number, now: number) {
    this.path = path;
    this.peer = peer;
    this.nameAt = path.nameAt;
    this.hash = hash;
    this.heardAt = now;
    this.createdAt = now;
  }
}
