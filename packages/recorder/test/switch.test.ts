import { annexBUnits, readSps } from '@rmeet/rtp';
import { expect, test } from 'vitest';
import { videoClip } from '../../participant/src/clips.ts';
import { nameCard } from '../src/cards/card.ts';
import { KeyFrameRequests } from '../src/key-frame-requests.ts';
import { Switch, type CodedPicture, type PictureSource } from '../src/switch.ts';

class Camera implements PictureSource {
  needsKey = false;
  freezesAfter = 1_500;
  asked: number[] = [];
  readonly key: CodedPicture;
  readonly delta: CodedPicture;
  #requests: KeyFrameRequests;
  #now = 0;

  constructor(colour: 'red' | 'green') {
    const [key, delta] = videoClip('h264', colour, 180).frames.map(annexBUnits);
    this.key = { units: key!, isKey: true };
    this.delta = { units: delta!, isKey: false };
    this.#requests = new KeyFrameRequests(() => this.asked.push(this.#now));
  }

  requestKeyFrame(now: number): void {
    this.#now = now;
    this.#requests.request(now);
  }

  answered(): void {
    this.#requests.answered();
  }
}

const isCard = ({ units }: CodedPicture): boolean =>
  ![alice, bob].some(({ key, delta }) => units === key.units || units === delta.units);
let alice: Camera;
let bob: Camera;

/** A switch whose cards are drawn at once. */
async function scene() {
  const written: { picture: CodedPicture; at: number }[] = [];
  const sizes: string[] = [];
  const card = await nameCard({ title: 'x' }, 320, 180);
  const video = new Switch(
    (picture, at) => written.push({ picture, at }),
    (name, { width, height }) => {
      sizes.push(`${name} ${width}x${height}`);
      return Promise.resolve(card);
    },
  );
  alice = new Camera('red');
  bob = new Camera('green');
  /** The time passes, with a picture of alice every 100 ms if she sends. */
  const pass = async (from: number, to: number, camera?: Camera): Promise<void> => {
    for (let now = from; now < to; now += 20) {
      if (camera && now % 100 === 0) video.frame(camera, camera.delta, now, now);
      video.tick(now);
      await Promise.resolve();
    }
  };
  const what = (): string[] =>
    written.map(({ picture, at }) => {
      const name = isCard(picture) ? 'card' : [alice.key, alice.delta].includes(picture) ? 'alice' : 'bob';
      return `${name}${picture.isKey ? ' key' : ''} ${at}`;
    });
  return { video, written, sizes, pass, what };
}

test('without a source a card is written five times a second, with a key frame every two seconds', async () => {
  const { video, written, sizes, pass } = await scene();
  video.begin(0);
  video.select(null, 'Ward round', 0);
  await pass(0, 4_000);
  expect(sizes).toEqual(['Ward round 1280x720']);
  expect(written.length).toBe(20);
  expect(written.filter(({ picture }) => picture.isKey).map(({ at }) => Math.round(at / 100))).toEqual([0, 20]);
});

test('a new source appears with a requested key frame, and the old one stays until then', async () => {
  const { video, what } = await scene();
  video.begin(0);
  video.select(alice, 'alice', 100);
  expect(alice.asked).toEqual([100]);
  video.frame(alice, alice.delta, 110, 110);
  video.frame(alice, alice.key, 120, 120);
  video.frame(bob, bob.key, 130, 130);
  video.select(bob, 'bob', 200);
  video.frame(alice, alice.delta, 210, 210);
  video.frame(bob, bob.delta, 220, 220);
  video.frame(bob, bob.key, 230, 230);
  video.frame(alice, alice.delta, 240, 240);
  video.frame(bob, bob.delta, 250, 250);
  expect(what()).toEqual(['alice key 120', 'alice 210', 'bob key 230', 'bob 250']);
});

test('a missing key frame is requested again, ever more rarely; after two seconds a card is shown', async () => {
  const { video, what, sizes, pass } = await scene();
  video.begin(0);
  video.select(alice, 'alice', 100);
  video.frame(alice, alice.key, 120, 120);
  video.select(bob, 'bob', 1_000);
  await pass(1_000, 3_000);
  expect(what()).toEqual(['alice key 120']);
  await pass(3_000, 21_000);
  expect(what()[1]).toMatch(/^card key 30[0-9]0$/);
  expect(sizes).toEqual(['bob 320x180']);
  // After a quarter, a half, one and two seconds, then every two.
  expect(bob.asked.slice(0, 6).map((at) => Math.round(at / 100))).toEqual([10, 13, 18, 28, 48, 68]);
  expect(bob.asked.length).toBeLessThan(15);
  video.frame(bob, bob.key, 21_000, 21_000);
  expect(what().at(-1)).toBe('bob key 21000');
});

