import { expect, test } from 'vitest';
import { SenderClock, StreamClock } from '../src/clocks.ts';

/** The publisher's clock when the local one shows `ours`: an hour ahead. */
const theirs = (ours: number): number => ours + 3_600_000;

test('sound and picture of one person stay in sync, although the picture takes longer', () => {
  const sender = new SenderClock();
  const [sound, picture] = [new StreamClock(sender, 48_000), new StreamClock(sender, 90_000)];
  for (let at = 0; at < 1_000; at += 20) {
    sound.note(at * 48, at + 15 + (at % 7), { timestamp: 0, unixMs: theirs(0) });
    picture.note(500 + at * 90, at + 80, { timestamp: 500, unixMs: theirs(0) });
  }
  expect(sound.at(500 * 48, { timestamp: 0, unixMs: theirs(0) })).toBeCloseTo(515, 5);
  expect(picture.at(500 + 500 * 90, { timestamp: 500, unixMs: theirs(0) })).toBeCloseTo(515, 5);
});

test('without a report, the fastest packets of the stream set its clock, even if timestamps wrap', () => {
  const clock = new StreamClock(new SenderClock(), 90_000);
  const first = 0xffff_ff00;
  for (let frame = 0; frame < 30; frame += 1)
    clock.note((first + frame * 6_000) >>> 0, 100 + (frame * 1_000) / 15 + (frame === 10 ? 0 : 25), undefined);
  expect(clock.at((first + 20 * 6_000) >>> 0, undefined)).toBeCloseTo(100 + 20_000 / 15, 1);
});

test('a slow clock is followed', () => {
  const sender = new SenderClock();
  // Half a second of drift per minute, far more than real clocks have.
  for (let at = 0; at < 60_000; at += 20) sender.note(at * (1 - 1 / 120), at + 10);
  expect(sender.ours(59_900 * (1 - 1 / 120))).toBeGreaterThan(59_900 - 170);
  expect(sender.ours(59_900 * (1 - 1 / 120))).toBeLessThanOrEqual(59_910);
});

test('a clock that was set back is followed at once', () => {
  const sender = new SenderClock();
  for (let at = 0; at < 5_000; at += 20) sender.note(at, at + 10);
  const setBack = 60_000;
  sender.note(5_000 - setBack, 5_015);
  expect(sender.ours(5_000 - setBack)).toBe(5_015);
  // It is no longer compared with the packets before.
  sender.note(16_000 - setBack, 16_012);
  expect(sender.ours(16_000 - setBack)).toBe(16_012);
});

test('packets that were held up for seconds do not move the clock', () => {
  const sender = new SenderClock();
  for (let at = 0; at < 5_000; at += 20) sender.note(at, at + 10);
  sender.note(5_000, 8_000);
  expect(sender.ours(5_000)).toBe(5_010);
});

test('the fastest packet of ten seconds still counts in the next ten', () => {
  const sender = new SenderClock();
  for (let at = 0; at <= 10_000; at += 20) sender.note(at, at + 10);
  sender.note(10_020, 10_120);
  expect(sender.ours(10_020)).toBe(10_030);
});
