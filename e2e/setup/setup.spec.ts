import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import {
  closePage,
  openPage,
  startMailServer,
  startMediaEngine,
  startServer,
  type MailServer,
  type RunningServer,
} from '@rmeet/testkit';
import { failing, LOCALES, LONG_NAME, looksRight, retype, stopUdp, tabTo } from '../pages.ts';
import { expect, test as base, violations } from '../support.ts';

const PASSWORD = 'Heron-over-7-lakes';
const MAIL_PASSWORD = 's3cret-word';
const NEW = { RMEET_SEED: 'none', RMEET_MEDIA_PROCESSES: '1' };
/** Also if the other scenarios use a LiveKit server: the ports of the embedded engine are checked here. */
const EMBEDDED = { LIVEKIT_URL: '', LIVEKIT_API_KEY: '', LIVEKIT_API_SECRET: '' };
const PHONE = { width: 390, height: 844 };

interface Fixtures {
  mails: MailServer;
  /** A new installation without any account. */
  fresh: RunningServer;
  page: Page;
}

const test = base.extend<Fixtures>({
  page: async ({ chromium }, use) => {
    const page = await openPage(chromium);
    await use(page);
    await closePage(page);
  },
  mails: async ({}, use) => {
    const mails = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username = '', password }, _, answer) =>
        password === MAIL_PASSWORD ? answer(null, { user: username }) : answer(new Error('No')),
    });
    await use(mails);
    await mails.close();
  },
  fresh: async ({ mails }, use) => {
    const server = await startServer({
      env: {
        ...NEW,
        ...EMBEDDED,
        RMEET_SMTP_URL: `smtp://meet:${MAIL_PASSWORD}@127.0.0.1:${mails.port}`,
        RMEET_MAIL_FROM: 'Rmeet <meet@example.org>',
      },
    });
    await use(server);
    await server.stop();
  },
});

const secretOf = ({ data }: RunningServer): string =>
  readFileSync(join(data, 'setup-link'), 'utf8').trim().split('#')[1] ?? '';
const linkTo = (server: RunningServer): string => `${server.url}/setup/#${secretOf(server)}`;

/** Types the values in the order of the form, by keyboard only. */
async function typeAnswers(
  page: Page,
  { password = PASSWORD, organisation = 'City hospital', administrator = 'admin' } = {},
): Promise<void> {
  await tabTo(page, 'setup-operatorAccount');
  for (const text of ['root', 'Root', password, password, organisation, administrator, 'Admin', password, password]) {
    await retype(page, text);
    await page.keyboard.press('Tab');
  }
}

test('the setup link creates the first operator and organisation, and both sign in', async ({
  fresh,
  page,
  chromium,
}) => {
  await page.goto(fresh.url);
  await expect(page).toHaveURL(`${fresh.url}/setup/`);
  await expect(page.getByText('cat data/setup-link')).toBeVisible();

  // In the same tab the link only changes the hash.
  await page.goto(linkTo(fresh));
  await expect(page.getByTestId('setup-form')).toBeVisible();
  await page.reload();
  await expect(page).toHaveURL(`${fresh.url}/setup/`);
  await typeAnswers(page);
  // Only this computer reaches 127.0.0.1: the URL is left for later.
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
  await admin.goto(`${fresh.url}/setup/`);
  await expect(admin.getByRole('link', { name: /平台管理|platform administration/ })).toBeVisible();
  await admin.goto(`${fresh.url}/manage/`);
  await admin.getByTestId('login-account').fill('admin');
  await admin.getByTestId('login-password').fill(PASSWORD);
  await admin.getByTestId('login-submit').click();
  await expect(admin).toHaveURL(/\/manage\/#\/(?!login)/);
  await expect(admin.getByTestId('login-submit')).toHaveCount(0);
  await closePage(admin);
});

for (const locale of LOCALES) {
  test(`by the keyboard alone: form, media, test mail, ${locale}`, async ({ fresh, mails, chromium }) => {
    const page = await openPage(chromium, { locale });
    await page.goto(linkTo(fresh));
    await typeAnswers(page);
    await tabTo(page, 'setup-later');
    await page.keyboard.press('ArrowUp');
    await expect(page.getByTestId('setup-this')).toBeChecked();
    await tabTo(page, 'setup-submit');
    await page.keyboard.press('Enter');
    const udpPort = String(fresh.run().media[0]?.udpPort);
    await expect(page.getByTestId('setup-next')).toContainText(udpPort);

    await tabTo(page, 'setup-media');
    await page.keyboard.press('Enter');
    const media = page.getByTestId('setup-media-result');
    await expect(media).toContainText(new RegExp(`${udpPort}(: reached| 可以连通)`));
    await expect(media).toContainText(/\d (毫秒|ms)/);

    await tabTo(page, 'setup-mail-to');
    await page.keyboard.type('nobody');
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('setup-mail-to')).toHaveAttribute('aria-invalid', 'true');
    await retype(page, 'bob@example.org');
    await page.keyboard.press('Enter');
    const mail = page.getByTestId('setup-mail-result');
    await expect(mail).toContainText('bob@example.org');
    expect(mails.received).toMatchObject([{ to: ['bob@example.org'], from: 'meet@example.org' }]);
    await looksRight(page, 'done');

    await tabTo(page, 'setup-admin');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/admin\/#\//);
    await closePage(page);
  });

  test(`later, a failure is shown with its remedy, ${locale}`, { tag: '@more' }, async ({ fresh, mails, chromium }) => {
    const page = await openPage(chromium, { locale, size: PHONE });
    await page.goto(linkTo(fresh));
    await typeAnswers(page);
    await page.getByTestId('setup-submit').click();
    await expect(page.getByTestId('setup-next')).toBeVisible();
    // The operator returns to the page.
    await page.reload();
    await stopUdp(page);
    await page.getByTestId('setup-media').click();
    mails.refusals.push(550);
    await page.getByTestId('setup-mail-to').fill('bob@example.org');
    await page.getByTestId('setup-mail-send').click();
    await expect(page.getByTestId('setup-mail-result')).toContainText('550 Not now');
    await expect(page.getByTestId('setup-media-result')).toContainText('RMEET_PUBLIC_IP', { timeout: 20_000 });
    await expect(page.getByTestId('setup-media-result')).toContainText(String(fresh.run().media[0]?.udpPort));
    await looksRight(page, 'failed');
    await mails.close();
    await page.getByTestId('setup-mail-send').click();
    await expect(page.getByTestId('setup-mail-result')).toContainText('ECONNREFUSED');
    await failing(page, '/setup/media-check');
    await page.getByTestId('setup-media').click();
    await expect(page.getByTestId('setup-media-result').locator('.setup-bad')).toBeVisible();
    expect(fresh.log()).not.toContain(MAIL_PASSWORD);
    await closePage(page);
  });
}

