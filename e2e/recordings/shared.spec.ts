import { closePage, openPage } from '@rmeet/testkit';
import { expect, looksRight, LOOKS, test } from '../pages.ts';
import { colourOf, PROGRAMME, store } from './support.ts';

test('a link opens a recording at /shareRecordDetails/{id} without sign-in until it is ended', async ({
  server,
  visit,
  chromium,
}) => {
  const { id } = await store(server, { subject: 'Shared with a guest' });
  const page = await visit('alice', '/', `/record-details/${id}`, { locale: 'en-US' });
  await page.getByTestId('do-share').press('Enter');
  await page.getByTestId('share-password').fill('4821');
  await page.getByTestId('share-create').press('Enter');
  const link = await page.getByTestId('share-link').inputValue();
  await expect(page.getByTestId('share-row')).toContainText('Password');

  const guest = await openPage(chromium, { locale: 'en-US', size: { width: 390, height: 844 } });
  await guest.goto(`${server.url}/#${link.split('#')[1]}`);
  await guest.getByTestId('share-password').fill('wrong');
  await guest.keyboard.press('Enter');
  await expect(guest.getByTestId('share-form')).toContainText('The password is wrong.');
  await guest.getByTestId('share-password').fill('4821');
  await guest.keyboard.press('Enter');
  await guest.getByTestId('share-name').fill('Carol');
  await guest.keyboard.press('Enter');
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Shared with a guest');
  await expect(guest.getByTestId('watermark')).toContainText('Carol');
  await expect.poll(() => colourOf(guest, PROGRAMME)).toBe('red');
  await expect(guest.getByTestId('share-save')).toHaveCount(0);
  // A reload goes on with the same view.
  await guest.reload();
  await expect(guest.getByTestId('watermark')).toContainText('Carol');

  await page.getByTestId('share-revoke').press('Enter');
  await expect(page.getByTestId('share-row')).toHaveCount(0);
  await guest.reload();
  await expect(guest.getByTestId('share-ended')).toContainText('This link has ended');
  await closePage(guest);
});

for (const locale of LOOKS)
  test(`a shared recording looks right (${locale})`, async ({ server, chromium }) => {
    const { id } = await store(server, { subject: `Shared ${locale}` });
    const alice = await server.api.as('alice');
    const { link } = await alice.recordings.share({ params: { id }, body: { download: true } });
    const guest = await openPage(chromium, { locale, size: { width: 390, height: 844 } });
    await guest.goto(`${server.url}/#${link.split('#')[1]}`);
    await guest.getByTestId('share-name').waitFor();
    await looksRight(guest, 'shared form');
    await guest.getByTestId('share-name').fill('Carol');
    await guest.keyboard.press('Enter');
    await guest.getByTestId('player-large').waitFor();
    for (const [width, height] of [
      [390, 844],
      [1024, 768],
      [1440, 900],
    ] as const) {
      await guest.setViewportSize({ width, height });
      await looksRight(guest, 'shared recording');
    }
    await guest.goto(`${server.url}/#/shareRecordDetails/unknown`);
    await guest.getByTestId('share-ended').waitFor();
    await looksRight(guest, 'shared link that ended');
    await closePage(guest);
  });
