import { closePage, openPage } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { newUser, SHELL } from '../auth/support.ts';
import { expect, LOCALES, LOOKS, looksRight, tabTo, test } from '../pages.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 834, height: 1112 },
  { width: 360, height: 740 },
] as const;

/** Follows a link that opens a new tab. */
async function followed(page: Page, testId: string): Promise<Page> {
  const opened = page.waitForEvent('popup');
  // On phones the sidebar is in a drawer, which is in the page, too.
  await page.getByTestId(testId).filter({ visible: true }).click();
  const tab = await opened;
  await tab.waitForLoadState();
  return tab;
}

const search = (page: Page) => page.getByRole('searchbox');
const results = (page: Page) => page.locator('.help-results li');

for (const locale of LOCALES) {
  const isZh = locale === 'zh-CN';
  test(`the question mark opens the page of the manual that belongs to the page shown (${locale})`, async ({
    visit,
    server,
  }) => {
    const page = await visit('alice', '/', '/myMeeting', { locale });
    const manual = await followed(page, 'help-link');
    expect(manual.url()).toBe(`${server.url}/help/${isZh ? '' : 'en/'}my-meetings.html`);
    await expect(manual.getByRole('heading', { level: 1 })).toHaveText(isZh ? '我的会议' : 'My meetings');
    await manual.close();
    await page.goto(`${server.url}/#/userInfo`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect(page.getByTestId('help-link')).toHaveAttribute('href', `/help/${isZh ? '' : 'en/'}profile.html`);
  });
}

test('the sidebar leads to the manual, and its search answers by keyboard', async ({ visit, server }) => {
  const page = await visit('alice', '/', '/myMeeting', { locale: 'en-US' });
  const manual = await followed(page, 'nav-manual');
  expect(manual.url()).toBe(`${server.url}/help/en/index.html`);
  await manual.keyboard.press('/');
  await expect(search(manual)).toBeFocused();
  await manual.keyboard.type('recurring meetings');
  await expect(results(manual).first()).toContainText('Repeat a meeting');
  await manual.keyboard.press('Enter');
  await expect(results(manual).first().getByRole('link')).toBeFocused();
  await manual.keyboard.press('Enter');
  await manual.waitForURL('**/help/en/book.html#series');
  await expect(manual.locator('#series')).toBeInViewport();
  await manual.close();
});

test('the manual switches its language on the same page, and searches Chinese by pairs of letters', async ({
  chromium,
  server,
}) => {
  const page = await openPage(chromium, { locale: 'en-US' });
  await page.goto(`${server.url}/help/en/host.html#admit`);
  await page.getByRole('link', { name: '中文' }).click();
  await page.waitForURL('**/help/host.html');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('主持会议');
  await search(page).fill('谁可以让人进来');
  await expect(results(page).first()).toContainText('准入');
  await search(page).fill('');
  await expect(page.locator('article')).toBeVisible();
  await closePage(page);
});

test('a search without results, and one that cannot be loaded, say what to do', async ({ chromium, server }) => {
  const page = await openPage(chromium, { locale: 'en-US' });
  await page.route('**/help/search-en.json', (route) => route.abort());
  await page.goto(`${server.url}/help/en/index.html?q=mute`);
  await expect(page.getByRole('status')).toHaveText('The search could not be loaded. Reload the page.');
  await page.unroute('**/help/search-en.json');
  await search(page).fill('xylophone');
  await expect(page.getByRole('status')).toHaveText('Nothing was found. Try other words.');
  await search(page).fill('mute');
  await expect(page.getByRole('status')).toContainText('results');
  await closePage(page);
});

test('the manual needs no sign-in, and no other server', async ({ chromium, server }) => {
  const page = await openPage(chromium);
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) elsewhere.push(request.url());
  });
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(`${server.url}/help/index.html`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('操作手册');
  await search(page).fill('录制');
  await expect(results(page).first()).toBeVisible();
  expect(elsewhere).toEqual([]);
  expect(faults).toEqual([]);
  await closePage(page);
});

test('the client for Windows has no link to the manual, and the one for the Mac has', async ({ chromium, server }) => {
  await newUser(server, 'shellreader');
  const { token } = await server.api.as('shellreader');
  for (const [userAgent, count] of [
    [SHELL, 0],
    [SHELL.replace('Windows NT 10.0; Win64; x64', 'Macintosh; Intel Mac OS X 14_0'), 1],
  ] as const) {
    const context = await chromium.newContext({ userAgent, locale: 'zh-CN', serviceWorkers: 'block' });
    const page = await context.newPage();
    await page.goto(`${server.url}/#/loading?token=${token}&source=client&version=400`);
    await page.getByTestId('account-menu').waitFor();
    await expect(page.getByTestId('help-link')).toHaveCount(count);
    await expect(page.getByTestId('nav-manual').filter({ visible: true })).toHaveCount(count);
    await context.close();
  }
});

for (const locale of LOOKS) {
  test(`the manual looks right (${locale})`, async ({ chromium, server }) => {
    const folder = locale === 'zh-CN' ? '/help' : '/help/en';
    for (const size of SIZES) {
      const page = await openPage(chromium, { locale, size });
      for (const name of ['index', 'book', 'trouble', 'desk']) {
        await page.goto(`${server.url}${folder}/${name}.html`);
        await looksRight(page, `manual ${name}`);
      }
      await search(page).fill(locale === 'zh-CN' ? '会议' : 'meeting');
      await results(page).first().waitFor();
      await looksRight(page, 'manual results');
      await search(page).fill('xylophone'.repeat(20));
      await page
        .getByRole('status')
        .filter({ hasText: /没有|Nothing/ })
        .waitFor();
      await looksRight(page, 'manual nothing found');
      await closePage(page);
    }
  });
}

test('the contents of the manual are folded on a phone, and open by keyboard', async ({ chromium, server }) => {
  const page = await openPage(chromium, { locale: 'en-US', size: { width: 360, height: 740 } });
  await page.goto(`${server.url}/help/en/book.html`);
  const contents = page.getByRole('link', { name: 'Control desk' });
  await expect(page.locator('.help-contents')).not.toHaveAttribute('open');
  await page.locator('.help-contents summary').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('.help-contents')).toHaveAttribute('open');
  await expect(contents.or(page.getByRole('link', { name: 'The control desk' })).first()).toBeVisible();
  await closePage(page);
});

test('the question mark is reached by keyboard', async ({ visit }) => {
  const page = await visit('alice', '/', '/myMeeting', { locale: 'en-US' });
  await tabTo(page, 'help-link');
  await expect(page.getByTestId('help-link')).toHaveAccessibleName('Help for this page (opens in a new tab)');
});
