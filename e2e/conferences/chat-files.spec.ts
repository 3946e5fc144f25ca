import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { chooseInHostMenu, expect, isTold, test } from './support.ts';

/** A PNG of 3 by 2 pixels, all red. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AAQQxwFgBB0gX7h/C5SAAAAABJRU5ErkJggg==',
  'base64',
);
const MINUTES = Buffer.from('Minutes\u0000of the round, '.repeat(3_000));
const LONG = `${'Ward round minutes with everything that was decided '.repeat(2)}.bin`;

/** The chat of a page, which is opened if necessary. */
async function chatOf(page: Page): Promise<Locator> {
  if (!(await page.getByTestId('chat-panel').isVisible())) await page.getByTestId('toolbar-chat').click();
  return page.getByTestId('chat-panel');
}
const cardOf = (chat: Locator, name: string): Locator =>
  chat.getByTestId('file-card').filter({ has: chat.page().locator(`[title="${name}"]`) });
/** The bytes that the browser saves. */
async function savedFrom(page: Page, name: string): Promise<{ name: string; bytes: Buffer }> {
  const card = cardOf(await chatOf(page), name);
  const [download] = await Promise.all([page.waitForEvent('download'), card.getByTestId('file-save').click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}
/** Drags a file over an element and drops it there; without `drop` it stays above it. */
async function dragTo(target: Locator, name: string, drop: boolean): Promise<void> {
  const transfer = await target.page().evaluateHandle(`(() => {
    const data = new DataTransfer();
    data.items.add(new File(['dropped'], '${name}', { type: 'text/plain' }));
    return data;
  })()`);
  await target.dispatchEvent('dragover', { dataTransfer: transfer });
  if (drop) await target.dispatchEvent('drop', { dataTransfer: transfer });
}

test('people send files and pictures in the chat, to all or in private, and delete them', async ({ gather }) => {
  const meeting = await gather();
  const [chair, alice, bob] = [await meeting.enter('chair'), await meeting.enter('alice'), await meeting.enter('bob')];
  const chat = await chatOf(alice.page);

  await test.step('a file goes with its message; its name shows while the chat is closed', async () => {
    await chat.getByTestId('chat-file').setInputFiles({ name: LONG, mimeType: '', buffer: MINUTES });
    await expect(chat.getByTestId('chat-attached')).toContainText('64 KB');
    await chat.getByTestId('chat-input').fill('Please read');
    await alice.page.keyboard.press('Enter');
    await expect(cardOf(chat, LONG)).toBeVisible();
    await expect(chat.getByTestId('chat-attached')).toHaveCount(0);
    await expect(bob.page.getByTestId('chat-preview')).toContainText('Please read');
    await expect(await chatOf(bob.page)).toContainText('Please read');
    const saved = await savedFrom(bob.page, LONG);
    expect(saved).toEqual({ name: LONG, bytes: MINUTES });
  });
  await test.step('a dropped file is added, and a picture is shown large', async () => {
    await dragTo(chat.getByTestId('chat-input'), 'dropped.txt', false);
    await expect(chat.getByTestId('chat-drop')).toHaveText('Drop to add files');
    await dragTo(chat.getByTestId('chat-input'), 'dropped.txt', true);
    await chat.getByTestId('chat-file').setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer: PICTURE });
    await expect(chat.getByTestId('chat-attached')).toHaveCount(2);
    await chat.getByTestId('chat-attached-remove').first().click();
    await expect(chat.getByTestId('chat-attached-remove')).toBeFocused();
    await chat.getByTestId('chat-send').click();
    const thumbnail = cardOf(await chatOf(bob.page), 'red.png').getByTestId('file-thumbnail');
    await expect(thumbnail.locator('img')).toBeVisible();
    await thumbnail.focus();
    await bob.page.keyboard.press('Enter');
    const dialog = bob.page.getByTestId('picture-dialog');
    expect(
      await dialog
        .getByTestId('picture')
        .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBe(3);
    await expect(dialog).toContainText('3 × 2');
    await bob.page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(thumbnail).toBeFocused();
  });
  await test.step('a private file is for two people only', async () => {
    await chat.getByTestId('chat-to').selectOption({ label: 'Bob' });
    await chat
      .getByTestId('chat-file')
      .setInputFiles({ name: 'secret.txt', mimeType: '', buffer: Buffer.from('Hush') });
    await chat.getByTestId('chat-send').click();
    expect((await savedFrom(bob.page, 'secret.txt')).bytes.toString()).toBe('Hush');
    const chairs = await chatOf(chair.page);
    await expect(cardOf(chairs, 'red.png')).toBeVisible();
    await expect(cardOf(chairs, 'secret.txt')).toHaveCount(0);
  });
  await test.step('what cannot be sent is said before and after', async () => {
    await chat.getByTestId('chat-file').setInputFiles({ name: 'nothing.txt', mimeType: '', buffer: Buffer.alloc(0) });
    await expect(chat.getByTestId('chat-fault')).toHaveText('“nothing.txt” is empty and cannot be sent.');
    await chat.getByTestId('chat-file').setInputFiles({ name: 'run.exe', mimeType: '', buffer: Buffer.from('MZ..') });
    await chat.getByTestId('chat-send').click();
    const outgoing = chat.getByTestId('chat-outgoing');
    await expect(outgoing).toContainText('Your organisation does not allow files of this kind: run.exe.');
    await expect(outgoing).not.toContainText('Try again');
    await outgoing.getByTestId('chat-take-back').click();
    await expect(outgoing).toHaveCount(0);
  });
  await test.step('a deleted file is gone for all', async () => {
    const message = chat.getByTestId('chat-message').filter({ hasText: 'red' });
    await message.getByTestId('chat-menu').click();
    await alice.page.getByTestId('chat-delete').click();
    for (const { page } of [alice, bob, chair]) await expect(cardOf(await chatOf(page), 'red.png')).toHaveCount(0);
  });
  await test.step('the chair turns files off', async () => {
    await chooseInHostMenu(chair.page, 'allow-files');
    await isTold(alice.page, 'The chair has turned off files in the chat.');
    await chat.getByTestId('chat-attach').click();
    await expect(chat.getByTestId('chat-fault')).toHaveText('The chair has turned off files in the chat.');
  });
  await test.step('the record keeps what was sent to all', async () => {
    const { page } = chair;
    await chooseInHostMenu(page, 'host-end');
    await page.getByTestId('leave-end-all').click();
    const {
      records: [held],
    } = await meeting.host.history.list({ query: { keyword: meeting.number } });
    await page.goto(`${new URL(page.url()).origin}/#/meeting-record-details/${held?.id ?? ''}`);
    const record = page.getByTestId('record-chat');
    await expect(record.getByTestId('record-message')).toHaveCount(2);
    await expect(record).toContainText('Message deleted');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      record.getByTestId('file-card').getByTestId('file-save').click(),
    ]);
    expect(await readFile(await download.path())).toEqual(MINUTES);
  });
});
