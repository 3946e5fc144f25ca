import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser, startServer, type RunningServer } from '@rmeet/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Recorded } from '../src/index.ts';
import { missing, nearest, probe, skipped } from './film.ts';
import { judge } from './judge.ts';
import { Stage } from './stage.ts';

let server: RunningServer;
let folder: string;
let path: string;
let recorded: Recorded;
let stage: Stage;

/** Half a minute of a conference. */
beforeAll(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), 'rmeet-programme-'));
  path = join(folder, 'programme.webm');
  stage = await Stage.open(server, path, 'alice');
  await stage.at(3);
  await stage.speaker('bob');
  await stage.at(5);
  await stage.mute('alice');
  await stage.at(7);
  await stage.speaker('alice');
  await stage.at(9);
  // Who is named stays on air.
  await stage.share('carol', 'magenta', 'green');
  await stage.at(11);
  await stage.nobodyNamed('magenta');
  await stage.at(13);
  await stage.mute('chair', 'carol');
  await stage.at(16);
  // Bob is the only one who speaks.
  await stage.stopSharing('carol', 'blue');
  await stage.at(18);
  await stage.unmute('carol');
  await stage.at(20);
  await stage.camera('bob', false, null);
  await stage.at(22);
  await stage.speaker('carol');
  await stage.at(25);
  await stage.camera('bob', true, 'yellow');
  await stage.at(27);
  await stage.speaker('bob');
  await stage.at(30);
  recorded = await stage.end();
}, 120_000);
afterAll(async () => {
  await server?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

test('the file has its name when the conference is over, and nothing is left beside it', () => {
  expect(recorded.path).toBe(path);
  expect(recorded.milliseconds).toBeGreaterThan(30_000);
  expect(recorded.refused).toEqual([]);
  expect(readdirSync(folder)).toEqual(['programme.webm']);
});

test.skipIf(missing !== undefined)(`ffprobe finds a whole film of VP8 and Opus${skipped}`, async () => {
  const { streams, seconds, complaints } = await probe(path);
  expect(streams.map(({ codec_name }) => codec_name)).toEqual(['vp8', 'opus']);
  expect(complaints).toBe('');
  expect(seconds).toBeCloseTo(recorded.milliseconds / 1_000, 0);
});

test.skipIf(missing !== undefined)(`who is on air is seen within half a second, and those are heard who may be, and nobody else${skipped}`, async () => {
  const { breaches, switches, looks } = await judge(path, stage.marks, recorded.milliseconds / 1_000);
  if (process.env['PRINT_TIMES']) process.stderr.write(`${switches.map(({ what, milliseconds }) => `${what}: ${milliseconds} ms`).join('\n')}\n`);
  expect(breaches).toEqual([]);
  expect(looks).toBeGreaterThan(800);
  expect(switches).toHaveLength(7);
}, 60_000);

test('a browser plays it to its end and goes to any place of it', async () => {
  const film = await readFile(path);
  const files = createServer((request, response) => {
    if (request.url !== '/film.webm') {
      response.setHeader('content-type', 'text/html').end('<video src="/film.webm" muted></video>');
      return;
    }
    const [from = 0, to = film.length - 1] = /bytes=(\d+)-(\d+)?/.exec(request.headers.range ?? '')?.slice(1).flatMap((part) => (part === undefined ? [] : [Number(part)])) ?? [];
    response.writeHead(206, { 'content-type': 'video/webm', 'accept-ranges': 'bytes', 'content-range': `bytes ${from}-${to}/${film.length}`, 'content-length': to - from + 1 });
    response.end(film.subarray(from, to + 1));
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(files.address() as AddressInfo).port}/`);
    const duration = await page.evaluate(`new Promise((resolve, reject) => {
      const video = document.querySelector('video');
      video.onerror = () => reject(new Error(video.error.message));
      video.onloadedmetadata = () => resolve(video.duration);
      video.load();
    })`);
    expect(duration).toBeCloseTo(recorded.milliseconds / 1_000, 0);
    /** Mean colour of the upper left corner after going to a second. */
    const corner = (second: number) => page.evaluate(`new Promise((resolve, reject) => {
      const video = document.querySelector('video');
      video.onerror = () => reject(new Error(video.error.message));
      video.onseeked = () => {
        const canvas = document.createElement('canvas').getContext('2d');
        canvas.drawImage(video, 0, 0, 16, 9);
        resolve([...canvas.getImageData(1, 1, 1, 1).data].slice(0, 3));
      };
      video.currentTime = ${second};
    })`) as Promise<number[]>;
    for (const { from, colour } of [...stage.marks].toReversed()) {
      const settled = from + 1.5;
      const next = stage.marks.find((mark) => mark.from > from);
      if (settled > (next?.from ?? recorded.milliseconds / 1_000)) continue;
      expect(nearest(await corner(settled)), `at ${settled} s`).toBe(colour);
    }
    const end = await page.evaluate(`new Promise((resolve, reject) => {
      const video = document.querySelector('video');
      video.onerror = () => reject(new Error(video.error.message));
      video.onended = () => resolve(video.currentTime);
      video.onseeked = null;
      video.currentTime = 0;
      video.playbackRate = 8;
      video.play();
    })`);
    expect(end).toBeCloseTo(duration as number, 0);
  } finally {
    await browser.close();
    files.close();
    files.closeAllConnections();
  }
}, 90_000);
