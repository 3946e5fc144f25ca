import type { RunningServer } from '@rmeet/testkit';
import { newTenant } from '../auth/support.ts';
import { mayBook, onlyBooks } from '../meetings/support.ts';
import { agreeByKey, expect, test } from '../pages.ts';
import { formGone } from '../support.ts';
import { answerConfig } from './manual-answers.ts';
import { watchAsGuest } from './support.ts';

/** Books a broadcast of an outside stream in a person's name. */
async function bookManual(server: RunningServer, account: string, subject: string, live = {}) {
  await mayBook(server, account, ['sys:bookLive', 'sys:liveStreaming']);
  const api = await server.api.as(account);
  const startTime = new Date(Date.now() + 60 * 60_000).toISOString();
  return api.manualLives.create({ body: { subject, startTime, duration: 60, live } });
}

test('a host books a broadcast at /manual-live, and gets its addresses, a new key, and its form', async ({
  server,
  visit,
}) => {
  await mayBook(server, 'alice', ['sys:bookLive', 'sys:liveStreaming']);
  const page = await visit('alice', '/', '/manual-live', { locale: 'en-US' });
  await page.getByTestId('manual-new').press('Enter');
  const form = page.getByTestId('manual-form');
  await form.getByTestId('manual-submit').press('Enter');
  await expect(form).toContainText('Enter a name');
  await form.getByTestId('manual-subject').fill('Town hall by encoder');
  await form.getByTestId('live-access-public').click();
  await form.getByTestId('manual-submit').press('Enter');

  // The addresses for the encoder come next.
  const dialog = page.getByTestId('manual-ingest');
  await expect(dialog.getByTestId('ingest-now')).toContainText('No stream yet');
  const alice = await server.api.as('alice');
  const {
    records: [booked],
  } = await alice.manualLives.query({ body: { keyword: 'Town hall by encoder' } });
  const id = booked?.id ?? '';
  expect(booked).toMatchObject({ source: 'push', startsItself: true, setting: { access: 'public' } });
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/edit=/);

  // List state and form are in the URL.
  await page.goto(`${server.url}/#/manual-live?q=Town hall by encoder&scope=upcoming`);
  const row = page.getByTestId('manual-lives-row');
  await expect(row).toHaveCount(1);
  await expect(row.getByTestId('manual-arrival')).toHaveText('No stream yet');
  await row.getByTestId('row-more').press('Enter');
  await page.getByTestId('row-edit').press('Enter');
  await expect(page).toHaveURL(new RegExp(`edit=${id}`));
  await form.getByTestId('manual-subject').fill('Town hall by encoder, moved');
  await form.getByTestId('manual-source-play').press('Enter');
  await form.getByTestId('manual-submit').press('Enter');
  await expect(form).toContainText('Enter the address of the stream');
  await form.getByTestId('manual-play-address').fill('rtmp://127.0.0.1/live/hall');
  await form.getByTestId('manual-submit').press('Enter');
  await expect(form).toContainText('No stream can be taken from 127.0.0.1');
  await form.getByTestId('manual-source-push').press('Enter');
  await form.getByTestId('manual-starts-itself').click();
  await form.getByTestId('manual-submit').press('Enter');
  await formGone(page);
  await expect(row).toContainText('moved');
  const after = await alice.manualLives.query({ body: { id } });
  expect(after.records[0]).toMatchObject({
    source: 'push',
    startsItself: false,
    subject: 'Town hall by encoder, moved',
  });

  // Without a stream it cannot start.
  await row.getByTestId('row-more').press('Enter');
  await page.getByTestId('row-start').press('Enter');
  await expect(page.getByText('No stream arrives yet.')).toBeVisible();

  await row.getByTestId('row-more').press('Enter');
  await page.getByTestId('row-cancel').press('Enter');
  await agreeByKey(page);
  await expect(row).toHaveCount(0);
});

test('a dialog stays open while its texts are still on their way', async ({ server, visit }) => {
  await bookManual(server, 'alice', 'Slow texts');
  const page = await visit('alice', '/', '/manual-live?q=Slow texts', { locale: 'en-US' });
  await page.route(/\/assets\/en-[^/]*\.js$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue();
  });
  await page.reload();
  await page.getByTestId('row-ingest').press('Enter');
  await expect(page.getByTestId('ingest-whip')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('manual-ingest')).toHaveCount(0);
});

