import { TcpProxy, until } from '@rmeet/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { parseRtmpAddress, publish, RtmpIngest, RtmpPush, type MediaFrame, type PushOptions } from '../src/index.ts';
import { film, type Film } from './film.ts';
import { startMediaServer, type MediaServer } from './media-server.ts';

let server: MediaServer;
beforeAll(async () => {
  server = await startMediaServer();
});
afterAll(() => server.stop());

let last: RtmpPush | null = null;
afterEach(() => last?.stop());

/** A push of a film with the states it has been in. */
function push(address: string, { configs }: Film, options: Partial<PushOptions> = {}) {
  const states: string[] = [];
  const reasons: string[] = [];
  const running = new RtmpPush({
    address: () => address,
    onState: (state, reason) => {
      states.push(state);
      if (reason !== '') reasons.push(reason);
    },
    ...options,
  });
  last = running;
  for (const config of configs) running.config(config);
  return { running, states, reasons, isLive: () => states.at(-1) === 'live' };
}

const dataOf = (frames: MediaFrame[]): string[] => frames.map(({ kind, data }) => `${kind} ${data.toString('hex')}`);

test.each([
  ['rtmp', () => `rtmp://127.0.0.1:${server.port}/live/plain`],
  ['rtmps', () => `rtmps://localhost:${server.securePort}/live/secure`],
])('a server takes the stream as it is, by %s', async (_, address) => {
  const green = film('green', 2);
  const metadata = { width: 640, height: 360, encoder: 'Rmeet' };
  const { running, isLive } = push(address(), green, { ca: server.ca, metadata });
  await until('the server takes it', isLive);
  // Another picture before the first key frame is not sent.
  running.send({ ...green.frames[0]!, isKeyFrame: false });
  for (const frame of green.frames) running.send(frame);
  const { length } = green.frames;
  const stream = address().split('/').at(-1)!;
  const stored = await server.film(stream, 'all frames are stored', ({ frames }) => frames.length === length);
  expect(stored.configs).toEqual(green.configs);
  expect(stored.frames).toEqual(green.frames);
  expect(stored.metadata).toMatchObject(metadata);
});

test('a server with a certificate of an unknown authority is not trusted', async () => {
  const { states, reasons } = push(`rtmps://localhost:${server.securePort}/live/untrusted`, film('green', 1));
  await until('it is given up', () => states.includes('lost'));
  expect(reasons[0]).toContain('self-signed certificate');
  expect(states).toEqual(['connecting', 'lost']);
});

test('after a failure the stream goes on with its configurations and a key frame', async () => {
  const proxy = new TcpProxy(server.port);
  await proxy.start();
  const red = film('red', 4);
  const { running, states, isLive } = push(`rtmp://127.0.0.1:${proxy.port}/live/again`, red);
  await until('the server takes it', isLive);
  for (const frame of red.frames.slice(0, 30)) running.send(frame);
  await server.film('again', 'the beginning is stored', ({ frames }) => frames.length === 30);

  await proxy.stop();
  await until('the loss is noticed', () => states.includes('lost'));
  for (const frame of red.frames.slice(30, 60)) running.send(frame);
  await proxy.start();
  await until('the server takes it again', isLive);
  for (const frame of red.frames.slice(60)) running.send(frame);

  const key = red.frames.findIndex(({ isKeyFrame, kind }, at) => at >= 60 && kind === 'video' && isKeyFrame);
  const expected = [...red.frames.slice(0, 30), ...red.frames.slice(key)];
  // This server continues the file of a stream that comes back.
  const stored = await server.film('again', 'the rest is stored', ({ frames }) => frames.length === expected.length);
  expect(stored.configs).toEqual([...red.configs, ...red.configs]);
  expect(dataOf(stored.frames)).toEqual(dataOf(expected));
  await proxy.stop();
});

test('a server that takes nothing costs pictures, then the connection, and never memory', async () => {
  const ingest = new RtmpIngest({
    accept: () => Promise.resolve({ onConfig: () => {}, onFrame: () => {}, onClosed: () => {} }),
    onError: (error) => {
      throw error;
    },
  });
  const target = await ingest.listen(0, '127.0.0.1');
  const blue = film('blue', 1);
  let closed: Error | null = null;
  const publisher = await publish(parseRtmpAddress(`rtmp://127.0.0.1:${target}/live/stream`)!, {
    onClosed: (reason) => (closed = reason),
  });
  for (const config of blue.configs) publisher.config(config);
  // Nothing is read while this runs, because it does not leave the thread.
  const large = { ...blue.frames[0]!, isKeyFrame: false, data: Buffer.alloc(300_000) };
  publisher.send({ ...large, isKeyFrame: true });
  for (let n = 1; n < 100; n += 1) publisher.send({ ...large, time: n * 40 });
  // What the system's buffers take is sent; of the rest, no more than a second of pictures waits.
  expect(publisher.dropped).toBeGreaterThan(50);
  for (let n = 0; n < 100; n += 1) publisher.send({ ...large, kind: 'audio', time: 4_000 + n });
  await until('the connection is given up', () => closed !== null);
  expect(String(closed)).toContain('takes less');
  await ingest.close();
});
