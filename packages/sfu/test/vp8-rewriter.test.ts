import { Vp8Descriptor } from '@rmeet/rtp';
import { describe, expect, it } from 'vitest';
import { vp8Payload } from '../../rtp/test/support/packets.ts';
import { Vp8Rewriter } from '../src/forwarding/vp8-rewriter.ts';

function describeVp8(payload: Buffer): Vp8Descriptor {
  const descriptor = new Vp8Descriptor();
  expect(descriptor.parse(payload, 0, payload.length)).toBe(true);
  return descriptor;
}

describe('VP8 rewriter', () => {
  it('keeps the numbers continuous across a change of source, and maps late packets to their places', () => {
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
