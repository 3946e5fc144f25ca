import type { Page } from '@playwright/test';
import { newTenant, newUser } from '../auth/support.ts';
import { chooseFound, rowOf } from '../admin-pages.ts';
import { expect, failing, LOCALES, LONG_NAME, LOOKS, looksRight, tabTo, test, tryAgain } from '../pages.ts';
import { formGone } from '../support.ts';

const [locale = 'zh-CN'] = LOCALES;
const WIDE = { width: 1440, height: 900 };
const TABLET = { width: 820, height: 1180 };
const PHONE = { width: 390, height: 844 };
const CURRENT = '/api/api/v1/rmeetadv/searchAdvForPersion';
const LIST = '/api/api/v1/announcements';

/** Fills the form of a new announcement for the whole organisation. */
async function write(page: Page, title: string, body: string): Promise<void> {
  await page.getByTestId('announcement-new').click();
  await page.getByTestId('field-title').fill(title);
  await page.getByTestId('field-body').fill(body);
}
const row = (page: Page, title: string) => rowOf(page, 'announcements', title);
const statusOf = (page: Page, title: string) => row(page, title).getByTestId('announcement-status');

test('an announcement is written, published, read on an open page, and withdrawn', async ({ server, visit }) => {
  await newTenant(server, 'Announcing', 'annboss');
  await newUser(server, 'annreader', undefined, 'annboss');
  const boss = await visit('annboss', '/manage/', '/announcements', { locale, size: WIDE });
  const reader = await visit('annreader', '/', '/myMeeting', { locale, size: WIDE });
  await reader.getByTestId('announcements-button').click();
  await expect(reader.getByTestId('announcements-drawer').getByTestId('state-empty')).toBeVisible();
  await reader.keyboard.press('Escape');

  await expect(boss.getByTestId('state-empty')).toBeVisible();
  await write(boss, 'Water on Saturday', 'No water from **8** to 12.\n- first floor\n- second floor');
  await boss.getByTestId('body-preview').click();
  await expect(boss.getByTestId('announcement-preview').locator('strong')).toHaveText('8');
  await expect(boss.getByTestId('announcement-preview').locator('li')).toHaveCount(2);
  await boss.getByTestId('form-submit').click();
  await formGone(boss);
  await expect(statusOf(boss, 'Water on Saturday')).toHaveAttribute('data-status', 'running');

  // By push, without a reload.
  await expect(reader.getByTestId('announcements-unread')).toHaveText('1');
  await reader.getByTestId('announcements-button').click();
  await reader.getByTestId('announcement-open').click();
  await expect(reader.getByTestId('announcement-row')).toContainText('first floor');
  await expect(reader.getByTestId('announcements-unread')).toHaveCount(0);

  await boss.reload();
  await row(boss, 'Water on Saturday').getByTestId('announcement-read').click();
  await expect(boss.getByTestId('readers-count')).toContainText('1');
  await expect(boss.getByTestId('reader-row')).toContainText('annreader');
  await boss.getByTestId('readers-unread').click();
  await expect(boss.getByTestId('reader-row')).toContainText('annboss');
  await boss.keyboard.press('Escape');

  await row(boss, 'Water on Saturday').getByTestId('row-more').click();
  await boss.getByTestId('row-withdraw').click();
  await boss.getByTestId('question-ok').click();
  await expect(statusOf(boss, 'Water on Saturday')).toHaveAttribute('data-status', 'withdrawn');
  await expect(reader.getByTestId('announcement-row')).toHaveCount(0);
});

