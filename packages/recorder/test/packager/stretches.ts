import type { Colour } from '@rmeet/participant';
import { annexBUnits } from '@rmeet/rtp';
import { videoClip } from '../../../participant/src/clips.ts';
import { AacEncoder } from '../../src/packager/aac.ts';
import { Packager, type PackagerOutput, type PackagerOptions } from '../../src/packager/packager.ts';
import { BLOCK, CHANNELS, SAMPLE_RATE } from '../../src/voice.ts';

/** What is seen for a while: a colour in a size; null: nothing comes. Seconds. */
export interface Stretch {
  colour: Colour | null;
  height: 180 | 360 | 720;
  seconds: number;
}

/** The level of a tone, relative to full scale. */
const LEVEL = 0.125;

/** A sine that is heard in every second second only, so that it shows when it begins and ends. */
export function beep(hertz: number, position: number): Float32Array {
  return Float32Array.from({ length: BLOCK * CHANNELS }, (_, n) => {
    const at = (position + (n >> 1)) / SAMPLE_RATE;
    return at % 2 < 1 ? 0 : LEVEL * Math.sin(2 * Math.PI * hertz * at);
  });
}

/**
 * Gives a packager pictures of prepared colours, with a key frame every two seconds, and a tone in every second second.
 * Returns the length in seconds.
 */
export async function play(
  stretches: readonly Stretch[],
  output: PackagerOutput,
  options: Partial<PackagerOptions> = {},
): Promise<number> {
  const packager = new Packager(
    { startsAt: Date.UTC(2026, 0, 2, 3, 4, 5), hasPicture: true, hasSound: true, ...options },
    output,
  );
  const sound = await AacEncoder.open((data, position) => packager.addSound(data, position));
  const length = stretches.reduce((sum, { seconds }) => sum + seconds, 0);
  for (let position = 0; position < length * SAMPLE_RATE; position += BLOCK) sound.add(beep(700, position), position);
  await sound.finish();
  let start = 0;
  for (const { colour, height, seconds } of stretches) {
    const clip = colour && videoClip('h264', colour, height);
    for (let n = 0; clip && n < seconds * clip.frameRate; n += 1) {
      const at = (start + n / clip.frameRate) * 1_000;
      const nth = n % clip.frames.length;
      packager.advance(at - 1);
      packager.addPicture(annexBUnits(clip.frames[nth]!), nth === 0, at);
    }
    start += seconds;
  }
  packager.finish(length * 1_000);
  return length;
}
