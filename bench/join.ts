import {
  launchBrowser,
  openPage,
  setCodec,
  showsColour,
  startServer,
  tilesOf,
  until,
  type RunningServer,
} from '@rmeet/testkit';
import type { Browser, Page } from '@playwright/test';
import { CAMERA_CODECS, type CameraCodec } from '@rmeet/contract';
import { median, type Benchmark } from './report.ts';

const RUNS = 20;
/** The colour of a shared screen. */
const SCREEN = '#20a0a0';
/** Seconds of a call of two whose processor time is measured. */
const CALL = 15;

/**
 * From pressing join to the first decoded remote frame, with each codec: a guest enters a meeting in which one person
 * already sends. Then the processor time of the browser with both in the meeting.
 */
const join: Benchmark = async (report) => {
  const server = await startServer();
  const sentences: string[] = [];
  try {
    for (const codec of CAMERA_CODECS) {
      await setCodec(server.api, codec);
      const browser = await launchBrowser();
      try {
        const { times, load, share } = await measure(server, browser, codec);
        report({ case: codec, figure: 'median', value: median(times), unit: 'ms' });
        report({ case: codec, figure: 'worst', value: Math.max(...times), unit: 'ms' });
        report({ case: codec, figure: 'processor of a call of two', value: load, unit: 'cores' });
        report({ case: codec, figure: 'share pressed to the screen at the other', value: share, unit: 'ms' });
        sentences.push(
          `${codec}: join pressed to first remote frame decoded: median ${median(times).toFixed(0)} ms, worst ` +
            `${Math.max(...times).toFixed(0)} ms over ${RUNS} runs (goal: median under 500 ms); a call of two takes ` +
            `${load.toFixed(2)} cores of the browser.`,
        );
      } finally {
        await browser.close();
      }
    }
    return sentences.join('\n');
  } finally {
    await server.stop();
  }
};
export default join;

async function measure(
  server: RunningServer,
  browser: Browser,
  codec: CameraCodec,
): Promise<{ times: number[]; load: number; share: number }> {
  const chair = await server.api.as('chair');
  const { numericId, password } = await chair.meetings.createNetwork({
    body: {
      subject: `Bench ${codec}`,
      startTime: new Date(Date.now() + 60_000).toISOString(),
      duration: 60,
      password: '4821',
    },
  });
  const address = `${server.url}/#/join?number=${numericId}&pwd=${password}&name=`;
  const sender = await openPage(browser, { media: { colour: '#20a040', tone: 700, screenColour: SCREEN } });
  await sender.goto(`${address}Bob`);
  await sender.getByTestId('join-submit').click();
  await sender.getByTestId('toolbar-leave').waitFor();

  const times: number[] = [];
  let page = await openPage(browser);
  for (let run = 0; run < RUNS; run++) {
    if (run > 0) {
      await page.context().close();
      page = await openPage(browser);
    }
    times.push(await joinTime(page, `${address}Carol`));
  }
  return { times, load: await processorLoad(browser), share: await shareTime(sender, page) };
}

/** Ms from pressing share to the first picture of the screen at the other participant. */
async function shareTime(sender: Page, viewer: Page): Promise<number> {
  const started = performance.now();
  await sender.getByTestId('toolbar-share').click();
  await until('the screen is seen', async () =>
    Object.values(await tilesOf(viewer)).some((picture) => showsColour(picture, SCREEN)),
  );
  return performance.now() - started;
}

/** Cores that the browser's processes use, on average over some seconds. */
async function processorLoad(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const used = async (): Promise<number> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  const [before, started] = [await used(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, CALL * 1_000));
  return ((await used()) - before) / ((performance.now() - started) / 1_000);
}

/** Opens the page to join, and joins. Returns the ms until the first decoded frame. */
async function joinTime(page: Page, address: string): Promise<number> {
  await page.goto(address);
  await page.getByTestId('join-submit').waitFor();
  // A person looks at the preview for a moment; the page uses that time to load and start the room's code.
  await until('the room is loaded', () =>
    page.evaluate('performance.getEntriesByType("resource").some(({ name }) => /assets\\/Room-.*js$/.test(name))'),
  );
  await page.waitForLoadState('networkidle');
  await until('the preview shows', () =>
    page.evaluate('[...document.querySelectorAll("video")].some((video) => video.videoWidth > 0)'),
  );
  await page.evaluate('new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve), 1_000))');
  return page.evaluate<number>(`new Promise((resolve) => {
    document.querySelector('[data-testid=join-submit]').click();
    const started = performance.now();
    const look = async () => {
      const videos = (await rmeetTest.inbound()).filter((stream) => stream.kind === 'video');
      const frames = videos.some((stream) => stream.framesDecoded > 0);
      if (frames) resolve(performance.now() - started);
      else setTimeout(look, 5);
    };
    look();
  })`);
}
