import { describe, expect, test } from 'vitest';
import { Receiver } from '../../src/transport/sctp/receiving/receiver.ts';
import { ChunkType } from '../../src/transport/sctp/wire/constants.ts';
import { PacketReader } from '../../src/transport/sctp/wire/packet-reader.ts';
import { PacketWriter } from '../../src/transport/sctp/wire/packet-writer.ts';
import { SackChunk } from '../../src/transport/sctp/wire/sack.ts';

interface Chunk {
  tsn: number;
  stream?: number;
  sequence?: number;
  /** 'B' first, 'E' last, 'U' unordered. */
  flags?: string;
  fragment?: number;
  text?: string;
}

/** A receiver that is fed with chunks, one packet each. */
class Bench {
  now = 0;
  readonly messages: string[] = [];
  readonly failures: string[] = [];
  readonly receiver: Receiver;
  readonly #isInterleaved: boolean;

  constructor({ isInterleaved = false, receiveWindowBytes = 100_000, maxMessageBytes = 50_000 } = {}) {
    this.#isInterleaved = isInterleaved;
    this.receiver = new Receiver(
      { receiveWindowBytes, maxMessageBytes, now: () => this.now },
      {
        message: (stream, _ppid, message) => this.messages.push(`${stream}:${message.toString()}`),
        failed: (reason) => this.failures.push(reason),
      },
    );
    this.receiver.start(0, isInterleaved);
  }

