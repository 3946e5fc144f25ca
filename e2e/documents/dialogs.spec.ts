import { startMailServer, type MailServer, type RunningServer } from '@rmeet/testkit';
import { bookMeeting } from '../support.ts';
import { expect, failing, LOCALES, LOOKS, LONG_NAME, looksRight, test as base } from '../pages.ts';
import { makeDocument, paragraph, pick, PICTURE } from './support.ts';

const language = { locale: LOCALES[0] ?? 'zh-CN' };
const NONE = '--';

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

/** Gives a person a mail address. */
async function address(server: RunningServer, account: string, email: string): Promise<void> {
  const person = await server.api.as(account);
  const body = { name: person.user.name, phoneNumber: NONE, email: btoa(email), locale: 'en' as const };
  await person.users.updateSelf({ body });
}

test('a document is sent as PDF to people with an address; those without are named', async ({
  server,
  visit,
  mail,
}) => {
  await address(server, 'bob', 'bob@example.org');
  const id = await makeDocument(server, { title: 'Mailed minutes' });
  const page = await visit('alice', '/', `/editor/${id}`, language);
  await page.getByTestId('mail-open').click();
  await expect(page.getByTestId('mail-send')).toBeDisabled();
  await pick(page, 'Bob');
  await pick(page, 'Carol');
  await expect(page.getByTestId('mail-person')).toHaveCount(2);
  await page.getByTestId('mail-message').fill('Please read 请查收');
  await page.getByTestId('mail-send').click();
  await expect(page.getByTestId('toast-success')).toBeVisible();
  await expect(page.getByTestId('toast-warning')).toContainText('Carol');
  await expect(page.getByTestId('mail-dialog')).toHaveCount(0);
  await expect.poll(() => mail.received.filter(({ to }) => to.includes('bob@example.org')).length).toBe(1);
  const received = mail.received.find(({ to }) => to.includes('bob@example.org'));
  expect(received?.text).toContain('Please read 请查收');
  expect(received?.files).toMatchObject([{ name: 'Mailed minutes.pdf', type: 'application/pdf' }]);

  await page.getByTestId('mail-open').click();
  await pick(page, 'Carol');
  await page.getByTestId('mail-send').click();
  await expect(page.getByTestId('toast-error')).toBeVisible();
  await expect(page.getByTestId('mail-dialog')).toBeVisible();
});

test('a task gets a person and a date, and loses them', async ({ server, visit }) => {
  const id = await makeDocument(server, { title: 'Tasks' });
  const page = await visit('alice', '/', `/editor/${id}`, language);
  const text = page.getByTestId('document-text');
  await text.getByText('First').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('tool-taskDetail')).toHaveAttribute('aria-disabled', 'true');
  await page.getByTestId('tool-tasks').click();
  await page.keyboard.type('Call the pharmacy');
  await page.getByTestId('tool-taskDetail').click();
  await pick(page, 'Bob');
  await expect(page.getByTestId('task-person')).toContainText('Bob');
  const due = page.getByTestId('task-dialog').locator('.ant-picker input');
  await due.fill('2031-12-24');
  await due.press('Enter');
  await page.getByTestId('task-set').click();
  const note = text.locator('.document-task-note');
  await expect(note).toContainText('Bob');
  await expect(note).toContainText('2031-12-24');
  await text.getByRole('checkbox').check();
  await expect(page.getByTestId('document-state')).not.toHaveText('');
  await page.reload();
  await expect(note).toContainText('2031-12-24');
  await expect(text.getByRole('checkbox')).toBeChecked();
  await text.locator('.document-task p').click();
  await page.getByTestId('tool-taskDetail').click();
  await page.getByTestId('task-person-remove').click();
  await page.getByTestId('task-set').click();
  await expect(note).not.toContainText('Bob');
});

