import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AacEncoder } from '../../src/packager/aac.ts';
import { joinMp4 } from '../../src/packager/join-mp4.ts';
import { Packager } from '../../src/packager/packager.ts';
import { MONO, STEREO, type SoundFormat } from '../../src/packager/sample-entries.ts';
import { SegmentFolder } from '../../src/packager/segment-folder.ts';
import { BLOCK, CHANNELS, SAMPLE_RATE } from '../../src/voice.ts';
import { missing, probe, skipped, tonesOf } from '../film.ts';

const SECONDS = 6;
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'rmeet-aac-'));
});
afterAll(() => rmSync(root, { recursive: true }));

/** A tone in every second second, of both channels. */
const tone = (position: number): Float32Array =>
  Float32Array.from({ length: BLOCK * CHANNELS }, (_, n) => {
    const at = (position + (n >> 1)) / SAMPLE_RATE;
    return at % 2 < 1 ? 0 : 0.125 * Math.sin(2 * Math.PI * 700 * at);
  });

/** Encodes the tone, its silence as such. Returns the positions of the frames. */
async function encode(format: SoundFormat, take: (data: Uint8Array, position: number) => void): Promise<number[]> {
  const positions: number[] = [];
  const encoder = new AacEncoder(format, (data, position) => {
    positions.push(position);
    take(data, position);
  });
  for (let position = 0; position < SECONDS * SAMPLE_RATE; position += BLOCK) {
    if ((position / SAMPLE_RATE) % 2 < 1) encoder.addSilence(BLOCK, position);
    else encoder.add(tone(position), position);
  }
  await encoder.finish();
  return positions;
}

test.each([
  ['mono', MONO],
  ['stereo', STEREO],
])('frames of %s sound follow each other, and silence is a few bytes', async (_, format) => {
  const sizes = new Map<number, number>();
  const positions = await encode(format, (data, position) => sizes.set(position, data.length));
  expect(positions).toEqual(positions.map((__, n) => n * 1_024));
  expect(positions.length).toBe(Math.ceil((SECONDS * SAMPLE_RATE) / 1_024));
  const silent = positions.filter(
    (position) => (position / SAMPLE_RATE) % 2 > 0.15 && (position / SAMPLE_RATE) % 2 < 0.9,
  );
  expect(Math.max(...silent.map((position) => sizes.get(position)!))).toBeLessThan(10);
});

test.skipIf(missing !== undefined)(`the tone begins and ends when it should${skipped}`, async () => {
  const output = new SegmentFolder(join(root, 'sound'));
  const packager = new Packager({ startsAt: 0, hasPicture: false, sound: MONO }, output);
  await encode(MONO, (data, position) => packager.addSound(data, position));
  packager.finish(SECONDS * 1_000);
  await output.close();
  const film = join(root, 'sound.mp4');
  await joinMp4(join(root, 'sound'), film);
  expect((await probe(film)).complaints).toBe('');
  const heard = await tonesOf(film, 0.02);
  const wrong = heard.filter(({ at, tones }) => {
    const phase = at % 2;
    const isEdge = Math.min(Math.abs(phase - 1), phase, 2 - phase) < 0.03;
    return !isEdge && tones.length > 0 !== phase > 1;
  });
  expect(wrong).toEqual([]);
  expect(heard.length).toBeGreaterThan((SECONDS - 0.1) / 0.02);
});

test('several streams at once share encoders one after the other', async () => {
  const streams = await Promise.all([0, 1, 2].map(() => encode(STEREO, () => undefined)));
  for (const positions of streams) expect(positions.length).toBe(Math.ceil((SECONDS * SAMPLE_RATE) / 1_024));
});
