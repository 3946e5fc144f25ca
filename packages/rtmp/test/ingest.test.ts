import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from '@rmeet/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  parseRtmpAddress,
  publish,
  PublishRefused,
  RtmpIngest,
  RtmpPush,
  type MediaConfig,
  type MediaFrame,
  type PublishRequest,
  type RtmpPublisher,
} from '../src/index.ts';
import { missing, skipped } from '../../recorder/test/film.ts';
import { film } from './film.ts';
import { startMediaServer } from './media-server.ts';

const KEY = 'lecture-4f8a';

/** What one encoder has sent. */
interface Received {
  request: PublishRequest;
  configs: MediaConfig[];
  frames: MediaFrame[];
  unknown: string[];
  isClosed: boolean;
  /** Why, if not by the encoder. */
  reason: string | null;
  close: () => void;
}

let ingest: RtmpIngest;
let port: number;
let received: Received[];
let errors: string[];
beforeEach(async () => {
  received = [];
  errors = [];
  ingest = new RtmpIngest({
    accept: async (request, close) => {
      await Promise.resolve();
      if (request.stream === 'broken') throw new Error('no database');
      // One encoder per key at a time.
      if (request.app !== 'live' || request.stream !== KEY || received.some(({ isClosed }) => !isClosed)) return null;
      const one: Received = { request, configs: [], frames: [], unknown: [], isClosed: false, reason: null, close };
      received.push(one);
      return {
        onConfig: (config) => one.configs.push(config),
        onFrame: (frame) => one.frames.push(frame),
        onUnknown: (codec) => one.unknown.push(codec),
        onClosed: (reason) => {
          one.isClosed = true;
          one.reason = reason?.message ?? null;
        },
      };
    },
    onError: (error) => errors.push(error.message),
  });
  port = await ingest.listen(0, '127.0.0.1');
});
afterEach(() => ingest.close());

const begin = (path: string, onClosed: (reason: Error | null) => void = () => {}): Promise<RtmpPublisher> =>
  publish(parseRtmpAddress(`rtmp://127.0.0.1:${port}/${path}`)!, { onClosed });

test('a stream arrives as it was sent, until its sender ends it', async () => {
  const green = film('green', 1);
  const publisher = await begin(`live/${KEY}?device=camera%202`);
  for (const config of green.configs) publisher.config(config);
  for (const frame of green.frames) publisher.send(frame);
  publisher.close();
  const [one] = received;
  await until('the end arrives', () => one!.isClosed);
  expect(one!.request).toMatchObject({ app: 'live', stream: KEY, from: '127.0.0.1' });
  expect(one!.request.parameters.get('device')).toBe('camera 2');
  expect(one!.reason).toBeNull();
  expect(one!.configs).toEqual(green.configs);
  expect(one!.frames).toEqual(green.frames);
});

test('a wrong key, a wrong application, and a second encoder get the same refusal', async () => {
  await begin(`live/${KEY}`);
  const refusals = await Promise.all(
    ['live/wrong', `other/${KEY}`, `live/${KEY}`].map((path) => begin(path).catch((error: unknown) => error)),
  );
  for (const refusal of refusals) expect(refusal).toBeInstanceOf(PublishRefused);
  expect(new Set(refusals.map(String)).size).toBe(1);
  expect(received).toHaveLength(1);
  expect(received[0]!.isClosed).toBe(false);
});

test('the key is free again when its encoder has gone, and an accepted stream can be ended', async () => {
  let ended = false;
  await begin(`live/${KEY}`, () => (ended = true));
  received[0]!.close();
  await until('the encoder notices', () => ended && received[0]!.isClosed);
  expect(received[0]!.reason).toBe('RTMP: ended');
  await begin(`live/${KEY}`);
  expect(received).toHaveLength(2);
});

test('a failure of the decision refuses the stream, and is reported', async () => {
  await expect(begin('live/broken')).rejects.toBeInstanceOf(PublishRefused);
  expect(errors).toEqual(['no database']);
});

test.each([
  ['a request of a browser', 'GET / HTTP/1.1\r\nHost: example.com\r\n\r\n'],
  ['a handshake of another version', Buffer.alloc(1_600, 6)],
  ['chunks out of step', Buffer.concat([Buffer.from([3]), Buffer.alloc(3_072), Buffer.alloc(64, 0xff)])],
])('%s ends the connection', async (_, bytes) => {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const closed = once(socket, 'close');
  socket.resume().write(bytes);
  await closed;
});

test('connections that do not publish are limited for each address', async () => {
  const sockets: Socket[] = [];
  const closed = new Set<Socket>();
  for (let n = 0; n < 12; n += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.resume().on('close', () => closed.add(socket));
    await once(socket, 'connect');
    sockets.push(socket);
  }
  await until('those above the limit are closed', () => closed.size === 4);
  for (const socket of sockets) socket.destroy();
  await until('the others have gone', () => closed.size === 12);
  await begin(`live/${KEY}`);
});

test.skipIf(missing !== undefined)(
  `ffmpeg pushes; the stream is pushed on, and its colour and tone come out${skipped}`,
  async () => {
    const server = await startMediaServer();
    const source = ['-f', 'lavfi', '-i', 'color=0x20a040:s=320x180:r=25', '-f', 'lavfi', '-i', 'sine=700:r=48000'];
    const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25', '-c:a', 'aac'];
    const target = ['-t', '3', '-f', 'flv', `rtmp://127.0.0.1:${port}/live/${KEY}`];
    const encoder = spawn('ffmpeg', ['-v', 'error', ...source, ...codecs, ...target], { stdio: 'inherit' });
    const exit = once(encoder, 'close');
    const one = await until('the encoder is accepted', () => received[0]);
    let state = '';
    const push = new RtmpPush({
      address: () => `rtmp://127.0.0.1:${server.port}/live/on`,
      onState: (next) => (state = next),
    });
    expect(await exit).toEqual([0, null]);
    await until('the end arrives', () => one.isClosed);
    expect(one.unknown).toEqual([]);
    expect(one.frames.filter(({ kind }) => kind === 'video')).toHaveLength(75);
    await until('the server takes it', () => state === 'live');
    for (const config of one.configs) push.config(config);
    for (const frame of one.frames) push.send(frame);
    // A stream begins with a picture.
    const sent = one.frames.slice(one.frames.findIndex(({ kind }) => kind === 'video'));
    await server.film('on', 'all is stored', ({ frames }) => frames.length === sent.length);
    push.stop();

    const path = server.path('on');
    const decoded = (args: string[]): Buffer => execFileSync('ffmpeg', ['-v', 'error', '-i', path, ...args, '-']);
    const [red, green, blue] = decoded(['-vf', 'scale=1:1', '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgb24']);
    expect([red! - 0x20, green! - 0xa0, blue! - 0x40].every((distance) => Math.abs(distance) < 12)).toBe(true);
    const samples = decoded(['-ac', '1', '-ar', '48000', '-f', 's16le']);
    let crossings = 0;
    const second = 48_000;
    for (let n = second; n < 2 * second; n += 1)
      if (samples.readInt16LE(2 * n) < 0 !== samples.readInt16LE(2 * n + 2) < 0) crossings += 1;
    expect(Math.abs(crossings / 2 - 700)).toBeLessThan(3);
    await server.stop();
  },
);
