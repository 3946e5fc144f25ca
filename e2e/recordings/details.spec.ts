import { rm } from 'node:fs/promises';
import { join } from 'node:path';
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
  await page.getByTestId('side-chat').press('ArrowRight');
  await expect(page.getByTestId('captions-item')).toContainText('Admissions of Monday');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByTestId('person')).toHaveText([/^Alice/, /^Bob/, /^Grace \(guest\).*0:02 to 0:11/i]);
});

test('in full screen the controls go while the pointer rests, and come back with it', async ({ server, visit }) => {
  const gaps = [{ from: 7_000, to: 72_000, reason: 'paused' as const }];
  const cards = [{ from: 9_000, to: 12_000, kind: 'camera', reason: 'codec' } as const];
  const { id } = await store(server, { subject: 'Full screen', gaps, cards });
  const page = await visit('alice', '/', `/record-details/${id}`, { locale: 'en-US' });
  // What happened is named as at the desk; hands and what is missing are between the chapters.
  await expect(page.getByTestId('chapters-item')).toHaveText([
    /Layout: 4 seats/,
    /Grace raised a hand/,
    /Admissions/,
    /The recording was paused for 1:05/,
    /Is the plan approved/,
    /Name card instead of Bob for 0:03: the browser sent no H.264/,
    /Roll call/,
  ]);
  await page.getByTestId('player-large').click();
  await page.getByTestId('full-screen').click();
  const player = page.locator('.player');
  await expect(player).toHaveAttribute('data-over', 'true');
  await page.mouse.move(300, 200);
  await expect(player).toHaveAttribute('data-resting', 'true');
  await page.mouse.move(320, 220);
  await expect(player).toHaveAttribute('data-resting', 'false');
  await expect(player).toHaveAttribute('data-resting', 'true');
  await page.keyboard.press('k');
  await expect(player).toHaveAttribute('data-resting', 'false');
  await expect(page.getByTestId('play')).toBeInViewport();
  await page.keyboard.press('f');
  await expect(player).toHaveAttribute('data-full', 'false');
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

test('a segment that is missing is passed over', async ({ server, visit }) => {
  const { id } = await store(server, { subject: 'In parts', withTracks: false });
  await rm(join(server.data, 'files', 'recordings', id, 'programme', 'segment-1-3.m4s'));
  const page = await visit('alice', '/', `/record-details/${id}?t=2`, { locale: 'en-US' });
  await page.getByTestId('player-large').click();
  await expect.poll(() => colourOf(page, PROGRAMME)).toBe('blue');
  await expect(page.getByTestId('player-failure')).toHaveCount(0);
  await expect(page.getByTestId('player-time')).toHaveText(/^0:0[789]/);
});

test('a viewer whose right ends while it plays reads why it stops', async ({ server, visit }) => {
  const { id, meetId } = await store(server, { subject: 'Taken away', withTracks: false });
  const alice = await server.api.as('alice');
  const grant = async (...accounts: string[]) => {
    const { records } = await (await server.api.as('admin')).users.list({ query: { keyword: 'carol' } });
    const userIds = records.filter(({ account }) => accounts.includes(account)).map((user) => user.id);
    await alice.recordings.grantRecordIds({ query: { meetId }, body: { userIds } });
  };
  await grant('carol');
  const page = await visit('carol', '/', '/record-meeting', { locale: 'en-US' });
  await page.clock.install();
  // A segment that takes longer than the right to it.
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
  await page.route('**/segment-1-3.m4s*', async (route) => {
    ask();
    await isOver;
    await route.abort();
  });
  await page.goto(`${server.url}/#/record-details/${id}`);
  await isAsked;
  await grant();
  await page.clock.fastForward(40_000);
  end();
  await page.clock.runFor(2_000);
  await expect(page.getByTestId('player-failure')).toContainText('You may not watch this recording any more');
});

test('a held meeting at /meeting-record-details lists its recordings', async ({ server, visit }) => {
  const { conferenceId } = await store(server, { subject: 'Held and recorded' });
  const page = await visit('alice', '/', `/meeting-record-details/${conferenceId}`, { locale: 'en-US' });
  await expect(page.locator('aside').getByTestId('nav-RecordMeeting')).toHaveClass(/active/);
  await page.getByTestId('record-recording').press('Enter');
  await expect(page.getByTestId('player-time')).toHaveText('0:00 / 0:12');
});
