import { readFile } from 'node:fs/promises';
import { expect, test } from '../pages.ts';
import { makeDocument, pick } from './support.ts';

const english = { locale: 'en-US' } as const;

test('a document is renamed, shared, and deleted, and who had it has it no more', async ({ server, visit }) => {
  const id = await makeDocument(server, { title: 'To be renamed' });
  const page = await visit('alice', '/', `/editor/${id}`, english);
  await page.getByTestId('document-title').fill('Renamed');
  await page.keyboard.press('Enter');
  await page.getByTestId('share-open').click();
  await pick(page, 'Bob');
  await expect(page.getByTestId('share-member')).toContainText('Bob');
  await page.keyboard.press('Escape');

  const other = await visit('bob', '/', '/editor', english);
  await other.getByTestId('list-search').fill('Renamed');
  await other.getByTestId('document-open').filter({ hasText: 'Renamed' }).click();
  await expect(other.getByTestId('document-text')).toHaveAttribute('contenteditable', 'true');
  await expect(other.getByTestId('share-open')).toHaveCount(0);
  await page.getByTestId('document-remove').click();
  await page.getByTestId('question-ok').click();
  await expect(page).toHaveURL(/#\/editor$/);
  await expect(other.getByTestId('document-error')).toBeVisible();
  await expect(other.getByTestId('document-text')).toHaveAttribute('contenteditable', 'false');
  await other.goto(`${server.url}/#/editor?q=Renamed`);
  await expect(other.getByTestId('state-empty')).toBeVisible();
});

test('a document is saved as Word and as PDF', async ({ server, visit }) => {
  const id = await makeDocument(server, { title: 'To be saved' });
  const page = await visit('alice', '/', `/editor/${id}`, english);
  for (const [format, start] of [
    ['docx', 'PK'],
    ['pdf', '%PDF'],
  ] as const) {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId(`export-${format}`).click()]);
    expect(file.suggestedFilename()).toBe(`To be saved.${format}`);
    expect((await readFile(await file.path())).toString('latin1').startsWith(start)).toBe(true);
  }
});
