import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EncoderStream } from '../src/encoder-stream.ts';
import { WhipEndpoint } from '../src/whip/endpoint.ts';
import { CodecRefused, readOffer } from '../src/whip/offer.ts';
import { missing, picturesOf, probe, tonesOf } from './film.ts';

const run = promisify(execFile);
const PATH = '/live/whip';
const ALL_PLUGINS = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/gstreamer-1.0`;
const PLUGINS =
  /^libgst(coreelements|videotestsrc|audiotestsrc|audioconvert|audioresample|opus|x264|rtp|rtpmanager|webrtc|nice|dtls|srtp|app|video.*|sctp|vpx|openh264|typefindfunctions)\.so$/;

/** Why the test with an encoder is skipped; undefined if all programs are there. */
const without = ((): string | undefined => {
  if (missing !== undefined) return missing;
  try {
    execFileSync('whip-client', ['--help'], { stdio: 'ignore' });
    for (const one of ['x264enc', 'opusenc', 'nicesrc', 'webrtcbin', 'srtpenc'])
      execFileSync('gst-inspect-1.0', [one], { stdio: 'ignore' });
  } catch {
    return 'whip-client is not complete (Debian packages simple-whip-client, gstreamer1.0-nice, -plugins-bad, -ugly)';
  }
  return undefined;
})();

const offerWith = (codec: string) =>
  [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'm=video 9 UDP/TLS/RTP/SAVPF 96',
    'c=IN IP4 0.0.0.0',
    'a=ice-ufrag:abcd',
    'a=ice-pwd:abcdefghijklmnopqrstuv',
    `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`,
    'a=setup:actpass',
    'a=mid:0',
    'a=sendonly',
    `a=rtpmap:96 ${codec}/90000`,
    '',
  ].join('\r\n');

/** An endpoint whose streams are cut into parts; the key is `right`, and can be used once at a time. */
async function served() {
  const inits: Buffer[] = [];
  const parts: Buffer[] = [];
  const startsAt = Date.now();
  const ended = Promise.withResolvers<Error | null>();
  const ready = Promise.withResolvers<void>();
  const errors: Error[] = [];
  const stream = new EncoderStream({
    startsAt,
    now: Date.now,
    output: {
      takeInit: (_number, data) => inits.push(data),
      takePart: ({ data }) => {
        if (parts.push(data) === 12) ready.resolve();
      },
    },
    onRefused: (what) => errors.push(new Error(what)),
  });
  let isUsed = false;
  const endpoint = new WhipEndpoint({
    path: PATH,
    network: { bindAddress: '127.0.0.1' },
    onError: (error) => errors.push(error),
    open: (key) => {
      if (key !== 'right' || isUsed) return Promise.resolve(null);
      isUsed = true;
      return Promise.resolve({
        onConfig: (config) => stream.config(config),
        onFrame: (frame) => stream.frame(frame),
        onClosed: (reason) => {
          isUsed = false;
          stream.close();
          ended.resolve(reason);
        },
      });
    },
  });
  const server = createServer((request, response) => void endpoint.handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
  const close = (): void => {
    endpoint.close();
    server.close();
  };
  return { url, close, inits, parts, errors, ended: ended.promise, ready: ready.promise };
}

describe('the endpoint', () => {
  let one: Awaited<ReturnType<typeof served>>;
  beforeAll(async () => {
    one = await served();
  });
  afterAll(() => one.close());
  const post = (body: string, key = 'right', type = 'application/sdp') =>
    fetch(one.url, { method: 'POST', body, headers: { authorization: `Bearer ${key}`, 'content-type': type } });

  test('takes H.264, answers in full, and refuses the same key with the words for a wrong one', async () => {
    const taken = await post(offerWith('H264'));
    expect([taken.status, taken.headers.get('content-type')]).toEqual([201, 'application/sdp']);
    const answer = await taken.text();
    expect(answer).toMatch(/a=recvonly/);
    expect(answer).toMatch(/a=candidate:/);
    const [used, wrong] = [await post(offerWith('H264')), await post(offerWith('H264'), 'wrong')];
    expect([used.status, await used.text()]).toEqual([wrong.status, await wrong.text()]);
    expect(used.status).toBe(401);
    const session = new URL(taken.headers.get('location')!, one.url);
    expect((await fetch(session, { method: 'GET' })).status).toBe(405);
    expect((await fetch(session, { method: 'DELETE' })).status).toBe(200);
    expect((await fetch(session, { method: 'DELETE' })).status).toBe(404);
    expect(await one.ended).toBe(null);
  });

  test('refuses other codecs, types and texts', async () => {
    expect((await post(offerWith('VP8'))).status).toBe(406);
    expect((await post('{}', 'right', 'application/json')).status).toBe(415);
    expect((await post('v=0')).status).toBe(400);
    expect((await post('x'.repeat(70_000))).status).toBe(413);
    expect((await post(offerWith('H264'), '')).status).toBe(401);
    expect((await fetch(one.url)).status).toBe(405);
    expect(one.errors).toEqual([]);
  });

  test('names the codec that is accepted', () => {
    expect(() => readOffer(offerWith('AV1'))).toThrow(CodecRefused);
  });
});

describe.skipIf(without !== undefined || process.env['RMEET_WHIP_CLIENT'] === undefined)(
  `whip-client${without === undefined ? '' : ` (skipped: ${without})`}`,
  () => {
    let root: string;
    let path: string;
    let one: Awaited<ReturnType<typeof served>>;

    beforeAll(async () => {
      root = mkdtempSync(join(tmpdir(), 'rmeet-whip-'));
      one = await served();
      // Plugins with another libsoup than the client's own end it.
      const plugins = join(root, 'plugins');
      mkdirSync(plugins);
      for (const file of readdirSync(ALL_PLUGINS).filter((name) => PLUGINS.test(name)))
        symlinkSync(join(ALL_PLUGINS, file), join(plugins, file));
      const env = { ...process.env, GST_PLUGIN_SYSTEM_PATH: plugins, GST_REGISTRY: join(root, 'registry') };
      const video =
        'videotestsrc is-live=true pattern=solid-color foreground-color=0xffc81e1e ! ' +
        'video/x-raw,width=320,height=180,framerate=25/1 ! x264enc tune=zerolatency speed-preset=ultrafast ' +
        'key-int-max=25 ! video/x-h264,profile=constrained-baseline ! rtph264pay config-interval=-1 pt=96 ! ' +
        'application/x-rtp,media=video,encoding-name=H264,payload=96';
      const audio =
        'audiotestsrc is-live=true freq=700 volume=0.125 ! audioconvert ! audioresample ! opusenc ! ' +
        'rtpopuspay pt=100 ssrc=2 ! application/x-rtp,media=audio,encoding-name=OPUS,payload=100';
      const client = spawn('whip-client', ['-u', one.url, '-t', 'right', '-V', video, '-A', audio], {
        stdio: 'ignore',
        env,
      });
      const closed = once(client, 'close');
      await Promise.race([one.ready, closed.then(() => Promise.reject(new Error('whip-client ended early')))]);
      client.kill('SIGINT');
      await one.ended;
      await closed;
      path = join(root, 'film.mp4');
      writeFileSync(path, Buffer.concat([one.inits[0]!, ...one.parts]));
    }, 30_000);
    afterAll(() => {
      one.close();
      rmSync(root, { recursive: true });
    });

    test('sends a picture and a tone, which play', async () => {
      expect(one.errors).toEqual([]);
      expect(one.inits.length).toBe(1);
      const { streams, complaints, seconds } = await probe(path);
      expect(complaints).toBe('');
      expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
      expect(seconds).toBeGreaterThan(3);
      const size = '-v error -select_streams v -show_entries stream=width,height -of csv=p=0';
      expect((await run('ffprobe', [...size.split(' '), path])).stdout.trim()).toMatch(/^320,180/);
      const first = (await picturesOf(path))[0]!.at;
      const seen = (await picturesOf(path)).filter(({ at }) => at > first + 0.3);
      expect([...new Set(seen.map(({ colour }) => colour))]).toEqual(['red']);
      const heard = (await tonesOf(path)).slice(8, -5);
      expect(heard.length).toBeGreaterThan(10);
      for (const { at, tones } of heard) expect([at, tones]).toEqual([at, [700]]);
    });
  },
);
