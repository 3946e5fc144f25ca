import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { LiveOrigin, LiveRelay, LiveWindow, mayAccess, originPath, signAccess } from '../src/index.ts';
import { frameOf, FrameReader, type Frame } from '../src/frames.ts';
import { addPart, camera, filler, STARTS_AT } from './media.ts';

const SECRET = 'secret of the engine';
const ID = 'recording-1';
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Recorder {
  origin: LiveOrigin;
  window: LiveWindow;
  url: string;
}

async function startOrigin(mostQueued?: number): Promise<Recorder> {
  const origin = new LiveOrigin({
    check: (id, token) => mayAccess(SECRET, id, token, new Date()),
    ...(mostQueued === undefined ? {} : { mostQueued }),
  });
  const window = new LiveWindow({ startsAt: STARTS_AT });
  origin.add(ID, window);
  const url = `http://127.0.0.1:${await origin.listen(0, '127.0.0.1')}`;
  ends.push(() => origin.close());
  return { origin, window, url };
}

const tokenOf = (id = ID): string => signAccess(SECRET, id, new Date());

/** A relay that finds the recorder in `place`. */
function startRelay(place: { at: Recorder | undefined }, idleMs?: number) {
  const closed = Promise.withResolvers<void>();
  const finds = { count: 0 };
  const relay = new LiveRelay({
    recordingId: ID,
    async find() {
      finds.count += 1;
      return place.at && { url: place.at.url, token: tokenOf() };
    },
    onClose: () => closed.resolve(),
    ...(idleMs === undefined ? {} : { idleMs }),
  });
  ends.push(() => relay.close());
  return { relay, closed: closed.promise, finds };
}

