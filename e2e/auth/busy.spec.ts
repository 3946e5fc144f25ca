import type { Page } from '@playwright/test';
import { closePage, DEMO_PASSWORD, openPage } from '@rmeet/testkit';
import { bookMeeting } from '../support.ts';
import { expect, LOCALES, looksRight, test } from '../pages.ts';

const WORDS: Record<string, RegExp> = {
  'zh-CN': /正在排队，几秒内将自动进入/,
  'en-US': /You will be let in within seconds/,
};

/** Makes the server busy for the next calls of a path, as when a whole office signs in at once. */
async function busyFor(page: Page, path: string, calls: number, status: 429 | 503): Promise<{ asked: number }> {
  const seen = { asked: 0 };
  await page.route(`**${path}`, async (route) => {
    seen.asked += 1;
    if (seen.asked > calls) return route.continue();
    const statusCode = status === 429 ? 'TOO_MANY_REQUESTS' : 'SERVICE_BUSY';
    return route.fulfill({
      status,
      headers: { 'retry-after': '1' },
      contentType: 'application/json',
      body: JSON.stringify({ status: false, data: { seconds: 1 }, statusCode, message: 'Busy.' }),
    });
  });
  return seen;
}

for (const locale of LOCALES) {
  test(
    `signing in waits for a busy server automatically and says so, nothing moves: ${locale}`,
    { tag: '@more' },
    async ({ server, chromium }) => {
      const page = await openPage(chromium, { locale });
      await page.goto(`${server.url}/#/login`);
      const seen = await busyFor(page, '/api/login', 2, 503);
      await page.getByTestId('login-account').fill('bob');
      await page.getByTestId('login-password').fill(DEMO_PASSWORD);
      const before = await page.getByTestId('login-submit').boundingBox();
      await page.getByTestId('login-submit').click();
      await expect(page.getByTestId('wait-note')).toContainText(WORDS[locale] ?? /./);
      expect(await page.getByTestId('login-submit').boundingBox()).toEqual(before);
      await looksRight(page, `busy login ${locale}`);
      await page.getByTestId('account-menu').waitFor();
      expect(seen.asked).toBe(3);
      await closePage(page);
    },
  );

  test(
    `joining waits for a busy server automatically, and can be cancelled: ${locale}`,
    { tag: '@more' },
    async ({ server, chromium }) => {
      const { numericId } = await bookMeeting(await server.api.as('chair'), `Busy ${locale}`);
      const page = await openPage(chromium, { locale, size: { width: 390, height: 844 } });
      await page.goto(`${server.url}/#/join?number=${numericId}&pwd=4821`);
      const seen = await busyFor(page, '/conferences/join', 1_000, 429);
      await page.getByTestId('join-name').fill('Dana');
      await page.getByTestId('join-submit').click();
      await expect(page.getByTestId('wait-note')).toContainText(WORDS[locale] ?? /./);
      await expect.poll(() => seen.asked).toBeGreaterThan(1);
      await looksRight(page, `busy join ${locale}`);
      await page.getByTestId('wait-cancel').click();
      await expect(page.getByTestId('wait-note')).toHaveCount(0);
      await expect(page.getByTestId('join-error')).toHaveCount(0);
      await expect(page.getByTestId('join-submit')).toHaveAttribute('aria-busy', 'false');
      const { asked } = seen;
      await page.getByTestId('join-submit').click();
      await expect(page.getByTestId('wait-note')).toBeVisible();
      expect(seen.asked).toBe(asked + 1);
      await closePage(page);
    },
  );
}
