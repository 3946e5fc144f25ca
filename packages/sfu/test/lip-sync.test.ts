import { clap, skewOfClaps, until, watchClaps } from '@rmeet/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../src/index.ts';
import { startBrowser, type CallBrowser, type CallPage } from './support/call-page.ts';
import { joinToken, startEngine } from './support/engine.ts';

const room = 'standup';
/** The difference that people do not notice, in either direction, ms. */
const IN_STEP_MS = 80;
const CLAPS = 8;
/** 12 s of audio: browsers synchronise both by sender reports, which they send for audio every five seconds. */
const SETTLED_PACKETS = 600;
const [LOW, HIGH] = [0, 2];
let browser: CallBrowser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
});

describe.each([
  ['/rtc/v1', false],
  ['/rtc', true],
])('over %s', (_path, disableV1) => {
  let engine: Engine;
  beforeEach(async () => {
    engine = await startEngine({ disableV1 });
  });
  afterEach(async () => {
    await browser.clear();
    await engine.close();
  });

  async function join(identity: string): Promise<CallPage> {
    const page = await browser.open(identity);
    await page.run('join', `ws://127.0.0.1:${engine.port}`, await joinToken(identity, room), {});
    return page;
  }

  async function expectInStep(bob: CallPage, when: string): Promise<void> {
    const skew = await skewOfClaps(bob, CLAPS);
    if (process.env['PRINT_FIGURES'] !== undefined) process.stderr.write(`${when}: ${JSON.stringify(skew)}\n`);
    expect(Math.abs(skew.middle), when).toBeLessThan(IN_STEP_MS);
  }

  it('sight and sound of a clap stay together, after layer switches as well', async () => {
    const [alice, bob] = [await join('alice'), await join('bob')];
    await clap(alice, { simulcast: true });
    await bob.seesFrames('alice', 30);
    await watchClaps(bob, 'alice');
    await until(
      'both are in step',
      async () => ((await bob.stream('audio', 'alice'))?.packetsReceived ?? 0) > SETTLED_PACKETS,
      { within: 30_000 },
    );
    await expectInStep(bob, 'at first');
    for (const [quality, width] of [
      [LOW, 320],
      [HIGH, 1280],
    ] as const) {
      await bob.run('setQuality', quality);
      await until(`${width} wide`, async () => (await bob.stream('video', 'alice'))?.frameWidth === width, {
        within: 30_000,
      });
      await expectInStep(bob, `${width} wide`);
    }
  });
});
