import { chooseFound, openAdminPage, rowOf } from '../admin-pages.ts';
import { expect, LOCALES, LOOKS, looksRight, tabTo, test } from '../pages.ts';

const ROOMS = { app: '/manage/', account: 'admin', path: '/rooms' } as const;
const [locale = 'zh-CN'] = LOCALES;
const WEEKDAYS = { 'zh-CN': '周一至周五 08:00–20:00', 'en-US': 'Mon–Fri 08:00–20:00' };

test('a building and a room are created, changed and deleted; a conflict is shown', async ({ server, open }) => {
  const page = await open('chair', { locale });
  await openAdminPage(page, server, ROOMS);
  await page.getByTestId('rooms-row').first().waitFor();
  await page.getByTestId('buildings').click();
  await page.getByTestId('building-new').click();
  await page.getByTestId('building-name').fill('Annex');
  await chooseFound(page, 'building-zone', 'Berlin');
  await page.getByTestId('building-drawer').getByTestId('form-submit').click();
  const annex = page.getByTestId('building-row').filter({ hasText: 'Annex' });
  await expect(annex).toContainText('Europe/Berlin');
  await expect(page.getByTestId('building-new')).toBeFocused();
  // Until the form has closed, Escape applies to the form.
  await page.getByTestId('building-drawer').waitFor({ state: 'hidden' });
  await page.keyboard.press('Escape');
  await page.getByTestId('buildings-drawer').waitFor({ state: 'hidden' });

  await tabTo(page, 'room-new');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('field-name')).toBeFocused();
  await page.keyboard.type('Quiet room');
  await page.getByTestId('room-capacity').fill('6');
  await page.getByTestId('form-submit').click();
  // The missing field gets the focus.
  await expect(page.getByTestId('room-building').locator('[aria-invalid="true"]')).toBeFocused();
  await chooseFound(page, 'room-building', 'Annex');
  await page.getByTestId('room-always').getByRole('radio').nth(1).check();
  await page.getByTestId('form-submit').click();
  await expect(rowOf(page, 'rooms', 'Quiet room')).toContainText(WEEKDAYS[locale]);

  // The same room in two tabs.
  const other = await page.context().newPage();
  await other.goto(`${server.url}/manage/#/rooms?q=Quiet`);
  await other.getByTestId('room-name').click();
  await page.getByTestId('list-search').fill('Quiet');
  await expect(page.getByTestId('rooms-row')).toHaveCount(1);
  await page.getByTestId('room-name').click();
  await page.getByTestId('room-capacity').fill('17');
  await other.getByTestId('room-floor').fill('B1');
  await other.getByTestId('form-submit').click();
  await expect(rowOf(other, 'rooms', 'Quiet room')).toContainText('B1');
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('conflict-notice')).toContainText('B1');
  await expect(page.getByTestId('room-capacity')).toHaveValue('17');
  await page.getByTestId('form-submit').click();
  await expect(rowOf(page, 'rooms', 'B1')).toContainText('17');

  // A building with rooms cannot be deleted, and the reason is shown.
  await page.getByTestId('buildings').click();
  await annex.getByTestId('row-remove').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('question')).toContainText('1');
  await expect(page.getByTestId('question-cancel')).toHaveCount(0);
  await page.getByTestId('question-ok').click();
  await expect(annex.getByTestId('row-remove')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.getByTestId('buildings-drawer').waitFor({ state: 'hidden' });
  await rowOf(page, 'rooms', 'Quiet room').getByTestId('row-more').click();
  await page.getByTestId('row-remove').click();
  await page.getByTestId('question-ok').click();
  await page.getByTestId('state-empty').waitFor();
  await page.getByTestId('buildings').click();
  await annex.getByTestId('row-remove').click();
  await page.getByTestId('question-ok').click();
  await expect(annex).toHaveCount(0);
});

test('users who do not manage rooms have no menu entry and no access', async ({ visit, server, open }) => {
  const admins = await visit('admin', '/manage/', '/rooms');
  const entries = ['nav-Rooms', 'nav-Terminals'];
  for (const entry of entries) await expect(admins.getByTestId(entry).first()).toBeVisible();
  const page = await open('alice');
  await openAdminPage(page, server, { ...ROOMS, account: 'alice' });
  await expect(page.getByRole('link')).toHaveAttribute('href', '/');
  await page.getByRole('link').click();
  await page.getByTestId('meeting-new').waitFor();
  for (const entry of entries) await expect(page.getByTestId(entry)).toHaveCount(0);
});

for (const language of LOOKS) {
  test(`rooms and buildings look right (${language})`, async ({ visit }) => {
    const page = await visit('admin', '/manage/', '/rooms', { locale: language, size: { width: 390, height: 844 } });
    await page.getByTestId('rooms-row').first().waitFor();
    await looksRight(page, 'list');
    await page.getByTestId('room-new').click();
    await page.getByTestId('room-always').getByRole('radio').nth(1).check();
    await page.getByTestId('form-submit').click();
    await page.locator('[aria-invalid="true"]').first().waitFor();
    await looksRight(page, 'form with errors');
    await page.getByTestId('room-building-new').click();
    await page.getByTestId('building-name').waitFor();
    await looksRight(page, 'building');
    await page.keyboard.press('Escape');
    await page.getByTestId('building-drawer').waitFor({ state: 'hidden' });
    await page.getByTestId('form-dismiss').click();
    await page.getByTestId('question-ok').click();
    await page.getByTestId('room-drawer').waitFor({ state: 'hidden' });
    await page.getByTestId('buildings').click();
    await page.getByTestId('building-row').first().waitFor();
    await looksRight(page, 'buildings');
  });
}
