import type { Page } from '@playwright/test';
import { expect, failing, LOOKS, LONG_NAME, looksRight, retype, tabTo, test } from '../pages.ts';

const PATH = '/menumanage/index';
const node = (page: Page, name: string) =>
  page.getByTestId('menu-node').filter({ has: page.getByText(name, { exact: true }) });

test('a menu is created, moved, hidden, edited and deleted by keyboard alone', async ({ visit }) => {
  const page = await visit('root', '/admin/', PATH, { locale: 'en-US' });
  await page.getByTestId('menu-node').first().waitFor();
  await tabTo(page, 'menu-new');
  await page.keyboard.press('Enter');
  await page.getByTestId('entry-name').waitFor();
  await tabTo(page, 'entry-name');
  await page.keyboard.type('帮助');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Help');
  await tabTo(page, 'entry-url');
  await page.keyboard.type('ftp://example.org');
  await tabTo(page, 'form-submit');
  await page.keyboard.press('Enter');
  // The error is shown at the field, which has the focus.
  await expect(page.getByTestId('entry-url')).toBeFocused();
  await retype(page, 'https://example.org/help');
  await tabTo(page, 'form-submit');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('menu-panel')).toContainText('https://example.org/help');
  await expect(node(page, 'Help')).toContainText('External');
  // After closing, the form returns the focus.
  await page.getByTestId('entry-form').waitFor({ state: 'hidden' });

  await tabTo(page, 'menu-tree');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(page.getByTestId('menu-announcement')).toHaveText(/^Help is now under the top level, \d+ of \d+$/);
  await page.keyboard.press('Alt+ArrowRight');
  await expect(page.getByTestId('menu-announcement')).toHaveText(/^Help is now under (?!the top level).+, \d+ of \d+$/);
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(page.getByTestId('menu-announcement')).toHaveText(/^Help is now under the top level/);

  await tabTo(page, 'menu-hide');
  await page.keyboard.press('Enter');
  await expect(node(page, 'Help')).toContainText('Hidden');
  await page.keyboard.press('Enter');
  await expect(node(page, 'Help')).not.toContainText('Hidden');

  await tabTo(page, 'menu-remove');
  await page.keyboard.press('Enter');
  await tabTo(page, 'question-ok');
  await page.keyboard.press('Enter');
  await expect(node(page, 'Help')).toHaveCount(0);
});

test(
  'a change of the menus shows in the sidebar at once, and unsaved changes are lost only after a question',
  { tag: '@more' },
  async ({ visit }) => {
    const page = await visit('root', '/admin/', PATH, { locale: 'en-US' });
    await page.getByTestId('sidebar-toggle').click();
    const sidebar = page.getByRole('navigation', { name: 'Main navigation' }).first();
    await node(page, 'Operators').first().click();
    await page.getByTestId('menu-edit').click();
    await page.getByTestId('entry-nameEn').fill('Our staff');
    await page.keyboard.press('Escape');
    await page.getByTestId('question-cancel').click();
    await expect(page.getByTestId('entry-nameEn')).toHaveValue('Our staff');
    await page.getByTestId('form-submit').click();
    await expect(sidebar).toContainText('Our staff');
    // With the name that other scenarios on the same server expect.
    await page.getByTestId('menu-edit').click();
    await page.getByTestId('entry-nameEn').fill('Operators');
    await page.getByTestId('form-submit').click();
    await expect(sidebar).not.toContainText('Our staff');
  },
);

test("another user's edit is shown, and the typed fields are kept", { tag: '@more' }, async ({ visit, root }) => {
  const { id } = await root.permissions.create({ body: { type: 0, name: '共有', nameEn: 'Ours', url: '/ours' } });
  const page = await visit('root', '/admin/', PATH, { locale: 'en-US' });
  await node(page, 'Ours').first().click();
  await page.getByTestId('menu-edit').click();
  await page.getByTestId('entry-nameEn').fill('Mine');
  // The other user works in another tab of the same browser.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await node(other, 'Ours').first().click();
  await other.getByTestId('menu-hide').click();
  await expect(node(other, 'Ours').first()).toContainText('Hidden');
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('conflict-notice')).toContainText('Hidden in the sidebar');
  await expect(page.getByTestId('entry-nameEn')).toHaveValue('Mine');
  await page.getByTestId('form-submit').click();
  await expect(node(page, 'Mine')).toContainText('Hidden');
  await root.permissions.remove({ query: { id } });
});

for (const locale of LOOKS) {
  test(`looks right in ${locale}: tree, form, failing, very long names`, async ({ visit, root }) => {
    const long = await root.permissions.create({ body: { type: 0, name: LONG_NAME, nameEn: LONG_NAME, url: '/long' } });
    const page = await visit('root', '/admin/', PATH, { locale });
    await node(page, LONG_NAME).click();
    await looksRight(page, 'tree');
    await page.getByTestId('menu-edit').click();
    await page.getByTestId('entry-name').waitFor();
    await looksRight(page, 'form');
    await page.keyboard.press('Escape');
    await failing(page, '/permission/tree');
    await page.reload();
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'failing');
    await page.unrouteAll();
    await page.getByTestId('state-retry').click();
    await node(page, LONG_NAME).click();
    await page.getByTestId('menu-remove').click();
    await page.getByTestId('question-ok').click();
    await expect(node(page, LONG_NAME)).toHaveCount(0);
    expect(long.builtIn).toBe(false);
  });
}
