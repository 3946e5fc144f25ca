import { annexBUnits } from '@rmeet/rtp';
import type { LayerHeight } from '../../participant/src/index.ts';
import { videoClip } from '../../participant/src/clips.ts';
import { Packager } from '../../recorder/src/packager/packager.ts';
import type { LiveOutput } from '../src/index.ts';

export const STARTS_AT = Date.parse('2026-11-20T09:00:00Z');
const framesOf = (height: LayerHeight) => videoClip('h264', 'red', height).frames.map(annexBUnits);
const RATE = 15;

interface Numbers {
  firstSegment?: number;
  firstInit?: number;
}

/** A camera whose pictures are packed as the recorder does it. `film` adds seconds; a key frame begins each second. */
export function camera(
  output: Pick<LiveOutput, 'takeInit' | 'takePart'>,
  height: LayerHeight = 180,
  numbers: Numbers = {},
) {
  const frames = framesOf(height);
  const packager = new Packager(
    { startsAt: STARTS_AT, hasPicture: true, sound: undefined, ...numbers },
    { takeInit: (number, data) => output.takeInit(number, data), takePart: (part) => output.takePart(part) },
  );
  return {
    film: (from: number, to: number, keyEvery = 2): void => {
      for (let n = Math.round(from * RATE); n < to * RATE; n += 1) {
        const nth = n % (keyEvery * RATE);
        packager.addPicture(frames[nth === 0 ? 0 : 1 + (nth % (frames.length - 1))]!, nth === 0, (n * 1_000) / RATE);
        packager.advance((n * 1_000) / RATE);
      }
    },
    finish: (at: number): void => packager.finish(at * 1_000),
  };
}

/** Parts of a few bytes: those of segment `n` from second 2 n on. */
export function filler(output: LiveOutput, { from, to, init = 1, bytes = 10 }: FillerOptions): void {
  for (let segment = from; segment < to; segment += 1)
    for (let part = 0; part < 6; part += 1) addPart(output, { segment, part, init, bytes });
}

interface FillerOptions {
  from: number;
  to: number;
  init?: number;
  bytes?: number;
}

interface PartOptions {
  segment: number;
  part: number;
  init?: number;
  bytes?: number;
}

export function addPart(output: LiveOutput, { segment, part, init = 1, bytes = 10 }: PartOptions): void {
  if (segment === 1 && part === 0 && init === 1) output.takeInit(1, Buffer.from('init 1'));
  const data = Buffer.alloc(bytes, `${segment}.${part} `);
  const at = (segment * 6 + part) * (1_000 / 3);
  output.takePart({ segment, init, startsSegment: part === 0, at, duration: 1_000 / 3, data });
}

/** Unix ms of a second of the recording. */
export const unix = (second: number): number => STARTS_AT + second * 1_000;
