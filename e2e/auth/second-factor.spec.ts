import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { closePage, DEMO_PASSWORD, openPage } from '@rmeet/testkit';
import { LOOKS, looksRight } from '../pages.ts';
import { optionOf, violations } from '../support.ts';
import { arrives, expect, fillLogin, leave, newTenant, newUser, signInAt, test } from './support.ts';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** The code that an authenticator app shows (RFC 6238); `steps` later. */
function codeOf(secret: string, steps = 0): string {
  const bits = Array.from(secret, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac('sha1', key).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 0xf) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, '0');
}
/** The key that the page shows to type into an app. */
const secretOn = async (page: Page): Promise<string> =>
  ((await page.getByTestId('totp-secret').textContent()) ?? '').replaceAll(' ', '');

test('a person sets up an authenticator app, signs in with it, and has the device remember it', async ({
  server,
  page,
}) => {
  await newUser(server, 'of.factor');
  await signInAt(page, server, 'of.factor');
  await page.goto(`${server.url}/#/userInfo`);
  const card = page.getByTestId('factor-card');
  await expect(card.getByTestId('factor-state')).toHaveText('尚未设置身份验证器');
  await card.getByTestId('factor-add').click();
  const secret = await secretOn(page);
  await expect(page.getByTestId('totp-qr').locator('svg')).toBeVisible();
  await page.getByTestId('totp-submit').click();
  await expect(page.getByTestId('factor-dialog')).toContainText('请输入验证码');
  expect(await violations(page)).toEqual([]);
  await page.getByTestId('totp-code').fill(codeOf(secret));
  await page.getByTestId('totp-submit').click();
  await page.getByTestId('recovery-kept').waitFor();
  const codes = await page.getByTestId('recovery-codes').locator('li').allTextContents();
  expect(codes).toHaveLength(10);
  await page.getByTestId('recovery-kept').click();
  await expect(card.getByTestId('recovery-left')).toContainText('10');

  await leave(page);
  await page.goto(`${server.url}/?again#/login?redirect=/userInfo`);
  await fillLogin(page, 'of.factor');
  await expect(page.getByTestId('factor-step')).toBeVisible();
  await page.getByTestId('factor-submit').click();
  await expect(page.getByTestId('factor-step')).toContainText('请输入验证码');
  await page.getByTestId('factor-code').fill('000 000');
  await page.getByTestId('factor-submit').click();
  await expect(page.getByTestId('login-error')).toContainText('验证码错误');
  expect(await violations(page)).toEqual([]);
  await page.getByTestId('factor-remember').check();
  await page.getByTestId('factor-code').fill(codeOf(secret, 1));
  await page.getByTestId('factor-submit').click();
  await arrives(page, '/userInfo');
  await expect(page.getByTestId('session-row').first()).toContainText('密码登录 + 身份验证器');
  await expect(page.getByTestId('remembered-device')).toHaveCount(1);
  // Forgotten, the device is asked again; a recovery code helps without the phone.
  await page.getByTestId('device-forget').click();
  await expect(page.getByTestId('remembered-device')).toHaveCount(0);
  await leave(page);
  await page.goto(`${server.url}/?once-more#/login?redirect=/userInfo`);
  await fillLogin(page, 'of.factor');
  await page.getByTestId('factor-way-RECOVERY').click();
  await page.getByTestId('factor-code').fill((codes[0] ?? '').toLowerCase());
  await page.getByTestId('factor-submit').click();
  await arrives(page, '/userInfo');
  await expect(page.getByTestId('recovery-left')).toContainText('9');
});

