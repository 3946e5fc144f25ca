import type { Colour } from '@rmeet/participant';
import { annexBUnits } from '@rmeet/rtp';
import { videoClip } from '../../../participant/src/clips.ts';
import { nameCard } from '../../src/cards/card.ts';
import { AacEncoder } from '../../src/packager/aac.ts';
import { Packager, type PackagerOptions, type PackagerOutput } from '../../src/packager/packager.ts';
import { STEREO } from '../../src/packager/sample-entries.ts';
import { BLOCK, CHANNELS, SAMPLE_RATE } from '../../src/voice.ts';

/** What is seen for a while: a colour in a size, or a name card (null). */
export interface Stretch {
  colour: Colour | null;
  height: 180 | 360 | 720;
  seconds: number;
}

export const BEGAN = Date.UTC(2026, 0, 2, 3, 4, 5);
export const TONE = 700;
/** The level of the tone, relative to full scale. */
const LEVEL = 0.125;
const CARD_FRAMES = 10;
const CARD_RATE = 5;

interface ShownClip {
  frames: readonly (readonly Buffer[])[];
  rate: number;
}

/** Two seconds that begin with a key frame. */
async function clipOf({ colour, height }: Stretch): Promise<ShownClip> {
  if (colour !== null) {
    const { frames, frameRate } = videoClip('h264', colour, height);
    return { frames: frames.map(annexBUnits), rate: frameRate };
  }
  const card = await nameCard({ title: '王小明', note: '摄像头已关闭' }, (height * 16) / 9, height);
  const repeats = Array.from({ length: CARD_FRAMES - 1 }, (_, n) => card.repeat(n + 1));
  return { frames: [card.keyFrame, ...repeats], rate: CARD_RATE };
}

/** A tone in every second second, so that its beginnings can be found again. */
function beeps(position: number): Float32Array {
  return Float32Array.from({ length: BLOCK * CHANNELS }, (_, n) => {
    const at = (position + (n >> 1)) / SAMPLE_RATE;
    return at % 2 < 1 ? 0 : LEVEL * Math.sin(2 * Math.PI * TONE * at);
  });
}

/**
 * Gives a packager these pictures, with a key frame every two seconds of a stretch, and the tone. Returns the length in
 * seconds.
 */
export async function play(
  stretches: readonly Stretch[],
  output: PackagerOutput,
  options: Partial<PackagerOptions> = {},
): Promise<number> {
  const packager = new Packager({ startsAt: BEGAN, hasPicture: true, sound: STEREO, ...options }, output);
  const length = stretches.reduce((sum, { seconds }) => sum + seconds, 0);
  const sound = new AacEncoder(STEREO, (data, position) => packager.addSound(data, position));
  for (let position = 0; position < length * SAMPLE_RATE; position += BLOCK) sound.add(beeps(position), position);
  await sound.finish();
  let start = 0;
  for (const stretch of stretches) {
    const { frames, rate } = await clipOf(stretch);
    for (let n = 0; n < stretch.seconds * rate; n += 1) {
      const at = (start + n / rate) * 1_000;
      packager.advance(at - 1);
      packager.addPicture(frames[n % frames.length]!, n % frames.length === 0, at);
    }
    start += stretch.seconds;
  }
  packager.finish(length * 1_000);
  return length;
}