test('the stream key is hidden until it is shown, and a new one replaces it', async ({ server, visit }) => {
  await bookManual(server, 'alice', 'Keyed stream');
  const page = await visit('alice', '/', '/manual-live?q=Keyed stream', { locale: 'en-US' });
  // No process takes streams here, so the addresses are made up; the change of the key is real.
  await answerConfig(page, 'key-before');
  await page.getByTestId('row-ingest').press('Enter');
  const key = page.getByTestId('ingest-key');
  await expect(key).toHaveAttribute('type', 'password');
  await page.getByTestId('ingest-key-show').press('Enter');
  await expect(key).toHaveAttribute('type', 'text');
  await expect(key).toHaveValue('key-before');
  await page.getByTestId('ingest-key-copy').press('Enter');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('key-before');
  await page.getByTestId('ingest-new-key').press('Enter');
  await answerConfig(page, 'key-after');
  await agreeByKey(page);
  await expect(page.getByText('The stream key is changed')).toBeVisible();
  await expect(key).toHaveValue('key-after');
});

test('a person who may not book has no button, and another organisation sees nothing', async ({ server, visit }) => {
  const { id } = await bookManual(server, 'alice', 'Seen inside only');
  const restore = await onlyBooks(server, 'bob', []);
  const page = await visit('bob', '/', '/manual-live?q=Seen inside only', { locale: 'en-US' });
  const row = page.getByTestId('manual-lives-row');
  await expect(row).toHaveCount(1);
  await expect(row.getByTestId('row-watch')).toBeVisible();
  await expect(row.getByTestId('manual-arrival')).toHaveCount(0);
  await expect(page.getByTestId('manual-new')).toHaveCount(0);
  await row.getByTestId('row-more').press('Enter');
  await page.getByTestId('row-copy').waitFor();
  for (const action of ['edit', 'ingest', 'cancel', 'start', 'settings'])
    await expect(page.getByTestId(`row-${action}`)).toHaveCount(0);
  await restore();

  await newTenant(server, 'Outside the streams', 'streams.admin');
  const stranger = await visit('streams.admin', '/', '/manual-live?q=Seen inside only', { locale: 'en-US' });
  await stranger.getByTestId('state-empty').waitFor();
  await expect(stranger.getByTestId('manual-lives-row')).toHaveCount(0);
  const other = await server.api.as('streams.admin');
  expect((await other.manualLives.query({ body: { id } })).records).toEqual([]);
});

test('in the lists of meetings it is watched, not entered', async ({ server, visit }) => {
  const { id } = await bookManual(server, 'alice', 'Watched, not entered', { access: 'public' });
  const page = await visit('alice', '/', `/myMeeting?open=${id}`, { locale: 'en-US' });
  const detail = page.getByTestId('meeting-detail');
  await expect(detail.getByTestId('invitation-text')).toContainText(`/live/${id}`);
  await expect(detail.getByTestId('invitation-text')).not.toContainText('number');
  await expect(detail.getByTestId('detail-join')).toHaveCount(0);
  await expect(detail.getByTestId('detail-start')).toHaveCount(0);
  await page.getByTestId('detail-watch').press('Enter');
  await expect(page).toHaveURL(new RegExp(`#/live/${id}`));
  await page.goBack();
  // Its form is that of the broadcast.
  await page.getByTestId('detail-edit').press('Enter');
  await expect(page).toHaveURL(new RegExp(`/manual-live\\?edit=${id}`));
  await expect(page.getByTestId('manual-subject')).toHaveValue('Watched, not entered');
});

test('a guest sees when it begins', async ({ server, chromium }) => {
  const { id } = await bookManual(server, 'alice', 'Begins later', { access: 'public' });
  const guest = await watchAsGuest(chromium, server, id);
  await expect(guest.getByTestId('watch-countdown')).toBeVisible();
  await expect(guest.getByTestId('watch-cover')).toContainText('Host: Alice');
  await guest.context().close();
});
