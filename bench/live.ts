import { execFile, fork, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { annexBUnits } from '@rmeet/rtp';
import { LiveOrigin, LiveRelay, LiveWindow, mayAccess, signAccess } from '@rmeet/live';
import { launchBrowser } from '@rmeet/testkit';
import { environmentOfProcesses } from '../apps/server/src/platform/process/environment.ts';
import { videoClip } from '../packages/participant/src/clips.ts';
import { Packager, type PackagerOutput } from '../packages/recorder/src/packager/packager.ts';
import { load } from '../soak/table.ts';
import { measureGstreamer } from './live/gstreamer.ts';
import { measureCounter } from './live/counter.ts';
import { median, type Benchmark, type Report } from './report.ts';
import { nextMessage, processorSeconds, residentMegabytes, stopped } from './sfu/process.ts';

const BITRATE = 1_000_000;
const SECONDS = 10;
const COUNTS = [50, 100, 200, 300, 400, 600, 800, 1_200];
/** Viewers keep up while nineteen of twenty parts come within the time that one lasts, ms. */
const LATE_MS = 1_000 / 3;
const SAMPLES = 100;
/** Until there is as much as players begin with, ms. */
const WINDOW_FILLS = 14_000;
const run = promisify(execFile);

interface Broadcast {
  port: number;
  sign: string;
  startsAt: number;
  path: string;
  server: ChildProcess;
  stop(): Promise<void>;
}

const start = (name: string, options: unknown): ChildProcess =>
  fork(join(import.meta.dirname, 'live', `${name}.ts`), [JSON.stringify(options)], {
    env: environmentOfProcesses(process.env),
  });

/** A recorder process and a server process. */
async function startBroadcast(): Promise<Broadcast> {
  const [secret, recordingId, id, startsAt] = [randomBytes(20).toString('hex'), randomUUID(), randomUUID(), Date.now()];
  const recorder = start('origin', { secret, recordingId, bitrate: BITRATE, startsAt });
  const { port: originPort } = await nextMessage<{ port: number }>(recorder);
  const originUrl = `http://127.0.0.1:${originPort}`;
  const server = start('server', { secret, id, recordingId, originUrl, from: startsAt });
  const { port, sign } = await nextMessage<{ port: number; sign: string }>(server);
  const path = `/api/api/v1/live/watch/${id}`;
  return {
    port,
    sign,
    startsAt,
    path,
    server,
    async stop() {
      await stopped(server);
      await stopped(recorder);
    },
  };
}

interface Seen {
  requests: number;
  bytes: number;
  failed: number;
  parts: number;
  median: number;
  late: number;
}

/** How many viewers a core would serve, by the processor time of a playlist and a part; also on a busy machine. */
async function measureCost(report: Report, { port, sign, path, startsAt, server }: Broadcast): Promise<number> {
  const viewers = start('viewers', { port, sign, path, startsAt, count: 10, isFlood: true });
  await nextMessage(viewers);
  await wait(SECONDS * 1_000);
  viewers.send('figures');
  await nextMessage(viewers);
  const before = processorSeconds(server.pid!);
  await wait(SECONDS * 1_000);
  viewers.send('figures');
  const { requests, bytes } = await nextMessage<Seen>(viewers);
  const cost = (processorSeconds(server.pid!) - before) / requests;
  await stopped(viewers);
  const most = 1 / (6 * cost);
  report({ case: 'flood', figure: 'requests per second', value: requests / SECONDS, unit: '/s' });
  report({ case: 'flood', figure: 'sent', value: (bytes * 8) / SECONDS / 1e6, unit: 'Mbit/s' });
  report({ case: 'flood', figure: 'processor time per request', value: cost * 1e6, unit: 'µs' });
  report({ case: 'flood', figure: 'viewers of a core', value: most, unit: '' });
  return most;
}

/** Whether so many viewers keep up. */
async function measureViewers(report: Report, broadcast: Broadcast, count: number): Promise<boolean> {
  const { port, sign, path, startsAt, server } = broadcast;
  const viewers = start('viewers', { port, sign, path, startsAt, count, isFlood: false });
  await nextMessage(viewers);
  await wait(4_000);
  viewers.send('figures');
  await nextMessage(viewers);
  const [before, began] = [processorSeconds(server.pid!), performance.now()];
  const clients = processorSeconds(viewers.pid!);
  await wait(SECONDS * 1_000);
  viewers.send('figures');
  const seen = await nextMessage<Seen>(viewers);
  const passed = (performance.now() - began) / 1_000;
  const cores = (processorSeconds(server.pid!) - before) / passed;
  const name = `${count} viewers`;
  report({ case: name, figure: 'requests per second', value: seen.requests / passed, unit: '/s' });
  report({ case: name, figure: 'parts per viewer and second', value: seen.parts / passed / count, unit: '/s' });
  report({ case: name, figure: 'failed', value: seen.failed, unit: '' });
  report({ case: name, figure: 'sent', value: (seen.bytes * 8) / passed / 1e6, unit: 'Mbit/s' });
  report({ case: name, figure: 'cores of the server', value: cores, unit: '' });
  report({ case: name, figure: 'per request', value: (cores * passed * 1e6) / seen.requests, unit: 'µs' });
  report({
    case: name,
    figure: 'cores of the viewers',
    value: (processorSeconds(viewers.pid!) - clients) / passed,
    unit: '',
  });
  report({ case: name, figure: 'memory of the server', value: residentMegabytes(server.pid!), unit: 'MB' });
  report({ case: name, figure: 'part after it was made, median', value: seen.median, unit: 'ms' });
  report({ case: name, figure: 'part after it was made, 95 %', value: seen.late, unit: 'ms' });
  await stopped(viewers);
  return seen.failed === 0 && seen.late < LATE_MS;
}

const plainOf = ({ port, sign, path }: Broadcast): URL =>
  new URL(`http://127.0.0.1:${port}${path}/playlist.m3u8?sign=${sign}&plain=true`);

/** The delay of players that begin as far before the end as a plain playlist says. */
async function measurePlain(report: Report, { port, sign, path }: Broadcast): Promise<void> {
  const url = `http://127.0.0.1:${port}${path}/playlist.m3u8?sign=${sign}&plain=true`;
  const delays: number[] = [];
  while (delays.length < SAMPLES) {
    const text = await (await fetch(url)).text();
    const first = Date.parse(/PROGRAM-DATE-TIME:(.*)/.exec(text)?.[1] ?? '');
    const length = [...text.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, seconds]) => sum + Number(seconds), 0);
    const holdBack = Number(/HOLD-BACK=([\d.]+)/.exec(text)?.[1]);
    delays.push((Date.now() - first) / 1_000 - length + holdBack);
    await wait(97);
  }
  report({ case: 'plain HLS', figure: 'delay by the playlist, median', value: median(delays), unit: 's' });
  report({ case: 'plain HLS', figure: 'delay by the playlist, worst', value: Math.max(...delays), unit: 's' });
}

