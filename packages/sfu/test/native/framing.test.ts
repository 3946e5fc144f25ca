import { expect, test } from 'vitest';
import { FrameReader, FrameWriter } from '../../src/transport/native/framing.ts';

const packets = ['a', 'bb', 'c'.repeat(300), 'd'.repeat(1_536)];

function framesOf(texts: readonly string[]): Buffer {
  const writer = new FrameWriter(8_192);
  for (const text of texts) expect(writer.append(Buffer.from(`..${text}`), 2, text.length)).toBe(true);
  return writer.take();
}

function collector(most = 1_536): { reader: FrameReader; read: string[] } {
  const read: string[] = [];
  const reader = new FrameReader(most, (bytes, at, length) => {
    read.push(bytes.toString('latin1', at, at + length));
    return true;
  });
  return { reader, read };
}

test('frames are read as they were written, however the stream is cut', () => {
  const stream = framesOf(packets);
  expect(stream.readUInt16BE(0)).toBe(1);
  for (let size = 1; size <= stream.length; size += 1) {
    const { reader, read } = collector();
    for (let at = 0; at < stream.length; at += size) expect(reader.read(stream.subarray(at, at + size))).toBe(true);
    expect(read).toEqual(packets);
  }
});

test.each([
  ['longer than accepted', Buffer.from([0x06, 0x01, 1, 2])],
  ['empty', Buffer.from([0, 0, 0, 1, 65])],
])('a packet that is %s ends the stream, also if its length is cut', (_what, stream) => {
  const { reader, read } = collector();
  expect(reader.read(stream)).toBe(false);
  const cut = collector();
  expect(cut.reader.read(stream.subarray(0, 1))).toBe(true);
  expect(cut.reader.read(stream.subarray(1))).toBe(false);
  expect([...read, ...cut.read]).toEqual([]);
});

test('a receiver that ends the stream gets no further packets', () => {
  let count = 0;
  const reader = new FrameReader(1_536, () => {
    count += 1;
    return false;
  });
  expect(reader.read(framesOf(packets))).toBe(false);
  expect(count).toBe(1);
});

test('a writer takes no packet that does not fit, and is empty after it was read', () => {
  const writer = new FrameWriter(10);
  expect(writer.append(Buffer.from('12345678'), 0, 8)).toBe(true);
  expect(writer.append(Buffer.from('1'), 0, 1)).toBe(false);
  expect(writer.take()).toEqual(Buffer.from([0, 8, ...Buffer.from('12345678')]));
  expect(writer.length).toBe(0);
});
