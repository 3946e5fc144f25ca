import { describe, expect, test } from 'vitest';
import { Congestion } from '../../src/transport/sctp/sending/congestion.ts';
import { RoundTrip } from '../../src/transport/sctp/sending/round-trip.ts';
import { Sender } from '../../src/transport/sctp/sending/sender.ts';
import { ChunkType } from '../../src/transport/sctp/wire/constants.ts';
import { DataChunk } from '../../src/transport/sctp/wire/data.ts';
import { readForwardTsn } from '../../src/transport/sctp/wire/forward-tsn.ts';
import { PacketReader } from '../../src/transport/sctp/wire/packet-reader.ts';
import { PacketWriter } from '../../src/transport/sctp/wire/packet-writer.ts';

const MTU = 1200;
const BIG = 1172;
const reliable = { ordered: true };
const lossy = { ordered: false, maxRetransmits: 0 };

/** A sender whose packets are looked at, with a clock that is set. */
class Bench {
  now = 0;
  readonly sender: Sender;
  readonly #writer = new PacketWriter(MTU);
  readonly #reader = new PacketReader();

  constructor(interleaving = false, windowBytes = 1_000_000) {
    this.sender = new Sender({ mtu: MTU, initialTsn: 0, sendBufferBytes: 10_000_000, now: () => this.now });
    this.sender.start({ windowBytes, interleaving, partialReliability: true });
  }

