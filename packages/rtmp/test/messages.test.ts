import { describe, expect, test } from 'vitest';
import { readAmf, writeAmf, type AmfValue } from '../src/amf0.ts';
import { ChunkReader, writeChunks, type RtmpMessage } from '../src/chunks.ts';
import { readAudio, readVideo, writeConfig, writeFrame } from '../src/flv.ts';

describe('AMF0', () => {
  test('every kind of value comes back as it was', () => {
    const values: AmfValue[] = ['publish', 5, null, undefined, true, { app: 'live', on: { deep: [1, 'two'] } }, ''];
    expect(readAmf(writeAmf(...values))).toEqual(values);
    const long = 'x'.repeat(70_000);
    expect(readAmf(writeAmf(long))).toEqual([long]);
  });

  test('an ECMA array and a date are read as encoders send them', () => {
    const array = Buffer.from('0800000001000577696474680040940000000000000000090b40000000000000000000', 'hex');
    expect(readAmf(array)).toEqual([{ width: 1280 }, 2]);
  });

  test.each([
    ['a truncated number', '0040'],
    ['a string longer than the message', '02ffff61'],
    ['an object without its end', '030001610500'],
    ['an array with a false count', '0affffffff05'],
    ['an unknown type', '0d'],
    ['objects nested without end', '03000161'.repeat(40)],
  ])('%s is rejected', (_, hex) => {
    expect(() => readAmf(Buffer.from(hex, 'hex'))).toThrow(RangeError);
  });

  test('a member named __proto__ does not become the prototype', () => {
    const [object] = readAmf(writeAmf(JSON.parse('{"__proto__": {"isAdmin": true}}') as AmfValue));
    expect(Object.keys(object as object)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(object)).toBeNull();
  });
});

describe('chunks', () => {
  const message = (time: number, length: number): RtmpMessage => ({
    type: 9,
    streamId: 1,
    time,
    payload: Buffer.from(Array.from({ length }, (_, n) => n & 0xff)),
  });

  /** What a reader assembles from bytes that arrive in pieces of `size`. */
  function assembled(
    bytes: Buffer,
    size: number,
    setup: (reader: ChunkReader) => void = () => undefined,
  ): RtmpMessage[] {
    const reader = new ChunkReader();
    setup(reader);
    const messages: RtmpMessage[] = [];
    for (let at = 0; at < bytes.length; at += size)
      reader.push(bytes.subarray(at, at + size), (each) => messages.push(each));
    return messages;
  }

  test.each([1, 7, 128, 100_000])('messages survive any split of the bytes, here into %d', (size) => {
    const sent = [message(0, 0), message(40, 127), message(80, 128), message(0x1000000, 1_000), message(0xffffffff, 5)];
    const bytes = Buffer.concat(sent.map((each) => writeChunks(6, each, 128)));
    expect(assembled(bytes, size)).toEqual(sent);
  });

  test('headers of other senders: deltas, repeated headers, interleaved streams, long ids', () => {
    const body = Buffer.alloc(3, 7);
    const full = Buffer.from('040003e80000030801000000', 'hex');
    const delta = Buffer.from('4400001400000308', 'hex');
    const onlyTime = Buffer.from('84000015', 'hex');
    const repeated = Buffer.from('c4', 'hex');
    const longId = Buffer.from('00000000050000030901000000', 'hex');
    const bytes = Buffer.concat([full, body, delta, body, onlyTime, body, repeated, body, longId, body]);
    expect(assembled(bytes, 5).map(({ time, type }) => [type, time])).toEqual([
      [8, 1_000],
      [8, 1_020],
      [8, 1_041],
      [8, 1_062],
      [9, 5],
    ]);
  });

  test('a chunk size that a message sets applies behind it', () => {
    const first = writeChunks(2, { type: 1, streamId: 0, time: 0, payload: Buffer.from([0, 0, 16, 0]) }, 128);
    const second = writeChunks(6, message(0, 3_000), 4_096);
    const reader = new ChunkReader();
    const lengths: number[] = [];
    reader.push(Buffer.concat([first, second]), ({ type, payload }) => {
      if (type === 1) reader.setChunkSize(payload.readUInt32BE());
      lengths.push(payload.length);
    });
    expect(lengths).toEqual([4, 3_000]);
  });

  test('more unfinished bytes than allowed, impossible sizes and a start without a header are rejected', () => {
    const large = writeChunks(6, message(0, 70_000), 128);
    expect(() => assembled(large, 1_000)).toThrow(RangeError);
    expect(assembled(large, 1_000, (reader) => reader.allow(1 << 20))).toHaveLength(1);
    const whole = (reader: ChunkReader) => reader.setChunkSize(0xffffff);
    expect(() => assembled(large.subarray(0, 12), 12, whole)).toThrow(RangeError);
    expect(() => new ChunkReader().setChunkSize(0)).toThrow(RangeError);
    expect(() => assembled(Buffer.from('c400', 'hex'), 2)).toThrow(RangeError);
    const begun = Array.from({ length: 62 }, (_, n) => writeChunks(n + 2, message(0, 2_000), 128).subarray(0, 140));
    expect(() => assembled(Buffer.concat(begun), 500)).toThrow(RangeError);
  });

  test('a message that is given up makes room for the next', () => {
    const reader = new ChunkReader();
    const received: number[] = [];
    const take = ({ payload }: RtmpMessage) => received.push(payload.length);
    for (let round = 0; round < 5; round += 1) {
      reader.push(writeChunks(6, message(0, 60_000), 128).subarray(0, 140), take);
      reader.abort(6);
    }
    reader.push(writeChunks(6, message(0, 100), 128), take);
    expect(received).toEqual([100]);
  });
});

describe('FLV', () => {
  test('configurations and frames come back as they were', () => {
    const config = Buffer.from([1, 0x42, 0, 0x1f]);
    const frame = { time: 40, offset: -33, isKeyFrame: true, data: Buffer.from([0, 0, 0, 1, 0x65]) };
    expect(readVideo(writeConfig({ kind: 'video', config }), 0)).toEqual({ kind: 'video', config });
    expect(readVideo(writeFrame({ kind: 'video', ...frame }), 40)).toEqual({ kind: 'video', ...frame });
    expect(readAudio(writeConfig({ kind: 'audio', config }), 0)).toEqual({ kind: 'audio', config });
    expect(readAudio(writeFrame({ kind: 'audio', ...frame, offset: 0 }), 40)).toEqual({
      kind: 'audio',
      ...frame,
      offset: 0,
    });
  });

  test.each([
    ['HEVC by the Chinese extension', readVideo(Buffer.from('1c0100000000', 'hex'), 0), 'HEVC'],
    ['HEVC by Enhanced RTMP', readVideo(Buffer.from('9068766331000000', 'hex'), 0), 'hvc1'],
    ['MP3', readAudio(Buffer.from('2f0000', 'hex'), 0), 'MP3'],
  ])('%s is named', (_, media, codec) => {
    expect(media).toEqual({ kind: 'unknown', codec });
  });

  test('empty messages and the end of a sequence are nothing', () => {
    expect(readVideo(Buffer.alloc(0), 0)).toBeNull();
    expect(readVideo(Buffer.from('1702000000', 'hex'), 0)).toBeNull();
    expect(readAudio(Buffer.from('af', 'hex'), 0)).toBeNull();
  });
});
