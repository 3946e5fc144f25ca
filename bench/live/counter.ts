import { setTimeout as wait } from 'node:timers/promises';
import { freePort, launchBrowser, openPage, startRelay, startServer, until } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { median, percentile, type Report } from '../report.ts';

/** Until the player has found its distance, and how long it is watched then; ms. */
const SETTLES = 12_000;
const WATCHED = 30_000;
/** Cells of the counter in the picture of a test page's camera (packages/testkit/page/media.js). */
const CELLS = 12;

/** Runs in a page: notes when each number of the counter was first seen in a video. */
const NOTE = `(selector) => {
  const seen = (window.seenCounters = new Map());
  setInterval(() => {
    const video = document.querySelector(selector);
    if (!video || video.readyState < 2) return;
    const { videoWidth: width, videoHeight: height } = video;
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    context.drawImage(video, 0, 0, width, height);
    let counter = 0;
    for (let bit = 0; bit < ${CELLS}; bit += 1) {
      const at = ((bit + 0.5) * width) / ${CELLS};
      if (context.getImageData(at, height * 0.93, 1, 1).data[0] > 127) counter |= 1 << bit;
    }
    if (!seen.has(counter)) seen.set(counter, Date.now());
  }, 25);
}`;

const note = (page: Page, selector: string): Promise<unknown> => page.evaluate(`(${NOTE})('${selector}')`);
const seenIn = async (page: Page): Promise<Map<number, number>> =>
  new Map(await page.evaluate<[number, number][]>('[...window.seenCounters]'));

/**
 * From the counter in a participant's own view to the same counter on the watch page, in the whole product: camera,
 * encoder, engine, recorder, server and player on one machine. Also how long a viewer who opens the page waits for the
 * first picture. Returns the median delay, seconds.
 *
 * @param loss share of packets lost between camera and engine, both ways
 */
export async function measureCounter(report: Report, loss = 0): Promise<number> {
  const udpPort = await freePort();
  const server = await startServer({ env: { RMEET_MEDIA_PORT: String(udpPort), RMEET_MEDIA_PROCESSES: '1' } });
  const browser = await launchBrowser();
  const relay = await startRelay({ targetPort: udpPort, up: { loss }, down: { loss } });
  try {
    const chair = await server.api.as('chair');
    const { meetId: id, numericId } = await chair.meetings.createLive({
      body: {
        subject: 'Bench live',
        startTime: new Date(Date.now() + 60_000).toISOString(),
        duration: 60,
        password: '4821',
        live: { access: 'public' },
      },
    });
    const sender = await openPage(browser, { media: { colour: '#20a040', tone: 700 } });
    await sender.addInitScript(relay.pageScript());
    await sender.goto(`${server.url}/#/join?number=${numericId}&pwd=4821&name=Bob`);
    await sender.getByTestId('join-submit').click();
    await sender.getByTestId('toolbar-leave').waitFor();
    await chair.broadcasts.act({ params: { id }, body: { action: 'START' } });
    const viewer = await openPage(browser, { size: { width: 390, height: 844 } });
    await viewer.goto(`${server.url}/#/live/${id}`);
    await until(
      'the viewer sees it',
      () => viewer.evaluate('document.querySelector("[data-testid=live-video]")?.readyState >= 2'),
      { within: 40_000 },
    );
    await wait(SETTLES);
    await note(sender, '[data-own=true] video');
    await note(viewer, '[data-testid=live-video]');
    await wait(WATCHED);
    const [sent, shown] = [await seenIn(sender), await seenIn(viewer)];
    const delays = [...shown].flatMap(([counter, at]) => {
      const from = sent.get(counter);
      return from === undefined ? [] : [(at - from) / 1_000];
    });
    const figure = (name: string, value: number, unit: string) =>
      report({
        case: loss === 0 ? 'camera to watch page' : `the same, ${loss * 100} % lost`,
        figure: name,
        value,
        unit,
      });
    figure('packets sent', relay.up.counters.forwarded, '');
    figure('packets lost', relay.up.counters.lost, '');
    figure('pictures compared', delays.length, '');
    figure('median', median(delays), 's');
    figure('95 %', percentile(delays, 0.95), 's');
    figure('worst', Math.max(...delays), 's');
    figure('first picture after the page was opened', await firstPicture(viewer), 'ms');
    return median(delays);
  } finally {
    await browser.close();
    await relay.close();
    await server.stop();
  }
}

/** Opens the page anew. Ms to the first picture, code and all included. */
async function firstPicture(page: Page): Promise<number> {
  await page.reload({ waitUntil: 'commit' });
  return page.evaluate(`(async () => {
    for (;;) {
      const video = document.querySelector('[data-testid=live-video]');
      if (video && video.readyState >= 2) return performance.now();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })()`);
}
