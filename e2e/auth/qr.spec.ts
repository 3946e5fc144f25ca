import type { Browser, Page } from '@playwright/test';
import { closePage, openPage } from '@rmeet/testkit';
import { LOOKS, looksRight } from '../pages.ts';
import { violations } from '../support.ts';
import { arrives, expect, fillLogin, newUser, test } from './support.ts';

const PHONE =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36';

/** The browser of a phone. */
async function phoneOf(chromium: Browser, locale: string): Promise<Page> {
  const context = await chromium.newContext({ userAgent: PHONE, locale, viewport: { width: 360, height: 740 } });
  return context.newPage();
}

/** What a phone's camera reads from the sign-in page. */
async function scanned(page: Page): Promise<string> {
  const qr = page.getByTestId('login-qr');
  await expect(qr.locator('svg, canvas').first()).toBeVisible();
  return (await qr.getAttribute('data-content')) ?? '';
}

test('a person signs in on a computer by a phone that scans its code, and stays signed in on both', async ({
  server,
  chromium,
  page,
}) => {
  await newUser(server, 'of.phone');
  await page.goto(`${server.url}/#/login?redirect=/userInfo`);
  await page.getByTestId('login-mode-QR').click();
  const content = await scanned(page);
  expect(await violations(page)).toEqual([]);

  const phone = await phoneOf(chromium, 'zh-CN');
  await phone.goto(content);
  // A phone that is not signed in does that first.
  await fillLogin(phone, 'of.phone');
  await expect(phone.getByTestId('scan-facts')).toContainText('Chrome');
  await expect(page.getByTestId('login-qr-state')).toContainText('of.phone 已扫码');
  expect(await violations(phone)).toEqual([]);
  await phone.getByTestId('scan-accept').click();
  await expect(phone.getByTestId('scan-said')).toContainText('已确认');
  await arrives(page, '/userInfo');
  await expect(page.getByTestId('session-row')).toHaveCount(2);
  await phone.goto(`${server.url}/#/userInfo`);
  await phone.reload();
  await expect(phone.getByTestId('session-row')).toHaveCount(2);
  await phone.context().close();
});

test('a sign-in that the phone refuses says so, and a new code is offered', async ({ server, chromium, page }) => {
  await newUser(server, 'of.refusal');
  await page.goto(`${server.url}/#/login`);
  await page.getByTestId('login-mode-QR').click();
  const content = await scanned(page);
  const phone = await phoneOf(chromium, 'en-US');
  await phone.goto(content);
  await fillLogin(phone, 'of.refusal');
  await phone.getByTestId('scan-refuse').click();
  await expect(page.getByTestId('login-qr-state')).toHaveText('已在手机上取消登录');
  // What was scanned is over.
  await phone.reload();
  await expect(phone.getByTestId('scan-said')).toContainText('no longer works');
  await page.getByTestId('login-qr-again').click();
  expect(await scanned(page)).not.toBe(content);
  await page.getByTestId('login-mode-PASSWORD').click();
  await expect(page.getByTestId('login-account')).toBeFocused();
  await phone.context().close();
});

test('a cut connection does not lose the confirmation', async ({ server, chromium, page }) => {
  await newUser(server, 'of.cut');
  let cuts = 0;
  await page.route('**/scan-logon/authExecute', (route) => {
    cuts += 1;
    return cuts === 1 ? route.abort('connectionreset') : route.continue();
  });
  await page.goto(`${server.url}/#/login`);
  await page.getByTestId('login-mode-QR').click();
  const content = await scanned(page);
  const phone = await phoneOf(chromium, 'zh-CN');
  await phone.goto(content);
  await fillLogin(phone, 'of.cut');
  await phone.getByTestId('scan-accept').click();
  await arrives(page, (path) => !path.startsWith('/login'));
  expect(cuts).toBeGreaterThan(1);
  await phone.context().close();
});

for (const locale of LOOKS)
  test(`sign-in by phone looks right (${locale})`, async ({ server, chromium }) => {
    const name = `looks.${locale.slice(0, 2)}`;
    await newUser(server, name);
    const page = await openPage(chromium, { locale });
    await page.goto(`${server.url}/#/login`);
    await page.getByTestId('login-mode-QR').waitFor();
    await looksRight(page, 'sign-in');
    await page.getByTestId('login-mode-QR').click();
    const content = await scanned(page);
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
    ] as const) {
      await page.setViewportSize({ width, height });
      await looksRight(page, 'sign-in by phone');
    }
    const phone = await phoneOf(chromium, locale);
    await phone.goto(content);
    await phone.getByTestId('login-account').waitFor();
    await looksRight(phone, 'sign-in on a phone');
    await fillLogin(phone, name);
    await phone.getByTestId('scan-facts').waitFor();
    await looksRight(phone, 'scanned code');
    await page.getByTestId('login-qr-state').filter({ hasText: name }).waitFor();
    await looksRight(page, 'code was scanned');
    await phone.getByTestId('scan-refuse').click();
    await page.getByTestId('login-qr-again').waitFor();
    await looksRight(page, 'sign-in refused by phone');
    await phone.context().close();
    await closePage(page);
  });