test('pictures are chosen and pasted, and what is no picture is refused', async ({ server, visit }) => {
  const id = await makeDocument(server, { title: 'Pictures' });
  const page = await visit('alice', '/', `/editor/${id}`, language);
  const text = page.getByTestId('document-text');
  await text.getByText('First').click();
  const plan = { name: 'plan.png', mimeType: 'image/png', buffer: PICTURE };
  await page.getByTestId('picture-file').setInputFiles([plan, plan]);
  const pictures = text.locator('figure img[src^="blob:"]');
  await expect(pictures).toHaveCount(2);
  await expect(pictures.first()).toHaveAttribute('alt', 'plan.png');
  await page.evaluate(`{
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob('${PICTURE.toString('base64')}'), (one) => one.charCodeAt(0));
    data.items.add(new File([bytes], 'pasted.png', { type: 'image/png' }));
    const paste = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    document.querySelector('[data-testid="document-text"]').dispatchEvent(paste);
  }`);
  await expect(pictures).toHaveCount(3);
  const wrong = { name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
  await page.getByTestId('picture-file').setInputFiles(wrong);
  await expect(page.getByTestId('toast-error')).toBeVisible();
  await page.reload();
  await expect(pictures).toHaveCount(3);
});

test('pasted web content loses what documents may not contain', async ({ server, visit }) => {
  const id = await makeDocument(server, { title: 'Pasted' });
  const page = await visit('alice', '/', `/editor/${id}`, language);
  const text = page.getByTestId('document-text');
  await text.getByText('First').click();
  await page.evaluate(`{
    const data = new DataTransfer();
    data.setData('text/html', '<h2 onclick="x()">Heading</h2><script>1</script><p style="color:red">Red ' +
      '<a href="javascript:x()">bad</a> <a href="https://example.org/">good</a></p>' +
      '<img src="https://example.org/t.png">' +
      '<table><tr><td>Cell</td></tr></table>');
    const paste = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    document.querySelector('[data-testid="document-text"]').dispatchEvent(paste);
  }`);
  await expect(text.locator('td')).toHaveText('Cell');
  await expect(text.locator('a')).toHaveAttribute('href', 'https://example.org/');
  await expect(text.locator('script, [onclick], [style*="color"], img')).toHaveCount(0);
});

test('an administrator makes a template, and people begin documents with it', async ({ visit }) => {
  const page = await visit('admin', '/manage/', '/editor', language);
  await page.getByTestId('view-templates').click();
  await page.getByTestId('document-new').click();
  await page.getByTestId('document-title').fill('Weekly template');
  await page.getByTestId('document-create').click();
  await page.getByTestId('document-text').click();
  await page.keyboard.type('Present:');
  await expect(page.getByTestId('document-state')).toHaveText(/Saved|已保存/);

  const user = await visit('alice', '/', '/editor?view=templates', language);
  await expect(user.getByTestId('document-new')).toHaveCount(0);
  const row = user.getByTestId('documents-row').filter({ hasText: 'Weekly template' });
  await row.getByTestId('row-use').click();
  await expect(user.getByTestId('document-text')).toContainText('Present:');
  await expect(user.getByTestId('toolbar')).toBeVisible();

  await user.getByTestId('document-back').click();
  await user.getByTestId('document-new').click();
  await user.getByTestId('document-title').fill('Begun with the template');
  await user.getByTestId('document-template').click();
  await user.getByTitle('Weekly template').last().click();
  await user.getByTestId('document-create').click();
  await expect(user.getByTestId('document-text')).toContainText('Present:');

  await page.getByTestId('document-remove').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('toast-success')).toBeVisible();
  await expect(user.getByTestId('document-text')).toContainText('Present:');
});

test('a version shows what has changed, and is restored for all', async ({ server, visit }) => {
  const id = await makeDocument(server, { title: 'Versions', content: [paragraph('One'), paragraph('Two')] });
  const alice = await server.api.as('alice');
  await alice.documents.keep({ params: { id }, body: { name: 'Draft' } });
  const page = await visit('alice', '/', `/editor/${id}`, language);
  const text = page.getByTestId('document-text');
  await text.getByText('Two').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' and three');
  await expect(page.getByTestId('document-state')).toHaveText(/Saved|已保存/);
  await page.getByTestId('versions-open').click();
  await page.getByTestId('version').filter({ hasText: 'Draft' }).click();
  await expect(page.getByTestId('difference').locator('del')).toHaveText('Two');
  await expect(page.getByTestId('difference').locator('ins')).toHaveText('Two and three');
  await page.getByTestId('version-restore').click();
  await page.getByTestId('question-ok').click();
  await expect(text.locator('p').last()).toHaveText('Two');
  await expect(page.getByTestId('version')).toHaveCount(2);
});