/** Resolves when the window is as it should be. */
async function until(window: LiveWindow, isSo: () => boolean): Promise<void> {
  if (isSo()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = window.onChange(() => {
    if (isSo()) resolve();
  });
  await promise;
  stop();
}

const shapeOf = ({ segments }: LiveWindow): string =>
  segments.map(({ init, number, parts }) => `${init}-${number}:${parts.length}`).join(' ');

test('a relay has what the origin has, and gets each part', async () => {
  const at = await startOrigin();
  const { film } = camera(at.window);
  film(0, 5);
  const { relay } = startRelay({ at });
  await until(relay.window, () => shapeOf(relay.window) === shapeOf(at.window));
  expect(relay.window.startsAt).toBe(STARTS_AT);
  film(5, 9);
  await until(relay.window, () => shapeOf(relay.window) === shapeOf(at.window));
  expect(relay.window.inits).toEqual(at.window.inits);
  expect(relay.window.segments).toEqual(at.window.segments);
  at.window.end();
  await until(relay.window, () => relay.window.isOver);
});

test('when the recorder dies, its successor continues the numbers, and the window stays meanwhile', async () => {
  const place: { at: Recorder | undefined } = { at: await startOrigin() };
  const first = place.at!;
  camera(first.window).film(0, 5);
  const { relay } = startRelay(place);
  await until(relay.window, () => shapeOf(relay.window) === '1-1:6 1-2:6 1-3:2');
  place.at = undefined;
  await first.origin.close();
  expect(shapeOf(relay.window)).toBe('1-1:6 1-2:6 1-3:2');
  const second = await startOrigin();
  place.at = second;
  const { film, finish } = camera(second.window, 180, { firstSegment: 4, firstInit: 2 });
  film(8, 12);
  finish(12);
  await until(relay.window, () => shapeOf(relay.window) === '1-1:6 1-2:6 1-3:2 2-4:6 2-5:6');
});

test('a relay that lost its connection continues where it was', async () => {
  const at = await startOrigin();
  filler(at.window, { from: 1, to: 3 });
  addPart(at.window, { segment: 3, part: 0 });
  const { relay } = startRelay({ at });
  await until(relay.window, () => shapeOf(relay.window) === '1-1:6 1-2:6 1-3:1');
  at.origin.remove(ID);
  addPart(at.window, { segment: 3, part: 1 });
  at.origin.add(ID, at.window);
  await until(relay.window, () => shapeOf(relay.window) === '1-1:6 1-2:6 1-3:2');
});

test('an origin that falls silent is given up, and another one found', async () => {
  const silent = createServer((_request, response) => {
    response.writeHead(200);
    for (const frame of [...frameOf({ type: 'hello', startsAt: 1, gaps: 0 }), ...frameOf({ type: 'sync' })])
      response.write(frame);
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  ends.push(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const at = await startOrigin();
  filler(at.window, { from: 1, to: 3 });
  const urls = [`http://127.0.0.1:${(silent.address() as AddressInfo).port}`];
  const relay = new LiveRelay({
    recordingId: ID,
    find: async () => ({ url: urls.shift() ?? at.url, token: tokenOf() }),
    silentMs: 100,
  });
  ends.push(() => relay.close());
  await until(relay.window, () => shapeOf(relay.window) === '1-1:6 1-2:6');
  expect(relay.window.startsAt).toBe(STARTS_AT);
});

test('a relay without requests closes, and its origin forgets it', async () => {
  const at = await startOrigin();
  filler(at.window, { from: 1, to: 3 });
  const { relay, closed } = startRelay({ at }, 50);
  await closed;
  expect(relay.isClosed).toBe(true);
  await expect.poll(() => at.origin.relays).toBe(0);
});

test('a slow relay is cut', async () => {
  const at = await startOrigin(200_000);
  filler(at.window, { from: 1, to: 3, bytes: 100_000 });
  const socket = connect(Number(new URL(at.url).port), '127.0.0.1');
  const closed = once(socket, 'close');
  socket.on('error', () => undefined);
  socket.write(`GET ${originPath(ID)} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${tokenOf()}\r\n\r\n`);
  socket.pause();
  await expect.poll(() => at.origin.relays).toBe(1);
  for (let segment = 3; at.origin.relays > 0 && segment < 300; segment += 1) {
    filler(at.window, { from: segment, to: segment + 1, bytes: 100_000 });
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(at.origin.relays).toBe(0);
  socket.resume();
  await closed;
});

async function statusOf(url: string, path: string, token: string | undefined): Promise<number | undefined> {
  const asked = request(new URL(path, url), {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  asked.end();
  const [response] = await once(asked, 'response');
  response.destroy();
  return response.statusCode;
}

test('an origin checks who asks', async () => {
  const { url } = await startOrigin();
  const other = tokenOf('recording-2');
  const old = signAccess(SECRET, ID, new Date(Date.now() - 61_000));
  const foreign = signAccess('another secret', ID, new Date());
  for (const token of [undefined, '', 'a.b', other, old, foreign, `${tokenOf()}x`])
    expect(await statusOf(url, originPath(ID), token)).toBe(403);
  expect(await statusOf(url, originPath(ID), tokenOf())).toBe(200);
  expect(await statusOf(url, originPath('recording-2'), other)).toBe(404);
  expect(await statusOf(url, '/', tokenOf())).toBe(403);
});

test('frames are put together from any pieces', () => {
  const frames: Frame[] = [
    { type: 'hello', startsAt: STARTS_AT, gaps: 3 },
    { type: 'init', number: 4, data: Buffer.from('abc') },
    { type: 'sync' },
    { type: 'beat' },
    {
      type: 'part',
      part: { segment: 9, init: 4, startsSegment: true, at: 1_000 / 3, duration: 0.1, data: Buffer.from('defg') },
    },
    { type: 'end' },
  ];
  const bytes = Buffer.concat(frames.flatMap(frameOf));
  for (const size of [1, 2, 3, 7, 20, 1_000]) {
    const reader = new FrameReader();
    const read: Frame[] = [];
    for (let n = 0; n < bytes.length; n += size) read.push(...reader.add(bytes.subarray(n, n + size)));
    expect(read).toEqual(frames);
  }
  expect(() => [...new FrameReader().add(Buffer.from([3, 255, 255, 255, 255]))]).toThrow('frame');
  expect(() => [...new FrameReader().add(Buffer.from([9, 0, 0, 0, 0]))]).toThrow('frame');
});
