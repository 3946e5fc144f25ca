import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, extname, join } from 'node:path';
import { TONES, type Colour } from '@rmeet/participant';
import { launchBrowser } from '@rmeet/testkit';
import { HEARD, nearest, RAW, type Heard } from './film.ts';
import { levelOf } from './tones.ts';

/** A film in a browser's player. Seconds. */
export interface Player {
  duration: number;
  /** Seeks to a position and returns the visible colour. */
  colourAt: (second: number) => Promise<Colour | null>;
  /** The tones that its sound has, as the browser decodes it, by intervals of a tenth of a second. */
  tones: () => Promise<Heard[]>;
  /** Plays it from the beginning at eight times the speed, and returns the end position. */
  playedTo: () => Promise<number>;
}

const TYPES: Record<string, string> = { webm: 'video/webm', mp4: 'video/mp4', m4s: 'video/iso.segment' };

/** Files that a page appends to a source buffer one after the other, and their media type. */
export interface Appended {
  names: readonly string[];
  mimeType: string;
}

/** Runs in the page. */
const APPEND = `async ({ names, mimeType }) => {
  const video = document.querySelector('video');
  const source = new MediaSource();
  video.src = URL.createObjectURL(source);
  await new Promise((resolve) => source.addEventListener('sourceopen', resolve, { once: true }));
  const buffer = source.addSourceBuffer(mimeType);
  for (const name of names) {
    const bytes = await (await fetch(name)).arrayBuffer();
    await new Promise((resolve, reject) => {
      buffer.addEventListener('updateend', resolve, { once: true });
      buffer.addEventListener('error', () => reject(new Error(name)), { once: true });
      buffer.appendBuffer(bytes);
    });
  }
  source.endOfStream();
  if (video.buffered.length !== 1) throw new Error('there are ' + video.buffered.length + ' stretches');
}`;

/** Runs in the page: the level of each tone in each tenth of a second. */
const LISTEN = `async (name) => {
  const levelOf = ${levelOf.toString()};
  const bytes = await (await fetch(name)).arrayBuffer();
  const sound = await new OfflineAudioContext(1, 1, ${RAW.rate}).decodeAudioData(bytes);
  const samples = sound.getChannelData(0);
  const length = ${RAW.rate / 10};
  return Array.from({ length: Math.floor(samples.length / length) }, (_, n) => {
    const stretch = samples.subarray(n * length, (n + 1) * length);
    return ${JSON.stringify(TONES)}.map((tone) => levelOf(stretch, tone, ${RAW.rate}));
  });
}`;

/**
 * Opens a film in Chromium, from a server that supports ranges like every web server; `path` is a file, or a folder of
 * segments to append.
 */
export async function inPlayer(
  path: string,
  look: (player: Player) => Promise<void>,
  appended?: Appended,
): Promise<void> {
  const folder = appended ? path : dirname(path);
  const server = createServer((request, response) => {
    if (request.url === '/') {
      const source = appended ? '' : `src="/${basename(path)}"`;
      response.setHeader('content-type', 'text/html').end(`<video ${source} preload="auto" muted></video>`);
      return;
    }
    const file = join(folder, basename(request.url ?? ''));
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const { size } = statSync(file);
    const [, first = '0', last = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = [Number(first), last === '' ? size - 1 : Number(last)];
    response.writeHead(request.headers.range === undefined ? 200 : 206, {
      'content-type': TYPES[extname(file).slice(1)] ?? 'application/octet-stream',
      'accept-ranges': 'bytes',
      'content-range': `bytes ${start}-${end}/${size}`,
      'content-length': end - start + 1,
    });
    createReadStream(file, { start, end }).pipe(response);
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
    if (appended) await page.evaluate(`(${APPEND})(${JSON.stringify(appended)})`);
    const duration = appended
      ? await page.evaluate<number>(`document.querySelector('video').duration`)
      : await after<number>('loadedmetadata', 'video.load()', 'video.duration');
    await page.evaluate(`window.corner = (video) => {
      const canvas = document.createElement('canvas').getContext('2d');
      canvas.drawImage(video, 0, 0, 16, 9);
      return [...canvas.getImageData(1, 1, 1, 1).data];
    }`);
    // On a busy machine the picture is drawn after the event.
    await page.evaluate(`window.drawn = (read) =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(read()))))`);
    await look({
      duration,
      colourAt: async (second) =>
        nearest(await after<number[]>('seeked', `video.currentTime = ${second}`, 'drawn(() => corner(video))')),
      tones: async () => {
        const levels = await page.evaluate<number[][]>(`(${LISTEN})(${JSON.stringify(basename(path))})`);
        return levels.map((some, n) => ({ at: n / 10, tones: TONES.filter((_, tone) => some[tone]! > HEARD) }));
      },
      playedTo: () =>
        after<number>('ended', 'video.currentTime = 0; video.playbackRate = 8; void video.play()', 'video.currentTime'),
    });
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}
