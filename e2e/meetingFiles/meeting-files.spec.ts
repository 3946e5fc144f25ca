import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { meetingFiles, pathOf, UPLOAD_PATH } from '@rmeet/contract';
import type { RunningServer } from '@rmeet/testkit';
import { expect, failing, LONG_NAME, LOOKS, looksRight, tabTo, test } from '../pages.ts';
import { bookMeeting } from '../support.ts';

/** A PNG of 3 by 2 pixels, all red. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AAQQxwFgBB0gX7h/C5SAAAAABJRU5ErkJggg==',
  'base64',
);
/** A PDF of one empty page. */
const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj\nxref\n0 4\n0000000000 65535 f \n' +
    '0000000009 00000 n \n0000000052 00000 n \n0000000101 00000 n \n' +
    'trailer<</Size 4/Root 1 0 R>>\nstartxref\n164\n%%EOF\n',
);
const text = (name: string, content = 'Agenda') => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

/** A meeting of alice with bob. */
async function newMeeting(server: RunningServer, subject: string, minutesFromNow = 60): Promise<string> {
  const [alice, bob] = [await server.api.as('alice'), await server.api.as('bob')];
  const participants = [{ kind: 'user' as const, userId: bob.user.id }];
  return (await bookMeeting(alice, subject, { participants, minutesFromNow })).meetId;
}