/** Where ffprobe begins, and that it reads on. */
async function measureProbe(report: Report, { port, sign, path, startsAt }: Broadcast): Promise<void> {
  const url = `http://127.0.0.1:${port}${path}/playlist.m3u8?sign=${sign}&plain=true`;
  const shown = ['-show_entries', 'packet=pts_time', '-of', 'csv=p=0'];
  const began = Date.now();
  const found = await run('ffprobe', ['-v', 'error', ...shown, '-read_intervals', '%+10', url]).catch(() => undefined);
  const times = found?.stdout.split('\n').filter(Boolean).map(Number) ?? [];
  if (times.length === 0) return;
  report({
    case: 'plain HLS',
    figure: 'ffprobe begins behind',
    value: (began - startsAt) / 1_000 - times[0]!,
    unit: 's',
  });
  report({ case: 'plain HLS', figure: 'pictures that ffprobe read', value: times.length, unit: '' });
}

/** How far behind the recorder hls.js plays, by the time that the playlist gives each picture. */
async function measurePlayer(report: Report, { port, sign, path }: Broadcast): Promise<number> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/player`);
    const options = JSON.stringify({ url: `${path}/playlist.m3u8?sign=${sign}`, samples: SAMPLES });
    const result = await page.evaluate<{ delays: number[]; first: number; stalls: number }>(`(${PLAY})(${options})`);
    report({ case: 'hls.js', figure: 'first picture after', value: result.first, unit: 'ms' });
    report({ case: 'hls.js', figure: 'behind the recorder, median', value: median(result.delays), unit: 's' });
    report({ case: 'hls.js', figure: 'behind the recorder, worst', value: Math.max(...result.delays), unit: 's' });
    report({ case: 'hls.js', figure: 'stalls', value: result.stalls, unit: '' });
    return median(result.delays);
  } finally {
    await browser.close();
  }
}

/** Runs in the page. */
const PLAY = `async ({ url, samples }) => {
  const video = document.querySelector('video');
  const hls = new Hls({ lowLatencyMode: true });
  const began = performance.now();
  hls.loadSource(url);
  hls.attachMedia(video);
  await video.play();
  await new Promise((resolve) => video.requestVideoFrameCallback(resolve));
  const first = performance.now() - began;
  let stalls = 0;
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  await wait(8000);
  video.addEventListener('waiting', () => (stalls += 1));
  const delays = [];
  while (delays.length < samples) {
    delays.push((Date.now() - hls.playingDate.getTime()) / 1000);
    await wait(200);
  }
  hls.destroy();
  return { delays, first, stalls };
}`;

/** Packs ten minutes of a programme. Returns the seconds of processor time. */
async function pack(output: PackagerOutput, minutes: number): Promise<number> {
  const packager = new Packager({ startsAt: Date.now(), hasPicture: true, sound: undefined }, output);
  const frames = videoClip('h264', 'red', 720, 2 * BITRATE).frames.map(annexBUnits);
  const before = process.cpuUsage();
  for (let n = 0; n < minutes * 60 * 15; n += 1) {
    const nth = n % 30;
    packager.addPicture(frames[nth === 0 ? 0 : 1 + (nth % (frames.length - 1))]!, nth === 0, (n * 1_000) / 15);
    packager.advance((n * 1_000) / 15);
    if (nth === 0) await wait(5);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** What the live output takes in a recorder, with a relay in this same process. */
async function measureRecorder(report: Report): Promise<void> {
  const minutes = 5;
  const name = '720p 2 Mbit/s';
  const nothing = { takeInit: () => undefined, takePart: () => undefined };
  await pack(nothing, 1);
  const without = await pack(nothing, minutes);
  const alone = new LiveWindow({ startsAt: Date.now() });
  const window = await pack(alone, minutes);
  const origin = new LiveOrigin({ check: (id, token) => mayAccess('key', id, token, new Date()) });
  const url = `http://127.0.0.1:${await origin.listen(0, '127.0.0.1')}`;
  const followed = new LiveWindow({ startsAt: Date.now() });
  origin.add('r', followed);
  const relay = new LiveRelay({
    recordingId: 'r',
    find: async () => ({ url, token: signAccess('key', 'r', new Date()) }),
  });
  const both = await pack(followed, minutes);
  if (relay.window.segments.length === 0) throw new Error('The relay got nothing.');
  relay.close();
  await origin.close();
  const share = (seconds: number): number => ((seconds - without) / minutes / 60) * 100;
  report({ case: name, figure: 'window, of a core', value: share(window), unit: '%' });
  report({ case: name, figure: 'window, origin and relay, of a core', value: share(both), unit: '%' });
}

