import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { encodeContact } from '@rmeet/contract';
import { startMailServer, type MailServer } from '@rmeet/testkit';
import { newTenant } from '../auth/support.ts';
import { expect, test as base } from '../pages.ts';
import { makeDocument } from './support.ts';

/** A server that delivers its mail to a real mail server. */
const test = base.extend<object, { mail: MailServer }>({
  mail: [
    async ({}, use) => {
      const mail = await startMailServer();
      await use(mail);
      await mail.close();
    },
    { scope: 'worker' },
  ],
  serverSettings: async ({ mail }, use) =>
    use({ RMEET_SMTP_URL: `smtp://127.0.0.1:${mail.port}`, RMEET_MAIL_FROM: 'meetings@example.org' }),
});

/** A PNG of 3 by 2 pixels, all red. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AAQQxwFgBB0gX7h/C5SAAAAABJRU5ErkJggg==',
  'base64',
);
const english = { locale: 'en-US' } as const;

/** Finds a person in the open dialog. */
async function pick(page: Page, account: string): Promise<void> {
  await page.getByTestId('grant-search').getByRole('combobox').fill(account);
  await page.getByTitle(new RegExp(account, 'i')).click();
}

test('a document is renamed, shared, and deleted, and who had it has it no more', async ({ server, visit }) => {
  const id = await makeDocument(server, 'To be renamed');
  const page = await visit('alice', '/', `/editor/${id}`, english);
  await page.getByTestId('document-title').fill('Renamed');
  await page.keyboard.press('Enter');
  await page.getByTestId('share-open').click();
  await pick(page, 'bob');
  await expect(page.getByTestId('share-member')).toContainText('Bob');
  await page.keyboard.press('Escape');

  const other = await visit('bob', '/', '/editor', english);
  await other.getByTestId('list-search').fill('Renamed');
  await other.getByTestId('document-open').click();
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

test('a picture is put into a document, and others see it', async ({ server, visit }) => {
  const id = await makeDocument(server, 'With a picture');
  const page = await visit('alice', '/', `/editor/${id}`, english);
  await page.getByTestId('document-text').locator('p').last().click();
  await page.getByTestId('picture-file').setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer: PICTURE });
  const width = `document.querySelector('[data-testid="document-text"] img')?.naturalWidth`;
  await expect.poll(() => page.evaluate(width)).toBe(3);
  await expect(page.getByTestId('document-state')).toHaveText('Saved');
  await page.reload();
  await expect.poll(() => page.evaluate(width)).toBe(3);
});

test('a version is restored, and what was written since it is kept', async ({ server, visit }) => {
  const id = await makeDocument(server, 'Restored', 'As it was');
  const page = await visit('alice', '/', `/editor/${id}`, english);
  await page.getByTestId('versions-open').click();
  await page.getByTestId('version-name').fill('Draft');
  await page.getByTestId('version-keep').click();
  await expect(page.getByTestId('version').first()).toContainText('Draft');
  await page.keyboard.press('Escape');
  await page.getByTestId('document-text').locator('p').last().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' and more');
  await expect(page.getByTestId('document-state')).toHaveText('Saved');
  await page.getByTestId('versions-open').click();
  await page.getByTestId('version').filter({ hasText: 'Draft' }).click();
  await expect(page.getByTestId('difference').locator('ins')).toContainText('As it was and more');
  await page.getByTestId('version-restore').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('document-text').locator('p').last()).toHaveText('As it was');
  await expect(page.getByTestId('version')).toHaveCount(2);
});

test('a document is saved as Word and as PDF, and sent by mail', async ({ server, visit, mail }) => {
  const id = await makeDocument(server, 'To be sent');
  const admin = await server.api.as('admin');
  const email = 'docreader@example.org';
  await admin.users.create({ body: { account: 'docreader', name: 'Docreader', email: encodeContact(email) } });
  const page = await visit('alice', '/', `/editor/${id}`, english);
  for (const [format, start] of [
    ['docx', 'PK'],
    ['pdf', '%PDF'],
  ] as const) {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId(`export-${format}`).click()]);
    expect(file.suggestedFilename()).toBe(`To be sent.${format}`);
    expect((await readFile(await file.path())).toString('latin1').startsWith(start)).toBe(true);
  }
  await page.getByTestId('mail-open').click();
  await expect(page.getByTestId('mail-send')).toBeDisabled();
  await pick(page, 'bob');
  await page.getByTestId('mail-message').fill('Please read.');
  await page.getByTestId('mail-send').click();
  // Without a person who has an address, nothing is sent.
  await expect(page.getByTestId('toast-error')).toContainText('None of the chosen people has a mail address');
  await pick(page, 'docreader');
  await page.getByTestId('mail-send').click();
  await expect(page.getByTestId('mail-dialog')).toHaveCount(0);
  await expect(page.getByTestId('toast-warning')).toContainText('Bob');
  const names = () =>
    mail.received.filter(({ to }) => to.includes(email)).flatMap(({ files }) => files.map(({ name }) => name));
  await expect.poll(names).toEqual(['To be sent.pdf']);
});

test('an administrator makes a template, and a person begins a document with it', async ({ server, visit }) => {
  await newTenant(server, 'Templates', 'templateboss');
  const page = await visit('templateboss', '/manage/', '/editor', english);
  await page.getByTestId('view-templates').click();
  await page.getByTestId('document-new').click();
  await page.getByTestId('document-title').fill('Ward minutes');
  await page.getByTestId('document-create').click();
  await page.getByTestId('document-text').click();
  await page.keyboard.type('Present:');
  await expect(page.getByTestId('document-state')).toHaveText('Saved');
  await page.goto(`${server.url}/#/editor`);
  await page.getByTestId('document-new').click();
  await page.getByTestId('document-title').fill('Minutes of Monday');
  await page.getByTestId('document-template').click();
  await page.locator('.ant-select-item-option', { hasText: 'Ward minutes' }).click();
  await page.getByTestId('document-create').click();
  await expect(page.getByTestId('document-text')).toContainText('Present:');
});
