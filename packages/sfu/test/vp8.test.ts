import { describe, expect, it } from 'vitest';
import { isKeyframe } from '../src/forwarding/keyframes.ts';
import { Vp8Descriptor, Vp8Rewriter } from '../src/forwarding/vp8.ts';
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

  it('refuses a descriptor that is cut off, at every length', () => {
    const whole = vp8Payload();
    const descriptor = new Vp8Descriptor();
    for (let length = 0; length < 6; length += 1) expect(descriptor.parse(whole, 0, length)).toBe(false);
  });

  it('keeps the numbers running on over a change of source, and late packets where they were', () => {
    const rewriter = new Vp8Rewriter();
    const rewrite = (fields: Parameters<typeof vp8Payload>[0], newest = true, switched = false) => {
      const payload = vp8Payload(fields);
      const descriptor = describeVp8(payload);
      if (switched) rewriter.switchSource(descriptor);
      rewriter.rewrite(descriptor, payload, 0, newest);
      const result = describeVp8(payload);
      return [result.pictureId, result.tl0, result.keyIndexByte & 0x1f];
    };
    expect(rewrite({ pictureId: 0x7ffe, tl0: 254, keyIndex: 30 })).toEqual([0x7ffe, 254, 30]);
    expect(rewrite({ pictureId: 0x7fff, tl0: 255, keyIndex: 31 })).toEqual([0x7fff, 255, 31]);
    expect(rewrite({ pictureId: 500, tl0: 9, keyIndex: 3, keyframe: true }, true, true)).toEqual([0, 0, 0]);
    expect(rewrite({ pictureId: 502, tl0: 11, keyIndex: 4 })).toEqual([2, 2, 1]);
    expect(rewrite({ pictureId: 501, tl0: 10, keyIndex: 3 }, false)).toEqual([1, 1, 0]);
    expect(rewrite({ pictureId: 7, tl0: 7, keyIndex: 7, keyframe: true }, true, true)).toEqual([3, 3, 2]);
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
