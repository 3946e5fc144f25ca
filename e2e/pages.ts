import { closePage, openPage, storeFor, type Api, type RunningServer } from '@rmeet/testkit';
import type { Locator, Page } from '@playwright/test';
import { expect, test as base, violations } from './support.ts';

export { expect } from './support.ts';

const LANGUAGES = ['zh-CN', 'en-US'] as const;
const wanted = process.env['RMEET_TEST_LANGUAGES']?.split(',');
/** The languages of scenarios that are the same in each: those RMEET_TEST_LANGUAGES names, else both. */
export const LOCALES = LANGUAGES.filter((language) => wanted?.includes(language) ?? true);
/**
 * The languages in which the looks of every state are checked. `npm test` leaves that to the matrix: each state costs
 * seconds.
 */
export const LOOKS = process.env['RMEET_TEST_QUICK'] === '1' ? [] : LOCALES;
/**
 * The languages in which axe looks: what it finds lies in the structure and the colours of a page, so that one of two
 * is enough, and each look of it costs seconds.
 */
export const AXE_LOCALES = LOCALES.filter((language) => language === 'en-US');
/** A name as long as names may be, in a script that breaks anywhere and one that does not. */
export const LONG_NAME = `${'超长名称'.repeat(5)}${'Verylongname'.repeat(3)}`.slice(0, 56);

interface Fixtures {
  /** Opens a page signed in at an app (`/`, `/manage/`, `/admin/`), at a path of it. See `signInByToken`. */
  visit: (
    account: string,
    app: string,
    path: string,
    options?: { locale?: (typeof LANGUAGES)[number]; size?: { width: number; height: number } },
  ) => Promise<Page>;
  /** Calls in the name of the platform's administrator. */
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
 * Signs a page in without the login page, which has scenarios of its own (e2e/auth): the token lies in the storage the
 * tabs share. Where servers are shared it goes on with the session that the account has; elsewhere it ends that, as
 * every sign-in.
 */
export async function signInByToken(page: Page, server: RunningServer, account: string): Promise<void> {
  const { token } = await server.api.as(account);
  await storeFor(page, server.url, { token });
}

/** Goes on by Tab, as somebody without a mouse does, until what is wanted or something in it has the focus. */
export async function tabTo(page: Page, testId: string): Promise<void> {
  // Before it is there, eighty presses are over in a fifth of a second.
  await page.getByTestId(testId).filter({ visible: true }).first().waitFor();
  const isReached = `Boolean(document.activeElement?.closest('[data-testid="${testId}"]'))`;
  for (let presses = 0; presses < 80; presses += 1) {
    if (await page.evaluate(isReached)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${testId} is not reached by Tab.`);
}

/** Types into the field that has the focus, in place of what is there. */
export async function retype(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** Lets every call of a path fail, as when the server is in trouble. Call the result to end it. */
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
 * Lets calls succeed again, and tries again until `shown` is there. For pages that follow the server: in this very
 * moment they may fetch by themselves, and what they show for a failure goes before it can be pressed.
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
 * Nothing for axe to find (in English, see AXE_LOCALES), and nothing that is wider than the page. RMEET_TEST_PICTURES:
 * a folder to keep pictures in.
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