test('an important announcement is shown in a dialog, once', async ({ server, visit }) => {
  await newTenant(server, 'Urgent', 'urgentboss');
  await newUser(server, 'urgentreader', undefined, 'urgentboss');
  const { announcements } = await server.api.as('urgentboss');
  const reader = await visit('urgentreader', '/', '/myMeeting', { locale, size: PHONE });
  await reader.getByTestId('announcements-button').waitFor();
  for (const title of ['Fire drill at noon', 'Lift 2 is closed']) {
    const body = { title, body: 'Please read.', important: true, aimedAt: { wholeTenant: true } };
    const { id, version } = await announcements.create({ body });
    await announcements.publish({ params: { id }, body: { version } });
  }
  const dialog = reader.getByTestId('announcement-dialog');
  await expect(dialog).toBeVisible();
  await expect(reader.getByTestId('announcement-understood')).toBeFocused();
  await reader.getByTestId('announcement-understood').click();
  // Escape is an answer, too.
  await expect(dialog).toBeVisible();
  await reader.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(reader.getByTestId('announcements-unread')).toHaveCount(0);
  await reader.reload();
  await reader.getByTestId('announcements-button').click();
  await expect(reader.getByTestId('announcement-row')).toHaveCount(2);
  await expect(dialog).toHaveCount(0);
});

test('an announcement for one person reaches that person alone', async ({ server, visit }) => {
  await newTenant(server, 'Aiming', 'aimboss');
  await newUser(server, 'aimed', undefined, 'aimboss');
  await newUser(server, 'other', undefined, 'aimboss');
  const boss = await visit('aimboss', '/manage/', '/announcements', { locale, size: WIDE });
  await write(boss, 'Only you', 'Come to the office.');
  await boss.getByTestId('field-whole').click();
  await boss.getByTestId('form-submit').click();
  // Nobody is chosen yet.
  await expect(boss.getByTestId('announcement-form').getByRole('alert')).toBeVisible();
  await chooseFound(boss, 'field-people', 'aimed');
  await boss.keyboard.press('Escape');
  await boss.getByTestId('form-submit').click();
  await formGone(boss);
  await expect(row(boss, 'Only you')).toContainText('aimed');
  const titles = async (account: string): Promise<string[]> =>
    (await (await server.api.as(account)).announcements.current()).records.map(({ title }) => title);
  expect(await titles('aimed')).toEqual(['Only you']);
  expect(await titles('other')).toEqual([]);
});

test('the platform announces to all organisations', async ({ server, visit, root }) => {
  await newTenant(server, 'Listening', 'listener');
  const page = await visit('root', '/admin/', '/announcements', { locale, size: WIDE });
  await write(page, 'Upgrade tonight', 'From 22:00.');
  await expect(page.getByTestId('field-departments')).toHaveCount(0);
  await page.getByTestId('form-submit').click();
  await formGone(page);
  const reader = await visit('listener', '/', '/myMeeting', { locale, size: WIDE });
  await reader.getByTestId('announcements-button').click();
  await expect(reader.getByTestId('announcement-row')).toContainText('Upgrade tonight');
  const { records } = await root.announcements.list({ query: { keyword: 'Upgrade tonight' } });
  for (const { id, version } of records) await root.announcements.withdraw({ params: { id }, body: { version } });
  await expect(reader.getByTestId('announcement-row')).toHaveCount(0);
});

test('wrong inputs are shown at their fields, and edits are protected', async ({ server, visit }) => {
  await newTenant(server, 'Faulty', 'faultyboss');
  const page = await visit('faultyboss', '/manage/', '/announcements', { locale, size: WIDE });
  await page.getByTestId('announcement-new').click();
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('field-title')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByTestId('field-title')).toBeFocused();
  await page.getByTestId('field-title').fill('Water');
  // Nothing is left of it on the server.
  await page.getByTestId('field-body').fill('<script>alert(1)</script>');
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('field-body')).toHaveAttribute('aria-invalid', 'true');
  await page.getByTestId('field-body').fill('');
  await page.getByTestId('mark-bold').click();
  await page.keyboard.type('No water');
  await expect(page.getByTestId('field-body')).toHaveValue('**No water**');
  await page.getByTestId('field-url').fill('javascript:alert(1)');
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('field-url')).toHaveAttribute('aria-invalid', 'true');
  await page.getByTestId('field-url').fill('https://example.org/water');
  await page.getByTestId('form-dismiss').click();
  await page.getByTestId('question-cancel').click();
  await page.getByTestId('field-publish').click();
  await page.getByTestId('form-submit').click();
  await formGone(page);
  await expect(statusOf(page, 'Water')).toHaveAttribute('data-status', 'draft');
});

