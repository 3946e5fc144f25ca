import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  closePage,
  freePort,
  isListening,
  openPage,
  showsColour,
  startServer,
  storeFor,
  until,
  type RunningServer,
} from '@rmeet/testkit';
import { people } from '../conferences/support.ts';
import { mayBook } from '../meetings/support.ts';
import { expect, test } from '../pages.ts';
import { pictureOf } from './support.ts';

const hasEncoder = spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0;
const { colour } = people.alice;

/** ffmpeg sends a picture of a colour and a tone, as OBS does. */
const encode = (address: string): ChildProcess =>
  spawn(
    'ffmpeg',
    [
      ...`-v error -re -f lavfi -i color=0x${colour.slice(1)}:s=640x360:r=15 -re -f lavfi -i sine=500:r=48000`.split(
        ' ',
      ),
      ...'-c:v libx264 -preset ultrafast -bf 2 -g 30 -pix_fmt yuv420p -b:v 400k -c:a aac -f flv'.split(' '),
      address,
    ],
    { stdio: 'ignore' },
  );

async function book(server: RunningServer) {
  await mayBook(server, 'chair', ['sys:bookLive', 'sys:liveStreaming']);
  const chair = await server.api.as('chair');
  const startTime = new Date(Date.now() + 60_000).toISOString();
  const { id } = await chair.manualLives.create({
    body: { subject: 'Opening', startTime, duration: 60, live: { access: 'public' } },
  });
  return { id, chair };
}

test('what an encoder pushes is seen in the list, and on the watch page within seconds', async ({ chromium }) => {
  test.skip(!hasEncoder, 'ffmpeg is not installed (Debian package ffmpeg)');
  const server = await startServer({ env: { RMEET_INGEST_PORT: String(await freePort()) } });
  let encoder: ChildProcess | undefined;
  try {
    const { id, chair } = await book(server);
    const host = await openPage(chromium, { locale: 'en-US' });
    await storeFor(host, server.url, { token: chair.token });
    await host.goto(`${server.url}/#/manual-live`);
    const row = host.getByTestId('manual-lives-row');
    await expect(row.getByTestId('manual-arrival')).toHaveText('No stream yet');
    const { server: address, key } = (await chair.liveProviders.providerConfig({ params: { id } })).ingest!.rtmp!;
    await until('a process takes streams', () => isListening(Number(new URL(address).port)), { within: 20_000 });
    const viewer = await openPage(chromium, { locale: 'en-US', size: { width: 390, height: 844 } });
    await viewer.goto(`${server.url}/#/live/${id}`);
    await expect(viewer.getByTestId('watch-cover')).toBeVisible();

    encoder = encode(`${address}/${key}`);
    await expect(row.getByTestId('manual-arrival')).toContainText('360', { timeout: 30_000 });
    await expect.poll(async () => showsColour(await pictureOf(viewer), colour), { timeout: 30_000 }).toBe(true);
    await expect
      .poll(async () => Number(/\d+/.exec((await viewer.getByTestId('live-behind').textContent()) ?? '')?.[0]), {
        timeout: 20_000,
      })
      .toBeLessThanOrEqual(5);
    await chair.broadcasts.act({ params: { id }, body: { action: 'END' } });
    await expect(viewer.getByTestId('watch-cover')).toBeVisible();
    await closePage(viewer);
    await closePage(host);
  } finally {
    encoder?.kill('SIGKILL');
    await server.stop();
  }
});
