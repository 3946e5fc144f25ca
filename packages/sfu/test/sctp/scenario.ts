import { seededRandom, type VirtualClock } from '../support/simulated-network.ts';
import { connectedPair, type Peer } from './support.ts';
import type { SctpChannel } from '../../src/transport/sctp/options.ts';

interface Sent {
  channel: SctpChannel;
  isReliable: boolean;
  /** Numbers of the messages that `send` accepted. */
  numbers: number[];
  /** Numbers that arrived. */
  arrived: number[];
}

function message(label: number, number: number, bytes: number): Buffer {
  const all = Buffer.alloc(12 + bytes, number);
  all.writeUInt32BE(label, 0);
  all.writeUInt32BE(number, 4);
  all.writeUInt32BE(bytes, 8);
  return all;
}

function faultOf(log: Sent | undefined, channel: SctpChannel, bytes: Buffer): string | undefined {
  const label = bytes.readUInt32BE(0);
  const number = bytes.readUInt32BE(4);
  if (log === undefined || channel.label !== String(label)) {
    return 'a message arrived on another channel';
  }
  if (!bytes.equals(message(label, number, bytes.readUInt32BE(8)))) {
    return 'a message is damaged';
  }
  if (log.arrived.includes(number)) {
    return 'a message arrived twice';
  }
  return log.channel.ordered && number < (log.arrived.at(-1) ?? 0) ? 'messages arrived out of order' : undefined;
}

/** For a time without a network. */
function interrupt(ends: readonly Peer[], clock: VirtualClock, ms: number): void {
  for (const end of ends) {
    end.link!.isCut = true;
  }
  clock.run(ms);
  for (const end of ends) {
    end.link!.isCut = false;
  }
}

/**
 * Two ends that open channels, send and close at random over a network that a seed makes bad, and rarely gone for
 * seconds. Returns what is wrong at the end; undefined for nothing.
 */
export function scenario(seed: number): string | undefined {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const both = connectedPair({
    seed,
    loss: below(4) * 0.05,
    duplicates: below(2) * 0.05,
    jitterMs: below(3) * 20,
    delayMs: 1 + below(100),
    bitsPerSecond: 1_000_000 + below(20_000_000),
    queuePackets: 20 + below(100),
  });
  const { clock } = both;
  const ends = [both.alice, both.bob];
  const logs = new Map<number, Sent>();
  let faults: string | undefined;
  let labels = 0;
  for (const end of ends) {
    end.onMessage = ({ channel, message: bytes }) => {
      const log = logs.get(bytes.readUInt32BE(0));
      const number = bytes.readUInt32BE(4);
      faults ??= faultOf(log, channel, bytes);
      log?.arrived.push(number);
    };
  }
  const open = (end: Peer) => {
    const isReliable = random() < 0.6;
    const limit = random() < 0.5 ? { maxRetransmits: below(3) } : { maxLifetimeMs: 50 + below(500) };
    const options = { ordered: random() < 0.5, ...(isReliable ? {} : limit) };
    const label = labels++;
    const channel = end.association.openChannel(String(label), options);
    logs.set(label, { channel, isReliable, numbers: [], arrived: [] });
    return { label, end };
  };
  const channels = [open(both.alice), open(both.bob)];
  for (let step = 0; step < 300; step++) {
    const action = below(100);
    const place = below(channels.length);
    if (action < 4 && channels.length < 8) {
      channels.push(open(ends[below(2)]!));
    } else if (action < 7 && channels.length > 1) {
      const { label, end } = channels.splice(place, 1)[0]!;
      end.association.closeChannel(logs.get(label)!.channel);
    } else if (action < 8) {
      interrupt(ends, clock, below(3000));
    } else {
      const { label, end } = channels[place]!;
      const log = logs.get(label)!;
      const number = log.numbers.length;
      if (end.association.send(log.channel, message(label, number, random() < 0.8 ? below(500) : below(30_000)))) {
        log.numbers.push(number);
      }
    }
    clock.run(below(60));
  }
  const isDone = (): boolean =>
    [...logs.values()].every((log) => !log.isReliable || log.arrived.length === log.numbers.length);
  clock.runUntil(() => faults !== undefined || isDone(), 120_000);
  const ended = ends.find(({ closedBecause }) => closedBecause !== undefined);
  if (ended !== undefined) {
    return `the association ended: ${ended.closedBecause}`;
  }
  return faults ?? (isDone() ? undefined : 'reliable messages are missing');
}
