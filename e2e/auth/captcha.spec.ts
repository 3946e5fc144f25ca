import { DEMO_PASSWORD } from '@rmeet/testkit';
import { expect, newUser, test } from './support.ts';

test('after three wrong passwords signing in does its security check automatically', async ({ server, page }) => {
  await newUser(server, 'mistyper');
  await page.goto(`${server.url}/#/login`);
  await page.getByTestId('login-account').fill('mistyper');
  for (let tries = 0; tries < 3; tries += 1) {
    await page.getByTestId('login-password').fill(`wrong ${tries}`);
    const answered = page.waitForResponse('**/api/login');
    await page.getByTestId('login-submit').click();
    await answered;
    await expect(page.getByTestId('login-error')).toBeVisible();
  }
  await page.getByTestId('login-password').fill(DEMO_PASSWORD);
  const challenged = page.waitForResponse('**/captcha');
  await page.getByTestId('login-submit').click();
  expect((await challenged).status()).toBe(200);
  await expect(page).toHaveURL(/#\/myMeeting/);
});
