import { closePage, openPage } from '@rmeet/testkit';
import { violations } from '../support.ts';
import { arrives, expect, fillLogin, newUser, pathOf, signInAt, stored, test } from './support.ts';

test('PWD_EXPIRED: the login page asks for a new password, says the rules, and signs in with it', async ({
  server,
  page,
}) => {
  const { users } = await server.api.as('admin');
  const { password } = await users.create({ body: { account: 'erin', name: 'Erin' } });
  await page.goto(`${server.url}/#/login`);
  await fillLogin(page, 'erin', password ?? '');
  await page.getByTestId('login-new-password').fill('short');
  await page.getByTestId('login-new-password-again').fill('differs');
  await page.getByTestId('login-submit').click();
  await expect(page.getByText('两次输入的新密码不一致')).toBeVisible();
  await page.getByTestId('login-new-password-again').fill('short');
  await page.getByTestId('login-submit').click();
  await expect(page.getByTestId('login-error')).toContainText('新密码至少 8 位');
  expect(await violations(page)).toEqual([]);
  for (const field of ['login-new-password', 'login-new-password-again'])
    await page.getByTestId(field).fill('Rmeet-new-1');
  await page.getByTestId('login-submit').click();
  await arrives(page, '/myMeeting');
});

test('Users without meeting resources see once whom to ask, and the page offers no booking', async ({
  server,
  page,
}) => {
  await newUser(server, 'dave', []);
  await page.goto(`${server.url}/#/login`);
  await fillLogin(page, 'dave');
  const question = page.getByTestId('question');
  await expect(question).toContainText('您尚未分配会议资源，请联系管理员或服务台申请开通！');
  await expect(page.getByTestId('question-cancel')).toHaveCount(0);
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('meeting-new')).toHaveCount(0);
  await page.reload();
  await page.getByTestId('account-menu').waitFor();
  await expect(question).toHaveCount(0);
});

test('Changed access is seen in place: menu, permissions and flags', async ({ server, page }) => {
  const { id } = await newUser(server, 'frank');
  await page.goto(`${server.url}/#/login`);
  await fillLogin(page, 'frank');
  await page.getByTestId('meeting-new').waitFor();
  await page.evaluate('window.isThisLoad = true');
  const admin = await server.api.as('admin');
  await admin.users.setGrants({ params: { id }, body: { roleIds: [], permissionIds: [] } });
  await expect(page.getByTestId('meeting-new')).toHaveCount(0);
  await expect(page.getByTestId('nav-MyMeeting')).toHaveCount(0);
  expect(await stored(page, 'authArr')).toBe('[]');
  expect(JSON.parse((await stored(page, 'loginUser')) ?? '{}')).toMatchObject({ account: 'frank', enableNet: 0 });
  expect(await page.evaluate('window.isThisLoad')).toBe(true);
});

test(
  'A part that does not load while a form is open: reloading keeps what was typed',
  { tag: '@more' },
  async ({ server, chromium }) => {
    const page = await openPage(chromium, { locale: 'en-US' });
    await signInAt(page, server, 'alice');
    await page.getByTestId('meeting-new').click();
    await page.getByTestId('meeting-subject').fill('Half written');
    await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
    // The form covers the button; any chunk loaded while the form is open would do.
    await page.getByTestId('language-zh').dispatchEvent('click');
    await expect(page.getByTestId('question')).toContainText('Part of this page did not load');
    await page.unrouteAll();
    await page.getByTestId('question-ok').click();
    await expect(page.getByTestId('meeting-subject')).toHaveValue('Half written');
    // The draft is kept for one reload, not for the next form.
    await page.getByTestId('meeting-dismiss').click();
    await page.getByTestId('question-ok').click();
    await page.getByTestId('meeting-new').click();
    await expect(page.getByTestId('meeting-subject')).toHaveValue('');
    await closePage(page);
  },
);

test(
  'A page that does not load shows an error, and loads on another try',
  { tag: '@more' },
  async ({ server, page }) => {
    for (const [ending, sees] of [
      ['js', '页面未能加载完整'],
      ['css', '页面未能加载完整'],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(`${server.url}/#/login`);
      await page.getByTestId('login-account').waitFor();
      await page.route(new RegExp(`/assets/.*\\.${ending}$`), (route) => route.abort());
      await page.goto(`${server.url}/#/join`);
      await expect(page.getByRole('heading')).toHaveText(sees);
      expect(await violations(page)).toEqual([]);
      await page.unrouteAll();
      await page.getByTestId('crash-reload').click();
      await page.getByTestId('join-number').waitFor();
    }
  },
);

test('by keyboard alone the sidebar leads to pages, the avatar to /userInfo, the menu back and out', async ({
  server,
  page,
}) => {
  await signInAt(page, server, 'admin');
  await page.getByTestId('account-menu').focus();
  await page.keyboard.press('Enter');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await expect(page.getByTestId('to-user-info')).toBeFocused();
  await page.keyboard.press('Enter');
  await arrives(page, '/userInfo');
  await page.keyboard.press('Escape');
  await page.getByTestId('account-menu').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByTestId('to-fixed-number')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByTestId('to-manage')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${server.url}/manage/#/myMeeting`);
  await page.getByTestId('nav-Users').first().focus();
  await page.keyboard.press('Enter');
  await arrives(page, (path) => path.startsWith('/users'));
});

for (const path of ['/loading', '/logout', '/meetingControl']) {
  test(`${path} is readable without a sign-in`, async ({ server, page }) => {
    await page.goto(`${server.url}/#${path}`);
    await page.getByRole('link').first().waitFor();
    expect(pathOf(page)).toBe(path);
    expect(await violations(page)).toEqual([]);
  });
}
