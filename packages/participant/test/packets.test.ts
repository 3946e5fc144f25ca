import { isKeyframe, isRtcp, RtpPacket } from '@rmeet/rtp';
import { expect, test } from 'vitest';
import { LAYERS } from '../src/catalogue.ts';
import { prepare, rawClip, silence, toneClip, videoClip } from '../src/clips.ts';
import { readIvf, writeIvf } from '../src/ivf.ts';
import { RtpStream } from '../src/rtp-stream.ts';

/** Whether a packet is the first of a key frame. */
function startsKeyFrame(codec: 'vp8' | 'h264', buffer: Buffer): boolean {
  const packet = new RtpPacket();
  return packet.parse(buffer) && isKeyframe(codec, buffer, packet.payloadOffset, packet.payloadEnd);
}

test('a clip written as IVF is read back the same', () => {
  const clip = {
    codec: 'Opus' as const,
    width: 0,
    height: 0,
    frameRate: 50,
    frames: [Buffer.from('one'), Buffer.alloc(0), Buffer.from('three')],
  };
  expect(readIvf(writeIvf(clip))).toEqual(clip);
});

test('a file that is no IVF is refused', () => {
  expect(() => readIvf(Buffer.from('RIFF and more than thirty-two bytes of something'))).toThrow('not an IVF file');
});

test.each(['vp8', 'h264'] as const)('each prepared %s video has one key frame, its first, in every layer', (codec) => {
  for (const { height } of LAYERS) {
    const loop = prepare(videoClip(codec, 'cyan', height), 96, 1, []);
    const keys = loop.frames.map((frame) => startsKeyFrame(codec, frame[0]!));
    expect(keys).toEqual(keys.map((_, n) => n === 0));
    for (const frame of loop.frames) expect(frame.findIndex((packet) => packet[1]! >> 7 === 1)).toBe(frame.length - 1);
  }
});

test.each(['vp8', 'h264'] as const)('%s is padded to the requested bitrate', (codec) => {
  const clip = videoClip(codec, 'red', 180, 100_000);
  const bits = clip.frames.reduce((sum, frame) => sum + frame.length * 8, 0);
  expect(bits / (clip.frames.length / clip.frameRate)).toBeCloseTo(100_000, -4);
});

test('packets are small enough for any network and start with the given extensions', () => {
  const loop = prepare(videoClip('vp8', 'blue', 720, 2_000_000), 96, 7, [
    { id: 1, value: Buffer.from('12') },
    { id: 2, value: Buffer.from('f') },
  ]);
  const packet = new RtpPacket();
  for (const buffer of loop.frames.flat()) {
    expect(buffer.length).toBeLessThanOrEqual(1_200);
    expect(packet.parse(buffer)).toBe(true);
    expect([1, 2, 3].map((id) => packet.extensionText(id))).toEqual(['12', 'f', undefined]);
  }
});

test('raw packets have the requested size', () => {
  const loop = prepare(rawClip(1_000, 1_100), 96, 1, [{ id: 1, value: Buffer.from('1') }]);
  expect(new Set(loop.frames.flat().map((packet) => packet.length))).toEqual(new Set([1_100]));
});

/** A stream whose sent packets are recorded. */
function recorded(codec: 'video' | 'silence' = 'video'): { stream: RtpStream; media: Buffer[] } {
  const media: Buffer[] = [];
  const loop = prepare(codec === 'video' ? videoClip('vp8', 'green', 180) : silence, 96, 99, []);
  const stream = new RtpStream(99, loop, (packet) => {
    if (!isRtcp(packet)) media.push(Buffer.from(packet));
    return true;
  });
  return { stream, media };
}

test('sequence, time and picture numbers continue when the loop ends and when it is restarted', () => {
  const { stream, media } = recorded();
  for (let n = 0; n < 100; n++) {
    if (n === 47) stream.restart();
    stream.sendFrame(n, n * 66);
  }
  const steps = (read: (packet: Buffer) => number, mask: number): Set<number> =>
    new Set(media.slice(1).map((packet, i) => (read(packet) - read(media[i]!)) & mask));
  expect(steps((packet) => packet.readUInt16BE(2), 0xffff)).toEqual(new Set([1]));
  expect(steps((packet) => packet.readUInt32BE(4), 0xffff).difference(new Set([0]))).toEqual(new Set([6_000]));
  expect(steps((packet) => packet.readUInt16BE(14), 0x7fff).difference(new Set([0]))).toEqual(new Set([1]));
  const keyFrames = media.filter((packet) => startsKeyFrame('vp8', packet)).length;
  expect(keyFrames).toBe(1 + 1 + 1 + 1);
  expect(stream.counters).toMatchObject({ frames: 100, keyFrames, keyFrameRequests: 1 });
});

test('a repeated packet equals the original', () => {
  const { stream, media } = recorded();
  for (let n = 0; n < 40; n++) stream.sendFrame(n, n * 66);
  const asked = media[25]!;
  stream.resend(asked.readUInt16BE(2));
  expect(media.at(-1)).toEqual(asked);
  const sent = media.length;
  stream.resend((asked.readUInt16BE(2) + 30_000) & 0xffff);
  expect(media).toHaveLength(sent);
});

test('silence is one packet each 400 ms by its timestamps', () => {
  const { stream, media } = recorded('silence');
  stream.sendFrame(0, 0);
  stream.sendFrame(1, 400);
  expect((media[1]!.readUInt32BE(4) - media[0]!.readUInt32BE(4)) >>> 0).toBe(19_200);
});

test('a tone is fifty packets a second', () => {
  expect(toneClip(700)).toMatchObject({ codec: 'Opus', frameRate: 50 });
  expect(toneClip(700).frames).toHaveLength(50);
});
