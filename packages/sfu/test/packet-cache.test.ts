import { expect, it } from 'vitest';
import { PacketCache } from '../src/forwarding/packet-cache.ts';

/** A packet with this sequence number, filled with its last byte. */
function packet(sequence: number, bytes: number): Buffer {
  const made = Buffer.alloc(bytes, sequence & 0xff);
  made.writeUInt16BE(sequence, 2);
  return made;
}

it('keeps copies: a transport uses its buffer again for the next packet', () => {
  const cache = new PacketCache();
  const buffer = packet(7, 100);
  cache.put(7, buffer);
  buffer.fill(0);
  expect(cache.get(7)).toEqual(packet(7, 100));
});

it('keeps the last 1,024 packets of any length up to 1,536 bytes', () => {
  const cache = new PacketCache();
  const lengthOf = (sequence: number): number => 12 + ((sequence * 37) % 1_525);
  for (let sequence = 0; sequence < 3_000; sequence += 1) cache.put(sequence, packet(sequence, lengthOf(sequence)));
  for (let sequence = 1_976; sequence < 3_000; sequence += 1)
    expect(cache.get(sequence)).toEqual(packet(sequence, lengthOf(sequence)));
  expect([cache.get(1_975), cache.get(3_000)]).toEqual([undefined, undefined]);
  cache.put(3_001, packet(3_001, 1_537));
  expect(cache.get(3_001)).toBeUndefined();
});
