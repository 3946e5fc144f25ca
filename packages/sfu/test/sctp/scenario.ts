import { seededRandom } from '../support/simulated-network.ts';
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
      if (log === undefined || channel.label !== String(bytes.readUInt32BE(0))) {
        faults = 'a message arrived on another channel';
      } else if (!bytes.equals(message(bytes.readUInt32BE(0), number, bytes.readUInt32BE(8)))) {
        faults = 'a message is damaged';
      } else if (log.arrived.includes(number)) {
        faults = 'a message arrived twice';
      } else if (log.channel.ordered && number < (log.arrived.at(-1) ?? 0)) {
        faults = 'messages arrived out of order';
      }
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
  for (let step = 0; step < 300 && faults === undefined; step++) {
    const action = below(100);
    const place = below(channels.length);
    if (action < 4 && channels.length < 8) {
      channels.push(open(ends[below(2)]!));
    } else if (action < 7 && channels.length > 1) {
      const { label, end } = channels.splice(place, 1)[0]!;
      end.association.closeChannel(logs.get(label)!.channel);
    } else if (action < 8) {
      for (const end of ends) {
        end.link!.isCut = !end.link!.isCut;
      }
      clock.run(below(3000));
      for (const end of ends) {
        end.link!.isCut = false;
      }
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
  const isDone = () => [...logs.values()].every((log) => !log.isReliable || log.arrived.length === log.numbers.length);
  clock.runUntil(() => faults !== undefined || isDone(), 120_000);
  const ended = ends
    .flatMap(({ closedBecause }, index) => (closedBecause === undefined ? [] : [`${index}: ${closedBecause}`]))
    .join();
  if (ended !== '') {
    faults ??= `the association ended: ${ended}`;
  }
  return faults ?? (isDone() ? undefined : 'reliable messages are missing');
}
