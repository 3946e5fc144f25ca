import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Colour } from '@rmeet/participant';
import { launchBrowser } from '@rmeet/testkit';
import { nearest } from './film.ts';

/** A film in a browser's player. Seconds. */
export interface Player {
  duration: number;
  /** Seeks to a position and returns the visible colour. */
  colourAt: (second: number) => Promise<Colour | null>;
  /** Plays it from the beginning at eight times the speed, and returns the end position. */
  playedTo: () => Promise<number>;
}

/** Opens a film in Chromium, from a server that supports ranges like every web server. */
export async function inPlayer(path: string, look: (player: Player) => Promise<void>): Promise<void> {
  const { size } = statSync(path);
  const server = createServer((request, response) => {
    if (request.url !== '/film.webm') {
      response.setHeader('content-type', 'text/html').end('<video src="/film.webm" preload="auto" muted></video>');
      return;
    }
    const [, first = '0', last = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = [Number(first), last === '' ? size - 1 : Number(last)];
    response.writeHead(206, {
      'content-type': 'video/webm',
      'accept-ranges': 'bytes',
      'content-range': `bytes ${start}-${end}/${size}`,
      'content-length': end - start + 1,
    });
    createReadStream(path, { start, end }).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    /** Starts an action, and returns the player's value after `event`. */
    const after = <T>(event: string, start: string, answer: string): Promise<T> =>
      page.evaluate(`new Promise((resolve, reject) => {
      const video = document.querySelector('video');
      video.onerror = () => reject(new Error(video.error.message));
      video.addEventListener('${event}', () => resolve(${answer}), { once: true });
      ${start};
    })`);
    const duration = await after<number>('loadedmetadata', 'video.load()', 'video.duration');
    await page.evaluate(`window.corner = (video) => {
      const canvas = document.createElement('canvas').getContext('2d');
      canvas.drawImage(video, 0, 0, 16, 9);
      return [...canvas.getImageData(1, 1, 1, 1).data];
    }`);
    await look({
      duration,
      colourAt: async (second) =>
        nearest(await after<number[]>('seeked', `video.currentTime = ${second}`, 'corner(video)')),
      playedTo: () =>
        after<number>('ended', 'video.currentTime = 0; video.playbackRate = 8; void video.play()', 'video.currentTime'),
    });
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}
