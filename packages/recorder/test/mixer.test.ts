import { createDecoder } from 'libopus-wasm';
import { expect, test } from 'vitest';
import type { Tone } from '@rmeet/participant';
import { ReorderBuffer } from '@rmeet/rtp';
import { rtpPacket } from '../../rtp/test/support/packets.ts';
import { toneClip } from '../../participant/src/clips.ts';
import { limit, Mixer, type GainAt } from '../src/mixer.ts';
import { BLOCK, CHANNELS, Voice } from '../src/voice.ts';
import { left, levelOf } from './tones.ts';

/** The level at which the prepared tones are recorded. */
const TONE_LEVEL = 0.125;

/** A second of the mix and a function to fill it. */
async function scene(gainAt: GainAt = () => 1) {
  const mixed: Float32Array[] = [];
  const mixer = new Mixer(gainAt, {
    takeMix: (block) => mixed.push(block?.slice() ?? new Float32Array(BLOCK * CHANNELS)),
  });
  const join = async (termId: string, clocks = (timestamp: number) => timestamp) => {
    const voice = new Voice(termId, true, await createDecoder({ channels: 2, sampleRate: 48_000 }), clocks);
    mixer.add(voice);
    return new ReorderBuffer(100, voice);
  };
  const says = (reorder: ReorderBuffer, tone: Tone, { from = 0, blocks = 50, without = [] as number[] } = {}): void => {
    const { frames } = toneClip(tone);
    for (let n = 0; n < blocks; n += 1) {
      if (!without.includes(n))
        reorder.push(
          rtpPacket({ sequence: n, timestamp: from + n * BLOCK, payload: frames[n % frames.length]! }),
          n * 20,
        );
    }
    // No further packets are awaited.
    reorder.tick(60_000);
  };
  /** One channel, between two blocks. */
  const heard = (first: number, last: number): Float32Array =>
    left(Float32Array.from(mixed.slice(first, last).flatMap((block) => Array.from(block))));
  return { mixer, mixed, join, says, heard };
}

test('all participants are heard at once, each as loud as alone', async () => {
  const { mixer, mixed, join, says, heard } = await scene();
  says(await join('alice'), 500);
  says(await join('bob'), 900);
  mixer.advance(50 * BLOCK);
  expect(mixed).toHaveLength(50);
  const sound = heard(5, 45);
  expect(levelOf(sound, 500)).toBeCloseTo(TONE_LEVEL, 1);
  expect(levelOf(sound, 900)).toBeCloseTo(TONE_LEVEL, 1);
  expect(levelOf(sound, 700)).toBeLessThan(0.005);
});

test('each has the volume of the state at that moment, without a click', async () => {
  const { mixer, join, says, heard } = await scene((voice, position) =>
    voice.termId === 'alice' ? 0.5 : position >= 25 * BLOCK ? 0 : 1,
  );
  says(await join('alice'), 500);
  says(await join('bob'), 900);
  mixer.advance(50 * BLOCK);
  const ratio = levelOf(heard(5, 20), 500) / levelOf(heard(5, 20), 900);
  expect(ratio).toBeGreaterThan(0.4);
  expect(ratio).toBeLessThan(0.6);
  expect(levelOf(heard(26, 45), 900)).toBeLessThan(0.001);
  const sound = heard(20, 30);
  const steps = Array.from(sound, (sample, n) => Math.abs(sample - (sound[n - 1] ?? sample)));
  // The steepest step of both sines together.
  expect(Math.max(...steps)).toBeLessThan(0.04);
});

test('sound is placed by the clocks; late packets are dropped', async () => {
  const { mixer, join, says, heard } = await scene();
  const alice = await join('alice');
  mixer.advance(10 * BLOCK);
  says(alice, 500, { from: 5 * BLOCK, blocks: 15 });
  mixer.advance(50 * BLOCK);
  expect(levelOf(heard(0, 10), 500)).toBe(0);
  expect(levelOf(heard(11, 19), 500)).toBeCloseTo(TONE_LEVEL, 1);
  expect(levelOf(heard(21, 50), 500)).toBeLessThan(0.001);
});

test('a lost packet is concealed, a long pause is silence', async () => {
  const { mixer, join, says, heard } = await scene();
  says(await join('alice'), 500, { without: [20, ...Array.from({ length: 15 }, (_, n) => 30 + n)] });
  mixer.advance(50 * BLOCK);
  expect(levelOf(heard(20, 21), 500)).toBeGreaterThan(TONE_LEVEL / 3);
  expect(levelOf(heard(31, 44), 500)).toBeLessThan(0.001);
  expect(levelOf(heard(46, 50), 500)).toBeCloseTo(TONE_LEVEL, 1);
});

test('small clock changes move nothing, jumps do', async () => {
  const { mixer, join, says, heard } = await scene();
  says(
    await join('alice', (timestamp) => timestamp + (timestamp >= 25 * BLOCK ? 20 * BLOCK : timestamp % 1_900)),
    500,
    { blocks: 50 },
  );
  mixer.advance(80 * BLOCK);
  expect(levelOf(heard(2, 24), 500)).toBeCloseTo(TONE_LEVEL, 1);
  expect(levelOf(heard(27, 44), 500)).toBeLessThan(0.001);
  expect(levelOf(heard(46, 69), 500)).toBeCloseTo(TONE_LEVEL, 1);
});

test('invalid Opus is silence', async () => {
  const { mixer, join, heard } = await scene();
  const alice = await join('alice');
  for (let n = 0; n < 10; n += 1)
    alice.push(rtpPacket({ sequence: n, timestamp: n * BLOCK, payload: Buffer.from([0x03, 0xff, 0xff]) }), 0);
  mixer.advance(10 * BLOCK);
  expect(levelOf(heard(0, 10), 500)).toBe(0);
});

test('many voices do not clip: the mix is attenuated as a whole and recovers', () => {
  const loud = (): Float32Array => Float32Array.from({ length: BLOCK * 2 }, (_, n) => 2 * Math.sin(n / 20));
  const quiet = Float32Array.from({ length: BLOCK * 2 }, () => 0.1);
  expect(limit(quiet, 1)).toBe(1);
  expect(quiet[0]).toBeCloseTo(0.1);
  let gain = limit(loud(), 1);
  expect(gain).toBeCloseTo(0.475, 2);
  const second = loud();
  gain = limit(second, gain);
  expect(Math.max(...second.map(Math.abs))).toBeLessThanOrEqual(0.96);
  for (let block = 0; block < 60; block += 1) gain = limit(Float32Array.from(quiet), gain);
  expect(gain).toBe(1);
});
