import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { closePage, openPage, startServer, type RunningServer } from '@rmeet/testkit';
import { expect, test as base, violations } from '../support.ts';

const PASSWORD = 'Heron-over-7-lakes';

/** A new installation: nobody has an account. */
const test = base.extend<{ fresh: RunningServer; page: Page }>({
  page: async ({ chromium }, use) => {
    const page = await openPage(chromium);
    await use(page);
    await closePage(page);
  },
  fresh: async ({}, use) => {
    const server = await startServer({ env: { RMEET_SEED: 'none', RMEET_MEDIA_PROCESSES: '1' } });
    await use(server);
    await server.stop();
  },
});

const secretOf = ({ data }: RunningServer): string => readFileSync(join(data, 'setup-link'), 'utf8').trim().split('#')[1] ?? '';
const linkTo = (server: RunningServer): string => `${server.url}/setup/#${secretOf(server)}`;

/** Types the answers in the order of the form, by the keyboard alone. */
async function typeAnswers(page: Page, password = PASSWORD, administrator = 'admin'): Promise<void> {
  await page.getByTestId('setup-operatorAccount').focus();
  for (const text of ['root', 'Root', password, password, 'City hospital', administrator, 'Admin', password, password]) {
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
}

test('the first operator and organisation are made by the link, and both sign in', async ({ fresh, page, chromium }) => {
  await page.goto(fresh.url);
  await expect(page).toHaveURL(`${fresh.url}/setup/`);
  await expect(page.getByText('cat data/setup-link')).toBeVisible();

  // In the same tab the link changes the hash alone.
  await page.goto(linkTo(fresh));
  await expect(page.getByTestId('setup-form')).toBeVisible();
  await page.reload();
  await expect(page).toHaveURL(`${fresh.url}/setup/`);
  await typeAnswers(page);
  // Only this computer reaches 127.0.0.1: the address is left for later.
  await expect(page.getByTestId('setup-later')).toBeChecked();
  await page.getByTestId('setup-submit').press('Enter');
  await expect(page.getByTestId('setup-next')).toContainText(`${fresh.url}/manage/`);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await violations(page)).toEqual([]);

  await page.getByTestId('setup-admin').press('Enter');
  await expect(page).toHaveURL(/\/admin\/#\//);
  await expect(page.getByTestId('login-submit')).toHaveCount(0);
  await expect(page.getByRole('navigation').first()).toBeVisible();

  const admin = await openPage(chromium);
  await admin.goto(`${fresh.url}/manage/`);
  await admin.getByTestId('login-account').fill('admin');
  await admin.getByTestId('login-password').fill(PASSWORD);
  await admin.getByTestId('login-submit').click();
  await expect(admin).toHaveURL(/\/manage\/#\/(?!login)/);
  await expect(admin.getByTestId('login-submit')).toHaveCount(0);
  await closePage(admin);

  await page.goto(`${fresh.url}/setup/`);
  await expect(page.getByRole('link', { name: /平台管理|platform administration/ })).toBeVisible();
});

test('what does not do is said at its field, loses nothing, and fits a phone', async ({ fresh, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${fresh.url}/setup/#${'x'.repeat(43)}`);
  await expect(page.getByTestId('setup-fault')).toBeVisible();

  await page.goto(linkTo(fresh));
  await page.getByTestId('setup-submit').click();
  await expect(page.getByTestId('setup-operatorName')).toBeFocused();
  await expect(page.getByTestId('setup-operatorName')).toHaveAttribute('aria-invalid', 'true');

  await typeAnswers(page, 'short', 'Root');
  await page.getByTestId('setup-submit').click();
  await expect(page.getByTestId('setup-adminAccount')).toBeFocused();
  await page.getByTestId('setup-adminAccount').fill('admin');
  await page.getByTestId('setup-submit').click();
  await expect(page.getByTestId('setup-error')).toBeVisible();
  await expect(page.getByTestId('setup-organisation')).toHaveValue('City hospital');
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});
