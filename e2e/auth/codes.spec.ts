import {
  closePage,
  openPage,
  startServer,
  startSmsGateway,
  type RunningServer,
  type SmsGatewayServer,
} from '@rmeet/testkit';
import { LOOKS, looksRight } from '../pages.ts';
import { violations } from '../support.ts';
import { arrives, expect, stored, test } from './support.ts';

let gateway: SmsGatewayServer;
let server: RunningServer;
test.beforeAll(async () => {
  gateway = await startSmsGateway();
  const settings = { url: `${gateway.origin}/send`, body: '{"to":"{phone}","text":"{text}"}' };
  server = await startServer({ env: { RMEET_MEDIA_PROCESSES: '1', RMEET_SMS_GATEWAY: JSON.stringify(settings) } });
});
test.afterAll(async () => {
  await server.stop();
  await gateway.close();
});

/** A new account with a phone. */
async function withPhone(account: string, phone: string): Promise<void> {
  const admin = await server.api.as('admin');
  await admin.users.create({ body: { account, name: account, phoneNumber: Buffer.from(phone).toString('base64') } });
}

/** The code that a phone has received. */
async function codeAt(phone: string): Promise<string> {
  const texts = () => gateway.received.map(({ body }) => JSON.parse(body) as { to: string; text: string });
  await expect.poll(() => texts().filter(({ to }) => to === phone).length).toBeGreaterThan(0);
  return /\d{6}/.exec(texts().findLast(({ to }) => to === phone)?.text ?? '')?.[0] ?? '';
}

test('a person signs in by a code, after a wrong one', async ({ page }) => {
  await withPhone('of.codes', '13900000011');
  await page.goto(`${server.url}/#/login?redirect=/userInfo`);
  await page.getByTestId('login-mode-SMS').click();
  await expect(page.getByTestId('code-phone')).toBeFocused();
  // What is wrong is marked at its field.
  await page.getByTestId('code-phone').fill('12');
  await page.getByTestId('code-send').click();
  await expect(page.getByTestId('code-phone')).toHaveAttribute('aria-invalid', 'true');
  await page.getByTestId('code-phone').fill('13900000011');
  await page.getByTestId('code-send').click();
  await expect(page.getByTestId('code-note')).toContainText('如果');
  await expect(page.getByTestId('code-send')).toBeDisabled();
  expect(await violations(page)).toEqual([]);
  const code = await codeAt('13900000011');
  await page.getByTestId('code-code').fill(code === '000000' ? '000001' : '000000');
  await page.getByTestId('code-submit').click();
  await expect(page.getByTestId('login-error')).toBeVisible();
  await page.getByTestId('code-code').fill(code);
  await page.getByTestId('code-submit').click();
  await arrives(page, '/userInfo');
  await expect(page.getByTestId('session-row')).toContainText('短信验证码登录');
});

test('a forgotten password is replaced by a code', async ({ page }) => {
  await withPhone('of.forgotten', '13900000012');
  await page.goto(`${server.url}/#/login`);
  await page.getByTestId('login-mode-RESET').click();
  await page.getByTestId('code-phone').fill('13900000012');
  await page.getByTestId('code-send').click();
  await page.getByTestId('code-code').fill(await codeAt('13900000012'));
  await page.getByTestId('code-newPassword').fill('short');
  await page.getByTestId('code-again').fill('short');
  await page.getByTestId('code-submit').click();
  await expect(page.getByTestId('login-error')).toBeVisible();
  await page.getByTestId('code-newPassword').fill('Another-long-one-7');
  await page.getByTestId('code-again').fill('Another-long-one-7');
  await page.getByTestId('code-submit').click();
  await arrives(page, (path) => !path.startsWith('/login'));
  expect(await stored(page, 'loginUser')).toContain('of.forgotten');
});

test('an unknown number is answered like a known one', async ({ page }) => {
  await page.goto(`${server.url}/#/login`);
  await page.getByTestId('login-mode-SMS').click();
  await page.getByTestId('code-phone').fill('13900000099');
  await page.getByTestId('code-send').click();
  await expect(page.getByTestId('code-note')).toContainText('如果');
  await page.getByTestId('code-code').fill('123456');
  await page.getByTestId('code-submit').click();
  await expect(page.getByTestId('login-error')).toContainText('验证码');
});

for (const locale of LOOKS)
  test(`sign-in by code looks right (${locale})`, async ({ chromium }) => {
    const page = await openPage(chromium, { locale });
    await page.goto(`${server.url}/#/login`);
    for (const [mode, phone] of [
      ['SMS', '13900000097'],
      ['RESET', '13900000098'],
    ] as const) {
      await page.getByTestId(`login-mode-${mode}`).click();
      await looksRight(page, `codes ${mode}`);
      await page.getByTestId('code-submit').click();
      await looksRight(page, `codes ${mode} with faults`);
      await page.getByTestId('code-phone').fill(phone.replace('139', locale === 'zh-CN' ? '138' : '137'));
      await page.getByTestId('code-send').click();
      await expect(page.getByTestId('code-note')).not.toBeEmpty();
      await looksRight(page, `codes ${mode} sent`);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await looksRight(page, 'codes on a phone');
    await page.getByTestId('login-mode-PASSWORD').click();
    await looksRight(page, 'sign-in on a phone');
    await closePage(page);
  });
