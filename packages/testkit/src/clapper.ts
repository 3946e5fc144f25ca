import type { CallPage } from './call-page.ts';
import { until } from './wait.ts';

/** Times of claps: how much later the sound came than the picture, ms; negative: earlier. */
export interface Skew {
  claps: number;
  middle: number;
  /** Nine of ten lie between these. */
  least: number;
  most: number;
}

/** Makes a participant clap once a second; `options` are livekit-client's TrackPublishOptions. */
export async function clap(page: CallPage, options: object = {}): Promise<void> {
  await page.run('publishClaps', { width: 1280, height: 720 }, options);
}

/** Records from now on when claps are seen and heard on a page. */
export async function watchClaps(page: CallPage, identity: string): Promise<void> {
  await page.run('watchClaps', identity);
}

/**
 * The difference between picture and audio of the next claps, with the picture already set to the size `quality` (0 to
 * 2).
 */
export async function skewOfClaps(page: CallPage, claps: number): Promise<Skew> {
  await page.run('skews');
  const skews: number[] = [];
  await until(
    `${claps} claps are seen and heard`,
    async () => {
      skews.push(...(await page.run<number[]>('skews')));
      return skews.length >= claps;
    },
    { within: claps * 3_000 + 10_000, every: 2_500 },
  );
  skews.sort((a, b) => a - b);
  const at = (share: number): number => Math.round(skews[Math.round(share * (skews.length - 1))] ?? Number.NaN);
  return { claps: skews.length, middle: at(0.5), least: at(0.05), most: at(0.95) };
}