test('an invalid input is reported at its field, loses nothing, and fits a phone', async ({ fresh, page }) => {
  await page.setViewportSize(PHONE);
  await page.goto(`${fresh.url}/setup/#${'x'.repeat(43)}`);
  await expect(page.getByTestId('setup-fault')).toBeVisible();

  await page.goto(linkTo(fresh));
  await page.getByTestId('setup-submit').click();
  await expect(page.getByTestId('setup-operatorName')).toBeFocused();
  await expect(page.getByTestId('setup-operatorName')).toHaveAttribute('aria-invalid', 'true');

  // A weak password is reported when its field loses focus, and no longer once it is strong.
  const password = page.getByTestId('setup-operatorPassword');
  await password.fill('short');
  await password.press('Tab');
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await password.fill(PASSWORD);
  await password.press('Tab');
  await expect(password).toHaveAttribute('aria-invalid', 'false');

  await typeAnswers(page, { organisation: 'Rmeet', administrator: 'Root' });
  await page.getByTestId('setup-submit').click();
  await expect(page.getByTestId('setup-adminAccount')).toBeFocused();
  await page.getByTestId('setup-adminAccount').fill('admin');
  // Rejected by the server, with the error at its field.
  await page.getByTestId('setup-submit').click();
  await expect(page.getByTestId('setup-organisation')).toBeFocused();
  await expect(page.getByTestId('setup-organisation')).toHaveAttribute('aria-invalid', 'true');
  await page.getByTestId('setup-organisation').fill(LONG_NAME);
  const mend = await failing(page, '/setup/complete');
  await page.getByTestId('setup-submit').click();
  await expect(page.getByTestId('setup-error')).toBeVisible();
  await expect(page.getByTestId('setup-organisation')).toHaveValue(LONG_NAME);
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await mend();
  await page.getByTestId('setup-submit').click();
  await expect(page.getByTestId('setup-next')).toBeVisible();
});

test(
  'under another address the form keeps the input, except the passwords',
  { tag: '@more' },
  async ({ fresh, page }) => {
    await page.goto(linkTo(fresh));
    await typeAnswers(page, { organisation: '城市医院 & Sons' });
    const other = page.getByTestId('setup-other');
    await other.fill('ftp://meet.example.org');
    await other.press('Enter');
    await expect(other).toHaveAttribute('aria-invalid', 'true');
    await other.fill(`http://localhost:${fresh.port}/rooms`);
    await other.press('Enter');
    await expect(page).toHaveURL(`http://localhost:${fresh.port}/setup/`);
    await expect(page.getByTestId('setup-organisation')).toHaveValue('城市医院 & Sons');
    await expect(page.getByTestId('setup-adminName')).toHaveValue('Admin');
    await expect(page.getByTestId('setup-operatorPassword')).toHaveValue('');
    await page.goBack();
    await expect(page).toHaveURL(`${fresh.url}/setup/`);
    await expect(page.getByTestId('setup-organisation')).toHaveValue('城市医院 & Sons');
    const stored = await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
    expect(stored).not.toContain(PASSWORD);
    expect(
      Buffer.from((JSON.parse(stored) as [Record<string, string>])[0]['setupDraft'] ?? '', 'base64url').toString(),
    ).not.toContain(PASSWORD);
  },
);

test(
  'an external media engine is tested by its address; without a mail server the page shows the setting',
  { tag: '@more' },
  async ({ page }) => {
    const engine = await startMediaEngine();
    const server = await startServer({
      env: { ...NEW, LIVEKIT_URL: engine.url, LIVEKIT_API_KEY: engine.apiKey, LIVEKIT_API_SECRET: engine.apiSecret },
    });
    try {
      await page.goto(linkTo(server));
      await typeAnswers(page);
      await page.getByTestId('setup-submit').click();
      await expect(page.getByTestId('setup-next')).toContainText(engine.url);
      await page.getByTestId('setup-media').click();
      await expect(page.getByTestId('setup-media-result')).toContainText(/UDP .*\d+ (毫秒|ms)/);
      await tabTo(page, 'setup-copy');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain('RMEET_SMTP_URL=');
    } finally {
      await server.stop();
      await engine.stop();
    }
  },
);
