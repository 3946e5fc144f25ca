import { packetChecksum } from '../../src/transport/sctp/wire/crc32c.ts';
import { seededRandom } from '../support/simulated-network.ts';
import { connectedPair, pattern, type Pair, type Peer } from './support.ts';

/** Packets of a connection that lives on, damaged in ways that pass the checksum, on their way to Bob. */
export class Mutants {
  /** Associations that a mutant ended (ABORT, a breach of protocol), each replaced by a new one. */
  ended = 0;
  sent = 0;
  messages = 0;
  readonly #random: () => number;
  #seed: number;
  #both: Pair;
  #corpus: Buffer[] = [];

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = seededRandom(seed);
    this.#both = this.#connect();
  }

  get bob(): Peer {
    return this.#both.bob;
  }

  /** One mutant; a real message and a stretch of time follow now and then, so that states change. */
  step(): void {
    const { clock, alice, bob } = this.#both;
    const mutant = this.#mutate(this.#corpus[this.#below(this.#corpus.length)]!);
    this.sent++;
    bob.association.receive(mutant);
    if (this.sent % 16 === 0) {
      clock.run(this.#below(100));
    }
    if (this.sent % 64 === 0) {
      const [channel] = alice.open;
      if (channel !== undefined) {
        alice.association.send(channel, pattern(this.#below(5000), this.sent));
      }
    }
    if (bob.closedBecause !== undefined || alice.closedBecause !== undefined || this.sent % 20_000 === 0) {
      this.ended += bob.closedBecause === undefined ? 0 : 1;
      alice.association.close();
      bob.association.close();
      this.#both = this.#connect();
    }
  }

  /** A pair whose packets to Bob are kept: handshake, channels, messages of all sizes, resets, loss, shutdown. */
  #connect(): Pair {
    this.#seed++;
    const both = connectedPair({ loss: 0.05, seed: this.#seed }, { receiveWindowBytes: 200_000 });
    const { clock, alice, bob } = both;
    bob.onMessage = () => {
      this.messages++;
    };
    const link = alice.link!;
    const send = link.send.bind(link);
    const corpus: Buffer[] = [];
    link.send = (packet) => {
      if (corpus.length < 500) {
        corpus.push(Buffer.from(packet));
      }
      send(packet);
    };
    const reliable = alice.association.openChannel('reliable', { ordered: true });
    const lossy = alice.association.openChannel('lossy', { ordered: false, maxRetransmits: 0 });
    const closing = alice.association.openChannel('closing', { ordered: true });
    clock.run(200);
    for (let index = 0; index < 20; index++) {
      alice.association.send(reliable, pattern(index * 300, index));
      alice.association.send(lossy, pattern(index * 50, index));
      bob.association.send(bob.open[0] ?? reliable, pattern(100, index));
      clock.run(20);
    }
    alice.association.closeChannel(closing);
    clock.run(20_000);
    this.#corpus = corpus;
    return both;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #mutate(original: Buffer): Buffer {
    let packet = Buffer.from(original);
    for (let change = this.#below(4); change >= 0; change--) {
      const at = 12 + this.#below(Math.max(1, packet.length - 12));
      switch (this.#below(7)) {
        case 0:
          packet[at] = this.#below(256);
          break;
        case 1:
          packet[at]! ^= 1 << this.#below(8);
          break;
        case 2:
          packet = packet.subarray(0, Math.max(13, at));
          break;
        case 3:
          // The type or length of the first chunk, or a count in it.
          packet[12 + this.#below(Math.min(16, packet.length - 12))] = this.#below(256);
          break;
        case 4:
          packet = Buffer.concat([packet, this.#corpus[this.#below(this.#corpus.length)]!.subarray(12)]);
          break;
        case 5:
          packet.fill(this.#below(2) * 255, at, Math.min(packet.length, at + this.#below(8)));
          break;
        default:
          if (packet.length >= 20) {
            const types = [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 14, 64, 130, 192, 194];
            packet[12] = types[this.#below(types.length)]!;
          }
      }
    }
    // One in 32 keeps its wrong checksum.
    if (packet.length >= 12 && this.#below(32) > 0) {
      packet.writeInt32LE(packetChecksum(packet, packet.length), 8);
    }
    return packet;
  }
}
