import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../src/index.ts';
import { startBrowser, type CallBrowser, type CallPage } from './support/call-page.ts';
import { joinToken, startEngine, until } from './support/engine.ts';

const room = 'standup';
const LOW = 0;
const MEDIUM = 1;
const HIGH = 2;
const CLEAN_SWITCH_MS = 3000;
const COLOUR = '#c02020';
let browser: CallBrowser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
});

/** Requests a quality; returns the ms until the picture has this width. */
async function switchTo(page: CallPage, quality: number, width: number): Promise<number> {
  const since = performance.now();
  await page.run('setQuality', quality);
  await until(
    `${page.identity} receives ${width} pixels`,
    async () => (await page.stream('video', 'alice'))?.frameWidth === width,
  );
  return performance.now() - since;
}

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

  async function join(identity: string, options: object = {}): Promise<CallPage> {
    const page = await browser.open(identity);
    await page.run('join', `ws://127.0.0.1:${engine.port}`, await joinToken(identity, room), options);
    return page;
  }

  /** A picture in the layers a client chooses by default: three of 320, 640 and 1280 pixels, or two for 640. */
  async function publish(page: CallPage, videoCodec: string, width: number, options: object = {}): Promise<void> {
    const size = { width, height: (width * 9) / 16, frameRate: 15 };
    await page.run('publishPicture', COLOUR, size, { videoCodec, backupCodec: false, simulcast: true, ...options });
  }

  it.each([
    ['vp8', {}, [320, 640, 1280]],
    ['h264', {}, [320, 640, 1280]],
    ['vp9', { scalabilityMode: 'L3T3_KEY' }, [320, 640, 1280]],
    ['vp9', { scalabilityMode: 'L3T3' }, [320, 640, 1280]],
    // Chromium's encoder would use a whole processor for more
    ['av1', { scalabilityMode: 'L2T3_KEY' }, [320, 320, 640]],
    ['av1', { scalabilityMode: 'L2T2' }, [320, 320, 640]],
  ])(
    '%s %j: two people get different sizes of one picture and change them cleanly',
    async (videoCodec, options, [low = 0, medium = 0, high = 0]) => {
      const alice = await join('alice');
      await publish(alice, videoCodec, high, options);
      const [bob, carol] = [await join('bob'), await join('carol')];
      await Promise.all([bob.sees('alice', COLOUR, { width: high, within: 30_000 }), carol.seesFrames('alice')]);
      expect((await bob.stream('video', 'alice'))?.codec.toLowerCase()).toBe(`video/${videoCodec}`);
      const times: number[] = [];
      for (const [quality, width] of [
        [LOW, low],
        [MEDIUM, medium],
        [HIGH, high],
        [LOW, low],
      ] as const) {
        times.push(await switchTo(carol, quality, width));
        await carol.sees('alice', COLOUR, { width });
      }
      // Its sender may have dropped the best layer for a while, because three encoders share a busy computer.
      await bob.sees('alice', COLOUR, { width: high, within: 30_000 });
      // a busy computer may cause one long switch
      expect(times.toSorted((a, b) => a - b)[2]).toBeLessThan(CLEAN_SWITCH_MS);
    },
  );

  it.each(['vp8', 'h264', 'vp9'])(
    '%s encrypted end to end: layers change without reading the frames',
    async (videoCodec) => {
      const options = { encryption: 'a passphrase' };
      const alice = await join('alice', options);
      await publish(alice, videoCodec, 640);
      await alice.run('publishTone', 440);
      const bob = await join('bob', options);
      await Promise.all([bob.sees('alice', COLOUR, { width: 640 }), bob.hears('alice', 440)]);
      for (const [quality, width] of [
        [LOW, 320],
        [HIGH, 640],
      ] as const) {
        expect(await switchTo(bob, quality, width)).toBeLessThan(CLEAN_SWITCH_MS);
        await bob.sees('alice', COLOUR, { width });
      }
      const tracks = (await bob.knows('alice'))!.tracks;
      expect(tracks.map(({ encrypted, mimeType }) => [encrypted, mimeType])).toEqual([
        [true, expect.stringMatching(/video/)],
        [true, 'audio/opus'],
      ]);
    },
  );

  it('a screen arrives with its sound, in stereo and with redundancy', async () => {
    const alice = await join('alice');
    await alice.run(
      'publishPicture',
      COLOUR,
      { width: 800, height: 600, frameRate: 10 },
      { source: 'screen_share', simulcast: false },
    );
    await alice.run('publishTone', 500, { right: 900, source: 'screen_share_audio', forceStereo: true });
    const bob = await join('bob');
    await bob.sees('alice', COLOUR, { source: 'screen_share', width: 800 });
    await until('bob hears both sides', async () =>
      (await bob.sounds()).some(
        ({ source, left, right }) =>
          source === 'screen_share_audio' && Math.abs(left - 500) < 15 && Math.abs(right - 900) < 15,
      ),
    );
    const sound = (await bob.knows('alice'))!.tracks.find(({ source }) => source === 'screen_share_audio');
    expect(sound?.mimeType).toBe('audio/red');
    // redundancy doubles the bytes of a packet; browsers report the inner codec
    const { bytesReceived = 0, packetsReceived = 1 } = (await bob.stream('audio', 'alice')) ?? {};
    expect(bytesReceived / packetsReceived).toBeGreaterThan(100);
  });
});
