import { expect, failing, LOOKS, looksRight, test, tryAgain } from '../pages.ts';
import { answerWith, inEachState } from './manual-answers.ts';
import { SIZES } from './support.ts';

test('the list says what really arrives of each stream', async ({ visit }) => {
  const page = await visit('alice', '/', '/manual-live', { locale: 'en-US', size: { width: 1440, height: 900 } });
  await answerWith(page, inEachState);
  await page.reload();
  const row = (subject: string) => page.getByTestId('manual-lives-row').filter({ hasText: subject });
  const arrival = (subject: string) => row(subject).getByTestId('manual-arrival');
  await expect(arrival('Waits for an encoder')).toHaveText('No stream yet');
  await expect(arrival('Can start')).toHaveText('Receiving1080p · 4.2 Mbit/s');
  await expect(arrival('Interrupted')).toHaveText('Stream interrupted');
  await expect(arrival('Paused without sound')).toContainText('No sound');
  await expect(arrival('Cannot be broadcast')).toContainText('H.265 is not supported');
  await expect(arrival('Camera in the hall')).toContainText('The server cannot be reached');
  await expect(arrival('Over')).toHaveCount(0);
  // The button is what comes next.
  await expect(row('Waits for an encoder').getByTestId('row-ingest')).toBeVisible();
  await expect(row('Can start').getByTestId('row-start')).toBeVisible();
  await expect(row('Interrupted').getByTestId('row-watch')).toBeVisible();
});

for (const locale of LOOKS)
  test(`the pages of outside streams look right (${locale})`, async ({ visit }) => {
    const page = await visit('alice', '/', '/manual-live', { locale });
    await answerWith(page, inEachState);
    await page.reload();
    const inSizes = async (what: string) => {
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await looksRight(page, what);
      }
    };
    await page.getByTestId('broadcast-open').first().waitFor();
    await inSizes('outside streams');

    const dialog = page.getByTestId('manual-ingest');
    const open = async (subject: string) => {
      const row = page.getByTestId(/^manual-lives(-phone)?-row$/).filter({ hasText: subject });
      await row.getByTestId('row-ingest').click();
      await dialog.waitFor();
    };
    await open('Waits for an encoder');
    await dialog.getByTestId('ingest-key-show').click();
    await dialog.locator('summary').click();
    await inSizes('encoder setup');
    // Nothing is cut off at the side of the dialog, least on a phone.
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    await page.keyboard.press('Escape');
    await open('Camera in the hall');
    await inSizes('stream from an address');
    await page.keyboard.press('Escape');

    await page.getByTestId('manual-new').click();
    await page.getByTestId('manual-source-play').click();
    await page.getByTestId('manual-submit').click();
    await inSizes('new outside stream');
    await page.getByTestId('manual-dismiss').click();
    await page.getByTestId('question-ok').click();
    await page.getByTestId('manual-form').waitFor({ state: 'hidden' });

    await answerWith(page, []);
    await page.reload();
    await page.getByTestId('state-empty').waitFor();
    await inSizes('no outside streams');
    const mend = await failing(page, '/meetings/manualLive/query');
    await page.reload();
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'outside streams failed');
    await tryAgain(page, mend, page.getByTestId('state-empty'));
  });