const LOSS = 0.02;

async function measurePlayers(report: Report): Promise<string> {
  const broadcast = await startBroadcast();
  try {
    await fetch(plainOf(broadcast));
    await wait(WINDOW_FILLS);
    await measurePlain(report, broadcast);
    await measureProbe(report, broadcast);
    await measureGstreamer(report, plainOf(broadcast));
    return `Plain players; ${cpus().length} processors, ${load()}.`;
  } finally {
    await broadcast.stop();
  }
}

/**
 * `npm run bench -- live 100 200` are the numbers of viewers; `counter` measures the way of a picture only, `players`
 * the delay of plain players only.
 */
const bench: Benchmark = async (report, args) => {
  if (args[0] === 'players') return measurePlayers(report);
  const delay = await measureCounter(report);
  const lossy = await measureCounter(report, LOSS);
  const ways =
    `From a camera's picture to the watch page ${delay.toFixed(1)} s (goal: 3), ` +
    `with ${LOSS * 100} % of the camera's packets lost ${lossy.toFixed(1)} s (goal: 3). `;
  if (args[0] === 'counter') return `${ways}${cpus().length} processors, ${load()}.`;
  await measureRecorder(report);
  const broadcast = await startBroadcast();
  try {
    // The window fills.
    await fetch(`http://127.0.0.1:${broadcast.port}${broadcast.path}/playlist.m3u8?sign=${broadcast.sign}`);
    await wait(WINDOW_FILLS);
    await measurePlain(report, broadcast);
    await measureProbe(report, broadcast);
    await measureGstreamer(report, plainOf(broadcast));
    const behind = await measurePlayer(report, broadcast);
    const ofCore = await measureCost(report, broadcast);
    let most = 0;
    for (const count of args.length > 0 ? args.map(Number) : COUNTS) {
      if (!(await measureViewers(report, broadcast, count))) break;
      most = count;
    }
    return (
      `${ways}A core serves ${ofCore.toFixed(0)} viewers by its processor time, and ${most} kept up; hls.js plays ` +
      `${behind.toFixed(1)} s behind the recorder; ${cpus().length} processors, ${load()}.`
    );
  } finally {
    await broadcast.stop();
  }
};
export default bench;
