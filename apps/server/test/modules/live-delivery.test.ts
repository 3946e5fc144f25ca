import type { AddressInfo } from 'node:net';
import { contract } from '@rmeet/contract';
import { LiveOrigin, LiveWindow, mayAccess } from '@rmeet/live';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { addPart, camera, filler, STARTS_AT, unix } from '../../../../packages/live/test/media.ts';
import { Delivery, fastPath, type Admission } from '../../src/modules/live/delivery/index.ts';
import { createHttp, FileAnswer, mount } from '../../src/platform/http/index.ts';
import { openTestDb, quiet, type TestDb } from '../platform/support/db.ts';
import { authenticate } from '../platform/support/http.ts';

const SECRET = 'secret of the engine';
const ID = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
const { renditions, playlist, media } = contract.watch;

let opened: TestDb;
let app: FastifyInstance;
let url: string;
let origin: LiveOrigin;
let window: LiveWindow;
/** By signature. */
const admissions = new Map<string, Admission>();
let delivery: Delivery;
let originUrl: string;

beforeAll(async () => {
  opened = await openTestDb();
  app = await createHttp({
    log: quiet,
    db: opened.db,
    authenticate,
    // What it cannot answer goes to the mounted routes.
    bypasses: [{ request: (...args) => fastPath(delivery).request?.(...args) ?? false }],
  });
  mount(
    app,
    { renditions, playlist, media },
    {
      renditions: (context, input) => delivery.renditions(context, input),
      playlist: (context, input) => delivery.playlist(context, input),
      media: (context, input) => delivery.media(context, input),
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
  originUrl = `http://127.0.0.1:${await origin.listen(0, '127.0.0.1')}`;
  window = new LiveWindow({ startsAt: STARTS_AT });
  origin.add('r', window);
  admissions.clear();
  admissions.set('good', { recordingId: 'r', spans: [{ from: unix(4), until: null }], isOver: false });
  delivery = deliver();
});
afterEach(async () => {
  delivery.close();
  await origin.close();
});

function deliver(options: Partial<ConstructorParameters<typeof Delivery>[0]> = {}): Delivery {
  return new Delivery({
    originOf: async () => originUrl,
    secret: SECRET,
    now: () => new Date(),
    log: quiet,
    admit: async (_id, sign) => admissions.get(sign),
    ...options,
  });
}

const get = (path: string, sign = 'good'): Promise<Response> =>
  fetch(`${url}/api/api/v1/live/watch/${ID}/${path}${path.includes('?') ? '&' : '?'}sign=${sign}`);

test('a viewer gets the playlist and what it names, and nothing from before', async () => {
  filler(window, { from: 1, to: 5 });
  const answer = await get('playlist.m3u8');
  expect(answer.headers.get('content-type')).toBe('application/vnd.apple.mpegurl');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  // Answered without the way of other calls, which names each request.
  expect(answer.headers.get('x-request-id')).toBeNull();
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  const text = await answer.text();
  expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:2\n');
  expect(text).toContain('\nsegment-1-3.m4s?sign=good\n');
  const part = await get('part-1-4-2.m4s');
  expect(part.headers.get('content-type')).toBe('video/iso.segment');
  expect(part.headers.get('cache-control')).toBe('private, max-age=60, immutable');
  expect(await part.text()).toBe('4.2 4.2 4.');
  expect((await get('init-1.mp4')).headers.get('content-type')).toBe('video/mp4');
  expect((await get('segment-1-1.m4s')).status).toBe(404);
  expect(await (await get('playlist.m3u8?plain=true')).text()).not.toContain('EXT-X-PART');
});

test('it asks for the next part, and gets it when it exists', async () => {
  filler(window, { from: 1, to: 5 });
  addPart(window, { segment: 5, part: 0 });
  await get('playlist.m3u8');
  const next = get('playlist.m3u8?_HLS_msn=5&_HLS_part=1');
  const hinted = get('part-1-5-1.m4s');
  addPart(window, { segment: 5, part: 1 });
  expect(await (await next).text()).toContain('URI="part-1-5-1.m4s?sign=good"');
  expect(await (await hinted).text()).toBe('5.1 5.1 5.');
  expect((await get('playlist.m3u8?_HLS_msn=9')).status).toBe(400);
});

test('without a right there is nothing, also when it ends while a request waits', async () => {
  filler(window, { from: 1, to: 5 });
  for (const path of ['playlist.m3u8', 'part-1-4-2.m4s', 'init-1.mp4'])
    expect(await (await get(path, 'bad')).json()).toMatchObject({ statusCode: 'RECORDING_ADDRESS_EXPIRED' });
  await get('playlist.m3u8');
  const waiting = get('playlist.m3u8?_HLS_msn=5&_HLS_part=0');
  await expect.poll(async () => (await get('playlist.m3u8')).status).toBe(200);
  admissions.delete('good');
  addPart(window, { segment: 5, part: 0 });
  expect((await waiting).status).toBe(404);
});

test('the first viewer waits for the first segment on air', async () => {
  filler(window, { from: 1, to: 2 });
  const first = get('playlist.m3u8');
  await expect.poll(() => origin.relays).toBe(1);
  addPart(window, { segment: 2, part: 0 });
  expect(await (await first).text()).toContain('part-1-2-0.m4s');
});

test('the smaller picture is a quality of its own, as long as it goes on and is smaller', async () => {
  camera(window, 720).film(0, 8.1);
  admissions.set('good', { recordingId: 'r', spans: [{ from: unix(2), until: null }], isOver: false });
  const first = await (await get('index.m3u8')).text();
  // Not known yet: players read this list once.
  expect(first.match(/RESOLUTION=.*/g)).toEqual(['RESOLUTION=1280x720', 'RESOLUTION=640x360']);
  expect(delivery.hasQualities('r')).toBe(false);
  const small = new LiveWindow({ startsAt: STARTS_AT });
  origin.add('r.low', small);
  const low = camera(small, 180);
  low.film(0, 8.1);
  await expect.poll(() => delivery.hasQualities('r')).toBe(true);
  const second = await (await get('index.m3u8')).text();
  expect(second).toMatch(/CODECS="avc1\.[0-9a-f]{6}",RESOLUTION=320x180\nplaylist\.m3u8\?sign=good&quality=low\n$/);
  const list = await (await get('playlist.m3u8?quality=low')).text();
  expect(list).toContain('segment-1-2.m4s?sign=good&quality=low');
  const bytes = async (path: string) => (await (await get(path)).arrayBuffer()).byteLength;
  expect(await bytes('segment-1-2.m4s?quality=low')).toBeLessThan((await bytes('segment-1-2.m4s')) / 2);
  // Its players go on with the other quality when it does not.
  camera(window, 720, { firstSegment: 6, firstInit: 2 }).film(10, 16);
  await expect.poll(async () => (await get('playlist.m3u8?quality=low&_HLS_msn=5')).status).toBe(404);
});

test('after the end, live players get the end of their playlist, and others the replay', async () => {
  const replayed = async (): Promise<FileAnswer> =>
    new FileAnswer({ name: 'a', type: 'text/plain', body: Buffer.from('replay') });
  delivery = deliver({ replay: { playlist: replayed, media: replayed } });
  filler(window, { from: 1, to: 5 });
  await get('playlist.m3u8');
  admissions.set('good', { recordingId: 'r', spans: [{ from: unix(4), until: unix(9) }], isOver: true });
  const waiting = get('playlist.m3u8?_HLS_msn=5&_HLS_part=0');
  // Off air, and the end of the last segment on air.
  addPart(window, { segment: 5, part: 0 });
  expect((await (await waiting).text()).endsWith('segment-1-4.m4s?sign=good\n#EXT-X-ENDLIST\n')).toBe(true);
  expect(await (await get('segment-1-4.m4s')).text()).toContain('4.0');
  expect(await (await get('playlist.m3u8')).text()).toBe('replay');
  expect(await (await get('segment-1-1.m4s')).text()).toBe('replay');
});

test('one connection serves all viewers, and ends without requests', async () => {
  delivery = deliver({ relay: { idleMs: 200 } });
  filler(window, { from: 1, to: 5 });
  await Promise.all(Array.from({ length: 20 }, () => get('playlist.m3u8')));
  expect([origin.relays, delivery.count]).toEqual([1, 1]);
  await expect.poll(() => [origin.relays, delivery.count]).toEqual([0, 0]);
});
