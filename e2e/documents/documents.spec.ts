import { expect, failing, LOOKS, LONG_NAME, looksRight, test } from '../pages.ts';
import { bookMeeting } from '../support.ts';
import { makeDocument } from './support.ts';

const english = { locale: 'en-US' } as const;

test('a person makes minutes, writes them with the toolbar, and finds them in the list', async ({ visit }) => {
  const page = await visit('alice', '/', '/myMeeting', english);
  await page.locator('aside').getByTestId('nav-Documents').click();
  await page.getByTestId('document-new').click();
  await page.getByTestId('document-create').click();
  await expect(page.getByText('Enter a title')).toBeVisible();
  await page.getByTestId('document-title').fill('Minutes of the first scenario');
  await page.getByTestId('document-create').click();
  const text = page.getByTestId('document-text');
  await text.click();
  await page.getByTestId('tool-heading1').click();
  await page.keyboard.type('Decisions');
  await page.keyboard.press('Enter');
  await page.getByTestId('tool-bullets').click();
  await page.keyboard.type('Beds for the ward');
  await expect(text.locator('h1')).toHaveText('Decisions');
  await expect(text.locator('ul li')).toHaveText('Beds for the ward');
  await expect(page.getByTestId('document-state')).toHaveText('Saved');
  await page.reload();
  await expect(text.locator('h1')).toHaveText('Decisions');
  await page.getByTestId('document-back').click();
  await page.getByTestId('list-search').fill('first scenario');
  await expect(page).toHaveURL(/q=first/);
  await expect(page.getByTestId('documents-row')).toHaveCount(1);
});

test('two people write at once, and one who loses the right cannot go on', async ({ server, visit }) => {
  const id = await makeDocument(server, 'Together');
  const [alice, bob] = [await server.api.as('alice'), await server.api.as('bob')];
  const share = (right: 'read' | 'write') =>
    alice.documents.share({ params: { id }, body: { members: [{ userId: bob.user.id, right }] } });
  await share('write');
  const [one, two] = [
    await visit('alice', '/', `/editor/${id}`, english),
    await visit('bob', '/', `/editor/${id}`, english),
  ];
  await one.getByTestId('document-text').locator('p').last().click();
  await one.keyboard.press('End');
  await one.keyboard.type(' from Alice');
  await expect(two.getByTestId('document-text')).toContainText('from Alice');
  await two.getByTestId('document-text').locator('p').last().click();
  await two.keyboard.press('End');
  await two.keyboard.type(' and Bob');
  await expect(one.getByTestId('document-text')).toContainText('from Alice and Bob');
  await share('read');
  await expect(two.getByTestId('document-read-only')).toBeVisible();
  await expect(two.getByTestId('toolbar')).toBeHidden();
  await expect(two.getByTestId('document-text')).toHaveAttribute('contenteditable', 'false');
});

test('the toolbar is one stop of the Tab key, and arrow keys move in it', async ({ server, visit }) => {
  const id = await makeDocument(server, 'Toolbar');
  const page = await visit('alice', '/', `/editor/${id}`, english);
  await page.getByTestId('tool-undo').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByTestId('tool-redo')).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByTestId('tool-tableRemove')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(page.getByTestId('tool-undo')).toBeFocused();
  await expect(page.getByTestId('toolbar').locator('[tabindex="0"]')).toHaveCount(1);
});

test('comments, links and versions', async ({ server, visit }) => {
  const id = await makeDocument(server, 'Details');
  const page = await visit('alice', '/', `/editor/${id}`, english);
  await page.getByTestId('document-text').locator('p').last().dblclick();
  await page.getByTestId('tool-comment').click();
  await page.getByTestId('comment-text').fill('Is this right?');
  await page.getByTestId('comment-add').click();
  await expect(page.getByTestId('comment')).toContainText('Is this right?');
  await page.getByTestId('comment-resolve').click();
  await expect(page.getByTestId('comment')).toHaveAttribute('data-resolved', 'true');
  await page.getByTestId('tool-link').click();
  await page.getByTestId('link-address').fill('javascript:alert(1)');
  await page.getByTestId('link-set').click();
  await expect(page.getByText('Enter an address that begins with https:// or mailto:')).toBeVisible();
  await page.getByTestId('link-address').fill('https://example.org/');
  await page.getByTestId('link-set').click();
  await expect(page.getByTestId('document-text').locator('a[href="https://example.org/"]')).toBeVisible();
  await page.getByTestId('versions-open').click();
  await page.getByTestId('version-name').fill('Draft');
  await page.getByTestId('version-keep').click();
  await page.getByTestId('version').first().click();
  await expect(page.getByText('Nothing has changed.')).toBeVisible();
});

test('minutes of a meeting are written from its details', async ({ server, visit }) => {
  const alice = await server.api.as('alice');
  const { meetId } = await bookMeeting(alice, 'With minutes');
  const page = await visit('alice', '/', `/myMeeting?open=${meetId}`, english);
  await page.getByTestId('meeting-document-new').click();
  await expect(page.getByTestId('document-title')).toHaveValue('Minutes: With minutes');
});

test('Internet Explorer gets a warning at the editor', async ({ server, visit }) => {
  const page = await visit('alice', '/', '/myMeeting', english);
  await page.addInitScript(() => {
    const agent = 'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)';
    Object.defineProperty(navigator, 'userAgent', { get: () => agent });
  });
  await page.goto(`${server.url}/#/editor`);
  await page.reload();
  const alert = page.getByTestId('explorer-alert');
  await expect(alert).toContainText('Browser not compatible');
  await alert.getByRole('button', { name: 'OK' }).click();
  await expect(alert).toBeHidden();
});

for (const locale of LOOKS) {
  test(`looks right in ${locale}: list, editor, on a phone, empty, failing, very long names`, async ({
    server,
    visit,
  }) => {
    const id = await makeDocument(server, `${locale} ${LONG_NAME}`, '长'.repeat(400) + 'x'.repeat(300));
    const page = await visit('alice', '/', '/editor', { locale });
    await page.getByTestId('documents-row').first().waitFor();
    await looksRight(page, 'list');
    await page.goto(`${server.url}/#/editor/${id}`);
    await page.getByTestId('document-text').locator('h2').waitFor();
    await looksRight(page, 'editor');
    await page.setViewportSize({ width: 820, height: 1180 });
    await looksRight(page, 'editor on a tablet');
    await page.setViewportSize({ width: 390, height: 780 });
    await looksRight(page, 'editor on a phone');
    await page.goto(`${server.url}/#/editor`);
    await page.getByTestId('documents-phone-row').first().waitFor();
    await looksRight(page, 'list on a phone');
    await page.getByTestId('list-search').fill('no document is called this');
    await page.getByTestId('state-empty').waitFor();
    await looksRight(page, 'empty');
    await failing(page, '/documents/query');
    await page.reload();
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'failing');
  });
}
