import { expect, test } from 'vitest';
import { BLANK } from '../src/blank.ts';
import { Switch, type PictureSource } from '../src/switch.ts';
import { readFrame, type Vp8Frame } from '../../rtp/src/codecs/vp8-depacketizer.ts';
import { deltaFrame, keyFrame } from '../../rtp/test/support/vp8.ts';

class Camera implements PictureSource {
  needsKey = false;
  asked = 0;
  readonly key: Vp8Frame;
  readonly delta: Vp8Frame;

  constructor(name: number) {
    this.key = readFrame(keyFrame(name, 180), 0)!;
    this.delta = readFrame(deltaFrame(name), 0)!;
  }

  requestKeyFrame(): void {
    this.asked += 1;
  }
}

function scene() {
  const written: [data: Uint8Array, isKey: boolean, at: number][] = [];
  const video = new Switch((...frame) => written.push(frame));
  video.tick(0);
  return { video, written, alice: new Camera(100), bob: new Camera(200), last: () => written.at(-1) };
}

test('begins with a dark picture that can be decoded, and repeats it each second while none is on air', () => {
  const { video, written } = scene();
  expect(readFrame(BLANK, 0)).toMatchObject({ isKey: true, width: 320, height: 180 });
  for (let now = 20; now <= 3_000; now += 20) video.tick(now);
  expect(written.map(([data, isKey, at]) => [data === BLANK, isKey, at])).toEqual([
    [true, true, 0],
    [true, true, 1_000],
    [true, true, 2_000],
    [true, true, 3_000],
  ]);
});

test('a new source appears with a requested key frame, and the old one stays until then', () => {
  const { video, written, alice, bob } = scene();
  video.select(alice, 100);
  expect(alice.asked).toBe(1);
  video.frame(alice, alice.delta, 110);
  video.frame(alice, alice.key, 120);
  video.frame(bob, bob.key, 130);
  video.select(bob, 200);
  video.frame(alice, alice.delta, 210);
  video.frame(bob, bob.delta, 220);
  video.frame(bob, bob.key, 230);
  video.frame(alice, alice.delta, 240);
  video.frame(bob, bob.delta, 250);
  expect(written.slice(1).map(([data, , at]) => [data, at])).toEqual([
    [alice.key.data, 120],
    [alice.delta.data, 210],
    [bob.key.data, 230],
    [bob.delta.data, 250],
  ]);
});

test('a missing key frame is requested again; after two seconds the old picture disappears', () => {
  const { video, alice, bob, last } = scene();
  video.select(alice, 100);
  video.frame(alice, alice.key, 120);
  video.select(bob, 1_000);
  for (let now = 1_000; now < 3_000; now += 20) video.tick(now);
  expect(bob.asked).toBe(8);
  expect(last()?.[0]).toBe(alice.key.data);
  for (let now = 3_000; now < 3_100; now += 20) video.tick(now);
  expect(last()?.[0]).toBe(BLANK);
  video.frame(bob, bob.key, 3_200);
  expect(last()?.[0]).toBe(bob.key.data);
});

test('returning to the source that is still shown needs no key frame', () => {
  const { video, alice, bob, last } = scene();
  video.select(alice, 0);
  video.frame(alice, alice.key, 10);
  video.select(bob, 100);
  video.select(alice, 110);
  video.frame(bob, bob.key, 120);
  expect(last()?.[0]).toBe(alice.key.data);
  video.frame(alice, alice.delta, 130);
  expect(last()?.[0]).toBe(alice.delta.data);
});

test('when no terminal is on air, no old picture remains', () => {
  const { video, alice, last } = scene();
  video.select(alice, 0);
  video.frame(alice, alice.key, 10);
  video.select(null, 500);
  expect([last()?.[0], last()?.[2]]).toEqual([BLANK, 500]);
  video.frame(alice, alice.key, 510);
  expect([last()?.[0], video.shown]).toEqual([BLANK, null]);
});

test('times increase although clocks differ, and key frames come every ten seconds for seeking', () => {
  const { video, written, alice, bob } = scene();
  video.select(alice, 0);
  video.frame(alice, alice.key, 100);
  video.frame(alice, alice.delta, 150);
  video.select(bob, 160);
  video.frame(bob, bob.key, 140);
  video.frame(bob, bob.delta, 200);
  expect(written.map(([, , at]) => at)).toEqual([0, 100, 150, 151, 200]);
  const { asked } = bob;
  for (let now = 200; now <= 10_140; now += 20) video.tick(now);
  expect(bob.asked).toBe(asked);
  video.tick(10_160);
  expect(bob.asked).toBe(asked + 1);
  bob.needsKey = true;
  video.tick(10_420);
  expect(bob.asked).toBe(asked + 2);
});