test('announcements are reached and read by keyboard', { tag: '@more' }, async ({ server, visit }) => {
  await newTenant(server, 'Keys', 'keysboss');
  const { announcements } = await server.api.as('keysboss');
  const body = { title: 'By keyboard', body: 'See [the page](https://example.org/).', aimedAt: { wholeTenant: true } };
  const { id, version } = await announcements.create({ body });
  await announcements.publish({ params: { id }, body: { version } });
  const page = await visit('keysboss', '/', '/myMeeting', { locale, size: WIDE });
  await tabTo(page, 'announcements-button');
  await page.keyboard.press('Enter');
  await tabTo(page, 'announcement-open');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('announcement-open')).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByRole('link', { name: 'the page' })).toHaveAttribute('rel', /noopener/);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('announcements-button')).toBeFocused();
});

for (const look of LOOKS)
  test(`announcements look right in ${look}`, async ({ server, visit }) => {
    const account = `annlooks${look.slice(0, 2)}`;
    await newTenant(server, `Looks of announcements ${look}`, account);
    const { announcements } = await server.api.as(account);
    for (const size of [WIDE, TABLET, PHONE]) {
      const page = await visit(account, '/manage/', '/announcements', { locale: look, size });
      await page.getByTestId('announcement-new').waitFor();
      if (size === WIDE) {
        await page.getByTestId('state-empty').waitFor();
        await looksRight(page, 'announcements empty');
        const mend = await failing(page, LIST);
        await page.reload();
        await page.getByTestId('state-error').waitFor();
        await looksRight(page, 'announcements failing');
        await tryAgain(page, mend, page.getByTestId('state-empty'));
        const long = { title: LONG_NAME.repeat(2), body: `# ${LONG_NAME}\n${'Very long text. '.repeat(120)}` };
        for (const values of [long, { title: 'Short', body: '- one\n- two\n\n1. first\n2. second' }]) {
          const { id, version } = await announcements.create({ body: { ...values, aimedAt: { wholeTenant: true } } });
          await announcements.publish({ params: { id }, body: { version } });
        }
        await page.reload();
      }
      await page.getByTestId('announcements-row').nth(1).waitFor();
      await looksRight(page, 'announcements list');
      await page.getByTestId('announcement-new').click();
      await page.getByTestId('field-whole').click();
      await page.getByTestId('form-submit').click();
      await looksRight(page, 'announcement form faults');
      await page.getByTestId('form-dismiss').click();
      await page.getByTestId('question-ok').click();
      // The column of readers is hidden where there is no room for it.
      await page.getByTestId('row-more').first().click();
      await page.getByTestId('row-readers').click();
      await page.getByTestId('readers-unread').click();
      await page.getByTestId('reader-row').first().waitFor();
      await looksRight(page, 'announcement readers');
      await page.keyboard.press('Escape');
      await page.getByTestId('announcements-button').click();
      await page.getByTestId('announcement-open').nth(1).click();
      await looksRight(page, 'announcements drawer');
    }
    const page = await visit(account, '/', '/myMeeting', { locale: look, size: PHONE });
    const mend = await failing(page, CURRENT);
    await page.reload();
    await page.getByTestId('announcements-button').click();
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'announcements drawer failing');
    await tryAgain(page, mend, page.getByTestId('announcement-row').first());
    const body = { title: LONG_NAME, body: 'Very long text. '.repeat(200), important: true };
    const { id, version } = await announcements.create({ body: { ...body, aimedAt: { wholeTenant: true } } });
    await page.keyboard.press('Escape');
    await announcements.publish({ params: { id }, body: { version } });
    await page.getByTestId('announcement-dialog').waitFor();
    await looksRight(page, 'announcement dialog');
  });
