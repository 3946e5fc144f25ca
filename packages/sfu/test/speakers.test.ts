import { describe, expect, it } from 'vitest';
import { AudioLevel } from '../src/forwarding/audio-level.ts';
import { Speakers } from '../src/rooms/speakers.ts';

const FRAME_MS = 20;
const SAMPLES = 960;

/** A participant's microphone: sends frames with separate arrival times. */
class Microphone {
  readonly level = new AudioLevel();
  timestamp = 0xffff_0000;

  /** Sends this many ms of one level; packets arrive `everyMs`, from `atMs` on. Returns when the last one arrived. */
  sends(ms: number, dBov: number, atMs: number, everyMs = FRAME_MS): number {
    let nowMs = atMs;
    for (let sent = 0; sent < ms; sent += FRAME_MS) {
      this.timestamp = (this.timestamp + SAMPLES) >>> 0;
      this.level.observe(dBov, this.timestamp, nowMs);
      nowMs += everyMs;
    }
    return nowMs;
  }
}

describe('an audio level', () => {
  it('shows speech within half a second, and silence within half a second', () => {
    const alice = new Microphone();
    let now = alice.sends(420, 20, 0);
    expect(alice.level.level(now)).toBeGreaterThan(0.05);
    now = alice.sends(800, 20, now);
    expect(alice.level.level(now)).toBeCloseTo(0.1, 1);
    now = alice.sends(420, 127, now);
    expect(alice.level.level(now)).toBe(0);
  });

  it('is the same when packets come in bursts, also after a stall', () => {
    const [even, bursts] = [new Microphone(), new Microphone()];
    let [evenNow, burstNow] = [0, 0];
    for (let round = 0; round < 5; round += 1) {
      evenNow = even.sends(400, 25, evenNow);
      // nothing for 700 ms, then all at once
      burstNow = bursts.sends(400, 25, burstNow + 700, 0);
      expect(bursts.level.level(burstNow + 50)).toBe(even.level.level(evenNow));
    }
    expect(even.level.level(evenNow)).toBeGreaterThan(0);
  });

  it('does not count coughs, keyboards and noise as speech', () => {
    const alice = new Microphone();
    let now = 0;
    for (let round = 0; round < 6; round += 1) {
      now = alice.sends(100, 15, now);
      now = alice.sends(300, 60, now);
      expect(alice.level.level(now)).toBe(0);
    }
    now = alice.sends(2000, 40, now);
    expect(alice.level.level(now)).toBe(0);
  });

  it('does not count discontinuous transmission as speech', () => {
    const alice = new Microphone();
    let now = alice.sends(20, 20, 0);
    for (let round = 0; round < 10; round += 1) {
      // one loud frame in 400 ms, nothing in between
      alice.timestamp = (alice.timestamp + SAMPLES * 19) >>> 0;
      now = alice.sends(20, 20, now + 380);
      expect(alice.level.level(now)).toBe(0);
    }
  });

  it('ends when packets stop, and begins again after a mute', () => {
    const alice = new Microphone();
    const now = alice.sends(1200, 20, 0);
    expect(alice.level.level(now + 700)).toBeGreaterThan(0);
    expect(alice.level.level(now + 900)).toBe(0);
    const later = alice.sends(1200, 20, now + 1000);
    expect(alice.level.level(later)).toBeGreaterThan(0);
    alice.level.reset();
    expect(alice.level.level(later)).toBe(0);
  });

  it('ignores late packets', () => {
    const alice = new Microphone();
    const now = alice.sends(390, 127, 0);
    for (let count = 0; count < 20; count += 1) alice.level.observe(10, alice.timestamp - SAMPLES * 5, now);
    expect(alice.level.level(alice.sends(40, 127, now))).toBe(0);
  });
});

describe('speakers', () => {
  const said = (infos: ReturnType<Speakers['update']>) => infos.map(({ sid, level, active }) => [sid, level, active]);

  it('are reported once, loudest first, and again only when something changed', () => {
    const speakers = new Speakers();
    expect(
      said(
        speakers.update([
          ['alice', 0.2],
          ['bob', 0.6],
          ['carol', 0],
        ]),
      ),
    ).toEqual([
      ['bob', 0.625, true],
      ['alice', 0.25, true],
    ]);
    expect(
      speakers.update([
        ['alice', 0.22],
        ['bob', 0.55],
        ['carol', 0],
      ]),
    ).toEqual([]);
    expect(
      said(
        speakers.update([
          ['alice', 0.3],
          ['bob', 0.55],
        ]),
      ),
    ).toEqual([['alice', 0.375, true]]);
    expect(said(speakers.all)).toEqual([
      ['bob', 0.625, true],
      ['alice', 0.375, true],
    ]);
  });

  it('end when they fall silent or leave', () => {
    const speakers = new Speakers();
    speakers.update([
      ['alice', 0.2],
      ['bob', 0.6],
    ]);
    expect(said(speakers.update([['alice', 0]]))).toEqual([
      ['alice', 0, false],
      ['bob', 0, false],
    ]);
    expect(speakers.all).toEqual([]);
  });
});
