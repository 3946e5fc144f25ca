import { launchBrowser, openPage, startServer } from '@rmeet/testkit';
import type { Browser, Page } from '@playwright/test';
import { median, type Benchmark } from './report.ts';

const RUNS = 5;

interface Screen {
  name: string;
  /** Goal for the JavaScript of the screen, gzip, KB. */
  goal: number;
  /** Path after the address, with what must be visible for the screen to be ready. */
  path: string;
  ready: string;
  prepare?: (page: Page) => Promise<void>;
  /** What is done once the path is ready to come to the screen. */
  enter?: (page: Page) => Promise<void>;
}

/** Bytes of JavaScript as they travelled, and ms until the screen can be used, in a browser that never saw it. */
async function visit(
  browser: Browser,
  url: string,
  screen: Screen,
): Promise<{ kilobytes: number; milliseconds: number }> {
  const page = await openPage(browser);
  await screen.prepare?.(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.clearBrowserCache');
  // Asking for gzip alone makes the sizes comparable with figures of other products.
  await devtools.send('Network.setExtraHTTPHeaders', { headers: { 'accept-encoding': 'gzip' } });
  const scripts = new Set<string>();
  let bytes = 0;
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType.includes('javascript')) scripts.add(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  const started = performance.now();
  await page.goto(`${url}${screen.path}`);
  await page.getByTestId(screen.enter ? 'join-submit' : screen.ready).waitFor();
  await screen.enter?.(page);
  if (screen.enter) await page.getByTestId(screen.ready).waitFor();
  const milliseconds = performance.now() - started;
  await page.waitForLoadState('networkidle');
  await page.context().close();
  return { kilobytes: bytes / 1024, milliseconds };
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
      { name: 'login', goal: 200, path: '/#/login', ready: 'login-submit' },
      { name: 'myMeeting', goal: 350, path: '/#/myMeeting', ready: 'meeting-new', prepare: signedIn },
      { name: 'join', goal: 306, path: link, ready: 'join-submit' },
      {
        name: 'room',
        goal: 450,
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
      report({ case: screen.name, figure: 'javascript_gzip', value: kilobytes, unit: 'KB' });
      report({ case: screen.name, figure: 'ready_cold', value: milliseconds, unit: 'ms' });
      parts.push(
        `${screen.name} ${kilobytes.toFixed(0)} KB (goal ${screen.goal}) ready in ${milliseconds.toFixed(0)} ms`,
      );
    }
    return `JavaScript and time to ready, cold: ${parts.join('; ')}.`;
  } finally {
    await browser.close();
    await server.stop();
  }
};
export default web;
