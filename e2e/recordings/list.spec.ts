import { expect, LOOKS, LONG_NAME, failing, looksRight, test, tryAgain } from '../pages.ts';
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