test('an administrator demands a factor, and people set it up at their next sign-in', async ({ server, page }) => {
  await newTenant(server, 'Factor hospital', 'factor.admin');
  await newUser(server, 'factor.user', undefined, 'factor.admin');
  await signInAt(page, server, 'factor.admin', '/manage/');
  await page.goto(`${server.url}/manage/#/tenantSettings`);
  const settings = page.getByTestId('second-factor-settings');
  await settings.getByTestId('factor-asked-of').click();
  // Its account has the language of the administrator who made it.
  await optionOf(page, /所有人员|Everyone/).click();
  await expect(settings.getByTestId('factor-asked-of')).toContainText(/所有人员|Everyone/);
  await settings.getByTestId('factor-networks').fill('10.20.0.0/99');
  await page.getByTestId('settings-save').click();
  await expect(settings).toContainText(/网络格式不正确|not a network/);
  await settings.getByTestId('factor-networks').fill('10.20.0.0/16');
  await settings.getByTestId('factor-places').fill('北京：10.1.0.0/16');
  await page.getByTestId('settings-save').click();
  await expect(page.getByTestId('toast-success').first()).toBeVisible();

  await leave(page);
  await page.goto(`${server.url}/?again#/login?redirect=/userInfo`);
  await fillLogin(page, 'factor.user');
  await expect(page.getByTestId('factor-enrolment')).toBeVisible();
  const secret = await secretOn(page);
  expect(await violations(page)).toEqual([]);
  await page.getByTestId('factor-code').fill(codeOf(secret));
  await page.getByTestId('factor-submit').click();
  await page.getByTestId('recovery-kept').click();
  await arrives(page, '/userInfo');
  // The last factor stays.
  await page.getByTestId('factor-remove').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('toast-error')).toContainText(/不能移除最后一种|requires a second factor/);
});

test('a sensitive action asks for the password once the sign-in is some time ago', async ({ server, page }) => {
  await newUser(server, 'of.proof');
  await signInAt(page, server, 'of.proof');
  // As the server answers after ten minutes.
  let isRefused = true;
  await page.route('**/multiauth/self/totp/start', async (route) => {
    if (!isRefused) {
      await route.continue();
      return;
    }
    isRefused = false;
    const message = '请先验证您的身份';
    const json = { status: false, data: null, statusCode: 'STEP_UP_REQUIRED', message };
    await route.fulfill({ status: 406, json });
  });
  await page.goto(`${server.url}/#/userInfo`);
  await page.getByTestId('factor-add').click();
  await expect(page.getByTestId('proof')).toBeVisible();
  await page.getByTestId('proof-submit').click();
  await expect(page.getByTestId('proof')).toContainText('请输入密码');
  await page.getByTestId('proof-secret').fill('wrong');
  await page.getByTestId('proof-submit').click();
  await expect(page.getByTestId('proof-error')).toContainText('当前密码错误');
  expect(await violations(page)).toEqual([]);
  await page.getByTestId('proof-secret').fill(DEMO_PASSWORD);
  await page.getByTestId('proof-submit').click();
  await expect(page.getByTestId('factor-dialog')).toBeVisible();
});

for (const locale of LOOKS)
  test(`the second factor looks right (${locale})`, async ({ server, chromium }) => {
    const account = `looks.factor.${locale.slice(0, 2)}`;
    await newUser(server, account);
    const page = await openPage(chromium, { locale });
    await signInAt(page, server, account);
    await page.goto(`${server.url}/#/userInfo`);
    await page.getByTestId('factor-add').click();
    const secret = await secretOn(page);
    await looksRight(page, 'authenticator app');
    await page.getByTestId('totp-code').fill(codeOf(secret));
    await page.getByTestId('totp-submit').click();
    await page.getByTestId('recovery-codes').waitFor();
    await looksRight(page, 'recovery codes');
    await page.getByTestId('recovery-kept').click();
    await page.getByTestId('recovery-left').waitFor();
    await looksRight(page, 'second factor of an account');
    await leave(page);
    for (const [width, height] of [
      [1440, 900],
      [360, 740],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(`${server.url}/?${width}#/login`);
      await fillLogin(page, account);
      await page.getByTestId('factor-code').waitFor();
      await looksRight(page, 'second step of a sign-in');
    }
    await closePage(page);
  });
