import { expect, it } from 'vitest';
import { memory, reserve } from '../../src/transport/native/arena.ts';
import { SealedPackets } from '../../src/transport/native/sealed-packets.ts';

const at = reserve(1_536);

function write(source: number, sequence: number, length: number, fill: number): void {
  memory.fill(fill, at, at + length);
  memory.writeUInt16BE(sequence, at + 2);
  memory.writeInt32BE(source, at + 8);
}

it('gives the bytes that were sent before under the same source and number, and no others', () => {
  const packets = new SealedPackets();
  write(-5, 65_535, 100, 7);
  packets.keep(at, 100);
  write(-5, 65_534, 80, 1);
  expect(packets.recall(at)).toBe(0);
  write(5, 65_535, 80, 1);
  expect(packets.recall(at)).toBe(0);
  write(-5, 65_535, 80, 1);
  expect(packets.recall(at)).toBe(100);
  expect(memory[at + 99]).toBe(7);
});

it('keeps the last 128 packets of at most 384 bytes', () => {
  const packets = new SealedPackets();
  for (let sequence = 0; sequence < 200; sequence += 1) {
    write(1, sequence, 384, sequence);
    packets.keep(at, sequence === 199 ? 385 : 384);
  }
  const isKept = (sequence: number): boolean => {
    write(1, sequence, 20, 0);
    return packets.recall(at) > 0;
  };
  expect([isKept(70), isKept(71), isKept(198), isKept(199)]).toEqual([false, true, true, false]);
});