/** Uploads a file by the API. */
async function upload(
  server: RunningServer,
  account: string,
  meetId: string,
  name: string,
  content: string | Buffer = 'Agenda',
): Promise<string> {
  const who = await server.api.as(account);
  const body = new Uint8Array(Buffer.from(content));
  const { id } = await who.meetingFiles.startUpload({ body: { meetId, name, size: body.length } });
  await fetch(`${server.url}${UPLOAD_PATH}/${id}`, {
    method: 'PATCH',
    headers: {
      authorization: who.token,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body,
  });
  const { files } = await who.meetingFiles.list({ query: { meetId, size: 200 } });
  return files.records.find((file) => file.name === name)?.id ?? '';
}

/** Opens the files of a meeting from its details. */
async function openFiles(page: Page, server: RunningServer, meetId: string): Promise<void> {
  await page.goto(`${server.url}/#/myMeeting?open=${meetId}`);
  await page.getByTestId('meeting-files-open').click();
  await page.getByTestId('meeting-files').waitFor();
}
const rowOf = (page: Page, name: string) => page.getByTestId('file-row').filter({ hasText: name });
async function act(page: Page, name: string, action: string): Promise<void> {
  await rowOf(page, name).getByTestId('file-actions').click();
  await page.getByTestId(`file-${action}`).click();
}
/** The bytes that the browser saves after an act. */
async function saved(page: Page, work: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), work()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test('a host uploads files, arranges them, and a participant reads and saves them', async ({ server, visit }) => {
  const meetId = await newMeeting(server, 'Files of a round');
  const page = await visit('alice', '/', '/myMeeting', { locale: 'en-US' });
  await openFiles(page, server, meetId);
  await expect(page.getByTestId('state-empty')).toContainText('No files yet');

  await test.step('files are uploaded, also into a folder', async () => {
    await page.getByTestId('files-input').setInputFiles([text('a.txt'), { ...text('b.png'), buffer: PICTURE }]);
    await expect(page.getByTestId('file-row')).toHaveCount(2);
    await expect(page.getByTestId('upload-row')).toHaveCount(0);
    await page.getByTestId('files-new-folder').click();
    await page.getByTestId('files-name-save').click();
    await expect(page.getByTestId('files-name')).toContainText('Enter a name.');
    await page.getByTestId('files-name-input').fill('Slides');
    await page.keyboard.press('Enter');
    await page.getByTestId('folder-open').click();
    await expect(page.getByTestId('state-empty')).toContainText('This folder is empty');
    await page.getByTestId('files-input').setInputFiles({ ...text('c.pdf'), buffer: PDF });
    await expect(rowOf(page, 'c.pdf')).toContainText('Alice');
  });
  await test.step('a PDF, a text and a picture are shown', async () => {
    await rowOf(page, 'c.pdf').getByTestId('file-preview').click();
    await expect(page.getByTestId('shown-pdf').locator('canvas')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await page.getByTestId('files-top').click();
    await rowOf(page, 'a.txt').getByTestId('file-preview').click();
    await expect(page.getByTestId('shown-text')).toHaveText('Agenda');
    await page.keyboard.press('Escape');
    await rowOf(page, 'b.png').getByTestId('file-preview').click();
    await expect(page.getByTestId('shown-picture')).toBeVisible();
    await page.keyboard.press('Escape');
  });
  await test.step('a new version replaces the file, and the first one stays', async () => {
    await rowOf(page, 'a.txt').getByTestId('file-version-input').setInputFiles(text('other.txt', 'Agenda, second'));
    await expect(rowOf(page, 'a.txt')).toContainText('version 2');
    await act(page, 'a.txt', 'versions');
    const first = await saved(page, () => page.getByTestId('version-download').last().click());
    expect(first.bytes.toString()).toBe('Agenda');
    await page.keyboard.press('Escape');
  });
  await test.step('the other participant sees them, except what is hidden', async () => {
    await act(page, 'b.png', 'secret');
    await expect(rowOf(page, 'b.png')).toContainText('Hidden until the start');
    const other = await visit('bob', '/', '/myMeeting', { locale: 'en-US' });
    await openFiles(other, server, meetId);
    await expect(other.getByTestId('file-row')).toHaveCount(1);
    await other.getByTestId('file-actions').click();
    await expect(other.getByTestId('file-remove')).toHaveCount(0);
    const { name, bytes } = await saved(other, () => other.getByTestId('file-download').click());
    expect([name, bytes.toString()]).toEqual(['a.txt', 'Agenda, second']);
    const zip = await saved(other, () => other.getByTestId('files-download-all').click());
    expect(zip.name).toBe('Files of a round.zip');
    expect(zip.bytes.includes('Slides/c.pdf')).toBe(true);
    expect(zip.bytes.includes('b.png')).toBe(false);
  });
  await test.step('a file is renamed and deleted by keyboard', async () => {
    await act(page, 'a.txt', 'rename');
    await page.getByTestId('files-name-input').fill('plan.txt');
    await page.keyboard.press('Enter');
    await expect(rowOf(page, 'plan.txt')).toBeVisible();
    await rowOf(page, 'plan.txt').getByTestId('file-actions').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByTestId('file-row')).toHaveCount(1);
  });
});

test('an upload continues after a break, and after the page was closed', async ({ server, visit }) => {
  const meetId = await newMeeting(server, 'Broken upload');
  const page = await visit('alice', '/', '/myMeeting', { locale: 'en-US' });
  await openFiles(page, server, meetId);
  const big = { name: 'film.bin', mimeType: '', buffer: Buffer.alloc(20 * 1024 * 1024, 7) };
  let patches = 0;
  await page.route(`**${UPLOAD_PATH}/*`, async (route) => {
    if (route.request().method() === 'PATCH' && (patches += 1) === 2) await route.abort('connectionreset');
    else await route.continue();
  });
  await page.getByTestId('files-input').setInputFiles(big);
  await expect(rowOf(page, 'film.bin')).toContainText('20.0 MB', { timeout: 30_000 });
  expect(patches).toBeGreaterThan(2);
  await page.unroute(`**${UPLOAD_PATH}/*`);

  await page.route(`**${UPLOAD_PATH}/*`, (route) => route.abort('connectionreset'));
  await page.getByTestId('files-input').setInputFiles({ ...big, name: 'second.bin' });
  await expect(page.getByTestId('upload-row')).toBeVisible();
  await page.unroute(`**${UPLOAD_PATH}/*`);
  await page.goto('about:blank');
  await openFiles(page, server, meetId);
  const left = page.getByTestId('upload-left').or(rowOf(page, 'second.bin'));
  await expect(left).toBeVisible();
  await page.getByTestId('upload-resume-input').setInputFiles(text('wrong.bin'));
  await expect(page.getByText('This is another file')).toBeVisible();
  await page.getByTestId('upload-resume-input').setInputFiles({ ...big, name: 'second.bin' });
  await expect(rowOf(page, 'second.bin')).toContainText('20.0 MB', { timeout: 30_000 });
});

test('wrong files and names are rejected with the reason', async ({ server, visit }) => {
  const meetId = await newMeeting(server, 'Wrong files');
  const page = await visit('alice', '/', '/myMeeting', { locale: 'en-US' });
  await openFiles(page, server, meetId);
  for (const [name, content, reason] of [
    ['setup.exe', 'x', 'does not allow files of this kind'],
    ['photo.png', 'MZ program', 'does not allow files of this kind'],
    ['empty.txt', '', 'is empty'],
  ] as const) {
    await page.getByTestId('files-input').setInputFiles(text(name, content));
    await expect(page.getByTestId('upload-row').getByRole('alert')).toContainText(reason);
    await page.getByTestId('upload-cancel').click();
    await expect(page.getByTestId('upload-row')).toHaveCount(0);
  }
  for (const round of [1, 2]) {
    await page.getByTestId('files-new-folder').click();
    await page.getByTestId('files-name-input').fill('Slides');
    await page.getByTestId('files-name-save').click();
    if (round === 2) await expect(page.getByTestId('files-name')).toContainText('already a folder Slides');
    else await expect(page.getByTestId('folder-row')).toHaveCount(1);
  }
});

test('the files are in the meeting room and in the history', async ({ server, visit }) => {
  const meetId = await newMeeting(server, 'Files in the room', 1);
  await upload(server, 'alice', meetId, 'in the room.txt');
  const alice = await server.api.as('alice');
  const { numericId } = await alice.meetings.detail({ params: { id: meetId } });
  const page = await visit('alice', '/', '/myMeeting', { locale: 'en-US' });
  await page.goto(`${server.url}/#/join?number=${numericId}`);
  await page.getByTestId('join-submit').click();
  await page.getByTestId('room').waitFor();
  await page.getByTestId('toolbar-files').or(page.getByTestId('toolbar-more')).waitFor();
  if (!(await page.getByTestId('toolbar-files').isVisible())) await page.getByTestId('toolbar-more').click();
  await page.getByTestId('toolbar-files').click();
  await expect(page.getByTestId('files-panel')).toContainText('in the room.txt');
  await looksRight(page, 'files in the room');
  await page.getByTestId('files-panel').getByTestId('file-preview').click();
  await expect(page.getByTestId('shown-text')).toHaveText('Agenda');
  await page.keyboard.press('Escape');
  await alice.conferences.end({ params: { meetId } });
  const [held] = (await alice.history.list({ query: { keyword: 'Files in the room' } })).records;
  await page.goto(`${server.url}/#/meeting-record-details/${held?.id ?? ''}`);
  await tabTo(page, 'meeting-files-open');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'in the room.txt')).toBeVisible();
});