  data(...chunks: Chunk[]): void {
    for (const { tsn, stream = 1, sequence = 0, flags = 'BE', fragment = 0, text = 'x' } of chunks) {
      const bits = (flags.includes('B') ? 2 : 0) | (flags.includes('E') ? 1 : 0) | (flags.includes('U') ? 4 : 0);
      const value = Buffer.alloc((this.#isInterleaved ? 16 : 12) + text.length);
      value.writeInt32BE(tsn, 0);
      value.writeUInt16BE(stream, 4);
      if (this.#isInterleaved) {
        value.writeInt32BE(sequence, 8);
        value.writeInt32BE(flags.includes('B') ? 51 : fragment, 12);
      } else {
        value.writeUInt16BE(sequence, 6);
        value.writeInt32BE(51, 8);
      }
      value.write(text, value.length - text.length);
      const type = this.#isInterleaved ? ChunkType.iData : ChunkType.data;
      this.receiver.handleData(reader(type, bits, value));
      this.receiver.endPacket();
    }
  }

  forward(tsn: number, ...streams: [number, number][]): void {
    const value = Buffer.alloc(4 + 4 * streams.length);
    value.writeInt32BE(tsn, 0);
    for (const [index, [stream, sequence]] of streams.entries()) {
      value.writeUInt16BE(stream, 4 + 4 * index);
      value.writeUInt16BE(sequence, 6 + 4 * index);
    }
    this.receiver.handleForwardTsn(reader(ChunkType.forwardTsn, 0, value));
    this.receiver.endPacket();
  }

  sack(): { cumulative: number; window: number; gaps: [number, number][]; duplicates: number } {
    const writer = new PacketWriter(1200);
    writer.begin(5000, 5000, 1);
    this.receiver.writeSack(writer);
    const packet = new PacketReader();
    packet.open(writer.finish());
    packet.next();
    const sack = new SackChunk();
    expect(sack.read(packet)).toBe(true);
    const gaps = Array.from({ length: sack.gaps }, (_, index): [number, number] => [
      sack.cumulativeTsn + sack.gapStart(index),
      sack.cumulativeTsn + sack.gapEnd(index),
    ]);
    return { cumulative: sack.cumulativeTsn, window: sack.window, gaps, duplicates: sack.duplicates };
  }
}

function reader(type: number, flags: number, value: Buffer): PacketReader {
  const writer = new PacketWriter(60_000);
  writer.begin(5000, 5000, 1);
  value.copy(writer.buffer, writer.chunk(type, flags, value.length));
  const found = new PacketReader();
  found.open(writer.finish());
  found.next();
  return found;
}

describe('SACK', () => {
  test('reports gaps and duplicates at once, and a single packet after 20 ms', () => {
    const bench = new Bench();
    bench.data({ tsn: 0 });
    expect(bench.receiver.sackAt).toBe(-Infinity);
    bench.sack();
    bench.now = 100;
    bench.data({ tsn: 1, sequence: 1 });
    expect(bench.receiver.sackAt).toBe(120);
    bench.data({ tsn: 3, sequence: 3 }, { tsn: 4, sequence: 4 }, { tsn: 7, sequence: 7 }, { tsn: 4, sequence: 4 });
    expect(bench.receiver.sackAt).toBe(-Infinity);
    expect(bench.sack()).toMatchObject({
      cumulative: 1,
      gaps: [
        [3, 4],
        [7, 7],
      ],
      duplicates: 1,
    });
    expect(bench.receiver.sackAt).toBe(Infinity);
  });

  test('TSNs in any order, over 1,000 of them, are all delivered once', () => {
    const bench = new Bench({ receiveWindowBytes: 10_000_000 });
    const order = Array.from({ length: 1000 }, (_, index) => (index * 387) % 1000);
    for (const tsn of [...order, ...order]) bench.data({ tsn, sequence: tsn, text: String(tsn) });
    expect(bench.messages).toEqual(Array.from({ length: 1000 }, (_, index) => `1:${index}`));
    expect(bench.sack()).toMatchObject({ cumulative: 999, gaps: [], window: 10_000_000 });
  });
});

describe('messages beyond a gap', () => {
  test('unordered ones and those of other streams do not wait, ordered ones do', () => {
    const bench = new Bench();
    bench.data(
      { tsn: 1, sequence: 1, text: 'second' },
      { tsn: 3, flags: 'UE', text: 'b' },
      { tsn: 2, flags: 'UB', text: 'a' },
      { tsn: 4, stream: 2, text: 'other' },
    );
    expect(bench.messages).toEqual(['1:ab', '2:other']);
    bench.data({ tsn: 0, text: 'first' });
    expect(bench.messages.slice(2)).toEqual(['1:first', '1:second']);
    expect(bench.receiver.windowBytes).toBe(100_000);
  });

  test('a message is whole in whatever order its fragments arrive', () => {
    const fragments = 'abcdef'.split('').map((text, tsn) => ({
      tsn,
      text,
      flags: tsn === 0 ? 'B' : tsn === 5 ? 'E' : '',
      fragment: tsn,
    }));
    for (const isInterleaved of [false, true]) {
      for (const order of ['012345', '543210', '204153', '135024']) {
        const bench = new Bench({ isInterleaved });
        bench.data(...order.split('').map((at) => fragments[Number(at)]!));
        expect(bench.messages).toEqual(['1:abcdef']);
        expect(bench.receiver.windowBytes).toBe(100_000);
      }
    }
  });

  test('FORWARD-TSN drops the fragments of what is given up, and what waits for it is delivered', () => {
    const bench = new Bench();
    bench.data(
      { tsn: 1, sequence: 0, flags: '', text: 'lost' },
      { tsn: 3, sequence: 1, text: 'b' },
      { tsn: 5, sequence: 3, text: 'd' },
    );
    expect(bench.messages).toEqual([]);
    bench.forward(2, [1, 0]);
    expect(bench.messages).toEqual(['1:b']);
    bench.forward(4, [1, 2]);
    expect(bench.messages).toEqual(['1:b', '1:d']);
    expect(bench.sack()).toEqual({ cumulative: 5, gaps: [], duplicates: 0, window: 100_000 });
    bench.forward(2 ** 30, [1, 9]);
    expect(bench.sack().cumulative).toBe(5);
  });
});

describe('the receive buffer', () => {
  const text = 'x'.repeat(1000);

  test('when it is full, the next TSN is still accepted and all others are dropped without SACK', () => {
    const bench = new Bench({ receiveWindowBytes: 5000 });
    for (let tsn = 1; tsn < 20; tsn++) bench.data({ tsn, sequence: tsn, text });
    const { window, gaps } = bench.sack();
    expect(gaps).toEqual([[1, 4]]);
    expect(window).toBeLessThan(1000);
    bench.data({ tsn: 0, text });
    expect(bench.messages).toHaveLength(5);
    expect(bench.sack()).toMatchObject({ cumulative: 4, window: 5000 });
  });

  test('a message above the bound and unfinished messages without end are failures', () => {
    const bench = new Bench({ maxMessageBytes: 3000 });
    for (let tsn = 0; tsn < 4; tsn++) bench.data({ tsn, flags: tsn === 0 ? 'B' : '', text });
    expect(bench.failures).toEqual(['a message exceeds the bound']);
    const many = new Bench({ isInterleaved: true, receiveWindowBytes: 5000, maxMessageBytes: 1000 });
    for (let tsn = 0; tsn < 40; tsn++) many.data({ tsn, sequence: tsn, flags: 'B', text });
    expect(many.failures[0]).toBe('unfinished messages exceed the receive buffer');
  });

  test('data of a stream that was not offered is acknowledged and dropped', () => {
    const bench = new Bench();
    bench.data({ tsn: 0, stream: 1024 }, { tsn: 1, stream: 65_535, flags: 'B' });
    expect(bench.messages).toEqual([]);
    expect(bench.sack()).toMatchObject({ cumulative: 1, window: 100_000 });
  });

  test('a reset stream begins at 0 once more and frees what waits', () => {
    const bench = new Bench();
    bench.data({ tsn: 0 }, { tsn: 1, sequence: 5, text }, { tsn: 2, flags: 'B', sequence: 1, text });
    bench.receiver.resetStreams([1]);
    expect(bench.receiver.windowBytes).toBe(100_000);
    bench.data({ tsn: 3, sequence: 0, text: 'again' });
    expect(bench.messages).toEqual(['1:x', '1:again']);
  });
});
