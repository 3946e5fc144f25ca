import { expect, test } from '../pages.ts';
import { bookMeeting } from '../support.ts';

const text = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('Agenda') });

test('a folder is renamed, saved as a ZIP file, and deleted with its files', async ({ server, visit }) => {
  const { meetId } = await bookMeeting(await server.api.as('alice'), 'Folders of a round');
  const page = await visit('alice', '/', `/myMeeting?open=${meetId}`, { locale: 'en-US' });
  await page.getByTestId('meeting-files-open').click();
  await page.getByTestId('files-new-folder').click();
  await page.getByTestId('files-name-input').fill('Slides');
  await page.keyboard.press('Enter');
  await page.getByTestId('folder-open').click();
  await expect(page.getByTestId('files-top')).toBeVisible();
  await page.getByTestId('files-input').setInputFiles(text('a.txt'));
  await expect(page.getByTestId('file-row')).toHaveCount(1);
  await page.getByTestId('files-top').click();

  const folder = page.getByTestId('folder-row');
  await folder.getByTestId('folder-actions').click();
  await page.getByTestId('folder-rename').click();
  await page.getByTestId('files-name-input').fill('Slides of Monday');
  await page.keyboard.press('Enter');
  await expect(folder).toContainText('Slides of Monday');
  await folder.getByTestId('folder-actions').click();
  const [zip] = await Promise.all([page.waitForEvent('download'), page.getByTestId('folder-download').click()]);
  expect(zip.suggestedFilename()).toBe('Slides of Monday.zip');
  await folder.getByTestId('folder-actions').click();
  await page.getByTestId('folder-remove').click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByTestId('state-empty')).toContainText('No files yet');
});