test('search, order and folder stay in the URL, and closing forgets them', async ({ server, visit }) => {
  const meetId = await newMeeting(server, 'Found files');
  const alice = await server.api.as('alice');
  await alice.meetingFiles.createFolder({ body: { meetId, name: 'Plans' } });
  for (const name of ['a plan.txt', 'b agenda.txt', 'c plan.txt'])
    await upload(server, 'alice', meetId, name, 'x'.repeat(name.length * (name.startsWith('c') ? 50 : 1)));
  const page = await visit('alice', '/', '/myMeeting', { locale: 'en-US' });
  await openFiles(page, server, meetId);
  await page.getByTestId('files-search').fill('PLAN');
  await expect(page.getByTestId('file-row')).toHaveCount(2);
  await expect(page.getByTestId('folder-row')).toHaveCount(1);
  await page.getByTestId('files-sort').selectOption('size');
  await expect(page.getByTestId('file-row').first()).toContainText('c plan.txt');
  await page.reload();
  await expect(page.getByTestId('files-search')).toHaveValue('PLAN');
  await expect(page.getByTestId('file-row')).toHaveCount(2);
  await expect(page.getByTestId('file-row').first()).toContainText('c plan.txt');
  await page.getByTestId('folder-open').click();
  await expect(page.getByTestId('state-empty')).toContainText('This folder is empty');
  await page.reload();
  await expect(page.getByTestId('state-empty')).toContainText('This folder is empty');
  await page.goBack();
  await expect(page.getByTestId('file-row')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('meeting-files-dialog')).toHaveCount(0);
  expect(page.url()).not.toMatch(/files=|folder=|fq=|fsort=/);
  await page.goto(`${server.url}/#/myMeeting?open=${meetId}&files=${meetId}&folder=none`);
  await expect(page.getByTestId('meeting-files-dialog').getByTestId('state-empty')).toContainText('does not exist');
});

