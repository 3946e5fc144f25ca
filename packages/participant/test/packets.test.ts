import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { LAYERS } from '../src/catalogue.ts';
import { prepare, rawClip, silence, toneClip, videoClip } from '../src/clips.ts';
import { readIvf, writeIvf } from '../src/ivf.ts';
import { nack, pli, readRtcp, receiverReport, writeSenderReport } from '../src/rtcp.ts';
import { payloadOffset, readExtension, rtpHeader, startsKeyFrame } from '../src/rtp.ts';
import { RtpStream } from '../src/rtp-stream.ts';

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

test('what is no IVF file is refused', () => {
  expect(() => readIvf(Buffer.from('RIFF and more than thirty-two bytes of something'))).toThrow('not an IVF file');
});

test.each(['vp8', 'h264'] as const)('each prepared %s video has one key frame, its first, in every layer', (codec) => {
  for (const { height } of LAYERS) {
    const loop = prepare(videoClip(codec, 'cyan', height), 96, 1, []);
    const keys = loop.frames.map((frame) => startsKeyFrame(codec, frame[0]!, payloadOffset(frame[0]!)));
    expect(keys).toEqual(keys.map((_, n) => n === 0));
    for (const frame of loop.frames) expect(frame.findIndex((packet) => packet[1]! >> 7 === 1)).toBe(frame.length - 1);
  }
});

test.each(['vp8', 'h264'] as const)('%s is padded to the bitrate asked for', (codec) => {
  const clip = videoClip(codec, 'red', 180, 100_000);
  const bits = clip.frames.reduce((sum, frame) => sum + frame.length * 8, 0);
  expect(bits / (clip.frames.length / clip.frameRate)).toBeCloseTo(100_000, -4);
});

test('H.264 units longer than a packet travel as fragments that give the unit again', () => {
  const unit = Buffer.concat([Buffer.from([0x65]), Buffer.alloc(3_000, 7)]);
  const clip = {
    codec: 'H264' as const,
    width: 0,
    height: 0,
    frameRate: 15,
    frames: [Buffer.concat([Buffer.from([0, 0, 0, 1]), unit])],
  };
  const payloads = prepare(clip, 102, 1, []).frames[0]!.map((packet) => packet.subarray(12));
  expect(payloads.map((payload) => [payload[0]! & 0x1f, payload[1]! >> 6])).toEqual([
    [28, 2],
    [28, 0],
    [28, 1],
  ]);
  const header = (payloads[0]![0]! & 0xe0) | (payloads[0]![1]! & 0x1f);
  expect(Buffer.concat([Buffer.from([header]), ...payloads.map((payload) => payload.subarray(2))])).toEqual(unit);
});

test('packets are small enough for any network and start with the extensions given', () => {
  const loop = prepare(videoClip('vp8', 'blue', 720, 2_000_000), 96, 7, [
    { id: 1, value: Buffer.from('12') },
    { id: 2, value: Buffer.from('f') },
  ]);
  for (const packet of loop.frames.flat()) {
    expect(packet.length).toBeLessThanOrEqual(1_200);
    expect(readExtension(packet, 1)?.toString()).toBe('12');
    expect(readExtension(packet, 2)?.toString()).toBe('f');
    expect(readExtension(packet, 3)).toBeUndefined();
  }
});

test('raw packets have the size asked for', () => {
  const loop = prepare(rawClip(1_000, 1_100), 96, 1, [{ id: 1, value: Buffer.from('1') }]);
  expect(new Set(loop.frames.flat().map((packet) => packet.length))).toEqual(new Set([1_100]));
});

/** A stream whose packets are kept as they were when sent. */
function recorded(codec: 'video' | 'silence' = 'video'): { stream: RtpStream; media: Buffer[] } {
  const media: Buffer[] = [];
  const loop = prepare(codec === 'video' ? videoClip('vp8', 'green', 180) : silence, 96, 99, []);
  const stream = new RtpStream(99, loop, (packet) => {
    if ((packet[1]! & 0x7f) !== 200 - 128) media.push(Buffer.from(packet));
    return true;
  });
  return { stream, media };
}

test('sequence, time and picture numbers run on when the loop ends and when it is restarted', () => {
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
  const keyFrames = media.filter((packet) => startsKeyFrame('vp8', packet, 12)).length;
  expect(keyFrames).toBe(1 + 1 + 1 + 1);
  expect(stream.counters).toMatchObject({ frames: 100, keyFrames, keyFrameRequests: 1 });
});

test('a packet asked for again is sent as it was', () => {
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

test('feedback that is written is read the same', () => {
  const keyFrames: number[] = [];
  const missing: number[] = [];
  const reports: number[][] = [];
  const report = Buffer.alloc(28);
  writeSenderReport(report, 5, Date.UTC(2026, 0, 1), 1_234, 10, 20);
  const lost = [65_530, 65_535, 0, 10, 11, 40];
  const compound = Buffer.concat([report, receiverReport([]), pli(6), nack(7, lost)]);
  readRtcp(compound, {
    keyFrame: (ssrc) => keyFrames.push(ssrc),
    nack: (ssrc, sequence) => ssrc === 7 && missing.push(sequence),
    senderReport: (ssrc, _ntp, timestamp) => reports.push([ssrc, timestamp]),
  });
  expect({ keyFrames, missing, reports }).toEqual({ keyFrames: [6], missing: lost, reports: [[5, 1_234]] });
});

test('broken feedback is passed over', () => {
  const seen: number[] = [];
  for (let n = 0; n < 2_000; n++) {
    const noise = Buffer.from(Array.from({ length: randomInt(0, 60) }, () => randomInt(256)));
    readRtcp(noise, {
      keyFrame: (ssrc) => seen.push(ssrc),
      nack: (ssrc) => seen.push(ssrc),
      senderReport: (ssrc) => seen.push(ssrc),
    });
  }
  expect(seen.every((ssrc) => ssrc >= 0 && ssrc <= 0xffffffff)).toBe(true);
});

test('a header without extensions is twelve bytes', () => {
  expect(rtpHeader(96, true, 1, [])).toEqual(Buffer.from([0x80, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]));
});
