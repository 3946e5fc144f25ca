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
