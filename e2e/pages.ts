import { closePage, openPage, storeFor, type Api, type RunningServer } from '@rmeet/testkit';
import type { Locator, Page } from '@playwright/test';
import { expect, test as base, violations } from './support.ts';

export { expect } from './support.ts';

const LANGUAGES = ['zh-CN', 'en-US'] as const;
const wanted = process.env['RMEET_TEST_LANGUAGES']?.split(',');
/** The languages of scenarios that are the same in each: those in RMEET_TEST_LANGUAGES, otherwise both. */
export const LOCALES = LANGUAGES.filter((language) => wanted?.includes(language) ?? true);
/**
 * The languages in which the appearance of every state is checked. `npm test` leaves that to the matrix: each state
 * takes seconds.
 */
export const LOOKS = process.env['RMEET_TEST_QUICK'] === '1' ? [] : LOCALES;
/**
 * The languages checked by axe: its findings concern the structure and colours of a page, so one of the two is enough,
 * and each check takes seconds.
 */
export const AXE_LOCALES = LOCALES.filter((language) => language === 'en-US');
/** A name of maximum length, in a script that wraps anywhere and one that does not. */
export const LONG_NAME = `${'超长名称'.repeat(5)}${'Verylongname'.repeat(3)}`.slice(0, 56);

interface Fixtures {
  /** Opens a signed-in page of an app (`/`, `/manage/`, `/admin/`), at one of its paths. See `signInByToken`. */
  visit: (
    account: string,
    app: string,
    path: string,
    options?: { locale?: (typeof LANGUAGES)[number]; size?: { width: number; height: number } },
  ) => Promise<Page>;
  /** API calls as the platform's administrator. */
  root: Api;
}

export const test = base.extend<Fixtures>({
  visit: async ({ chromium, server }, use) => {
    const pages: Page[] = [];
    await use(async (account, app, path, options = {}) => {
      const page = await openPage(chromium, options);
      pages.push(page);
      await signInByToken(page, server, account);
      await page.goto(`${server.url}${app}#${path}`);
      await page.getByTestId('account-menu').waitFor();
      return page;
    });
    for (const page of pages) await closePage(page);
  },
  root: async ({ server }, use) => use(await server.api.as('root')),
});

/**
 * Signs a page in without the login page, which has its own scenarios (e2e/auth): the token is put into the storage
 * that tabs share. On shared servers it uses the account's existing session; on others it ends that, as every sign-in
 * does.
 */
export async function signInByToken(page: Page, server: RunningServer, account: string): Promise<void> {
  const { token } = await server.api.as(account);
  await storeFor(page, server.url, { token });
}

/** Presses Tab, as a user without a mouse does, until the element or one inside it has the focus. */
export async function tabTo(page: Page, testId: string): Promise<void> {
  // Before the element exists, eighty presses take only a fifth of a second.
  await page.getByTestId(testId).filter({ visible: true }).first().waitFor();
  const isReached = `Boolean(document.activeElement?.closest('[data-testid="${testId}"]'))`;
  for (let presses = 0; presses < 80; presses += 1) {
    if (await page.evaluate(isReached)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${testId} is not reached by Tab.`);
}

/** Agrees to the open question by Enter. Until the dialog is shown, its button cannot take the focus. */
export async function agreeByKey(page: Page): Promise<void> {
  const ok = page.getByTestId('question-ok');
  await ok.waitFor();
  await ok.press('Enter');
}

/** Replaces the content of the focused field by typing. */
export async function retype(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** Makes every call to a path fail with a server error. Call the result to end it. */
export async function failing(page: Page, path: string): Promise<() => Promise<void>> {
  const url = `**${path}*`;
  await page.route(url, (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/json',
      body: '{"status":false,"data":null,"statusCode":"SERVER_ERROR","message":""}',
    }),
  );
  return () => page.unroute(url);
}

/**
 * Lets calls succeed again, and retries until `shown` is visible. For pages that follow the server: they may refetch by
 * themselves at the same moment, so that the error state disappears before its button can be pressed.
 */
export async function tryAgain(page: Page, mend: () => Promise<void>, shown: Locator): Promise<void> {
  const retry = page.getByTestId('state-retry');
  await mend();
  await expect(async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 2_000 });
    await expect(shown).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
}

/**
 * Checks that axe finds nothing (in English, see AXE_LOCALES), and that nothing is wider than the page.
 * RMEET_TEST_PICTURES: a folder for screenshots.
 */
export async function looksRight(page: Page, what: string): Promise<void> {
  const language = await page.evaluate<string>('document.documentElement.lang');
  const folder = process.env['RMEET_TEST_PICTURES'];
  if (folder !== undefined)
    await page.screenshot({
      path: `${folder}/${language}-${page.viewportSize()?.width ?? 0}-${what.replaceAll(/[^\p{L}\d]+/gu, '-')}.png`,
    });
  if (language.startsWith('en')) expect(await violations(page), what).toEqual([]);
  const [content, width] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [
    number,
    number,
  ];
  expect(content, `${what}: width`).toBeLessThanOrEqual(width);
}

/**
 * From now on the page can send media only through a TURN server, and there is none: as behind a firewall that blocks
 * UDP.
 */
export const stopUdp = (page: Page) =>
  page.evaluate(`
  const Connection = window.RTCPeerConnection;
  window.RTCPeerConnection = class extends Connection {
    constructor(options) { super({ ...options, iceServers: [], iceTransportPolicy: 'relay' }); }
    setConfiguration(options) { super.setConfiguration({ ...options, iceServers: [], iceTransportPolicy: 'relay' }); }
  };`);
