import { startRelay, type Relay } from '@rmeet/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../src/index.ts';
import { startBrowser, type CallBrowser, type CallPage } from './support/call-page.ts';
import { joinToken, startEngine, until } from './support/engine.ts';

const room = 'standup';
const LOSS = 0.05;
/** 60 s of audio, less the losses. */
const WATCHED_PACKETS = 2_800;
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
])('over %s, a twentieth of all packets lost each way', (_path, disableV1) => {
  let engine: Engine;
  let relay: Relay;
  beforeEach(async () => {
    engine = await startEngine({ disableV1 });
    relay = await startRelay({ targetPort: engine.udpPort });
  });
  afterEach(async () => {
    await browser.clear();
    await engine.close();
    await relay.close();
  });

  async function join(identity: string): Promise<CallPage> {
    const page = await browser.open(identity);
    await page.page.evaluate(relay.pageScript());
    await page.run('join', `ws://127.0.0.1:${engine.port}`, await joinToken(identity, room), {});
    return page;
  }

  // a computer busy with other tests has stalls of its own
  it.each(['vp8', 'h264'])(
    '%s continues without a freeze over a second, sound without breaks',
    { retry: 1, timeout: 120_000 },
    async (videoCodec) => {
      const alice = await join('alice');
      await alice.run('publishTone', 440);
      await alice.run(
        'publishPicture',
        '#c02020',
        { width: 640, height: 360, frameRate: 15 },
        { videoCodec, backupCodec: false },
      );
      const bob = await join('bob');
      await bob.seesFrames('alice', 30);
      await bob.hears('alice', 440);
      relay.up.impairment = { loss: LOSS, delay: 10 };
      relay.down.impairment = { loss: LOSS, delay: 10 };
      const before = (await bob.stream('audio', 'alice'))!;
      await bob.run('watchGaps', 'alice');
      await until(
        'a minute is over',
        async () =>
          ((await bob.stream('audio', 'alice'))?.packetsReceived ?? 0) > before.packetsReceived + WATCHED_PACKETS,
        75_000,
      );
      const gaps = await bob.run<{ video: number; audio: number }>('endGaps');
      const after = (await bob.stream('audio', 'alice'))!;
      const video = (await bob.stream('video', 'alice'))!;
      const sent = (await alice.sent()).filter(({ kind }) => kind === 'video');
      const concealed = (after.concealed - before.concealed) / (after.samples - before.samples);
      if (process.env['PRINT_FIGURES'] !== undefined) {
        const figures = {
          ...gaps,
          concealed,
          audioLost: after.lost,
          videoLost: video.lost,
          videoRepeated: video.retransmitted,
          freezes: video.freezes,
        };
        process.stderr.write(
          `${videoCodec} ${JSON.stringify(figures)} ${engine
            .metrics()
            .match(/rmeet.*(nacks|retransm|recovered|plis)\w*_total \d+/g)
            ?.join(' ')}\n`,
        );
      }
      expect(gaps.video).toBeLessThan(1000);
      expect(video.retransmitted).toBeGreaterThan(0);
      expect(sent.reduce((sum, { retransmitted }) => sum + retransmitted, 0)).toBeGreaterThan(0);
      expect(concealed).toBeLessThan(0.03);
    },
  );
});
