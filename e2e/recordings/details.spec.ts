import { expect, tabTo, test } from '../pages.ts';
import { colourOf, PROGRAMME, store } from './support.ts';

test('a host plays a recording at /record-details/{id} by keyboard, and its chat leads to a second', async ({
  server,
  visit,
}) => {
  const { id } = await store(server, { subject: 'Played by its host' });
  const page = await visit('alice', '/', `/record-details/${id}`, { locale: 'en-US' });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Played by its host');
  await expect(page.locator('aside').getByTestId('nav-RecordMeeting')).toHaveClass(/active/);
  await expect(page.getByTestId('player-time')).toHaveText('0:00 / 0:12');
  await expect.poll(() => colourOf(page, PROGRAMME)).toBe('red');
  await page.keyboard.press('k');
  await expect(page.getByTestId('play')).toHaveAccessibleName('Pause');
  await expect(page.getByTestId('player-time')).not.toHaveText(/^0:00/);
  await page.keyboard.press('k');
  await tabTo(page, 'side-chapters');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByTestId('chat-item')).toHaveCount(2);
  await page.getByTestId('chat-item').last().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('player-time')).toHaveText('0:09 / 0:12');
  await expect.poll(() => colourOf(page, PROGRAMME)).toBe('blue');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByTestId('player-time')).toHaveText(/^0:04/);
});

test('a host cuts the start off and a stretch out by keyboard, and can look at the original', async ({
  server,
  visit,
}) => {
  const { id } = await store(server, { subject: 'Cut by its host' });
  const page = await visit('alice', '/', `/record-details/${id}`, { locale: 'en-US' });
  await page.getByTestId('edit').press('Enter');
  const panel = page.getByTestId('edit-panel');
  await panel.getByLabel('Start', { exact: true }).fill('0:01.5');
  await page.keyboard.press('Enter');
  await page.getByTestId('edit-cut').press('Enter');
  await panel.getByLabel('Cut 1 from', { exact: true }).fill('3');
  await page.keyboard.press('Enter');
  await panel.getByLabel('Cut 1 to', { exact: true }).fill('9');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('edit-length')).toHaveText('0:04 remains');
  await page.getByTestId('edit-undo').press('Enter');
  await expect(page.getByTestId('edit-length')).not.toHaveText('0:04 remains');
  await panel.getByLabel('Cut 1 to', { exact: true }).fill('9');
  await page.keyboard.press('Enter');
  await page.getByTestId('edit-save').press('Enter');
  await expect(page.getByTestId('player-time')).toHaveText(/ \/ 0:04$/);
  // The picture from before the cut, and the one from behind it; what is between is not played.
  await page.getByTestId('seek').press('Home');
  await expect.poll(() => colourOf(page, PROGRAMME)).toBe('red');
  await page.getByTestId('seek').press('End');
  await expect.poll(() => colourOf(page, PROGRAMME)).toBe('blue');
  await page.getByTestId('show-whole').press('Enter');
  await expect(page.getByTestId('player-time')).toHaveText(/ \/ 0:12$/);
});

test('a viewer sees the meeting as it was seen, each picture where the programme is', async ({ server, visit }) => {
  const { id, host, second } = await store(server, { subject: 'Seen as it was' });
  const page = await visit('alice', '/', `/record-details/${id}?t=6`, { locale: 'en-US' });
  await page.getByTestId('as-seen').press('Enter');
  await expect(page.getByTestId('seen-tile')).toHaveCount(3);
  const tile = (termId: string): string => `[data-key="${termId}"] video`;
  await expect.poll(() => colourOf(page, tile(host))).toBe('red');
  await expect.poll(() => colourOf(page, tile(second))).toBe('blue');
  await page.getByTestId('play').press('Enter');
  await expect
    .poll(() =>
      page.evaluate<number>(`(() => {
        const [programme, tile] = ['${PROGRAMME}', '${tile(second)}'].map((one) => document.querySelector(one));
        return programme.currentTime < 6.8 ? 9 : Math.abs(programme.currentTime - tile.currentTime);
      })()`),
    )
    .toBeLessThan(0.1);
});

test('a held meeting at /meeting-record-details lists its recordings', async ({ server, visit }) => {
  const { conferenceId } = await store(server, { subject: 'Held and recorded' });
  const page = await visit('alice', '/', `/meeting-record-details/${conferenceId}`, { locale: 'en-US' });
  await expect(page.locator('aside').getByTestId('nav-RecordMeeting')).toHaveClass(/active/);
  await page.getByTestId('record-recording').press('Enter');
  await expect(page.getByTestId('player-time')).toHaveText('0:00 / 0:12');
});
