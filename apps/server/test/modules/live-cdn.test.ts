import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { contract } from '@rmeet/contract';
import { LiveOrigin, LiveWindow, mayAccess } from '@rmeet/live';
import { freePort } from '@rmeet/testkit';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addPart, filler, STARTS_AT, unix } from '../../../../packages/live/test/media.ts';
import { Delivery, fastPath, type Admission } from '../../src/modules/live/delivery/index.ts';
import { createHttp, mount } from '../../src/platform/http/index.ts';
import { openTestDb, quiet, type TestDb } from '../platform/support/db.ts';
import { authenticate } from '../platform/support/http.ts';

const SECRET = 'secret of the engine';
const ID = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
const RECORDING = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d22';
const { openPlaylist, openMedia } = contract.watch;

let opened: TestDb;
let app: FastifyInstance;
let url: string;
let origin: LiveOrigin;
let window: LiveWindow;
/** Undefined: the broadcast is not public, or not on air. */
let admission: Admission | undefined;
let delivery: Delivery;
/** What this server was asked for. */
let asked: string[] = [];

beforeAll(async () => {
  opened = await openTestDb();
  app = await createHttp({
    log: quiet,
    db: opened.db,
    authenticate,
    bypasses: [
      {
        request(request, ...rest) {
          asked.push(request.url ?? '');
          return fastPath(delivery).request?.(request, ...rest) ?? false;
        },
      },
    ],
  });
  mount(
    app,
    { openPlaylist, openMedia },
    {
      openPlaylist: (context, input) => delivery.openPlaylist(context, input),
      openMedia: (context, input) => delivery.openMedia(context, input),
    },
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await app.close();
  await opened.drop();
});

beforeEach(async () => {
  origin = new LiveOrigin({ check: (id, token) => mayAccess(SECRET, id, token, new Date()) });
  const originUrl = `http://127.0.0.1:${await origin.listen(0, '127.0.0.1')}`;
  window = new LiveWindow({ startsAt: STARTS_AT });
  origin.add(RECORDING, window);
  filler(window, { from: 1, to: 5 });
  admission = { recordingId: RECORDING, spans: [{ from: unix(4), until: null }], isOver: false };
  asked = [];
  delivery = new Delivery({
    originOf: async () => originUrl,
    secret: SECRET,
    now: () => new Date(),
    log: quiet,
    admit: async () => undefined,
    admitAll: async (id) => (id === ID ? admission : undefined),
  });
});
afterEach(async () => {
  delivery.close();
  await origin.close();
});

const get = (path: string, base = url, recording = RECORDING): Promise<Response> =>
  fetch(`${base}/api/api/v1/live/public/${ID}/${path}${path.includes('?') ? '&' : '?'}recording=${recording}`);

test('a public broadcast has addresses without signature, which caches keep and other origins read', async () => {
  const answer = await get('playlist.m3u8');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=1');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  // Answered without the way of other calls.
  expect(answer.headers.get('x-request-id')).toBeNull();
  expect(await answer.text()).toContain(`\nsegment-1-3.m4s?recording=${RECORDING}\n`);
  const part = await get('part-1-4-2.m4s');
  expect(part.headers.get('cache-control')).toBe('public, max-age=3600, immutable');
  expect(part.headers.get('access-control-allow-origin')).toBe('*');
  expect(await part.text()).toBe('4.2 4.2 4.');
  addPart(window, { segment: 5, part: 0 });
  const waited = await get('playlist.m3u8?_HLS_msn=5&_HLS_part=0');
  expect(waited.headers.get('cache-control')).toBe('public, max-age=18');
  expect((await get('segment-1-1.m4s')).status).toBe(404);
});

test('what is not public, or another recording, is not there, also for requests that wait', async () => {
  expect((await get('playlist.m3u8', url, ID)).status).toBe(404);
  await get('playlist.m3u8');
  const waiting = [get('playlist.m3u8?_HLS_msn=5&_HLS_part=0'), get('part-1-5-0.m4s')];
  // They came before it.
  await get('init-1.mp4');
  admission = undefined;
  addPart(window, { segment: 5, part: 0 });
  for (const answer of await Promise.all(waiting)) {
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
  for (const path of ['playlist.m3u8', 'part-1-4-2.m4s', 'init-1.mp4', 'segment-1-4.m4s'])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
});

test('players get the end of their playlist; later there is nothing', async () => {
  await get('playlist.m3u8');
  admission = { recordingId: RECORDING, spans: [{ from: unix(4), until: unix(9) }], isOver: true };
  const waiting = get('playlist.m3u8?_HLS_msn=5&_HLS_part=0');
  // Off air, and the end of the last segment on air.
  addPart(window, { segment: 5, part: 0 });
  expect((await (await waiting).text()).endsWith('#EXT-X-ENDLIST\n')).toBe(true);
  delivery.close();
  await expect.poll(() => delivery.count).toBe(0);
  expect((await get('playlist.m3u8')).status).toBe(404);
});

const nginx = '/usr/sbin/nginx';

/** Debian's nginx with deploy/nginx-live.conf, on another port and without TLS. */
async function startNginx(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-nginx-'));
  const port = await freePort();
  const site = readFileSync(join(import.meta.dirname, '../../../../deploy/nginx-live.conf'), 'utf8')
    .replace(/^.*(?:ssl_|http2|\[::\]).*$/gm, '')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace('http://127.0.0.1:3000', url)
    .replaceAll('meet.example.org', new URL(url).host)
    .replace('/var/cache/nginx', folder);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ');
  // Of root, its workers would be another user, who may not write here.
  const user = userInfo().uid === 0 ? 'user root;' : '';
  mkdirSync(join(folder, 'rmeet-live'));
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${user} daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr;
    events {} http { access_log off; ${temporary} ${site} }`,
  );
  const running: ChildProcess = spawn(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: 'ignore',
  });
  const base = `http://127.0.0.1:${port}`;
  await expect
    .poll(
      () =>
        fetch(base).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 10_000 },
    )
    .toBe(404);
  return {
    url: base,
    async stop() {
      const ended = once(running, 'exit');
      running.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Follows the broadcast as hls.js does, up to the end of a segment. Returns the parts it got, and when. */
async function follow(base: string, first: number, last: number): Promise<Map<string, number>> {
  const got = new Map<string, number>();
  for (
    let [segment, part] = [first, 0];
    segment <= last;
    [segment, part] = part < 5 ? [segment, part + 1] : [segment + 1, 0]
  ) {
    const text = await (await get(`playlist.m3u8?_HLS_msn=${segment}&_HLS_part=${part}`, base)).text();
    const name = `part-1-${segment}-${part}.m4s`;
    expect(text).toContain(`URI="${name}?recording=${RECORDING}"`);
    const answer = await get(name, base);
    expect([name, answer.status]).toEqual([name, 200]);
    await answer.arrayBuffer();
    got.set(name, performance.now());
  }
  return got;
}

describe.skipIf(!existsSync(nginx))('behind nginx (deploy/nginx-live.conf)', () => {
  let cache: Awaited<ReturnType<typeof startNginx>>;
  beforeEach(async () => {
    cache = await startNginx();
  });
  afterEach(() => cache.stop());

  test('two viewers get each part soon after it is made, and this server sends it once', async () => {
    await (await get('playlist.m3u8', cache.url)).text();
    const viewers = [follow(cache.url, 5, 7), follow(cache.url, 5, 7)];
    const made = new Map<string, number>();
    for (let segment = 5; segment <= 7; segment += 1)
      for (let part = 0; part < 6; part += 1) {
        // The parts of a recorder come one after the other.
        const wanted = `_HLS_msn=${segment}&_HLS_part=${part}&`;
        await expect.poll(() => asked.some((target) => target.includes(wanted))).toBe(true);
        made.set(`part-1-${segment}-${part}.m4s`, performance.now());
        addPart(window, { segment, part });
      }
    const late: number[] = [];
    for (const got of await Promise.all(viewers)) {
      expect(got.size).toBe(18);
      for (const [name, at] of got) late.push(at - made.get(name)!);
    }
    const parts = asked.filter((target) => target.includes('/part-'));
    expect(parts.length).toBe(18);
    expect(new Set(parts).size).toBe(18);
    expect(Math.max(...late)).toBeLessThan(1_000);
    // Another one who comes now is served from the cache.
    const before = asked.length;
    const answer = await get('part-1-7-5.m4s', cache.url);
    expect([answer.headers.get('x-cache'), asked.length - before]).toEqual(['HIT', 0]);
  }, 30_000);

  test('what is not public is not served, nor is anything else', async () => {
    admission = undefined;
    expect((await get('playlist.m3u8', cache.url)).status).toBe(404);
    expect((await get('part-1-4-2.m4s', cache.url)).status).toBe(404);
    admission = { recordingId: RECORDING, spans: [{ from: unix(4), until: null }], isOver: false };
    expect((await get('playlist.m3u8', cache.url)).status).toBe(200);
    // A refusal is not kept.
    expect((await get('part-1-4-2.m4s', cache.url)).status).toBe(200);
    const before = asked.length;
    for (const path of ['/', '/api/api/v1/live/watch/state', `/api/api/v1/live/watch/${ID}/playlist.m3u8?sign=a`])
      expect((await fetch(`${cache.url}${path}`)).status).toBe(404);
    expect(asked.length).toBe(before);
  });
});
