import { clap, skewOfClaps, startCallBrowser, until, watchClaps } from '@rmeet/testkit';
import { startLiveKit, startRmeet } from '../../bench/sfu/engines.ts';
import { benchToken } from '../../bench/sfu/setup.ts';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';

const MINUTES = 10;
const CLAPS_A_ROW = 25;
/** The difference that people do not notice, in either direction, ms. */
const IN_STEP_MS = 80;
/** Browsers synchronise picture and audio by sender reports, which they send for audio every five seconds. */
const SETTLE_MS = 15_000;
/** Width of the picture by its layer. */
const WIDTHS = [320, 640, 1280];

/**
 * A participant claps in front of one browser and another one sees and hears it, for minutes, while the layer changes
 * all the time: how much later the audio arrives. `--only livekit` measures LiveKit's server instead.
 */
const sync: Soak = async ({ minutes = MINUTES, only }) => {
  const engine = await (only === 'livekit' ? startLiveKit() : startRmeet());
  const browser = await startCallBrowser();
  const { served } = engine;
  if (served.by === 'janus') throw new Error("LiveKit's protocol only");
  const middles: number[] = [];
  try {
    const [alice, bob] = [await browser.open('alice'), await browser.open('bob')];
    for (const page of [alice, bob])
      await page.run('join', served.url, await benchToken(served.apiKey, served.apiSecret, page.identity), {});
    await clap(alice, { simulcast: true });
    await bob.seesFrames('alice', 30);
    await watchClaps(bob, 'alice');
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const began = performance.now();
    const print = table(['minute', 'width', 'claps', 'sound later, ms: middle', 'least', 'most']);
    for (let row = 0; performance.now() - began < minutes * 60_000; row += 1) {
      const quality = [2, 0, 2, 1][row % 4]!;
      await bob.run('setQuality', quality);
      await until(
        'the layer is there',
        async () => (await bob.stream('video', 'alice'))?.frameWidth === WIDTHS[quality],
        { within: 30_000 },
      );
      const { claps, middle, least, most } = await skewOfClaps(bob, CLAPS_A_ROW);
      middles.push(middle);
      print([(performance.now() - began) / 60_000, WIDTHS[quality]!, claps, middle, least, most]);
    }
  } finally {
    await browser.close();
    await engine.stop();
  }
  const furthest = Math.max(...middles.map(Math.abs));
  return {
    passed: furthest <= IN_STEP_MS,
    verdict:
      `${furthest <= IN_STEP_MS ? 'In' : 'NOT in'} step: at most ` +
      `${furthest} ms apart (${IN_STEP_MS} allowed); ${load()}.`,
  };
};
export default sync;
