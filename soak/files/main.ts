import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { UPLOAD_PATH, type Envelope } from '@rmeet/contract';
import { bookMeeting, startServer, type RunningServer } from '@rmeet/testkit';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';

const GIGABYTE = 2 ** 30;
const SIZE = 2 * GIGABYTE;
const FILES = 10_000;
/** What the server's process may take more than before, at its highest; bytes. */
const MEMORY = 300 * 2 ** 20;
const CHUNK = 1024 * 1024;
const AT_ONCE = 8;

type Signed = Awaited<ReturnType<RunningServer['api']['as']>>;

/** Resident memory of a process; bytes. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
}

/** The highest memory of a process while something runs. */
async function peakDuring(pid: number, work: () => Promise<void>): Promise<number> {
  let peak = memoryOf(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid));
  }, 100);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak;
}

/** The bytes of the large file: the same for each offset, so that it is never kept. */
const block = randomBytes(CHUNK);

/** Sends the bytes from `offset` on; breaks the connection before `until`. */
function send(url: string, token: string, offset: number, until: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, {
      method: 'PATCH',
      headers: {
        authorization: token,
        'tus-resumable': '1.0.0',
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
        'content-length': String(SIZE - offset),
      },
    });
    request.on('response', (response) => {
      response.resume();
      if (response.statusCode === 204) resolve();
      else reject(new Error(`PATCH answered ${response.statusCode}`));
    });
    request.on('error', (error) => (until < SIZE ? resolve() : reject(error)));
    let at = offset;
    const next = (): void => {
      while (at < until) {
        const start = at % CHUNK;
        const piece = block.subarray(start, Math.min(CHUNK, start + until - at));
        at += piece.length;
        if (!request.write(piece)) {
          request.once('drain', next);
          return;
        }
      }
      if (until < SIZE) request.destroy();
      else request.end();
    };
    next();
  });
}

async function offsetOf(url: string, token: string): Promise<number> {
  const response = await fetch(url, { method: 'HEAD', headers: { authorization: token, 'tus-resumable': '1.0.0' } });
  return Number(response.headers.get('upload-offset'));
}

function get(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => httpRequest(url, { headers }, resolve).on('error', reject).end());
}

/** Downloads a file in two parts, with a break in the middle; returns its SHA-256. */
async function downloadBroken(url: string, token: string): Promise<string> {
  const hash = createHash('sha256');
  let at = 0;
  const first = await get(url, { authorization: token });
  for await (const chunk of first as AsyncIterable<Buffer>) {
    hash.update(chunk);
    at += chunk.length;
    if (at >= SIZE / 2) break;
  }
  first.destroy();
  for await (const chunk of (await get(url, { authorization: token, range: `bytes=${at}-` })) as AsyncIterable<Buffer>)
    hash.update(chunk);
  return hash.digest('hex');
}

async function uploadLarge(server: RunningServer, who: Signed, meetId: string): Promise<boolean> {
  const { id } = await who.meetingFiles.startUpload({ body: { meetId, name: 'large.bin', size: SIZE } });
  const url = `${server.url}${UPLOAD_PATH}/${id}`;
  await send(url, who.token, 0, SIZE / 2);
  let offset = 0;
  // The server notices the break a moment later.
  while (offset === 0) offset = await offsetOf(url, who.token);
  await send(url, who.token, offset, SIZE);
  const { files } = await who.meetingFiles.list({ query: { meetId } });
  const expected = createHash('sha256');
  for (let at = 0; at < SIZE; at += CHUNK) expected.update(block);
  const path = `/api/api/v1/meetingFile/file/download/${files.records[0]?.id ?? ''}`;
  return (await downloadBroken(server.url + path, who.token)) === expected.digest('hex');
}

async function uploadMany(server: RunningServer, who: Signed, meetId: string, count: number): Promise<void> {
  const turns = Array.from({ length: count }, (_, i) => i).values();
  const one = async (): Promise<void> => {
    for (const i of turns) {
      const body = new Uint8Array(Buffer.from(`File ${i} `.repeat(100)));
      const { id } = await who.meetingFiles.startUpload({ body: { meetId, name: `file ${i}.txt`, size: body.length } });
      const response = await fetch(`${server.url}${UPLOAD_PATH}/${id}`, {
        method: 'PATCH',
        headers: {
          authorization: who.token,
          'tus-resumable': '1.0.0',
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
        },
        body,
      });
      if (response.status !== 204) throw new Error(((await response.json()) as Envelope).statusCode);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** Downloads a ZIP file; whether it has its announced length, and the number of files that its end names. */
async function unzipCount(url: string, token: string): Promise<{ isWhole: boolean; files: number }> {
  const response = await get(url, { authorization: token });
  let [size, tail] = [0, Buffer.alloc(0)];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    tail = Buffer.concat([tail, chunk]).subarray(-22);
  }
  return { isWhole: size === Number(response.headers['content-length']), files: tail.readUInt16LE(10) };
}

/**
 * Uploads and downloads 2 GiB with a broken connection in each direction, then `count` files (10,000) that are zipped.
 * Passes if the bytes are the same and the server's memory stays flat.
 */
const run: Soak = async ({ count = FILES }) => {
  const server = await startServer();
  try {
    const who = await server.api.as('alice');
    const pid = server.run().serverPid;
    const row = table(['step', 'seconds', 'memory MB']);
    const before = memoryOf(pid);
    let [isSame, zip] = [false, { isWhole: false, files: 0 }];
    const step = async (name: string, work: () => Promise<void>): Promise<number> => {
      const began = performance.now();
      const peak = await peakDuring(pid, work);
      row([name, (performance.now() - began) / 1_000, (peak - before) / 2 ** 20]);
      return peak - before;
    };
    const { meetId: large } = await bookMeeting(who, { subject: 'Large file' });
    const { meetId: many } = await bookMeeting(who, { subject: 'Many files' });
    const peaks = [
      await step('2 GiB', async () => {
        isSame = await uploadLarge(server, who, large);
      }),
      await step('upload', () => uploadMany(server, who, many, count)),
      await step('zip', async () => {
        zip = await unzipCount(`${server.url}/api/api/v1/meetingFile/file/downloadDic/${many}`, who.token);
      }),
    ];
    const most = Math.max(...peaks);
    const passed = isSame && zip.isWhole && zip.files === count && most < MEMORY;
    return {
      passed,
      verdict:
        `${passed ? 'passed' : 'FAILED'}: 2 GiB ${isSame ? 'arrived and returned unchanged' : 'CHANGED'}, ` +
        `${zip.files} of ${count} files zipped, at most ${Math.round(most / 2 ** 20)} MB of memory more; ${load()}.`,
    };
  } finally {
    await server.stop();
  }
};

export default run;
