import { describe, expect, it } from 'vitest';
import { isKeyframe } from '../src/codecs/keyframes.ts';
import { Vp8Descriptor } from '../src/codecs/vp8-descriptor.ts';
import { vp8Payload } from './support/packets.ts';

function describeVp8(payload: Buffer): Vp8Descriptor {
  const descriptor = new Vp8Descriptor();
  expect(descriptor.parse(payload, 0, payload.length)).toBe(true);
  return descriptor;
}

describe('VP8 payload descriptor', () => {
  it('reads all fields and recognises the first packet of a key frame', () => {
    const descriptor = describeVp8(vp8Payload({ keyframe: true, pictureId: 0x1234, tl0: 77, keyIndex: 5 }));
    expect(descriptor).toMatchObject({
      keyframe: true,
      pictureId: 0x1234,
      tl0: 77,
      keyIndexByte: 5,
      longPictureId: true,
    });
    expect(describeVp8(vp8Payload({ keyframe: true, first: false })).keyframe).toBe(false);
    expect(describeVp8(vp8Payload()).keyframe).toBe(false);
    expect(describeVp8(Buffer.from([0x10, 0])).keyframe).toBe(true);
  });

  it('rejects a truncated descriptor, at every length', () => {
    const whole = vp8Payload();
    const descriptor = new Vp8Descriptor();
    for (let length = 0; length < 6; length += 1) expect(descriptor.parse(whole, 0, length)).toBe(false);
  });

  const forms: [string, number[], { length: number; startsFrame: boolean }][] = [
    ['the shortest form, at the start of a frame', [0x10], { length: 1, startsFrame: true }],
    ['a packet within a frame', [0x00], { length: 1, startsFrame: false }],
    ['the start of another partition', [0x11], { length: 1, startsFrame: false }],
    ['a non-reference frame (N)', [0x30], { length: 1, startsFrame: true }],
    ['X without further fields', [0x90, 0x00], { length: 2, startsFrame: true }],
    ['a picture id of 7 bits', [0x90, 0x80, 0x7f], { length: 3, startsFrame: true }],
    ['a picture id of 15 bits', [0x90, 0x80, 0x80, 0x01], { length: 4, startsFrame: true }],
    ['TL0PICIDX', [0x90, 0x40, 0x05], { length: 3, startsFrame: true }],
    ['TID alone', [0x90, 0x20, 0x40], { length: 3, startsFrame: true }],
    ['KEYIDX alone', [0x90, 0x10, 0x05], { length: 3, startsFrame: true }],
    ['TID and KEYIDX in one byte', [0x90, 0x30, 0x45], { length: 3, startsFrame: true }],
    ['all fields', [0x90, 0xf0, 0x80, 0x01, 0x05, 0x45], { length: 6, startsFrame: true }],
  ];
  it.each(forms)('finds the coded data after %s', (_form, bytes, expected) => {
    const descriptor = describeVp8(Buffer.from([...bytes, 0xaa]));
    expect({ length: descriptor.length, startsFrame: descriptor.startsFrame }).toEqual(expected);
  });

  it.each([
    ['an empty payload', []],
    ['a truncated picture id', [0x90, 0x80]],
    ['missing TID and KEYIDX', [0x90, 0xf0, 0x80, 0x01, 0x05]],
  ])('rejects %s', (_what, bytes) => {
    expect(new Vp8Descriptor().parse(Buffer.from(bytes), 0, bytes.length)).toBe(false);
  });
});

describe('key frames', () => {
  const cases: Array<[string, 'h264' | 'vp9' | 'av1' | 'opus', number[], boolean]> = [
    ['H.264 SPS', 'h264', [0x67, 1], true],
    ['H.264 IDR without its parameters', 'h264', [0x65, 1], false],
    ['H.264 slice', 'h264', [0x41, 1], false],
    ['H.264 aggregate with SPS', 'h264', [0x78, 0, 10, 0x67], true],
    ['H.264 aggregate with SPS behind a delimiter', 'h264', [0x78, 0, 2, 0x09, 0x10, 0, 2, 0x67, 1], true],
    ['H.264 aggregate without SPS', 'h264', [0x78, 0, 2, 0x09, 0x10, 0, 2, 0x65, 1], false],
    ['H.264 aggregate cut off', 'h264', [0x78, 0xff, 0xff, 0x09], false],
    ['H.264 start of an SPS fragment', 'h264', [0x7c, 0x87], true],
    ['H.264 middle of an SPS fragment', 'h264', [0x7c, 0x07], false],
    ['VP9 start of a key picture', 'vp9', [0x88, 0x01], true],
    ['VP9 predicted picture', 'vp9', [0xc8, 0x01], false],
    ['VP9 upper spatial layer', 'vp9', [0xa8, 0x01, 0x22], false],
    ['AV1 new sequence', 'av1', [0x18], true],
    ['AV1 continuation', 'av1', [0x10], false],
    ['audio', 'opus', [1], true],
  ];
  it.each(cases)('%s', (_name, codec, bytes, expected) => {
    expect(isKeyframe(codec, Buffer.from(bytes), 0, bytes.length)).toBe(expected);
    expect(isKeyframe(codec, Buffer.alloc(1), 1, 1)).toBe(false);
  });
});