test('people of the meeting find its minutes; its host writes them', async ({ server, visit }) => {
  const [alice, bob] = [await server.api.as('alice'), await server.api.as('bob')];
  const participants = [{ kind: 'user' as const, userId: bob.user.id }];
  const { meetId } = await bookMeeting(alice, 'Bound to it', { participants });
  await makeDocument(server, { title: 'Bound minutes', meetId });
  const page = await visit('bob', '/', `/myMeeting?open=${meetId}`, language);
  await page.getByTestId('meeting-document').click();
  await expect(page.getByTestId('document-read-only')).toBeVisible();
  await expect(page.getByText('Bound to it')).toBeVisible();
  await expect(page.getByTestId('document-text')).toContainText('Bound minutes');
});

const SIZES = [
  { width: 1280, height: 800 },
  { width: 820, height: 1180 },
  { width: 390, height: 780 },
];

for (const locale of LOOKS) {
  test(`looks right in ${locale}: dialogs at three sizes, with long names`, async ({ server, visit }) => {
    const id = await makeDocument(server, {
      title: `${locale} ${LONG_NAME}`,
      content: [
        { type: 'taskList', content: [{ type: 'taskItem', content: [paragraph(`Beds 床位 ${LONG_NAME}`)] }] },
        paragraph('End'),
      ],
    });
    const alice = await server.api.as('alice');
    const ids = await Promise.all(['bob', 'carol'].map(async (account) => (await server.api.as(account)).user.id));
    await alice.documents.share({
      params: { id },
      body: { members: ids.map((userId, at) => ({ userId, right: at === 0 ? 'read' : 'write' })) },
    });
    const page = await visit('alice', '/', `/editor/${id}`, { locale });
    const text = page.getByTestId('document-text');
    const close = (dialog: string) => page.getByTestId(dialog).locator('header button').click();
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.getByTestId('share-open').click();
      await page.getByTestId('share-member').first().waitFor();
      await looksRight(page, 'share');
      await close('share-dialog');
      await page.getByTestId('mail-open').click();
      await pick(page, 'Bob');
      await looksRight(page, 'mail');
      await close('mail-dialog');
      await text.locator('.document-task p').click();
      await page.getByTestId('tool-taskDetail').click();
      await pick(page, 'Bob');
      await looksRight(page, 'task');
      await close('task-dialog');
    }
  });

  test(`looks right in ${locale}: versions at three sizes, empty, failing, long`, async ({ server, visit }) => {
    const id = await makeDocument(server, { title: `${locale} versions`, content: [paragraph('Beds 床位')] });
    const alice = await server.api.as('alice');
    const page = await visit('alice', '/', `/editor/${id}`, { locale });
    const text = page.getByTestId('document-text');
    await page.getByTestId('versions-open').click();
    await page.getByTestId('state-empty').waitFor();
    await looksRight(page, 'versions empty');
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('version-name')).toHaveCount(0);
    await alice.documents.keep({ params: { id }, body: { name: LONG_NAME } });
    await text.getByText('Beds').click();
    await page.keyboard.press('End');
    await page.keyboard.type(` ${LONG_NAME}`);
    await page.keyboard.press('Enter');
    await page.keyboard.type('长'.repeat(200));
    await expect(page.getByTestId('document-state')).toHaveText(/Saved|已保存/);
    await page.reload();
    await text.getByText('Beds').waitFor();
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.getByTestId('versions-open').click();
      await page.getByTestId('version').first().waitFor();
      await looksRight(page, 'versions');
      await page.getByTestId('version').first().click();
      await page.getByTestId('difference').waitFor();
      await looksRight(page, 'difference');
      await page.keyboard.press('Escape');
      await expect(page.getByTestId('version-back')).toHaveCount(0);
    }
    await failing(page, '/versions');
    await page.reload();
    await page.getByTestId('versions-open').click();
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'versions failing');
  });
}
