import { pathOf, recordings } from '@rmeet/contract';
import { closePage, type RunningServer } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { expect, LOOKS, looksRight, test } from '../pages.ts';
import { store } from '../recordings/support.ts';
import { goOnAir, SIZES, watchAsGuest } from './support.ts';

interface Listed {
  duration: number;
  path: string;
}

/** Delivers a stored recording as if it were made now: each of its segments is listed when its time has come. */
async function deliver(page: Page, server: RunningServer): Promise<() => number> {
  const { id } = await store(server, { subject: 'Delivered' });
  const alice = await server.api.as('alice');
  const { tracks } = await alice.recordings.detail({ params: { id } });
  const { sign } = await alice.recordings.playback({ params: { id } });
  const track = tracks.find(({ kind }) => kind === 'programme')?.id ?? '';
  const address = `${server.url}${pathOf(recordings.playlist, { params: { id, track }, query: { sign } })}`;
  const text = await (await fetch(address)).text();
  const init = /#EXT-X-MAP:URI="([^"]+)"/.exec(text)?.[1] ?? '';
  const segments = [...text.matchAll(/#EXTINF:([\d.]+).*\n(?:#.*\n)*([^#\n]+)/g)].map(
    ([, duration, path = '']): Listed => ({ duration: Number(duration), path }),
  );
  const files = [init, ...segments.map(({ path }) => path)];
  const began = Date.now() - (segments[0]?.duration ?? 0) * 1_000 - 2_000;
  let playlists = 0;
  await page.route('**/live/watch/*/index.m3u8*', (route) =>
    route.fulfill({
      contentType: 'application/vnd.apple.mpegurl',
      body: '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000\nplaylist.m3u8\n',
    }),
  );
  await page.route('**/live/watch/*/playlist.m3u8*', (route) => {
    playlists += 1;
    let end = 0;
    const lines = segments.flatMap(({ duration }, at) => {
      const from = end;
      end += duration;
      if (began + end * 1_000 > Date.now()) return [];
      const time = new Date(began + from * 1_000).toISOString();
      return [`#EXT-X-PROGRAM-DATE-TIME:${time}`, `#EXTINF:${duration},`, `file-${at + 1}.m4s`];
    });
    const target = Math.ceil(Math.max(...segments.map(({ duration }) => duration)));
    const body = [
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      `#EXT-X-TARGETDURATION:${target}`,
      '#EXT-X-MAP:URI="file-0.mp4"',
      ...lines,
    ];
    return route.fulfill({ contentType: 'application/vnd.apple.mpegurl', body: `${body.join('\n')}\n` });
  });
  await page.route('**/live/watch/*/file-*', async (route) => {
    const at = Number(/file-(\d+)/.exec(route.request().url())?.[1]);
    const url = new URL(files[at] ?? '', address);
    url.searchParams.set('sign', sign);
    const response = await fetch(url);
    await route.fulfill({ contentType: 'video/mp4', body: Buffer.from(await response.arrayBuffer()) });
  });
  return () => playlists;
}

test('a broadcast plays by itself without sound, says how late it is, and gets its sound by a press', async ({
  server,
  chromium,
}) => {
  const { id, act } = await goOnAir(server, 'alice', 'Played live', { live: { access: 'public' } });
  const guest = await watchAsGuest(chromium, server, '0198f6a2-0000-7000-8000-000000000001');
  await guest.getByTestId('watch-missing').waitFor();
  const playlists = await deliver(guest, server);
  await guest.goto(`${server.url}/?again#/live/${id}`);
  await expect(guest.getByTestId('live-sound')).toBeVisible({ timeout: 20_000 });
  await expect(guest.getByTestId('live-behind')).toContainText(/\d+ s behind/);
  if (LOOKS.length > 0)
    for (const [width, height] of SIZES) {
      await guest.setViewportSize({ width, height });
      await looksRight(guest, 'playing');
    }
  await guest.getByTestId('live-sound').click();
  await expect(guest.getByTestId('live-sound')).toHaveCount(0);
  expect(await guest.evaluate('document.querySelector("video").muted')).toBe(false);
  await guest.getByTestId('live-play').click();
  await guest.getByTestId('live-back').click();
  await expect(guest.getByTestId('live-back')).toHaveCount(0);
  expect(playlists()).toBeLessThan(40);
  await act('PAUSE');
  await expect(guest.getByTestId('watch-cover')).toContainText('paused');
  await closePage(guest);
});

test('a picture that has not come yet is awaited, and looks so', async ({ server, chromium }) => {
  const { id, act } = await goOnAir(server, 'alice', 'Awaited', { live: { access: 'public' } });
  const guest = await watchAsGuest(chromium, server, id);
  await guest.route('**/live/watch/*/playlist.m3u8*', (route) => route.fulfill({ status: 404, body: '' }));
  await guest.reload();
  await expect(guest.getByTestId('live-awaited')).toContainText('Waiting for the picture');
  if (LOOKS.length > 0) await looksRight(guest, 'picture awaited');
  await act('END');
  await expect(guest.getByTestId('watch-cover')).toContainText('The broadcast has ended');
  await closePage(guest);
});

test(
  'a broadcast that cannot be fetched says so after a few attempts',
  { tag: '@more' },
  async ({ server, chromium }) => {
    test.setTimeout(180_000);
    const { id } = await goOnAir(server, 'alice', 'Not delivered', { live: { access: 'public' } });
    const guest = await watchAsGuest(chromium, server, id);
    let asked = 0;
    await guest.route('**/live/watch/*/playlist.m3u8*', (route) => {
      asked += 1;
      return route.fulfill({ status: 503, body: '' });
    });
    await guest.getByTestId('live-failed').waitFor({ timeout: 150_000 });
    // Opened seven times, with two attempts for the playlist of each quality, and few more.
    expect(asked).toBeLessThan(34);
    await closePage(guest);
  },
);
