import { mayBook } from '../meetings/support.ts';
import { expect, looksRight, LOOKS, test } from '../pages.ts';
import { bookLive, SIZES } from './support.ts';

test('the host copies the play address, and adds push addresses with and without a signature', async ({
  server,
  visit,
}) => {
  await mayBook(server, 'alice', ['sys:switchLiveResource']);
  const { meetId: id } = await bookLive(server, 'alice', 'Pushed elsewhere');
  const alice = await server.api.as('alice');
  const page = await visit('alice', '/', '/live-meeting?q=Pushed', { locale: 'en-US' });
  const dialog = page.getByTestId('live-targets');
  const open = async () => {
    await page.getByTestId('row-more').press('Enter');
    await page.getByTestId('row-addresses').press('Enter');
    await dialog.getByTestId('play-page').waitFor();
  };
  await open();
  await expect(dialog.getByTestId('play-page')).toHaveValue(new RegExp(`#/live/${id}$`));
  await expect(dialog.getByTestId('targets-none')).toBeVisible();

  await dialog.getByTestId('target-add').press('Enter');
  await dialog.getByTestId('targets-save').press('Enter');
  await expect(dialog).toContainText('Enter the whole address');
  await dialog.getByTestId('target-name').fill('Town channel');
  await dialog.getByTestId('target-address').fill('rtmp://127.0.0.1/app/key');
  await dialog.getByTestId('targets-save').press('Enter');
  // What was typed stays.
  await expect(page.getByText('Nothing can be pushed to 127.0.0.1')).toBeVisible();
  await dialog.getByTestId('target-address').fill('rtmps://live.example.org/app/secret');
  await dialog.getByTestId('target-add').press('Enter');
  const second = dialog.getByTestId('target').nth(1);
  await second.getByTestId('target-name').fill('Provider');
  await second.getByTestId('target-provider').selectOption('aliyun');
  await second.getByTestId('target-address').fill('rtmp://push.example.org/app/stream');
  await dialog.getByTestId('targets-save').press('Enter');
  await expect(second).toContainText('Enter the signing key');
  await second.getByTestId('target-key').fill('signing-key');
  await dialog.getByTestId('targets-save').press('Enter');
  await expect(dialog).toHaveCount(0);
  const stored = async () => (await alice.liveProviders.providerConfig({ params: { id } })).push;
  expect(await stored()).toMatchObject([
    { name: 'Town channel', provider: 'rtmp' },
    { name: 'Provider', provider: 'aliyun', hasKey: true },
  ]);

  // The key is not asked for again.
  await open();
  await expect(dialog.getByTestId('target-state').first()).toHaveText('Not pushing');
  await dialog.getByTestId('target-remove').first().press('Enter');
  await dialog.getByTestId('targets-save').press('Enter');
  await expect(dialog).toHaveCount(0);
  expect(await stored()).toMatchObject([{ name: 'Provider', hasKey: true }]);
});

test('without the permission the addresses are only shown', async ({ server, visit }) => {
  await bookLive(server, 'bob', 'Only shown');
  const page = await visit('bob', '/', '/live-meeting?q=Only shown', { locale: 'en-US' });
  await page.getByTestId('row-more').press('Enter');
  await page.getByTestId('row-addresses').press('Enter');
  await expect(page.getByTestId('targets-none')).toContainText('administrator');
  await expect(page.getByTestId('target-add')).toHaveCount(0);
  await expect(page.getByTestId('targets-save')).toHaveCount(0);
});

for (const locale of LOOKS)
  test(`the push addresses look right (${locale})`, async ({ server, visit }) => {
    await mayBook(server, 'alice', ['sys:switchLiveResource']);
    await bookLive(server, 'alice', `Addresses ${locale}`);
    const page = await visit('alice', '/', `/live-meeting?q=Addresses ${locale}`, { locale });
    await page.getByTestId('row-more').click();
    await page.getByTestId('row-addresses').click();
    await page.getByTestId('play-page').waitFor();
    await looksRight(page, 'no push addresses');
    await page.getByTestId('target-add').click();
    await page.getByTestId('target-name').fill('直播频道 Verylongnameofthechannelthatneverends');
    await page.getByTestId('target-provider').selectOption('tencent');
    await page.getByTestId('targets-save').click();
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await looksRight(page, 'push addresses');
      // Nothing is cut off at the side of the dialog.
      const dialog = page.getByTestId('live-targets');
      expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    }
  });
