import { agreeByKey, expect, LOOKS, LONG_NAME, failing, looksRight, test, tryAgain } from '../pages.ts';
import { store } from './support.ts';

test('a host finds a recording at /record-meeting, renames it, and takes it out of the bin again', async ({
  server,
  visit,
}) => {
  await store(server, { subject: 'Found by its host' });
  const page = await visit('alice', '/', '/record-meeting', { locale: 'en-US' });
  await page.getByTestId('list-search').fill('Found by its host');
  const row = page.getByTestId('recordings-row');
  await expect(row).toHaveCount(1);
  await expect(page).toHaveURL(/q=Found/);
  await expect(row).toContainText('Ready');
  await expect(page.getByTestId('usage')).toContainText('Recordings use');
  await row.getByTestId('row-more').press('Enter');
  await page.getByTestId('row-rename').press('Enter');
  await page.getByTestId('rename-subject').fill('Found by its host, renamed');
  await page.keyboard.press('Enter');
  await expect(row).toContainText('renamed');
  await row.getByTestId('row-more').press('Enter');
  await page.getByTestId('row-remove').press('Enter');
  await expect(row).toHaveCount(0);
  await page.getByTestId('filter-bin').press('Enter');
  await expect(page).toHaveURL(/filter=bin/);
  await expect(row).toContainText('Deleted for good on');
  await row.getByTestId('row-restore').press('Enter');
  await expect(row).toHaveCount(0);
  await page.getByTestId('filter-all').press('Enter');
  await page.getByTestId('recording-open').press('Enter');
  await expect(page).toHaveURL(/record-details/);
});

test('a person who is granted a recording watches it, and another one does not find it', async ({ server, visit }) => {
  const { id } = await store(server, { subject: 'Granted to one' });
  const page = await visit('alice', '/', `/record-details/${id}`, { locale: 'en-US' });
  await page.getByTestId('do-grant').click();
  await page.getByTestId('grant-search').getByRole('combobox').fill('carol');
  await page.getByTitle(/carol/i).click();
  await expect(page.getByTestId('granted')).toHaveCount(1);
  const other = await visit('carol', '/', `/record-details/${id}`, { locale: 'en-US' });
  await expect(other.getByTestId('player-time')).toHaveText('0:00 / 0:12');
  await expect(other.getByTestId('do-share')).toBeHidden();
  await page.getByTestId('grant-remove').click();
  await expect(page.getByTestId('granted')).toHaveCount(0);
  await other.reload();
  await expect(other.getByTestId('state-empty')).toContainText('This recording does not exist');
});

test('a host deletes several recordings at once, restores one, and deletes the others for good', async ({
  server,
  visit,
}) => {
  const subjects = ['Bulk one', 'Bulk two', 'Bulk three'];
  for (const subject of subjects) await store(server, { subject, withTracks: false });
  await store(server, { subject: 'Bulk four, running', withTracks: false, isRunning: true });
  const page = await visit('alice', '/', '/record-meeting?q=Bulk', { locale: 'en-US' });
  const rows = page.getByTestId('recordings-row');
  const boxOf = (subject: string) => rows.filter({ hasText: subject }).getByRole('checkbox');
  await expect(rows).toHaveCount(4);
  await expect(boxOf('Bulk four')).toBeDisabled();
  for (const subject of subjects) await boxOf(subject).press('Space');
  await page.getByTestId('bulk-remove').press('Enter');
  await expect(rows).toHaveCount(1);
  await expect(page.getByTestId('toast-success')).toContainText('3 recordings');

  await page.getByTestId('filter-bin').press('Enter');
  await expect(rows).toHaveCount(3);
  await boxOf('Bulk two').press('Space');
  await page.getByTestId('bulk-restore').press('Enter');
  await expect(rows).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).press('Space');
  await page.getByTestId('bulk-remove').press('Enter');
  await expect(page.getByTestId('question-ok').filter({ visible: true })).toHaveText('Delete for good');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('question')).toHaveCount(0);
  await expect(rows).toHaveCount(2);
  await page.getByTestId('bulk-remove').press('Enter');
  await agreeByKey(page);
  await expect(page.getByTestId('question')).toHaveCount(0);
  await expect(page.getByTestId('state-empty')).toBeVisible();
  await page.getByTestId('filter-all').press('Enter');
  await expect(rows).toHaveCount(2);
  const alice = await server.api.as('alice');
  const { records } = await alice.recordings.queryRecord({ query: { keyword: 'Bulk', filter: 'bin' } });
  expect(records).toEqual([]);
});

