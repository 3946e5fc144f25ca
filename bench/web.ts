import { launchBrowser, openPage, startServer } from '@rmeet/testkit';
import type { Browser, Page } from '@playwright/test';
import { weigh, weighedPages, type WeighedPage } from '../tools/page-weight.ts';
import { median, type Benchmark } from './report.ts';

const RUNS = 5;

/**
 * The page of a room of La Suite Meet 1.27.0 (commit e5f0b1c2), which is join page and room in one: its build's entry
 * and room chunk with their static imports, gzip, without headers (docs/decisions/page-weight.md). Not measured here.
 */
const LA_SUITE_MEET = { name: 'La Suite Meet 1.27.0, join and room', kilobytes: 578 };

interface Screen {
  page: WeighedPage;
  /** Path after the address, and what must be visible for the screen to be ready. */
  path: string;
  ready: string;
  prepare?: (page: Page) => Promise<void>;
  /** The actions after the path is ready that lead to the screen. */
  enter?: (page: Page) => Promise<void>;
}

interface Visit {
  /** KB of JavaScript as transferred, until the screen is usable. */
  kilobytes: number;
  /** KB loaded after that: what the page prefetches. */
  ahead: number;
  /** Until the screen is usable. */
  milliseconds: number;
}

/** Opens a screen in a browser with an empty cache. */
async function visit(browser: Browser, url: string, screen: Screen): Promise<Visit> {
  const page = await openPage(browser);
  await screen.prepare?.(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.clearBrowserCache');
  // Accepting only gzip makes the sizes comparable with figures of other products.
  await devtools.send('Network.setExtraHTTPHeaders', { headers: { 'accept-encoding': 'gzip' } });
  const bytes = { first: 0, ahead: 0 };
  const scripts = new Map<string, keyof typeof bytes>();
  let part: keyof typeof bytes = 'first';
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType.includes('javascript')) scripts.set(requestId, part);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const counted = scripts.get(requestId);
    if (counted) bytes[counted] += encodedDataLength;
  });
  const started = performance.now();
  await page.goto(`${url}${screen.path}`);
  await page.getByTestId(screen.enter ? 'join-submit' : screen.ready).waitFor();
  await screen.enter?.(page);
  if (screen.enter) await page.getByTestId(screen.ready).waitFor();
  const milliseconds = performance.now() - started;
  part = 'ahead';
  await page.waitForLoadState('networkidle');
  await page.context().close();
  return { kilobytes: bytes.first / 1024, ahead: bytes.ahead / 1024, milliseconds };
}

const web: Benchmark = async (report) => {
  const server = await startServer();
  const browser = await launchBrowser();
  try {
    const session = await server.api.as('chair');
    const meeting = await session.meetings.createNetwork({
      body: {
        subject: 'Bench',
        startTime: new Date(Date.now() + 60_000).toISOString(),
        duration: 60,
        password: '4821',
      },
    });
    const link = `/#/join?number=${meeting.numericId}&pwd=4821&name=Carol`;
    const signedIn = async (page: Page): Promise<void> => {
      const stored = JSON.stringify({ token: session.token, loginUser: JSON.stringify(session.user) });
      await page.addInitScript(
        `for (const [key, value] of Object.entries(${stored})) { localStorage.setItem(key, value); ` +
          'sessionStorage.setItem(key, value); }',
      );
    };
    const screens: Screen[] = [
      { page: weighedPages.login, path: '/#/login', ready: 'login-submit' },
      { page: weighedPages.myMeeting, path: '/#/myMeeting', ready: 'meeting-new', prepare: signedIn },
      { page: weighedPages.join, path: link, ready: 'join-submit' },
      {
        page: weighedPages.room,
        path: link,
        ready: 'toolbar-leave',
        enter: (page) => page.getByTestId('join-submit').click(),
      },
    ];
    const parts: string[] = [];
    for (const screen of screens) {
      const visits = [];
      for (let run = 0; run < RUNS; run++) visits.push(await visit(browser, server.url, screen));
      const kilobytes = median(visits.map((one) => one.kilobytes));
      const milliseconds = median(visits.map((one) => one.milliseconds));
      const { name, budget } = screen.page;
      // `npm run check` computes the weight from the build's manifest; the two should agree.
      const computed = weigh(screen.page).kilobytes;
      report({ case: name, figure: 'javascript_gzip', value: kilobytes, unit: 'KB' });
      report({ case: name, figure: 'javascript_ahead', value: median(visits.map(({ ahead }) => ahead)), unit: 'KB' });
      report({ case: name, figure: 'javascript_computed', value: computed, unit: 'KB' });
      report({ case: name, figure: 'ready_cold', value: milliseconds, unit: 'ms' });
      parts.push(
        `${name} ${kilobytes.toFixed(0)} KB (computed ${computed.toFixed(0)}, budget ${budget}) ` +
          `ready in ${milliseconds.toFixed(0)} ms`,
      );
    }
    report({ case: LA_SUITE_MEET.name, figure: 'javascript_computed', value: LA_SUITE_MEET.kilobytes, unit: 'KB' });
    parts.push(`${LA_SUITE_MEET.name} ${LA_SUITE_MEET.kilobytes} KB`);
    return `JavaScript and time to ready, cold: ${parts.join('; ')}.`;
  } finally {
    await browser.close();
    await server.stop();
  }
};
export default web;
