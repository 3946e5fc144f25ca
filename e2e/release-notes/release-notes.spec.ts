import type { Page } from '@playwright/test';
import { expect, failing, LOCALES, LOOKS, looksRight, test, tryAgain } from '../pages.ts';
import { newTenant, newUser } from '../auth/support.ts';

const [locale = 'zh-CN'] = LOCALES;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
];
const MEMO = '/api/api/v1/Memo/';

/** Answers as on a server that was upgraded after the account was made: to accounts of this server nothing is new. */
async function asAfterUpgrade(page: Page): Promise<void> {
  await page.route(`**${MEMO}`, async (route) => {
    const response = await route.fetch();
    const envelope = (await response.json()) as { data: { records: unknown[] } };
    await route.fulfill({
      response,
      json: { ...envelope, data: { ...envelope.data, remind: envelope.data.records.length > 0 } },
    });
  });
  await page.reload();
}

test('a new version is shown after the sign-in until it is put off', async ({ server, visit }) => {
  await newUser(server, 'notesreader');
  const page = await visit('notesreader', '/', '/myMeeting', { locale });
  const dialog = page.getByTestId('release-notes');
  await expect(dialog).toHaveCount(0);
  await asAfterUpgrade(page);
  await expect(dialog).toContainText('0.1.0');
  await expect(page.getByTestId('release-notes-ok')).toBeFocused();
  const saved = page.waitForRequest(/saveRemindMemo\?upgradeFrequency=WEEKLY/);
  await page.getByTestId('release-notes-frequency').selectOption('WEEKLY');
  await page.getByTestId('release-notes-ok').click();
  await saved;
  await expect(dialog).toHaveCount(0);
  const { memo } = await server.api.as('notesreader');
  await expect.poll(async () => (await memo.read({ query: {} })).upgradeFrequency, { timeout: 5_000 }).toBe('WEEKLY');
  await page.reload();
  await page.getByTestId('account-menu').waitFor();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(dialog).toHaveCount(0);
});

test('closed by Escape, the notes return at the next sign-in', async ({ server, visit }) => {
  await newUser(server, 'notesescape');
  const page = await visit('notesescape', '/', '/myMeeting', { locale });
  await asAfterUpgrade(page);
  const saved = page.waitForRequest(/saveRemindMemo\?upgradeFrequency=EACH/);
  await page.getByTestId('release-notes').waitFor();
  await page.keyboard.press('Escape');
  await saved;
  await expect(page.getByTestId('release-notes')).toHaveCount(0);
});

test('the account menu shows all release notes', async ({ visit }) => {
  for (const [account, app, path] of [
    ['alice', '/', '/myMeeting'],
    ['root', '/admin/', '/tenants'],
  ] as const) {
    const page = await visit(account, app, path, { locale });
    await page.getByTestId('account-menu').click();
    await page.getByTestId('to-release-notes').click();
    await expect(page.getByTestId('release-notes-all')).toContainText('0.1.0');
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('release-notes-all')).toHaveCount(0);
  }
});

for (const look of LOOKS)
  test(`release notes look right in ${look}`, async ({ server, visit }) => {
    const account = `noteslooks${look.slice(0, 2)}`;
    await newTenant(server, `Looks of notes ${look}`, account);
    for (const size of SIZES) {
      const page = await visit(account, '/', '/myMeeting', { locale: look, size });
      const mend = await failing(page, MEMO);
      await page.getByTestId('account-menu').click();
      await page.getByTestId('to-release-notes').click();
      await page.getByTestId('state-error').waitFor();
      await looksRight(page, 'release notes failing');
      await tryAgain(page, mend, page.getByTestId('release-notes-all').getByRole('heading', { level: 3 }));
      await looksRight(page, 'release notes of all versions');
      await page.keyboard.press('Escape');
      await asAfterUpgrade(page);
      await page.getByTestId('release-notes').waitFor();
      await looksRight(page, 'release notes');
    }
  });
