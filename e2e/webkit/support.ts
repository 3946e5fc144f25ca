import { writeFileSync } from 'node:fs';
import { hasWebKit, openWebKit, watchPages, type PageSize, type Watched, type WebKitPage } from '@rmeet/testkit';
import { expect, test as base } from '../support.ts';

export { expect } from '../support.ts';

export const WIDE: PageSize = { width: 1280, height: 800 };
export const PHONE: PageSize = { width: 390, height: 844 };

interface Fixtures {
  /** The product behind a proxy, to which its pages report their errors. */
  watched: Watched;
  /** A WebKit page with a common screen size. */
  tab: WebKitPage;
}

export const test = base.extend<Fixtures>({
  watched: async ({ server }, use) => {
    const watched = await watchPages(server);
    await use(watched);
    await watched.stop();
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from it that nothing else is needed.
  tab: async ({}, use) => {
    const { page, stop } = await openWebKit(WIDE);
    await use(page);
    await stop();
  },
});

test.skip(!hasWebKit(), 'WebKit is not installed: webkit2gtk-driver and xvfb.');

export const testId = (id: string): string => `[data-testid="${id}"]`;
export const has = (selector: string): string => `document.querySelector(${JSON.stringify(selector)}) !== null`;

/** Placeholders for content that is still loading, and elements that still move. */
const TO_COME = [
  '.state-loading',
  '[aria-busy="true"]',
  '.ant-spin-spinning',
  '[class*="-appear-"]',
  '[class*="-enter-"]',
  '[class*="-leave-"]',
];
const pending = TO_COME.join(', ');
const isThere = `document.querySelector('h1, h2')?.innerText.trim() && !document.querySelector('${pending}')`;
const broken = `document.querySelector('${testId('state-error')}, ${testId('crash-reload')}')?.innerText`;
/** By how much the page, or its scrolling part, overflows its container; pixels. */
const overflow =
  `Math.max(...[document.documentElement, document.querySelector('main') ?? ` +
  'document.body].map((one) => one.scrollWidth - one.clientWidth))';

/** Waits until a page has loaded and checks it. RMEET_TEST_PICTURES: a folder for screenshots. */
export async function looksRight(page: WebKitPage, watched: Watched, what: string): Promise<void> {
  await page.waitFor(`(${isThere}) || (${broken})`);
  const folder = process.env['RMEET_TEST_PICTURES'];
  if (folder !== undefined) {
    const place = await page.evaluate<string>('[document.documentElement.lang, innerWidth].join("-")');
    writeFileSync(`${folder}/webkit-${place}-${what.replaceAll(/[^\p{L}\d]+/gu, '-')}.png`, await page.screenshot());
  }
  expect(await page.evaluate(broken), what).toBeNull();
  expect(await page.evaluate(overflow), `${what}: wider than its place`).toBeLessThanOrEqual(0);
  expect(watched.takeFaults(), what).toEqual([]);
}

/** Switches the language as a user does, and waits until the page has switched. */
export async function switchTo(page: WebKitPage, locale: 'zh-CN' | 'en-US'): Promise<void> {
  const [language] = locale.split('-');
  await page.click(testId(`language-${language}`));
  await page.waitFor(`document.documentElement.lang.startsWith('${language}')`);
}

/** Signs in through the login page. */
export async function signIn(page: WebKitPage, url: string, account: string): Promise<void> {
  await page.goto(url);
  await page.fill(testId('login-account'), account);
  await page.fill(testId('login-password'), 'Rmeet-demo-1');
  await page.click(testId('login-submit'));
  await page.waitFor(has(testId('account-menu')));
}