  /** All packets that may leave now: 'tsn' or 'stream:tsn' of the data, '>tsn' of FORWARD-TSN. */
  leave(show: (chunk: DataChunk) => string | number = ({ tsn }) => tsn): (string | number)[] {
    const sent: (string | number)[] = [];
    for (;;) {
      this.#writer.begin(5000, 5000, 1);
      while (this.sender.fill(this.#writer)) {
        // As many chunks as fit.
      }
      if (this.#writer.isEmpty) return sent;
      const reader = this.#reader;
      reader.open(Buffer.from(this.#writer.finish()));
      while (reader.next()) {
        const chunk = new DataChunk();
        if (reader.type === ChunkType.forwardTsn || reader.type === ChunkType.iForwardTsn) {
          sent.push(`>${readForwardTsn(reader)!.cumulativeTsn}`);
        } else if (chunk.read(reader)) sent.push(show(chunk));
      }
    }
  }

  sack(cumulative: number, gaps: [number, number][] = [], window = 1_000_000): boolean {
    const writer = new PacketWriter(MTU);
    writer.begin(5000, 5000, 1);
    const at = writer.chunk(ChunkType.sack, 0, 12 + 4 * gaps.length);
    writer.buffer.writeInt32BE(cumulative, at);
    writer.buffer.writeUInt32BE(window, at + 4);
    writer.buffer.writeUInt32BE(gaps.length * 65_536, at + 8);
    for (const [index, [start, end]] of gaps.entries()) {
      writer.buffer.writeUInt16BE(start - cumulative, at + 12 + 4 * index);
      writer.buffer.writeUInt16BE(end - cumulative, at + 14 + 4 * index);
    }
    const reader = new PacketReader();
    reader.open(Buffer.from(writer.finish()));
    reader.next();
    return this.sender.handleSack(reader);
  }

  queue(
    count: number,
    delivery: { ordered: boolean; maxRetransmits?: number; maxLifetimeMs?: number } = reliable,
  ): void {
    for (let index = 0; index < count; index++) this.sender.enqueue(1, 53, Buffer.alloc(BIG), delivery);
  }

  /** Sets the clock to when the timer is due. */
  timer(): boolean {
    this.now = this.sender.timerAt;
    return this.sender.onTimer();
  }
}

describe('loss', () => {
  test('a retransmission that is lost too is repeated within a round trip, without the timer', () => {
    const bench = new Bench();
    bench.queue(5);
    expect(bench.leave()).toEqual([0, 1, 2, 3, 4]);
    bench.now = 40;
    bench.sack(-1, [[1, 4]]);
    bench.queue(4);
    expect(bench.leave()).toEqual([0, 5, 6, 7, 8]);
    bench.now = 80;
    bench.sack(-1, [[1, 8]]);
    expect(bench.leave()).toEqual([0]);
    bench.now = 120;
    bench.sack(8);
    expect(bench.sender.isBusy).toBe(false);
  });

  test('two packets that overtake do not make one lost, three do', () => {
    const bench = new Bench();
    bench.queue(4);
    bench.leave();
    bench.now = 40;
    bench.sack(-1, [[1, 2]]);
    expect(bench.leave()).toEqual([]);
    bench.sack(-1, [[1, 3]]);
    expect(bench.leave()).toEqual([0]);
  });

  test('if the end of a burst is lost, its last packet is repeated before the timeout and reveals the rest', () => {
    const bench = new Bench();
    bench.queue(8);
    bench.leave();
    bench.now = 40;
    bench.sack(3);
    expect(bench.timer()).toBe(false);
    expect(bench.now).toBeLessThan(200);
    expect(bench.leave()).toEqual([7]);
    bench.now += 40;
    bench.sack(3, [[7, 7]]);
    expect(bench.leave()).toEqual([4, 5, 6]);
  });

  test('the timeout doubles to five seconds at most, and what gap blocks named is sent again after the second', () => {
    const bench = new Bench();
    bench.queue(3);
    bench.leave();
    bench.now = 40;
    bench.sack(-1, [[1, 1]]);
    const waits: number[] = [];
    const sent: unknown[] = [];
    for (let count = 0; count < 9; count++) {
      const before = bench.now;
      if (!bench.timer()) count--;
      waits.push(bench.now - before);
      sent.push(bench.leave());
    }
    expect(Math.max(...waits)).toBe(5000);
    expect(sent.slice(0, 4)).toContainEqual([0, 2]);
    expect(sent.at(-1)).toEqual([0, 1, 2]);
    bench.sack(2);
    expect(bench.sender.rtoMs).toBeLessThan(500);
  });

  test('SACKs that are old, from the future or nonsense change nothing', () => {
    const bench = new Bench();
    bench.queue(5);
    bench.leave();
    expect(bench.sack(5)).toBe(false);
    expect(bench.sack(-2)).toBe(false);
    expect(bench.sack(-1, [[3, 9]])).toBe(false);
    expect(bench.sack(-1, [[3, 2]])).toBe(false);
    expect(bench.sack(1)).toBe(true);
    expect(bench.sack(0)).toBe(false);
    expect(bench.sender.bufferedAmount(1)).toBe(3 * BIG);
  });
});

describe('messages that may be lost', () => {
  test('a lost one is skipped by FORWARD-TSN, which is repeated until it is acknowledged', () => {
    const bench = new Bench();
    bench.queue(5, lossy);
    bench.leave();
    bench.now = 40;
    bench.sack(-1, [[1, 4]]);
    expect(bench.leave()).toEqual(['>0']);
    expect(bench.timer()).toBe(true);
    expect(bench.leave()).toEqual(['>0']);
    bench.now += 40;
    bench.sack(4);
    expect([bench.sender.isBusy, bench.sender.bufferedAmount(1), bench.sender.timerAt]).toEqual([false, 0, Infinity]);
  });

  test('one FORWARD-TSN skips lost ones with those between them that arrived, but no fragment of others', () => {
    const bench = new Bench();
    bench.queue(5, lossy);
    bench.sender.enqueue(1, 53, Buffer.alloc(2 * BIG), reliable);
    bench.queue(1, lossy);
    bench.leave();
    bench.now = 40;
    bench.sack(-1, [
      [1, 1],
      [3, 3],
      [5, 5],
    ]);
    bench.now = 80;
    bench.sender.onTimer();
    expect(bench.leave()).toEqual(['>4']);
  });

  test('a message whose lifetime ends half sent is given up with a TSN of its own', () => {
    const bench = new Bench(false, 2 * BIG);
    bench.sender.enqueue(1, 53, Buffer.alloc(5 * BIG), { ordered: true, maxLifetimeMs: 100 });
    bench.queue(1);
    expect(bench.leave()).toEqual([0, 1]);
    bench.now = 150;
    bench.sack(1);
    expect(bench.leave()).toEqual([3, '>2']);
    expect(bench.sender.bufferedAmount(1)).toBe(BIG);
    bench.now = 190;
    bench.sack(3);
    expect(bench.sender.isBusy).toBe(false);
  });
});

describe('whose turn it is', () => {
  const show = ({ streamId }: DataChunk) => streamId;

  test('channels alternate by message without I-DATA, by fragment with it', () => {
    for (const [interleaving, expected] of [
      [false, [1, 1, 1, 2, 2, 1, 1]],
      [true, [1, 2, 1, 2, 1, 1, 1]],
    ] as const) {
      const bench = new Bench(interleaving);
      bench.sender.enqueue(1, 53, Buffer.alloc(3 * 1168), reliable);
      bench.sender.enqueue(1, 53, Buffer.alloc(2 * 1168), reliable);
      bench.sender.enqueue(2, 53, Buffer.alloc(2 * 1168), reliable);
      expect(bench.leave(show).slice(0, 7)).toEqual(expected);
    }
  });

  test('a closed window is tested with one chunk, and an answered test does not count against the peer', () => {
    const bench = new Bench();
    bench.queue(1);
    bench.leave();
    bench.now = 40;
    bench.sack(0, [], 0);
    bench.queue(3);
    expect(bench.leave()).toEqual([1]);
    bench.now = 80;
    bench.sack(0, [], 0);
    bench.timer();
    expect(bench.timer()).toBe(false);
    expect(bench.leave()).toEqual([1]);
    bench.sack(1);
    expect(bench.leave()).toEqual([2, 3]);
  });
});

describe('the congestion window', () => {
  function rounds(count: number, { roundTripMs = 40, lossShare = 0 }): number {
    const roundTrip = new RoundTrip();
    const congestion = new Congestion(MTU, roundTrip);
    roundTrip.add(40);
    for (let round = 0; round < count; round++) {
      const bytes = congestion.window;
      congestion.limited();
      congestion.sample(roundTripMs);
      congestion.lost(bytes * lossShare);
      congestion.acked(bytes * (1 - lossShare));
      congestion.endRound();
    }
    return congestion.window / MTU;
  }

  test('10 % of loss without a queue do not shrink it; a queue with loss, or heavy loss, does', () => {
    expect(rounds(50, { lossShare: 0.1 })).toBeGreaterThan(40);
    expect(rounds(50, { lossShare: 0.02, roundTripMs: 80 })).toBe(4);
    expect(rounds(50, { lossShare: 0.3 })).toBeLessThan(30);
  });

  test('a queue of more than 50 ms makes way for others; a path that has become longer does not', () => {
    const roundTrip = new RoundTrip();
    const congestion = new Congestion(MTU, roundTrip);
    roundTrip.add(40);
    for (let round = 0; round < 60; round++) {
      congestion.limited();
      congestion.sample(300);
      congestion.acked(congestion.window);
      congestion.endRound();
    }
    expect(roundTrip.shortest).toBe(300);
    expect(congestion.window).toBeGreaterThan(10 * MTU);
  });
});
