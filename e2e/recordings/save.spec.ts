import { closePage, openPage } from '@rmeet/testkit';
import { missing, probe } from '../../packages/recorder/test/film.ts';
import type { Download } from '@playwright/test';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../pages.ts';
import { colourOf, PROGRAMME, store } from './support.ts';

/** Checks a file that the browser saved: a film of the whole recording. */
async function isFilm(download: Download): Promise<void> {
  expect(download.suggestedFilename()).toMatch(/\.mp4$/);
  if (missing !== undefined) return;
  const { streams, seconds, complaints } = await probe(await download.path());
  expect(streams.map(({ codec_name: name }) => name).toSorted()).toEqual(['aac', 'h264']);
  expect(Math.abs(seconds - 12)).toBeLessThan(0.2);
  expect(complaints).toBe('');
}

test('a host finds a recording at /record-meeting, plays it, shares it, and saves it as MP4', async ({
  server,
  visit,
  chromium,
}) => {
  await store(server, { subject: 'The ordinary case' });
  const page = await visit('alice', '/', '/record-meeting?q=ordinary', { locale: 'en-US' });
  await page.getByTestId('recording-open').click();
  await page.getByTestId('player-large').click();
  await expect(page.getByTestId('player-time')).not.toHaveText(/^0:00/);
  expect(await colourOf(page, PROGRAMME)).toBe('red');

  await page.getByTestId('do-save').click();
  await page.getByTestId('save-start').click();
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByTestId('export-download').click()]);
  expect(saved.suggestedFilename()).toMatch(/^The ordinary case/);
  await isFilm(saved);
  await page.getByTestId('export-delete').click();
  await expect(page.getByTestId('export')).toHaveCount(0);
  await page.keyboard.press('Escape');

  await page.getByTestId('do-share').click();
  await page.getByTestId('share-download').click();
  await page.getByTestId('share-create').click();
  const link = await page.getByTestId('share-link').inputValue();
  const guest = await openPage(chromium, { locale: 'en-US' });
  await guest.goto(`${server.url}/#${link.split('#')[1]}`);
  await guest.getByTestId('share-name').fill('Carol');
  await guest.keyboard.press('Enter');
  const [shared] = await Promise.all([guest.waitForEvent('download'), guest.getByTestId('share-save').click()]);
  await isFilm(shared);
  await closePage(guest);
});

test('an MP4 that is being made shows how far it is, and is cancelled by keyboard', async ({ server, visit }) => {
  const { id } = await store(server, { subject: 'Saved in part', withTracks: false });
  const page = await visit('alice', '/', `/record-details/${id}`, { locale: 'en-US' });
  // Twelve seconds are joined at once: what the page is told is a file that takes longer.
  await page.route('**/exports', async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    const answer = (await response.json()) as { data: { records: object[] } };
    const records = answer.data.records.map((record) => ({ ...record, state: 'running', progress: 0.4 }));
    return route.fulfill({ response, json: { ...answer, data: { records } } });
  });
  await page.getByTestId('do-save').press('Enter');
  await page.getByTestId('save-start').press('Enter');
  const file = page.getByTestId('export');
  await expect(file).toHaveAttribute('data-state', 'running');
  await expect(file.getByRole('progressbar')).toHaveJSProperty('value', 0.4);
  await expect(page.getByTestId('export-download')).toHaveCount(0);
  const alice = await server.api.as('alice');
  const left = async () =>
    (await alice.recordings.exports({ params: { id } })).records.filter((e) => e.state === 'ready');
  await expect.poll(left).toHaveLength(1);
  await page.getByTestId('export-cancel').press('Enter');
  await expect.poll(left).toHaveLength(0);
  await expect(file).toHaveCount(0);
});

test('a viewer of a link reads once that the MP4 cannot be made, and tries again by the button', async ({
  server,
  chromium,
}) => {
  const { id } = await store(server, { subject: 'Not to be saved', withTracks: false });
  const alice = await server.api.as('alice');
  const { link } = await alice.recordings.share({ params: { id }, body: { download: true, watermark: false } });
  const tries = async () => (await alice.recordings.exports({ params: { id } })).records.length;
  await rm(join(server.data, 'files', 'recordings', id, 'programme'), { recursive: true });
  const guest = await openPage(chromium, { locale: 'en-US' });
  await guest.goto(`${server.url}/#${link.split('#')[1]}`);
  const save = guest.getByTestId('share-save');
  for (const times of [1, 2]) {
    await save.press('Enter');
    await expect(guest.getByTestId('share-save-failed')).toContainText('The MP4 file could not be made.');
    expect(await tries()).toBe(times);
  }
  await closePage(guest);
});
