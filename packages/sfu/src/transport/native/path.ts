import type { PacketQueue } from './packet-queue.ts';

/** One way to a peer: a UDP address, or a TCP connection. */
export interface Path {
  readonly kind: 'udp' | 'tcp';
  /** Sends one datagram of the arena at once. False: dropped. */
  sendNow(at: number, length: number): boolean;
  /**
   * TCP: writes the first `queue.sealed` packets of the queue, each framed (RFC 4571), and sets `queue.done` to the
   * number of packets that it took, or that were dropped. UDP: undefined, queues of UDP are sent together.
   */
  sendMany?(queue: PacketQueue): void;
  /** The address of the peer as the kernel gives it (struct sockaddr), in the arena. */
  readonly nameAt: number;
  close(): void;
}
