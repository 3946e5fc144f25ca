import { closePage, freePort, joinAsTerminal, openPage, startServer, TcpProxy } from '@rmeet/testkit';
import { expect, test } from '../pages.ts';
import { mayBook } from '../meetings/support.ts';
import { pictureOf } from './support.ts';

const isRed = (seen: { r: number; g: number; b: number } | null): boolean =>
  seen !== null && seen.r > 150 && seen.g < 90 && seen.b < 90;

test('a public broadcast plays at the CDN, on a page of another origin; with a password at the server', async ({
  chromium,
}) => {
  test.setTimeout(180_000);
  const port = await freePort();
  // What it passes on is another origin for the page.
  const cdn = new TcpProxy(port);
  await cdn.start();
  const server = await startServer({ port, env: { RMEET_LIVE_CDN_URL: `http://127.0.0.1:${cdn.port}` } });
  try {
    await mayBook(server, 'chair', ['sys:bookLive', 'sys:liveStreaming']);
    const chair = await server.api.as('chair');
    const startTime = new Date(Date.now() + 60_000).toISOString();
    const { meetId: id, numericId } = await chair.meetings.createLive({
      body: { subject: 'Town hall', startTime, duration: 60, password: '4821', live: { access: 'public' } },
    });
    const terminal = await joinAsTerminal(chair, server.url, { numericId, password: '4821', autoSubscribe: false });
    await terminal.media.publishVideo({ colour: 'red', codec: 'h264' });
    await chair.broadcasts.act({ params: { id }, body: { action: 'START' } });

    const viewer = await openPage(chromium, { locale: 'en-US', size: { width: 390, height: 844 } });
    const loaded: URL[] = [];
    viewer.on('requestfinished', (request) => loaded.push(new URL(request.url())));
    const shows = () => expect.poll(async () => isRed(await pictureOf(viewer)), { timeout: 40_000 }).toBe(true);
    const media = () => loaded.filter(({ pathname }) => /\.(?:m3u8|m4s|mp4)$/.test(pathname));
    await viewer.goto(`${server.url}/#/live/${id}`);
    await shows();
    expect(media().some(({ pathname }) => pathname.includes('/part-'))).toBe(true);
    for (const { host, search } of media())
      expect([host, search.includes('sign=')]).toEqual([`127.0.0.1:${cdn.port}`, false]);

    const old = media().findLast(({ pathname }) => pathname.includes('/part-'))!;
    await chair.broadcasts.change({ params: { id }, body: { access: 'password', password: 'sesame' } });
    expect((await fetch(old)).status).toBe(404);
    await viewer.getByTestId('watch-password').fill('sesame');
    await viewer.getByTestId('watch-open').click();
    loaded.length = 0;
    await shows();
    await expect.poll(() => media().length).toBeGreaterThan(0);
    for (const { host } of media()) expect(host).toBe(`127.0.0.1:${port}`);
    await closePage(viewer);
    terminal.kill();
  } finally {
    await server.stop();
    await cdn.stop();
  }
});
