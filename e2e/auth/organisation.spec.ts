import { DEMO_PASSWORD } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { violations } from '../support.ts';
import { arrives, expect, fillLogin, newTenant, newUser, pathOf, stored, test } from './support.ts';

/** The page's sign-in request. */
function sentFrom(page: Page): Promise<Record<string, string>> {
  return page.waitForRequest('**/api/login').then((request) => request.postDataJSON() as Record<string, string>);
}

test('a person with one name and password in two organisations chooses one by keyboard, once only', async ({
  server,
  page,
}) => {
  await newUser(server, 'in.two');
  await newTenant(server, '北区医院', 'in.two');
  await page.goto(`${server.url}/#/login`);
  await expect(page.getByTestId('login-organisation-show')).toBeVisible();
  await expect(page.getByTestId('login-organisation')).toHaveCount(0);
  const first = sentFrom(page);
  await fillLogin(page, 'in.two');
  const choices = page.getByTestId('login-choice-tenant');
  await expect(choices).toHaveText(['demo', '北区医院']);
  await expect(page.getByTestId('login-choice')).toContainText('多个单位有此账号，请选择一个');
  await expect(page.getByTestId('login-error')).toHaveCount(0);
  await expect(choices.first()).toBeFocused();
  expect(await violations(page)).toEqual([]);
  // A different password starts again.
  await page.getByTestId('login-password').fill('something else');
  await expect(choices).toHaveCount(0);
  await expect(page.getByTestId('login-error')).toHaveCount(0);
  await fillLogin(page, 'in.two');
  await expect(choices.first()).toBeFocused();
  await page.keyboard.press('Tab');
  const second = sentFrom(page);
  await page.keyboard.press('Enter');
  await arrives(page, (path) => !path.startsWith('/login'));
  expect(await stored(page, 'loginUser')).toContain('北区医院');
  expect((await first)['tenant']).toBeUndefined();
  // A ciphertext can be used only once.
  expect((await second)['password']).not.toBe((await first)['password']);

  await page.getByTestId('account-menu').click();
  await page.getByTestId('logout').click();
  const organisation = page.getByTestId('login-organisation');
  await expect(organisation).toHaveValue('北区医院');
  const third = sentFrom(page);
  await fillLogin(page, 'in.two');
  await arrives(page, (path) => !path.startsWith('/login'));
  expect((await third)['tenant']).toBe((await second)['tenant']);
});

test('what the browser remembers of one person is not sent for another, and can be cleared', async ({
  server,
  page,
}) => {
  await newTenant(server, 'Harbour', 'of.harbour');
  await page.goto(`${server.url}/#/login`);
  await fillLogin(page, 'of.harbour');
  await arrives(page, (path) => !path.startsWith('/login'));
  await page.getByTestId('account-menu').click();
  await page.getByTestId('logout').click();
  const organisation = page.getByTestId('login-organisation');
  await expect(organisation).toHaveValue('Harbour');
  await page.getByTestId('login-account').fill('Of.Harb');
  await expect(organisation).toHaveValue('Harbour');
  await page.getByTestId('login-account').fill('carol');
  await expect(organisation).toHaveValue('');
  await page.getByTestId('login-account').fill('of.harbour');
  await expect(organisation).toHaveValue('Harbour');
  await page.getByTestId('login-organisation-clear').click();
  await expect(organisation).toHaveValue('');
  await expect(organisation).toBeFocused();
  const sent = sentFrom(page);
  await fillLogin(page, 'carol');
  await arrives(page, (path) => !path.startsWith('/login'));
  expect((await sent)['tenant']).toBeUndefined();
});

test('a link, a failed sign-in and the address show the organisation field; operators never see it', async ({
  server,
  page,
}) => {
  await newUser(server, 'asked');
  await page.goto(`${server.url}/#/login`);
  const organisation = page.getByTestId('login-organisation');
  await page.getByTestId('login-organisation-show').press('Enter');
  await expect(organisation).toBeFocused();
  await organisation.fill('nowhere');
  await fillLogin(page, 'asked');
  await expect(page.getByTestId('login-error')).toContainText('账号、密码或单位错误');
  await organisation.fill(' DEMO ');
  await page.keyboard.press('Enter');
  await arrives(page, (path) => !path.startsWith('/login'));

  const fresh = await page.context().browser()?.newPage({ locale: 'en-US' });
  if (!fresh) throw new Error('There is no browser.');
  await fresh.goto(`${server.url}/#/login?tenant=demo`);
  await expect(fresh.getByTestId('login-organisation')).toHaveValue('demo');
  await fresh.goto(`${server.url}/#/login`);
  await fresh.reload();
  await fillLogin(fresh, 'asked', 'wrong');
  await expect(fresh.getByTestId('login-organisation')).toBeVisible();
  await expect(fresh.getByTestId('login-error')).toContainText('The account, password or organisation is wrong');
  await fresh.goto(`${server.url}/admin/#/login`);
  await fillLogin(fresh, 'asked', DEMO_PASSWORD);
  await expect(fresh.getByTestId('login-error')).toBeVisible();
  await expect(fresh.getByTestId('login-organisation')).toHaveCount(0);
  expect(pathOf(fresh)).toMatch(/^\/login/);
  await fresh.close();
});
