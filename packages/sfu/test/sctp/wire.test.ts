import { describe, expect, test } from 'vitest';
import { ChunkType } from '../../src/transport/sctp/wire/constants.ts';
import { packetChecksum } from '../../src/transport/sctp/wire/crc32c.ts';
import { readInit, writeInit } from '../../src/transport/sctp/wire/init.ts';
import { PacketReader } from '../../src/transport/sctp/wire/packet-reader.ts';
import { PacketWriter } from '../../src/transport/sctp/wire/packet-writer.ts';
import { parameter } from '../../src/transport/sctp/wire/parameters.ts';
import { outgoingResetParameter, readReconfig } from '../../src/transport/sctp/wire/reconfig.ts';
import { difference16, isAfter } from '../../src/transport/sctp/wire/serial.ts';

/** CRC32c bit by bit, with the checksum field as zero. */
function slowChecksum(packet: Buffer): number {
  let crc = -1;
  for (let at = 0; at < packet.length; at++) {
    crc ^= at >= 8 && at < 12 ? 0 : packet[at]!;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc;
}

function fourChunks(): Buffer {
  const writer = new PacketWriter(1191);
  writer.begin(5000, 5000, 0xdeadbeef);
  for (const length of [0, 1, 5, 8]) writer.buffer.fill(length, writer.chunk(200 + length, length, length));
  return Buffer.from(writer.finish());
}

describe('packets of SCTP', () => {
  test('the checksum is CRC32c: 32 zero bytes as in RFC 3720, and all lengths as bit by bit', () => {
    expect(packetChecksum(Buffer.alloc(32), 32) >>> 0).toBe(0x8a9136aa);
    for (let length = 12; length < 60; length++) {
      const bytes = Buffer.from(Array.from({ length }, (_, at) => (at * 37 + length) & 255));
      expect(packetChecksum(bytes, length)).toBe(slowChecksum(bytes));
    }
  });

  test('what the writer writes, the reader reads', () => {
    const reader = new PacketReader();
    expect(reader.open(fourChunks())).toBe(true);
    expect(reader.verificationTag).toBe(0xdeadbeef);
    const found: unknown[] = [];
    while (reader.next()) found.push([reader.type, reader.flags, [...reader.value()]]);
    expect(found).toEqual([0, 1, 5, 8].map((length) => [200 + length, length, Array(length).fill(length)]));
  });

  test('a packet with any byte changed or cut off is refused', () => {
    const reader = new PacketReader();
    const good = fourChunks();
    for (let at = 0; at < good.length; at++) {
      const bad = Buffer.from(good);
      bad[at]! ^= 1;
      expect(reader.open(bad)).toBe(false);
      expect(reader.open(good.subarray(0, at))).toBe(false);
    }
    expect(reader.open(good)).toBe(true);
  });

  test.each([0, 3, 9, 65_535])('a chunk of length %i in a packet of 20 bytes is refused', (length) => {
    const bad = Buffer.alloc(20);
    bad.writeUInt16BE(length, 14);
    bad.writeInt32LE(packetChecksum(bad, 20), 8);
    expect(new PacketReader().open(bad)).toBe(false);
  });

  test('serial numbers compare across their wrap', () => {
    expect([isAfter(-(2 ** 31), 2 ** 31 - 1), isAfter(2 ** 31 - 1, -(2 ** 31)), isAfter(5, 5)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([difference16(1, 65_535), difference16(65_535, 1)]).toEqual([2, -2]);
  });
});

describe('parameters of SCTP', () => {
  const fixed = { initiateTag: 7, receiveWindow: 9, outgoingStreams: 1, incomingStreams: 2, initialTsn: -5 };

  test('INIT keeps what it knows, and reports or stops at what it does not by the upper bits of the type', () => {
    const value = (...types: number[]) =>
      Buffer.concat([writeInit(fixed), ...types.map((type) => parameter(type, Buffer.from([1, 2, 3])))]);
    expect(readInit(value(0xc000, 0x8008))).toMatchObject({ ...fixed, forwardTsn: true, extensions: [1, 2, 3] });
    expect(readInit(value(0xc0aa, 0x80aa, 0xc000))?.unrecognised).toEqual([
      { type: 0xc0aa, value: Buffer.from([1, 2, 3]) },
    ]);
    expect(readInit(value(0x40aa, 0xc000))).toMatchObject({ forwardTsn: false, unrecognised: [{ type: 0x40aa }] });
    expect(readInit(value(0x00aa, 0xc000))).toMatchObject({ forwardTsn: false, unrecognised: [] });
  });

  test('INIT with a forbidden zero, a short body or a wrong length is refused', () => {
    expect(readInit(writeInit({ ...fixed, initiateTag: 0 }))).toBeUndefined();
    expect(readInit(writeInit({ ...fixed, incomingStreams: 0 }))).toBeUndefined();
    expect(readInit(writeInit(fixed).subarray(0, 15))).toBeUndefined();
    expect(readInit(Buffer.concat([writeInit(fixed), Buffer.from([0xc0, 0, 0, 5])]))).toBeUndefined();
  });

  test('a request to reset streams survives the wire, and a short one is no request', () => {
    const bytes = outgoingResetParameter(-1, 3, -7, [1, 65_535, 4]);
    const request = { kind: 'outgoing', request: -1, response: 3, lastTsn: -7, streams: [1, 65_535, 4] };
    expect(readReconfig(bytes)).toEqual([request]);
    expect(readReconfig(parameter(13, Buffer.alloc(11)))).toEqual([]);
    expect(readReconfig(Buffer.from([0, 13, 0, 99]))).toBeUndefined();
    expect(ChunkType.reConfig).toBe(130);
  });
});
