import { TOAST_DURATION } from '@rmeet/contract';
import { closePage, openPage } from '@rmeet/testkit';
import type { Browser, Page } from '@playwright/test';
import { bookMeeting, join } from '../support.ts';
import { arrives, expect, fillLogin, newUser, stored, test } from './support.ts';

/** A page whose browser prefers these languages, most preferred first. */
async function preferring(chromium: Browser, languages: readonly string[]): Promise<Page> {
  const page = await openPage(chromium, { locale: 'en-US' });
  await page.addInitScript(
    `Object.defineProperty(navigator, 'languages', { get: () => ${JSON.stringify(languages)} })`,
  );
  return page;
}

for (const [languages, lang, title] of [
  [['en-GB', 'zh-CN'], 'en', 'Join a meeting'],
  [['zh-Hant-TW', 'en'], 'zh-CN', '加入会议'],
  [['fr-FR', 'en-US'], 'en', 'Join a meeting'],
  [['fr-FR'], 'zh-CN', '加入会议'],
  [[], 'zh-CN', '加入会议'],
] as const) {
  test(
    `a browser that prefers [${languages.join(', ')}] opens an invitation link in ${lang}`,
    { tag: languages[0] === 'en-GB' ? [] : '@more' },
    async ({ server, chromium }) => {
      const { numericId } = await bookMeeting(await server.api.as('alice'), 'Ward round');
      const page = await preferring(chromium, languages);
      // Also before the app is loaded: the reader sees no other language during loading.
      await page.goto(`${server.url}/#/join?number=${numericId}`, { waitUntil: 'commit' });
      await page.locator('body').waitFor({ state: 'attached' });
      expect(await page.evaluate('document.documentElement.lang')).toBe(lang);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
      expect(await page.evaluate('document.documentElement.lang')).toBe(lang);
      expect(await stored(page, 'locale', 'localStorage')).toBeNull();
      await closePage(page);
    },
  );
}

test('a chosen language has priority over that of the browser, and is kept', async ({ server, chromium }) => {
  const page = await openPage(chromium, { locale: 'en-US' });
  await page.goto(`${server.url}/#/login`);
  await page.getByTestId('language-zh').click();
  await expect(page.getByTestId('login-submit')).toHaveText('登录');
  await page.reload();
  await expect(page.getByTestId('login-submit')).toHaveText('登录');
  await closePage(page);
});

test(
  'choosing the displayed language loads nothing, and the choice is kept',
  { tag: '@more' },
  async ({ server, chromium }) => {
    const page = await openPage(chromium, { locale: 'zh-CN' });
    await page.goto(`${server.url}/#/login`, { waitUntil: 'networkidle' });
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.getByTestId('language-zh').click();
    await expect.poll(() => stored(page, 'locale', 'localStorage')).toBe('zh');
    expect(loaded).toEqual([]);
    await closePage(page);
  },
);

test("the account's language has priority over the browser's, a choice in the browser over both", async ({
  server,
  chromium,
}) => {
  await newUser(server, 'linguist');
  const linguist = await server.api.as('linguist');
  const { name, phoneNumber, email } = await linguist.users.current();
  await linguist.users.updateSelf({ body: { name, phoneNumber, email, locale: 'en' } });
  const page = await openPage(chromium, { locale: 'zh-CN' });
  await page.goto(`${server.url}/#/login`);
  await expect(page.getByTestId('login-submit')).toHaveText('登录');
  await fillLogin(page, 'linguist');
  await arrives(page, (path) => path.startsWith('/myMeeting'));
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.reload();
  await page.getByTestId('account-menu').waitFor();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.getByTestId('language-zh').click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await page.reload();
  await page.getByTestId('account-menu').waitFor();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await closePage(page);
});

test(
  'a change of language translates visible texts: a toast of the page, one of the server, a refusal',
  { tag: '@more' },
  async ({ server, chromium }) => {
    await newUser(server, 'toasted');
    const page = await openPage(chromium, { locale: 'zh-CN' });
    // Toasts stay as long as the test needs.
    await page.clock.install();
    await page.goto(`${server.url}/#/join?number=000000001`);
    await page.getByTestId('join-name').fill('Bob');
    await page.getByTestId('join-submit').click();
    const refusal = page.getByTestId('join-error');
    await expect(refusal).toHaveText('会议号不存在，请核对后重新输入');
    await page.getByTestId('language-en').click();
    await expect(refusal).toHaveText('There is no meeting with this number. Check it and try again.');

    await page.goto(`${server.url}/#/login`);
    await fillLogin(page, 'toasted');
    await page.getByTestId('account-menu').waitFor();
    await page.goto(`${server.url}/#/userInfo`);
    const toast = page.locator('.toast');
    await page.getByTestId('profile-save').click();
    await expect(toast).toHaveText('Your information is saved');
    await page.getByTestId('language-zh').click();
    await expect(toast).toHaveText('个人信息已保存');
    await page.clock.runFor(TOAST_DURATION);
    await expect(toast).toHaveCount(0);

    const sentences = { zh: '服务繁忙', en: 'Busy.' };
    await page.route('**/api/api/v1/users/self', (route) =>
      route.fulfill({
        status: 406,
        json: { status: false, data: null, statusCode: 'SMS_FAILED', message: sentences.zh, messages: sentences },
      }),
    );
    await page.getByTestId('profile-save').click();
    await expect(toast).toHaveText('服务繁忙');
    await page.getByTestId('language-en').click();
    await expect(toast).toHaveText('Busy.');
    await closePage(page);
  },
);

test('a browser that cannot run the app shows a message in its language', async ({ server, chromium }) => {
  for (const [locale, words, others] of [
    ['en-US', 'Your browser is too old', '浏览器'],
    ['zh-CN', '浏览器版本过低', 'too old'],
  ] as const) {
    const page = await openPage(chromium, { locale });
    await page.addInitScript('delete window.CompressionStream');
    await page.goto(`${server.url}/#/join`);
    await expect(page.getByRole('alert')).toContainText(words);
    await expect(page.getByRole('alert')).not.toContainText(others);
    await closePage(page);
  }
});

test(
  'the language can be changed in the waiting room, and on a phone in the meeting',
  { tag: '@more' },
  async ({ server, chromium }) => {
    const chair = await server.api.as('chair');
    const waiting = await bookMeeting(chair, 'Ward round', { waitingRoom: true });
    const page = await openPage(chromium, { locale: 'en-US', size: { width: 390, height: 844 } });
    await join(page, server, { number: waiting.numericId, password: waiting.password, name: 'Bob' });
    const room = page.getByTestId('waiting-room');
    await room.waitFor();
    await page.getByTestId('language-zh').click();
    await expect(room).toContainText('请等待主持人准入');
    await page.getByTestId('waiting-leave').click();

    const open = await bookMeeting(chair, 'Round', {});
    await join(page, server, { number: open.numericId, password: open.password, name: 'Bob' });
    await page.getByTestId('toolbar-more').click();
    await page.getByTestId('toolbar-settings').click();
    await page.getByTestId('settings-tab-general').click();
    await page.getByTestId('language-en').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('settings-dialog')).toContainText('Settings');
    await expect(page).toHaveTitle(/^Round/);
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('toolbar-leave')).toContainText('Leave');
    await closePage(page);
  },
);