test('the list is filtered, sorted and paged, and a reload keeps it', async ({ server, visit }) => {
  const old = new Date(Date.now() - 40 * 86_400_000);
  await store(server, { subject: 'Sorted 00', withTracks: false, startedAt: old });
  for (let n = 1; n <= 10; n += 1)
    await store(server, { subject: `Sorted ${String(n).padStart(2, '0')}`, withTracks: false });
  const page = await visit('alice', '/', '/record-meeting?q=Sorted&size=10&sort=subject&order=ASC', {
    locale: 'en-US',
  });
  const rows = page.getByTestId('recordings-row');
  await expect(rows).toHaveCount(10);
  await expect(rows.first()).toContainText('Sorted 00');
  await page.getByTestId('page-next').press('Enter');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Sorted 10');
  await page.reload();
  await expect(rows).toContainText('Sorted 10');
  await page.getByRole('columnheader', { name: 'Name' }).click();
  await expect(page).not.toHaveURL(/order=ASC|page=/);
  await expect(rows.first()).toContainText('Sorted 10');

  await page.getByTestId('filter-range').selectOption('month');
  await expect(page).toHaveURL(/from=\d{4}/);
  await expect(rows).toHaveCount(10);
  await expect(rows.last()).toContainText('Sorted 01');
  await page.reload();
  await expect(page.getByTestId('filter-range')).toHaveValue('month');
  await page.getByTestId('filter-range').selectOption('other');
  await expect(page.getByTestId('recordings-range').first()).toBeVisible();
  await page.getByTestId('filter-range').selectOption('');
  await page.getByTestId('filter-type').selectOption('PHONE_MEETING');
  await expect(page).toHaveURL(/type=PHONE_MEETING/);
  await expect(page.getByTestId('state-empty')).toContainText('Nothing matches');
  await page.getByTestId('filter-type').selectOption('NETWORK_MEETING');
  await expect(rows).toHaveCount(10);
});

test('an administrator finds, watches and deletes recordings of all hosts in the manage app', async ({
  server,
  visit,
}) => {
  await store(server, { subject: 'Managed by all', host: 'carol', second: 'alice' });
  const page = await visit('admin', '/manage/', '/record-meeting?q=Managed+by+all', { locale: 'en-US' });
  await expect(page.locator('aside').getByTestId('nav-RecordMeeting')).toHaveClass(/active/);
  await expect(page.getByTestId('recordings-row')).toContainText('Carol');
  await page.getByTestId('recording-open').press('Enter');
  await expect(page.getByTestId('player-time')).toHaveText('0:00 / 0:12');
  await page.getByTestId('recording-back').press('Enter');
  await expect(page).toHaveURL(/manage\/#\/record-meeting/);
  await page.getByTestId('list-search').fill('Managed by all');
  await expect(page.getByTestId('recordings-row')).toHaveCount(1);
  await page.getByTestId('recordings-row').getByTestId('row-more').press('Enter');
  await page.getByTestId('row-remove').press('Enter');
  await expect(page.getByTestId('recordings-row')).toHaveCount(0);
});

for (const locale of LOOKS)
  test(`recordings look right (${locale})`, async ({ server, visit }) => {
    const subject = `${locale} ${LONG_NAME}`;
    const { id } = await store(server, { subject });
    await store(server, { subject: `${subject} 2`, isRunning: true });
    const page = await visit('alice', '/', '/record-meeting', { locale });
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(`${server.url}/#/record-meeting?q=${locale}`);
      await page.getByTestId('recording-open').first().waitFor();
      await looksRight(page, 'recordings');
      await page.goto(`${server.url}/#/record-details/${id}?t=6`);
      await page.getByTestId('player-large').waitFor();
      await looksRight(page, 'recording');
      await page.getByTestId('as-seen').click();
      await page.getByTestId('edit').click();
      await page.getByTestId('edit-cut').click();
      await looksRight(page, 'recording being cut');
      await page.getByTestId('do-share').click();
      await page.getByTestId('share-create').waitFor();
      await looksRight(page, 'share a recording');
    }
    await page.goto(`${server.url}/#/record-meeting?q=nothing-has-this-name`);
    await page.getByTestId('state-empty').waitFor();
    await looksRight(page, 'no recordings');
    const mend = await failing(page, '/api/api/v1/queryRecord');
    await page.goto(`${server.url}/#/record-meeting?q=other`);
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'recordings that fail');
    await tryAgain(page, mend, page.getByTestId('state-empty'));
  });
