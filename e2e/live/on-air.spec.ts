import { closePage, joinAsTerminal, openPage, showsColour } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { bookMeeting, expect, people, test, type Gathering } from '../conferences/support.ts';
import { mayBook } from '../meetings/support.ts';
import { pictureOf } from './support.ts';

/** Waits until the watch page shows a person's camera. */
async function shows(page: Page, person: keyof typeof people): Promise<void> {
  await expect
    .poll(async () => showsColour(await pictureOf(page), people[person].colour), { timeout: 30_000 })
    .toBe(true);
}

/** Seconds behind, as the page says. */
async function secondsBehind(page: Page): Promise<number> {
  const words = await page.getByTestId('live-behind').textContent();
  return Number(/(\d+)/.exec(words ?? '')?.[1] ?? Number.NaN);
}

const actionsOf = ({ host, meetId: id }: Pick<Gathering, 'host' | 'meetId'>) => ({
  act: (action: 'START' | 'PAUSE' | 'RESUME' | 'END') => host.broadcasts.act({ params: { id }, body: { action } }),
});

test('a viewer on a phone sees the rehearsal not, the broadcast within seconds, its pause and its replay', async ({
  server,
  gather,
  chromium,
}) => {
  test.setTimeout(180_000);
  await mayBook(server, 'chair', ['sys:bookLive', 'sys:liveStreaming']);
  const meeting = await gather({ subject: 'Town hall', live: { access: 'public' } });
  const { act } = actionsOf(meeting);
  await meeting.enter('chair');
  const viewer = await openPage(chromium, { locale: 'en-US', size: { width: 390, height: 844 } });
  await viewer.goto(`${server.url}/#/live/${meeting.meetId}`);
  await expect(viewer.getByTestId('watch-cover')).toBeVisible();
  await expect(viewer.getByTestId('live-video')).toHaveCount(0);

  await act('START');
  await shows(viewer, 'chair');
  await expect(viewer.getByTestId('live-behind')).toBeVisible();
  await expect.poll(() => secondsBehind(viewer), { timeout: 20_000 }).toBeLessThanOrEqual(4);
  // Signatures end after a minute at most: pages renew them, and the playlist never shows what was before the start.
  const requested = async (part: string): Promise<boolean> => {
    const addresses = await viewer.evaluate<string[]>(
      'performance.getEntriesByType("resource").map(({ name }) => name)',
    );
    return addresses.some((address) => address.includes('/live/watch/') && address.includes(part));
  };
  // A request is in the list once it has ended.
  await expect.poll(() => requested('_HLS_msn=')).toBe(true);
  await expect.poll(() => requested('part-')).toBe(true);

  await act('PAUSE');
  await expect(viewer.getByTestId('watch-cover')).toBeVisible();
  await expect(viewer.getByTestId('live-video')).toHaveCount(0);
  await act('RESUME');
  await shows(viewer, 'chair');

  await act('END');
  await expect(viewer.getByTestId('watch-replay')).toBeVisible({ timeout: 60_000 });
  await viewer.getByTestId('watch-replay').click();
  await shows(viewer, 'chair');
  await closePage(viewer);
});

test('viewers on slow networks choose a smaller picture', async ({ server, chromium }) => {
  await mayBook(server, 'chair', ['sys:bookLive', 'sys:liveStreaming']);
  const host = await server.api.as('chair');
  const { meetId, numericId, password } = await bookMeeting(host, 'Lecture', { live: { access: 'public' } });
  // Three layers.
  const terminal = await joinAsTerminal(host, server.url, { numericId, password, autoSubscribe: false });
  await terminal.media.publishVideo({ colour: 'red', codec: 'h264', simulcast: true });
  await actionsOf({ host, meetId }).act('START');
  const viewer = await openPage(chromium, { locale: 'en-US', size: { width: 390, height: 844 } });
  await viewer.goto(`${server.url}/#/live/${meetId}`);
  const lines = (): Promise<number> =>
    viewer.getByTestId('live-video').evaluate((video) => (video as { videoHeight?: number }).videoHeight ?? 0);
  await expect.poll(lines, { timeout: 30_000 }).toBe(720);
  const choice = viewer.getByRole('combobox', { name: 'Picture quality' });
  await expect(choice.getByRole('option')).toHaveText(['Auto', 'High', 'Low']);
  for (const [quality, height] of [
    ['low', 360],
    ['high', 720],
  ] as const) {
    await choice.selectOption(quality);
    await expect.poll(lines, { timeout: 30_000 }).toBe(height);
  }
  await closePage(viewer);
  terminal.media.leave();
});