test('nothing runs of what was uploaded, however it is opened', async ({ server, visit }) => {
  const meetId = await newMeeting(server, 'Harmful files');
  const script = "fetch('/ran');document.title='ran';new Image().src='/ran';alert('ran')";
  const html = `<!doctype html><title>page</title><script>${script}</script><body onload="${script}">`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"><script>${script}</script></svg>`;
  const gif = Buffer.concat([Buffer.from('GIF89a/*\x01\0', 'latin1'), Buffer.from(`*/=1;${script}//${html}`)]);
  const pdf = `%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n${html}`;
  const page = await visit('alice', '/', '/myMeeting', { locale: 'en-US' });
  const dialogs: string[] = [];
  const requests: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => requests.push(request.url()));
  const alice = await server.api.as('alice');
  for (const [name, content, isShown] of [
    ['page.html', html, true],
    ['logo.svg', svg, true],
    ['both.gif', gif, true],
    ['both.pdf', pdf, true],
    ['wrong.png', html, true],
    ['page.gif.html', gif, true],
    ['bomb.gz', gzipSync(Buffer.alloc(20_000_000)), false],
  ] as const) {
    const id = await upload(server, 'alice', meetId, name, content);
    const { ticket } = await alice.downloads.ticket({
      body: { path: pathOf(meetingFiles.download, { params: { id } }) },
    });
    const saving = page.waitForEvent('download');
    const address = `${server.url}${pathOf(meetingFiles.download, { params: { id } })}?ticket=${ticket}`;
    await page.goto(address).catch(() => undefined);
    expect((await saving).suggestedFilename(), name).toBe(name);
    if (!isShown) continue;
    const { url } = await alice.meetingFiles.preview({ params: { id } });
    // A PDF is saved where the browser has no viewer for a sandboxed one.
    await page.goto(server.url + url).catch(() => undefined);
    expect(await page.title(), name).not.toBe('ran');
    await page.goto('about:blank');
    await page.setContent(`<iframe src="${server.url}${url}"></iframe><img src="${server.url}${url}">`);
    await page.goto('about:blank');
  }
  expect(dialogs).toEqual([]);
  expect(requests.filter((url) => url.includes('/ran'))).toEqual([]);

  await test.step('the page shows the source of a page, and no picture of a broken one', async () => {
    await openFiles(page, server, meetId);
    for (const name of ['page.html', 'logo.svg', 'wrong.png']) {
      await rowOf(page, name).first().getByTestId('file-preview').click();
      await expect(page.getByTestId('shown-text')).toContainText("fetch('/ran')");
      await page.keyboard.press('Escape');
    }
    await expect(rowOf(page, 'bomb.gz').getByTestId('file-preview')).toHaveCount(0);
    for (const name of ['both.gif', 'both.pdf']) {
      await rowOf(page, name).first().getByTestId('file-preview').click();
      const dialog = page.getByTestId('file-preview-dialog');
      await dialog
        .getByRole('alert')
        .or(dialog.getByTestId(/^shown-/))
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
    }
    expect(dialogs).toEqual([]);
    expect(requests.filter((url) => url.includes('/ran'))).toEqual([]);
  });
});

for (const locale of LOOKS) {
  test(`looks right in ${locale}: empty, long, a preview, failing, on a phone`, async ({ server, visit }) => {
    const meetId = await newMeeting(server, `${locale} ${LONG_NAME}`);
    const page = await visit('alice', '/', '/myMeeting', { locale });
    await openFiles(page, server, meetId);
    await looksRight(page, 'files empty');
    const alice = await server.api.as('alice');
    await alice.meetingFiles.createFolder({ body: { meetId, name: `${LONG_NAME}${LONG_NAME}` } });
    for (const name of [`${LONG_NAME}.txt`, 'plan.txt', 'agenda.txt'])
      await upload(server, 'alice', meetId, name, 'Long text '.repeat(500));
    await alice.meetingFiles.startUpload({ body: { meetId, name: `${LONG_NAME}.mp4`, size: 1_000 } });
    const { files } = await alice.meetingFiles.list({ query: { meetId } });
    await alice.meetingFiles.change({
      params: { id: files.records[0]?.id ?? '' },
      body: { audience: 'managers', secretUntilStart: true },
    });
    for (const size of [
      { width: 1_440, height: 900 },
      { width: 820, height: 1_180 },
      { width: 390, height: 780 },
    ]) {
      await page.setViewportSize(size);
      await page.reload();
      await page.getByTestId('file-row').nth(2).waitFor();
      await looksRight(page, 'files');
      await page.getByTestId('file-preview').first().click();
      await page.getByTestId('shown-text').waitFor();
      await looksRight(page, 'files preview');
      await page.keyboard.press('Escape');
    }
    await page.getByTestId('files-search').fill('nothing of that name');
    await page.getByTestId('meeting-files').getByTestId('state-empty').waitFor();
    await looksRight(page, 'files not found');
    await failing(page, '/meetingFile/list');
    await page.reload();
    await page.getByTestId('meeting-files-dialog').getByTestId('state-error').waitFor();
    await looksRight(page, 'files failing');
  });
}
