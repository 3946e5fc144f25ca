import { connect } from 'node:net';
import { percentile } from '../report.ts';

/**
 * Viewers that read each playlist and each part as soon as they exist, on one connection each; with `isFlood`, the
 * newest of both again and again.
 */
const { port, path, sign, count, startsAt, isFlood } = JSON.parse(process.argv[2]!) as {
  port: number;
  path: string;
  sign: string;
  count: number;
  startsAt: number;
  isFlood: boolean;
};
const PART_MS = 1_000 / 3;
const PARTS = 6;
const figures = { requests: 0, bytes: 0, failed: 0, delays: [] as number[] };

interface Answer {
  status: number;
  body: Buffer;
}

/** One connection that asks one thing after the other. */
function client(): (target: string) => Promise<Answer> {
  const socket = connect(port, '127.0.0.1');
  let chunks: Buffer[] = [];
  let length = 0;
  let missing = 0;
  let head: { at: number; status: number } | undefined;
  let take: ((answer: Answer) => void) | undefined;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (!head) {
      const bytes = Buffer.concat(chunks);
      chunks = [bytes];
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) return;
      const text = bytes.toString('latin1', 0, end);
      missing = end + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      head = { at: end + 4, status: Number(text.slice(9, 12)) };
    }
    if (length < missing) return;
    const body = Buffer.concat(chunks).subarray(head.at, missing);
    const answer = { status: head.status, body };
    chunks = [];
    length = 0;
    head = undefined;
    take?.(answer);
  });
  return (target) =>
    new Promise((resolve) => {
      take = resolve;
      socket.write(
        `GET ${path}/${target}${target.includes('?') ? '&' : '?'}sign=${sign} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
      );
    });
}

async function ask(get: (target: string) => Promise<Answer>, target: string): Promise<Buffer> {
  const { status, body } = await get(target);
  figures.requests += 1;
  figures.bytes += body.length;
  if (status !== 200) figures.failed += 1;
  return body;
}

/** The newest part of a playlist: numbers of segment and part. */
function newest(playlist: Buffer): [number, number] {
  const last = [...playlist.toString().matchAll(/PART:.*part-1-(\d+)-(\d+)\.m4s/g)].at(-1);
  return [Number(last?.[1] ?? 1), Number(last?.[2] ?? 0)];
}

async function view(): Promise<never> {
  const get = client();
  let [segment, part] = newest(await ask(get, 'playlist.m3u8'));
  for (;;) {
    [segment, part] = newest(await ask(get, `playlist.m3u8?_HLS_msn=${segment}&_HLS_part=${part + 1}`));
    await ask(get, `part-1-${segment}-${part}.m4s`);
    const made = startsAt + ((segment - 1) * PARTS + part + 1) * PART_MS;
    figures.delays.push(Date.now() - made);
  }
}

async function flood(): Promise<never> {
  const get = client();
  for (;;) {
    const [segment, part] = newest(await ask(get, 'playlist.m3u8'));
    await ask(get, `part-1-${segment}-${part}.m4s`);
  }
}

for (let n = 0; n < count; n += 1) setTimeout(() => void (isFlood ? flood() : view()), (n / count) * 2_000);
process.on('message', () => {
  const { requests, bytes, failed, delays } = figures;
  process.send!({
    requests,
    bytes,
    failed,
    parts: delays.length,
    median: percentile(delays, 0.5),
    late: percentile(delays, 0.95),
  });
  Object.assign(figures, { requests: 0, bytes: 0, failed: 0, delays: [] });
});
process.send!('ready');
