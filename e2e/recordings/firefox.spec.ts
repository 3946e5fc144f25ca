import { closePage, firefoxMissing, launchFirefox, openPage } from '@rmeet/testkit';
import { expect, signInByToken, test } from '../pages.ts';
import { colourOf, PROGRAMME, store } from './support.ts';

const missing = firefoxMissing();
test.skip(missing !== null, missing ?? '');

test('in Firefox a recording is found, plays as it was seen, and by a link @more', async ({ server }) => {
  const { id, second } = await store(server, { subject: 'Seen in Firefox' });
  const alice = await server.api.as('alice');
  const { link } = await alice.recordings.share({ params: { id }, body: { watermark: false } });
  const firefox = await launchFirefox();
  const page = await openPage(firefox, { locale: 'en-US' });
  await signInByToken(page, server, 'alice');
  await page.goto(`${server.url}/#/record-meeting?q=Firefox`);
  await page.getByTestId('recording-open').click();
  await page.getByTestId('player-large').click();
  await expect.poll(() => colourOf(page, PROGRAMME)).toBe('red');
  await page.getByTestId('as-seen').click();
  await expect.poll(() => colourOf(page, `[data-key="${second}"] video`)).toBe('blue');
  await page.getByTestId('chapters-item').last().click();
  await expect.poll(() => colourOf(page, PROGRAMME)).toBe('blue');
  await page.goto(`${server.url}/#${link.split('#')[1]}`);
  await page.getByTestId('player-large').click();
  await expect.poll(() => colourOf(page, PROGRAMME)).toBe('red');
  await expect(page.getByTestId('player-time')).not.toHaveText(/^0:00/);
  await closePage(page);
  await firefox.close();
});
