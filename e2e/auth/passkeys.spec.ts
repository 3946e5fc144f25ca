import type { Page } from '@playwright/test';
import { closePage, openPage, type RunningServer } from '@rmeet/testkit';
import { LOOKS, looksRight } from '../pages.ts';
import { violations } from '../support.ts';
import { arrives, expect, fillLogin, leave, newTenant, newUser, signInAt, test } from './support.ts';

/** The server by its name: browsers refuse passkeys at IP addresses. */
const byName = (server: RunningServer): RunningServer => ({
  ...server,
  url: server.url.replace('127.0.0.1', 'localhost'),
});

/** A device in the browser (CDP, WebAuthn) that verifies the person; `touch`: whether it is touched when asked. */
async function deviceOf(page: Page): Promise<{ touch: (enabled: boolean) => Promise<void> }> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('WebAuthn.enable');
  const { authenticatorId } = await tools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    touch: async (enabled) => {
      await tools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
  };
}

/** Adds a passkey on the page of the account, and keeps its recovery codes. */
async function addPasskey(page: Page): Promise<void> {
  await page.getByTestId('passkey-add').click();
  await page.getByTestId('recovery-kept').click();
  await expect(page.getByTestId('passkey')).toHaveCount(1);
}

test('a person adds a passkey, signs in with nothing else, renames and removes it', async ({ server, page }) => {
  const named = byName(server);
  const device = await deviceOf(page);
  await newUser(server, 'of.passkey');
  await signInAt(page, named, 'of.passkey');
  await page.goto(`${named.url}/#/userInfo`);
  const card = page.getByTestId('passkeys-card');
  await expect(card).toContainText('尚未添加通行密钥');
  await addPasskey(page);
  await expect(card.getByTestId('passkey')).toContainText('Chrome');
  expect(await violations(page)).toEqual([]);

  await leave(page);
  // Otherwise the suggestion of the account field would sign in at once.
  await device.touch(false);
  await page.goto(`${named.url}/?again#/login?redirect=/userInfo`);
  await expect(page.getByTestId('login-account')).toHaveAttribute('autocomplete', 'username webauthn');
  await page.getByTestId('login-mode-PASSKEY').click();
  await expect(page.getByTestId('passkey-sign-in')).toContainText('通行密钥');
  expect(await violations(page)).toEqual([]);
  await device.touch(true);
  await page.getByTestId('passkey-submit').click();
  await arrives(page, '/userInfo');
  await expect(page.getByTestId('session-row').first()).toContainText('通行密钥登录');

  await page.getByTestId('passkey-rename').click();
  await page.getByTestId('passkey-name').fill(' ');
  await page.getByTestId('passkey-save').click();
  await expect(page.getByTestId('passkey-dialog')).toContainText('请输入名称');
  await page.getByTestId('passkey-name').fill('我的电脑');
  await page.getByTestId('passkey-save').click();
  await expect(card.getByTestId('passkey')).toContainText('我的电脑');
  await page.getByTestId('passkey-remove').click();
  await page.getByTestId('question-ok').click();
  await expect(card).toContainText('尚未添加通行密钥');
});

test('after the password, a passkey is the second factor', async ({ server, page }) => {
  const named = byName(server);
  const device = await deviceOf(page);
  await newUser(server, 'second.passkey');
  await signInAt(page, named, 'second.passkey');
  await page.goto(`${named.url}/#/userInfo`);
  await addPasskey(page);
  await leave(page);
  await device.touch(false);
  await page.goto(`${named.url}/?again#/login?redirect=/userInfo`);
  await fillLogin(page, 'second.passkey');
  await expect(page.getByTestId('factor-step')).toContainText('通行密钥');
  await page.getByTestId('factor-way-RECOVERY').click();
  await expect(page.getByTestId('factor-code')).toBeVisible();
  await page.getByTestId('factor-way-PASSKEY').click();
  expect(await violations(page)).toEqual([]);
  await device.touch(true);
  await page.getByTestId('factor-submit').click();
  await arrives(page, '/userInfo');
  await expect(page.getByTestId('session-row').first()).toContainText('密码登录 + 通行密钥');
});

test('where a factor is demanded, a passkey is set up at the sign-in', async ({ server, page }) => {
  const named = byName(server);
  await newTenant(server, 'Passkey clinic', 'passkey.admin');
  await newUser(server, 'new.passkey', undefined, 'passkey.admin');
  const admin = await server.api.as('passkey.admin');
  const { id: _, name: _name, enabled: _enabled, ...own } = await admin.tenants.own();
  await admin.tenants.updateOwn({ body: { ...own, secondFactor: { ...own.secondFactor, askedOf: 'all' } } });
  await deviceOf(page);
  await page.goto(`${named.url}/#/login?redirect=/userInfo`);
  await fillLogin(page, 'new.passkey');
  await page.getByTestId('factor-enrol-passkey').click();
  await page.getByTestId('recovery-kept').click();
  await arrives(page, '/userInfo');
  await expect(page.getByTestId('passkey')).toHaveCount(1);
});

test('at an IP address the pages say why there are no passkeys', async ({ server, page }) => {
  await newUser(server, 'ip.passkey');
  await page.goto(`${server.url}/#/login`);
  await page.getByTestId('login-mode-QR').waitFor();
  await expect(page.getByTestId('login-mode-PASSKEY')).toHaveCount(0);
  await signInAt(page, server, 'ip.passkey');
  await page.goto(`${server.url}/#/userInfo`);
  await expect(page.getByTestId('passkeys-none-here')).toContainText('IP 地址');
  await expect(page.getByTestId('passkey-add')).toHaveCount(0);
});

test('a passkey that the server does not know is refused, and the page says so', async ({ server, page }) => {
  const named = byName(server);
  const device = await deviceOf(page);
  await newUser(server, 'lost.passkey');
  await signInAt(page, named, 'lost.passkey');
  await page.goto(`${named.url}/#/userInfo`);
  await addPasskey(page);
  await page.getByTestId('passkey-remove').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('passkey')).toHaveCount(0);
  await leave(page);
  await device.touch(false);
  await page.goto(`${named.url}/?again#/login`);
  await page.getByTestId('login-mode-PASSKEY').click();
  await device.touch(true);
  await page.getByTestId('passkey-submit').click();
  await expect(page.getByTestId('login-error')).toContainText('无法验证此通行密钥');
});

for (const locale of LOOKS)
  test(`passkeys look right (${locale})`, async ({ server, chromium }) => {
    const named = byName(server);
    const account = `looks.passkey.${locale.slice(0, 2)}`;
    await newUser(server, account);
    const page = await openPage(chromium, { locale });
    const device = await deviceOf(page);
    await signInAt(page, named, account);
    await page.goto(`${named.url}/#/userInfo`);
    await page.getByTestId('passkey-add').waitFor();
    await looksRight(page, 'no passkey yet');
    await addPasskey(page);
    await looksRight(page, 'a passkey of an account');
    await leave(page);
    await device.touch(false);
    for (const [width, height] of [
      [1440, 900],
      [360, 740],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(`${named.url}/?${width}#/login`);
      await page.getByTestId('login-mode-PASSKEY').click();
      await page.getByTestId('passkey-submit').waitFor();
      await looksRight(page, 'sign-in with a passkey');
    }
    await closePage(page);
  });