test('returning to the source that is still shown needs no key frame', async () => {
  const { video, what } = await scene();
  video.begin(0);
  video.select(alice, 'alice', 0);
  video.frame(alice, alice.key, 10, 10);
  video.select(bob, 'bob', 100);
  video.select(alice, 'alice', 110);
  video.frame(bob, bob.key, 120, 120);
  video.frame(alice, alice.delta, 130, 130);
  expect(what()).toEqual(['alice key 10', 'alice 130']);
});

test('a picture that follows one that ended has no card before it; if none follows, there is a card', async () => {
  const { video, what, pass } = await scene();
  video.begin(0);
  video.select(alice, 'alice', 0);
  video.frame(alice, alice.key, 10, 10);
  // The engine says that her camera is gone before the server says that she is.
  video.gone(alice, 500);
  video.select(null, 'alice', 500);
  await pass(520, 600);
  video.select(bob, 'bob', 600);
  await pass(600, 1_400);
  expect(what()).toEqual(['alice key 10']);
  video.frame(bob, bob.key, 1_400, 1_400);
  expect(what()[1]).toBe('bob key 1400');
  video.gone(bob, 2_000);
  video.select(null, 'bob', 2_000);
  await pass(2_020, 2_300);
  expect(what()[2]).toMatch(/^card key 22[5-9]0$/);
});

test('when no terminal is on air, a card replaces its picture at once', async () => {
  const { video, what, pass } = await scene();
  video.begin(0);
  video.select(alice, 'alice', 0);
  video.frame(alice, alice.key, 10, 10);
  video.select(null, 'Ward round', 500);
  await pass(520, 560);
  expect(what()).toEqual(['alice key 10', expect.stringMatching(/^card key 5[24]0$/)]);
  video.frame(alice, alice.key, 570, 570);
  expect([what().length, video.shown]).toEqual([2, null]);
});

test('a source that freezes has a card after 1.5 s, and comes back with a key frame', async () => {
  const { video, what, pass } = await scene();
  video.begin(0);
  video.select(alice, 'alice', 0);
  video.frame(alice, alice.key, 0, 0);
  await pass(100, 1_000, alice);
  await pass(1_000, 2_300);
  expect(what().at(-1)).toBe('alice 900');
  await pass(2_300, 2_500);
  expect(what().at(-1)).toMatch(/^card key 24[0-9]0$/);
  video.frame(alice, alice.delta, 2_600, 2_600);
  video.frame(alice, alice.key, 2_700, 2_700);
  expect(what().at(-1)).toBe('alice key 2700');
});

test('key frames are requested once per interval of two seconds, shortly before it begins', async () => {
  const { video, pass } = await scene();
  video.begin(0);
  video.select(alice, 'alice', 0);
  video.frame(alice, alice.key, 0, 0);
  alice.answered();
  for (let second = 2; second <= 6; second += 2) {
    await pass(second * 1_000 - 1_900, second * 1_000 - 100, alice);
    video.frame(alice, alice.key, second * 1_000 - 100, second * 1_000 - 100);
    alice.answered();
  }
  expect(alice.asked).toEqual([0, 1_800, 3_800, 5_800]);
  alice.needsKey = true;
  video.tick(6_100);
  expect(alice.asked.at(-1)).toBe(6_100);
});

test('a file begins with a key frame of the source that was shown, or with a card if none comes', async () => {
  const { video, what, pass } = await scene();
  video.begin(0);
  video.select(alice, 'alice', 0);
  video.frame(alice, alice.key, 0, 0);
  video.begin(10_000);
  await pass(10_000, 10_400, alice);
  expect(what()).toEqual(['alice key 0']);
  await pass(10_400, 10_700, alice);
  expect(what()[1]).toMatch(/^card key 105[0-9]0$/);
  video.frame(alice, alice.key, 10_800, 10_800);
  expect(what().at(-1)).toBe('alice key 10800');
});

test('cards are as large as the pictures before them', async () => {
  expect(readSps((await nameCard({ title: 'x' }, 320, 180)).keyFrame[0]!)).toMatchObject({ width: 320, height: 180 });
});
