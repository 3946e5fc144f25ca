import { readFile } from 'node:fs/promises';
import { closePage } from '@rmeet/testkit';
import { expect, looksRight, LOOKS, test } from '../pages.ts';
import { goOnAir, SIZES, watchAsGuest } from './support.ts';

test('the host sees how many watched a broadcast, and saves the list of them', async ({ server, visit, chromium }) => {
  const { id, act } = await goOnAir(server, 'alice', 'Counted broadcast', { live: { access: 'public' } });
  const guest = await watchAsGuest(chromium, server, id);
  await guest.getByTestId('watch-viewers').waitFor();
  const page = await visit('alice', '/', '/live-meeting?q=Counted broadcast', { locale: 'en-US' });
  const open = async () => {
    await page.getByTestId('row-more').press('Enter');
    await page.getByTestId('row-statistics').press('Enter');
  };
  await open();
  await expect(page.getByTestId('figure-viewers')).toContainText('1');
  // Presence is stored every few seconds; the dialog follows while the broadcast is on air.
  await expect(page.getByTestId('statistics-over-time')).toBeVisible({ timeout: 30_000 });
  const saved = page.waitForEvent('download');
  await page.getByTestId('statistics-export').press('Enter');
  const text = await readFile(await (await saved).path(), 'utf8');
  expect(text).toContain('Minutes watched');
  expect(text.trim().split('\r\n')).toHaveLength(2);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('live-statistics')).toHaveCount(0);
  await act('END');
  await closePage(guest);
});

for (const locale of LOOKS)
  test(`the audience of a broadcast looks right (${locale})`, async ({ server, visit }) => {
    const { act } = await goOnAir(server, 'alice', `Audience ${locale}`, { live: { access: 'public' } });
    await act('END');
    const page = await visit('alice', '/', `/live-meeting?q=Audience ${locale}`, { locale });
    await page.getByTestId('row-more').click();
    await page.getByTestId('row-statistics').click();
    await page.getByTestId('statistics-none').waitFor();
    await looksRight(page, 'no audience');
    await page.route('**/live/broadcasts/*/statistics', async (route) => {
      const answer = (await (await route.fetch()).json()) as { data: object };
      const overTime = Array.from({ length: 90 }, (_, n) => ({
        at: new Date(Date.UTC(2026, 10, 20, 9, n)).toISOString(),
        viewers: Math.round(400 * Math.sin((n / 90) * Math.PI)) + (n % 7),
      }));
      const data = {
        ...answer.data,
        viewers: 1_204,
        peak: 406,
        watched: 1_234_567_890,
        messages: 312,
        likes: 10_452,
        overTime,
      };
      await route.fulfill({ json: { ...answer, data } });
    });
    await page.reload();
    await page.getByTestId('row-more').click();
    await page.getByTestId('row-statistics').click();
    await page.getByTestId('statistics-over-time').waitFor();
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await looksRight(page, 'audience');
    }
  });
