import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { median, type Report } from '../report.ts';

/** How often it begins, and how long it plays then, ms: no whole segments, so that it begins at any point of one. */
const TIMES = 6;
const PLAYED = 6_700;

/** When each segment of a playlist begins, Unix ms. */
function* timesIn(playlist: string): Generator<[name: string, at: number]> {
  let [at, duration] = [0, 0];
  for (const line of playlist.split('\n')) {
    if (line.startsWith('#EXT-X-PROGRAM-DATE-TIME:')) at = Date.parse(line.slice(line.indexOf(':') + 1));
    else if (line.startsWith('#EXTINF:')) duration = Number.parseFloat(line.slice(8)) * 1_000;
    else if (line.startsWith('segment-')) {
      yield [line.split('?')[0]!, at];
      at += duration;
    }
  }
}

/** Begins to play and ends. Returns how far it was behind when it had its first segments, seconds. */
async function play(url: URL): Promise<number[]> {
  const begins = new Map<string, number>();
  const fetched: number[] = [];
  const between = createServer((request, response) => {
    void (async () => {
      const answer = await fetch(new URL(request.url ?? '', url));
      const body = Buffer.from(await answer.arrayBuffer());
      const name = (request.url ?? '').split('?')[0]!.split('/').at(-1)!;
      if (name.endsWith('.m3u8')) for (const [segment, at] of timesIn(body.toString())) begins.set(segment, at);
      const begin = begins.get(name);
      if (begin !== undefined) fetched.push((Date.now() - begin) / 1_000);
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(body);
    })();
  });
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  const location = new URL(url);
  location.port = String((between.address() as AddressInfo).port);
  const words = `souphttpsrc location=${location.href} ! hlsdemux ! qtdemux ! h264parse ! fakesink sync=true`.split(
    ' ',
  );
  const player = spawn('gst-launch-1.0', words, { stdio: 'ignore' });
  const ended = once(player, 'close').catch(() => undefined);
  await Promise.race([wait(PLAYED), ended]);
  player.kill();
  await ended;
  between.close();
  return fetched;
}

/**
 * How far behind the broadcast GStreamer plays a plain playlist: it shows a segment when it has it and those before are
 * over, so from the begin of its first segment to its arrival. Nothing is reported where there is no GStreamer.
 */
export async function measureGstreamer(report: Report, url: URL): Promise<void> {
  const played: number[][] = [];
  for (let n = 0; n < TIMES; n += 1) played.push(await play(url));
  const behind = played.flatMap(([first]) => first ?? []);
  if (behind.length === 0) return;
  const figure = (name: string, value: number, unit: string) =>
    report({ case: 'plain HLS', figure: `GStreamer: ${name}`, value, unit });
  figure('behind, median', median(behind), 's');
  figure('behind, worst', Math.max(...behind), 's');
  figure('segments each time', Math.min(...played.map(({ length }) => length)), '');
}
