import { SctpAssociation } from '../../src/transport/sctp/association.ts';
import type { SctpChannel, SctpOptions } from '../../src/transport/sctp/options.ts';
import { SimulatedLink, VirtualClock, type LinkOptions } from '../support/simulated-network.ts';

export interface Received {
  channel: SctpChannel;
  message: Buffer;
  isBinary: boolean;
}

/** One end with what happened to it. */
export class Peer {
  readonly association: SctpAssociation;
  readonly received: Received[] = [];
  readonly open: SctpChannel[] = [];
  readonly closed: SctpChannel[] = [];
  isConnected = false;
  closedBecause: string | undefined;
  link: SimulatedLink | undefined;
  /** Called in place of keeping the message. */
  onMessage: ((received: Received) => void) | undefined;

  constructor(clock: VirtualClock, options: Partial<SctpOptions>) {
    this.association = new SctpAssociation(
      { isDtlsClient: false, maxMessageBytes: 262_144, now: clock.now, setTimer: clock.setTimer, ...options },
      {
        send: (packet) => {
          this.link?.send(packet);
          return true;
        },
        connected: () => {
          this.isConnected = true;
        },
        channelOpen: (channel) => this.open.push(channel),
        channelClosed: (channel) => this.closed.push(channel),
        message: (channel, message, isBinary) => {
          const received = { channel, message, isBinary };
          if (this.onMessage === undefined) {
            this.received.push(received);
          } else {
            this.onMessage(received);
          }
        },
        closed: (reason) => {
          this.closedBecause = reason;
        },
      },
    );
  }
}

export interface Pair {
  clock: VirtualClock;
  alice: Peer;
  bob: Peer;
}

/** Two ends over two links of the same kind; not started. */
export function pair(link: LinkOptions = {}, options: Partial<SctpOptions> = {}): Pair {
  const clock = new VirtualClock();
  const alice = new Peer(clock, { ...options, isDtlsClient: true });
  const bob = new Peer(clock, options);
  alice.link = new SimulatedLink(clock, link, (packet) => bob.association.receive(packet));
  bob.link = new SimulatedLink(clock, { ...link, seed: (link.seed ?? 1) + 1000 }, (packet) =>
    alice.association.receive(packet),
  );
  return { clock, alice, bob };
}

/** Two ends that are connected. */
export function connectedPair(link: LinkOptions = {}, options: Partial<SctpOptions> = {}): Pair {
  const both = pair(link, options);
  both.alice.association.start();
  both.bob.association.start();
  if (!both.clock.runUntil(() => both.alice.isConnected && both.bob.isConnected, 60_000)) {
    throw new Error('not connected');
  }
  return both;
}

/** `bytes` that depend on position and seed, so that a misplaced part shows. */
export function pattern(bytes: number, seed: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  for (let at = 0; at < bytes; at++) {
    buffer[at] = (at * 31 + (at >> 8) * 7 + seed) & 255;
  }
  return buffer;
}

/** Sends `count` messages as the send buffer allows; the receiver checks content and order. */
export function transfer(
  { clock, alice, bob }: Pair,
  options: { count: number; bytes: number; limitMs: number; label?: string },
): { seconds: number; wrong: number; got: number } {
  const channel = alice.association.openChannel(options.label ?? 'bulk', { ordered: true });
  const begin = clock.exact;
  let sent = 0;
  let got = 0;
  let wrong = 0;
  bob.onMessage = ({ message }) => {
    if (!message.equals(pattern(options.bytes, got))) {
      wrong++;
    }
    got++;
  };
  const pump = () => {
    while (sent < options.count && alice.association.send(channel, pattern(options.bytes, sent))) {
      sent++;
    }
    if (sent < options.count) {
      clock.setTimer(pump, 5);
    }
  };
  pump();
  clock.runUntil(
    () => got === options.count || alice.closedBecause !== undefined || bob.closedBecause !== undefined,
    options.limitMs,
  );
  return { seconds: (clock.exact - begin) / 1000, wrong, got };
}
