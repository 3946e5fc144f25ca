import { describe, expect, test } from 'vitest';
import { H264Depacketizer, type H264Frame } from '../src/codecs/h264-depacketizer.ts';
import { packetizeH264 } from '../src/codecs/packetize.ts';
import { ReorderBuffer } from '../src/receiving/reorder-buffer.ts';
import { aggregate, packetsOf, PPS, slice, SPS } from './support/h264.ts';
import { rtpPacket } from './support/packets.ts';

const START = Buffer.from([0, 0, 0, 1]);
const DELIMITER = Buffer.from([9, 0xf0]);
const key = slice(5, 250);
const delta = slice(1, 130);

function stream() {
  const frames: H264Frame[] = [];
  const assembler = new H264Depacketizer((frame) => frames.push(frame));
  const reorder = new ReorderBuffer(100, assembler);
  return {
    frames,
    assembler,
    reorder,
    push: (packets: readonly Buffer[], now = 0) => packets.forEach((one) => reorder.push(one, now)),
  };
}

/** The payloads of an access unit of these NAL units, in pieces of at most 40 bytes. */
function payloadsOf(...units: Buffer[]): Buffer[] {
  return packetizeH264(Buffer.concat(units.flatMap((unit) => [START, unit])), 40);
}

/** A key frame in ten packets (from 65,530 on), and two more frames of four. */
const packets = [
  ...packetsOf(payloadsOf(SPS, PPS, key), 65_530, 1_000),
  ...packetsOf(payloadsOf(delta), 65_539, 4_000),
  ...packetsOf(payloadsOf(delta), 65_543, 7_000),
];

describe('frames of a stream', () => {
  test('are reassembled byte for byte from units and fragments, across the wrap of sequence numbers', () => {
    const { frames, push } = stream();
    push(packets);
    expect(frames).toEqual([
      { units: [SPS, PPS, key], timestamp: 1_000, isKey: true },
      { units: [delta], timestamp: 4_000, isKey: false },
      { units: [delta], timestamp: 7_000, isKey: false },
    ]);
  });

  test('are passed on in order and once, whatever the order of their packets', () => {
    const { frames, push } = stream();
    push([packets[0]!, ...packets.slice(1).toReversed(), ...packets]);
    expect(frames.map(({ timestamp }) => timestamp)).toEqual([1_000, 4_000, 7_000]);
  });

  test('come out of aggregates, without delimiters and filler', () => {
    const { frames, push } = stream();
    const filler = Buffer.from([12, 0xff, 0x80]);
    push(packetsOf([aggregate(DELIMITER, SPS, PPS), aggregate(slice(5, 20), filler)], 1, 100));
    expect(frames).toEqual([{ units: [SPS, PPS, slice(5, 20)], timestamp: 100, isKey: true }]);
  });

  test('need no markers, and ignore padding', () => {
    const { frames, push } = stream();
    const unmarked = packetsOf([aggregate(SPS, PPS), slice(5, 20)], 1, 100);
    for (const packet of unmarked) packet[1]! &= 0x7f;
    push([
      ...unmarked,
      rtpPacket({ sequence: 3, timestamp: 100, ssrc: 7, payload: Buffer.alloc(0), padding: 200 }),
      ...packetsOf([slice(1, 30)], 4, 200),
    ]);
    expect(frames.map(({ isKey, timestamp }) => [isKey, timestamp])).toEqual([
      [true, 100],
      [false, 200],
    ]);
  });

  test('that are key frames have parameter sets, also if the sender sent these once and before', () => {
    const { frames, push } = stream();
    push([
      ...packetsOf([aggregate(SPS, PPS)], 1, 100),
      ...packetsOf([slice(5, 20)], 2, 100),
      ...packetsOf([slice(5, 20)], 3, 200),
    ]);
    expect(frames.map(({ units }) => units)).toEqual([
      [SPS, PPS, slice(5, 20)],
      [SPS, PPS, slice(5, 20)],
    ]);
  });

  test('begin with a key frame that has parameter sets', () => {
    const { frames, assembler, push } = stream();
    push([...packetsOf([slice(1)], 1, 100), ...packetsOf([slice(5)], 2, 200)]);
    expect([frames.length, assembler.needsKey]).toEqual([0, true]);
    push(packetsOf([aggregate(SPS, PPS), slice(5)], 3, 300));
    expect([frames.length, assembler.needsKey]).toEqual([1, false]);
  });
});

describe('after a lost packet', () => {
  test.each(packets.map((_, n) => n))('no frame is passed on that needs packet %i', (lost) => {
    const { frames, assembler, reorder, push } = stream();
    push(packets.filter((_, n) => n !== lost));
    reorder.tick(100);
    const broken = [9, 13, 17].findIndex((end) => lost < end);
    // Nothing is missed behind the last packet.
    const isNoticed = lost < packets.length - 1;
    expect(frames.length).toBe(lost === 0 ? 0 : broken);
    expect(assembler.needsKey).toBe(isNoticed || broken === 0);
    push(packetsOf([aggregate(SPS, PPS), slice(5)], 65_547, 10_000), 200);
    reorder.tick(400);
    expect(frames.at(-1)).toMatchObject({ timestamp: 10_000, isKey: true });
    expect(assembler.needsKey).toBe(false);
  });

  test('parameter sets from before do not serve a key frame whose own may be lost', () => {
    const { frames, reorder, push } = stream();
    push(packetsOf([aggregate(SPS, PPS), slice(5)], 1, 100));
    push(packetsOf([slice(5)], 4, 200));
    reorder.tick(100);
    expect(frames.map(({ timestamp }) => timestamp)).toEqual([100]);
  });
});

test('broken payloads are no frames', () => {
  for (const payload of [
    Buffer.from([0x78, 0, 9, 1]),
    Buffer.from([0x78, 0, 0]),
    Buffer.from([0x7c, 0x80]),
    Buffer.from([0x7c, 0x45, 1, 2]),
    Buffer.from([0x60, 1, 2]),
    Buffer.from([0x79, 1, 2, 3]),
    Buffer.concat([slice(1).subarray(0, 1), Buffer.from([0x01])]),
  ]) {
    const { frames, assembler, push } = stream();
    push(packetsOf([aggregate(SPS, PPS), slice(5)], 1, 100));
    push(packetsOf([payload], 3, 200));
    expect([frames.length, assembler.needsKey], payload.toString('hex')).toEqual([1, true]);
  }
});
