import type { Page } from '@playwright/test';
import { expect, LOCALES, LOOKS, LONG_NAME, looksRight, test } from '../pages.ts';
import { makeDocument, paragraph, pick } from './support.ts';

const language = { locale: LOCALES[0] ?? 'zh-CN' };

/** Selects the first word of the last paragraph and comments on it. */
async function comment(page: Page, text: string): Promise<void> {
  await expect(page.getByTestId('toolbar')).toBeVisible();
  await page
    .getByTestId('document-text')
    .locator('p')
    .last()
    .dblclick({ position: { x: 12, y: 10 } });
  await page.getByTestId('tool-comment').click();
  await page.getByTestId('comment-text').fill(text);
  await page.getByTestId('comment-add').click();
}

test('a document is shared; the right that is taken away takes the toolbar away at once', async ({ server, visit }) => {
  const id = await makeDocument(server, { title: 'Shared' });
  const page = await visit('alice', '/', `/editor/${id}`, language);
  await page.getByTestId('share-open').click();
  await pick(page, 'Bob');
  await expect(page.getByTestId('share-member')).toHaveCount(1);
  const other = await visit('bob', '/', `/editor/${id}`, language);
  await expect(other.getByTestId('toolbar')).toBeVisible();
  await expect(other.getByTestId('share-open')).toHaveCount(0);
  await page.getByTestId('share-right').click();
  await page
    .locator('.ant-select-item-option')
    .filter({ hasText: /可阅读|Can read/ })
    .click();
  await expect(other.getByTestId('document-read-only')).toBeVisible();
  await expect(other.getByTestId('document-text')).toHaveAttribute('contenteditable', 'false');
  await other.getByTestId('document-text').locator('p').last().click();
  await other.keyboard.type('Not allowed');
  await expect(other.getByTestId('document-text')).not.toContainText('Not allowed');
  await page.getByTestId('share-remove').click();
  await expect(other.getByTestId('document-error')).toBeVisible();
  await expect(page.getByTestId('share-member')).toHaveCount(0);
});

test('people see who else is there and where they write', async ({ server, visit }) => {
  const id = await makeDocument(server, { title: 'Cursors' });
  const [alice, bob] = [await server.api.as('alice'), await server.api.as('bob')];
  const share = (right: 'read' | 'write') =>
    alice.documents.share({ params: { id }, body: { members: [{ userId: bob.user.id, right }] } });
  await share('write');
  const one = await visit('alice', '/', `/editor/${id}`, language);
  await expect(one.getByTestId('document-text')).toContainText('First');
  await expect(one.getByTestId('document-here')).toHaveCount(0);
  const two = await visit('bob', '/', `/editor/${id}`, language);
  await expect(one.getByTestId('document-here')).toContainText('Bob');
  await expect(two.getByTestId('document-here')).toContainText('Alice');
  await two.getByTestId('document-text').getByText('First').click();
  await two.keyboard.press('End');
  await two.keyboard.press('Shift+Home');
  const caret = one.locator('.document-caret');
  await expect(caret).toHaveAttribute('data-name', 'Bob');
  await expect(one.locator('.document-selection')).toHaveText('第一段 First');
  await expect(one.getByTestId('document-text').locator('p').last()).toHaveText('第一段 First');
  await share('read');
  await expect(caret).toHaveCount(0);
  await expect(one.getByTestId('document-here')).toContainText('Bob');
  await two.close();
  await expect(one.getByTestId('document-here')).toHaveCount(0);
});

test('comments are answered, resolved and deleted', async ({ server, visit }) => {
  const id = await makeDocument(server, { title: 'Comments', content: [paragraph('Twelve beds')] });
  const [alice, bob] = [await server.api.as('alice'), await server.api.as('bob')];
  await alice.documents.share({ params: { id }, body: { members: [{ userId: bob.user.id, right: 'write' }] } });
  const page = await visit('alice', '/', `/editor/${id}`, language);
  await comment(page, 'Enough?');
  await expect(page.locator('.document-comment-open')).toHaveText('Twelve');
  const other = await visit('bob', '/', `/editor/${id}`, language);
  await expect(other.getByTestId('comment')).toContainText('Enough?');
  await expect(other.getByTestId('comment-remove')).toHaveCount(0);
  await other.getByTestId('comment-answer-open').click();
  await expect(other.getByTestId('comment-answer-add')).toBeDisabled();
  await other.getByTestId('comment-answer-text').fill('Yes, for now.');
  await other.getByTestId('comment-answer-add').click();
  const answer = page.getByTestId('comment-answer');
  await expect(answer).toContainText('Bob');
  await expect(answer).toContainText('Yes, for now.');
  await other.getByTestId('comment-resolve').click();
  await expect(page.getByTestId('comment')).toHaveAttribute('data-resolved', 'true');
  await expect(page.locator('.document-comment-open')).toHaveCount(0);
  await page.getByTestId('comment-resolve').click();
  await expect(other.locator('.document-comment-open')).toHaveText('Twelve');
  await page.getByTestId('comment-remove').click();
  await expect(other.getByTestId('comments')).toHaveCount(0);
  await expect(page.locator('[data-comment]')).toHaveCount(0);
});

for (const locale of LOOKS) {
  test(`looks right in ${locale}: comments and people, at three sizes`, async ({ server, visit }) => {
    const id = await makeDocument(server, {
      title: `${locale} 床位 Beds`,
      content: [paragraph('Twelve beds for the ward 病区需要十二张床位'), paragraph('Last line 末行')],
    });
    const [alice, bob] = [await server.api.as('alice'), await server.api.as('bob')];
    await alice.documents.share({ params: { id }, body: { members: [{ userId: bob.user.id, right: 'write' }] } });
    const [page, other] = [
      await visit('alice', '/', `/editor/${id}`, { locale }),
      await visit('bob', '/', `/editor/${id}`, { locale }),
    ];
    await comment(page, `${LONG_NAME.repeat(3)}\nSecond line 第二行`);
    await other.getByTestId('comment-answer-open').click();
    await other.getByTestId('comment-answer-text').fill('长'.repeat(120));
    await other.getByTestId('comment-answer-add').click();
    await page.getByTestId('comment-answer').waitFor();
    await comment(other, 'Resolved 已解决');
    const second = { hasText: 'Resolved 已解决' };
    await other.getByTestId('comment').filter(second).getByTestId('comment-resolve').click();
    await expect(page.getByTestId('comment').filter(second)).toHaveAttribute('data-resolved', 'true');
    await other.getByTestId('document-text').locator('p').first().click();
    await other.keyboard.press('End');
    await page.locator('.document-caret').waitFor();
    await looksRight(page, 'comments');
    await page.getByTestId('comment-answer-open').first().click();
    await page.setViewportSize({ width: 820, height: 1180 });
    await looksRight(page, 'comments on a tablet');
    await page.setViewportSize({ width: 390, height: 780 });
    await page.getByTestId('comment').first().scrollIntoViewIfNeeded();
    await looksRight(page, 'comments on a phone');
  });
}
