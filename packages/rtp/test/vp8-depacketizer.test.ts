import { describe, expect, test } from 'vitest';
import { readFrame, Vp8Depacketizer, type Vp8Frame } from '../src/codecs/vp8-depacketizer.ts';
import { ReorderBuffer } from '../src/receiving/reorder-buffer.ts';
import { rtpPacket } from './support/packets.ts';
import { deltaFrame, keyFrame, vp8Packets } from './support/vp8.ts';

test('a frame tells whether it is a key frame, and how large', () => {
  expect(readFrame(keyFrame(1280, 720), 5)).toMatchObject({ isKey: true, width: 1280, height: 720, timestamp: 5 });
  // The upper two bits of each are for scaling (RFC 6386, section 9.1).
  const scaled = keyFrame(320, 180);
  scaled[7]! |= 0x40;
  expect(readFrame(scaled, 0)).toMatchObject({ width: 320, height: 180 });
  expect(readFrame(deltaFrame(), 0)).toMatchObject({ isKey: false });
  expect(readFrame(keyFrame(320, 180).fill(0, 3, 6), 0)).toBeUndefined();
  expect(readFrame(Buffer.from([0x10]), 0)).toBeUndefined();
});

describe('frames of a stream', () => {
  function stream() {
    const frames: Vp8Frame[] = [];
    const assembler = new Vp8Depacketizer((frame) => frames.push(frame));
    const reorder = new ReorderBuffer(100, assembler);
    return {
      frames,
      assembler,
      reorder,
      push: (packets: Buffer[], now = 0) => packets.forEach((one) => reorder.push(one, now)),
    };
  }
  const key = keyFrame(640, 360, 250);
  const delta = deltaFrame(130);
  /** A key frame of seven packets and two more frames of four. */
  const packets = [
    ...vp8Packets(key, { sequence: 65_533, timestamp: 1_000 }),
    ...vp8Packets(delta, { sequence: 65_540, timestamp: 4_000 }),
    ...vp8Packets(delta, { sequence: 65_544, timestamp: 7_000 }),
  ];

  test('are reassembled byte for byte, across the wrap of sequence numbers', () => {
    const { frames, push } = stream();
    push(packets);
    expect(frames.map(({ isKey, timestamp }) => [isKey, timestamp])).toEqual([
      [true, 1_000],
      [false, 4_000],
      [false, 7_000],
    ]);
    expect(Buffer.from(frames[0]!.data).equals(key)).toBe(true);
    expect(Buffer.from(frames[1]!.data).equals(delta)).toBe(true);
  });

  test('are passed on in order and once, whatever the order of their packets', () => {
    const { frames, push } = stream();
    push([packets[0]!, ...packets.slice(1).toReversed(), ...packets]);
    expect(frames.map(({ timestamp }) => timestamp)).toEqual([1_000, 4_000, 7_000]);
  });

  test('begin with a key frame', () => {
    const { frames, assembler, push } = stream();
    push(vp8Packets(delta, { sequence: 1, timestamp: 500 }));
    expect([frames.length, assembler.needsKey]).toEqual([0, true]);
    push(vp8Packets(key, { sequence: 5, timestamp: 1_000 }));
    expect([frames.length, assembler.needsKey]).toEqual([1, false]);
  });

  test('stop at an incomplete one, after waiting for it, until the next key frame', () => {
    const { frames, assembler, reorder, push } = stream();
    push(packets.filter((_, at) => at !== 8));
    expect(frames.map(({ timestamp }) => timestamp)).toEqual([1_000]);
    reorder.tick(99);
    expect(assembler.needsKey).toBe(false);
    reorder.tick(100);
    expect([frames.length, assembler.needsKey]).toEqual([1, true]);
    push(vp8Packets(delta, { sequence: 65_548, timestamp: 10_000 }), 110);
    expect(frames.length).toBe(1);
    push(vp8Packets(key, { sequence: 65_552, timestamp: 13_000 }), 120);
    expect(frames.map(({ timestamp }) => timestamp)).toEqual([1_000, 13_000]);
  });

  test('are complete if a missing packet arrives in time', () => {
    const { frames, push } = stream();
    push(packets.filter((_, at) => at !== 8));
    push([packets[8]!], 90);
    expect(frames.map(({ timestamp }) => timestamp)).toEqual([1_000, 4_000, 7_000]);
  });

  test('need no markers, and ignore padding', () => {
    const { frames, push } = stream();
    const [first] = vp8Packets(keyFrame(320, 180, 30), { sequence: 1, timestamp: 100 });
    first![1]! &= 0x7f;
    push([
      first!,
      rtpPacket({ sequence: 2, timestamp: 100, ssrc: 7, payload: Buffer.alloc(0), padding: 200 }),
      ...vp8Packets(deltaFrame(30), { sequence: 3, timestamp: 200 }),
    ]);
    expect(frames.map(({ isKey, timestamp }) => [isKey, timestamp])).toEqual([
      [true, 100],
      [false, 200],
    ]);
    expect(frames[0]!.data.length).toBe(30);
  });

  test('of a restarted stream need a key frame', () => {
    const { frames, assembler, push } = stream();
    push(packets);
    const other = vp8Packets(delta, { sequence: 9, timestamp: 50 });
    for (const one of other) one.writeUInt32BE(8, 8);
    push(other);
    expect([frames.length, assembler.needsKey]).toEqual([3, true]);
  });
});
