import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RtmpIngest, type MediaFrame } from '../../rtmp/src/index.ts';
import { film } from '../../rtmp/test/film.ts';
import { EncoderStream, parameterSetsOf, soundFormatOf } from '../src/encoder-stream.ts';
import { readSegment, VIDEO_TRACK } from '../src/packager/fragments.ts';
import type { Part } from '../src/packager/packager.ts';
import { missing, picturesOf, probe, skipped, tonesOf } from './film.ts';

const run = promisify(execFile);

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'rmeet-encoder-'));
});
afterAll(() => rmSync(root, { recursive: true }));

/** A stream with what it has made; the clock is the media's. */
function packaged() {
  const inits: { number: number; data: Buffer }[] = [];
  const parts: Part[] = [];
  const refused: string[] = [];
  let now = 0;
  const stream = new EncoderStream({
    startsAt: 0,
    now: () => now,
    output: { takeInit: (number, data) => inits.push({ number, data }), takePart: (part) => parts.push(part) },
    onRefused: (what) => refused.push(what),
  });
  const send = (frames: readonly MediaFrame[], first = frames[0]!.time, receivedAt = 0): void => {
    for (const frame of frames) {
      now = receivedAt + frame.time - first;
      stream.frame(frame);
    }
  };
  return { stream, inits, parts, refused, send };
}

/** The pictures of parts, in order. */
const picturesIn = (parts: readonly Part[]) =>
  parts
    .flatMap(({ data }) => readSegment(data).parts)
    .flatMap(({ tracks }) => tracks.filter(({ id }) => id === VIDEO_TRACK))
    .flatMap(({ samples }) => samples);

describe.skipIf(missing !== undefined)(`the stream of ffmpeg, as OBS sends it${skipped}`, () => {
  const { stream, inits, parts, refused } = packaged();
  let path: string;

  beforeAll(async () => {
    const ended = Promise.withResolvers<void>();
    const ingest = new RtmpIngest({
      accept: () =>
        Promise.resolve({
          onConfig: (config) => stream.config(config),
          onFrame: (frame) => stream.frame(frame),
          onClosed: () => {
            stream.close();
            ended.resolve();
          },
        }),
      onError: (error) => ended.reject(error),
    });
    const port = await ingest.listen(0, '127.0.0.1');
    // Red, then blue; the tone from the third second on; pictures that are sent in another order than they are shown.
    const pictures = 'color=c=#c81e1e:s=320x180:r=25:d=2[a];color=c=#1e3cc8:s=320x180:r=25:d=2[b];[a][b]concat[v]';
    const sound = "aevalsrc='if(gte(t,2),0.125*sin(2*PI*700*t),0)':s=44100:d=4,aformat=channel_layouts=stereo[s]";
    const coded = '-c:v libx264 -preset veryfast -bf 2 -g 50 -pix_fmt yuv420p -c:a aac -b:a 128k -f flv';
    const graph = ['-filter_complex', `${pictures};${sound}`, '-map', '[v]', '-map', '[s]'];
    const address = `rtmp://127.0.0.1:${port}/live/key`;
    const encoder = spawn('ffmpeg', ['-v', 'error', ...graph, ...coded.split(' '), address]);
    await once(encoder, 'close');
    await ended.promise;
    await ingest.close();
    path = join(root, 'film.mp4');
    writeFileSync(path, Buffer.concat([inits[0]!.data, ...parts.map(({ data }) => data)]));
  }, 60_000);

  test('is cut into parts without being coded again', () => {
    expect(refused).toEqual([]);
    expect(inits.length).toBe(1);
    expect(parts.length).toBeGreaterThanOrEqual(12);
    expect(parts.filter(({ startsSegment }) => startsSegment).length).toBe(2);
    const pictures = picturesIn(parts);
    expect(pictures.length).toBe(100);
    expect(pictures.some(({ offset = 0 }) => offset > 0)).toBe(true);
  });

  test('plays with each picture in its order, and its sound of 44.1 kHz', async () => {
    const { complaints, streams } = await probe(path);
    expect(complaints).toBe('');
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
    const seen = (await picturesOf(path)).filter(({ at }) => at % 2 > 0.15 && at % 2 < 1.8);
    expect([...new Set(seen.map(({ at, colour }) => `${Math.floor(at / 2)} ${colour}`))]).toEqual(['0 red', '1 blue']);
    const heard = (await tonesOf(path)).filter(({ at }) => at % 2 > 0.2 && at % 2 < 1.7);
    for (const { at, tones } of heard) expect([at, tones]).toEqual([at, at < 2 ? [] : [700]]);
    const shown = '-v error -select_streams v -show_entries frame=pts_time -of csv=p=0';
    const { stdout } = await run('ffprobe', [...shown.split(' '), path]);
    const times = [...stdout.matchAll(/^[\d.]+/gm)].map(([time]) => Number(time));
    expect(times.length).toBe(100);
    for (const [n, time] of times.slice(1).entries()) expect(time - times[n]!).toBeCloseTo(0.04, 2);
  });
});

const { configs, frames: filmed } = film('green', 4);
const pictures = filmed.filter(({ kind }) => kind === 'video');
const silence = filmed.find(({ kind }) => kind === 'audio')!;
/** AAC frames as encoders send them, with times in whole ms. */
const sounds = Array.from({ length: 187 }, (_, n) => ({ ...silence, time: Math.round((n * 1_024) / 48) }));
const green = { configs, frames: [...pictures, ...sounds].toSorted((a, b) => a.time - b.time) };
/** Frames with their times moved, ms. */
const moved = (frames: readonly MediaFrame[], by: number): MediaFrame[] =>
  frames.map((frame) => ({ ...frame, time: frame.time + by }));

test('a stream without sound begins after a second, one without pictures, too', () => {
  const silent = packaged();
  silent.stream.config(green.configs[0]);
  silent.send(pictures);
  silent.stream.close();
  expect(picturesIn(silent.parts).length).toBe(100);
  expect(silent.parts[0]!.at).toBe(0);

  const radio = packaged();
  radio.stream.config(green.configs[1]);
  radio.send(sounds);
  radio.stream.close();
  expect(picturesIn(radio.parts)).toEqual([]);
  expect(radio.parts.length).toBeGreaterThan(5);
});

test('after a jump of the clock the media goes on with a new initialization segment', () => {
  const { stream, inits, parts, send } = packaged();
  for (const config of green.configs) stream.config(config);
  send(moved(green.frames, 3_600_000));
  // The encoder begins again at 0, half a second later.
  send(green.frames, 0, 4_500);
  stream.close();
  expect(inits.map(({ number }) => number)).toEqual([1, 2]);
  expect(parts.map(({ segment }) => segment)).toEqual(parts.map(({ segment }) => segment).toSorted((a, b) => a - b));
  const second = parts.find(({ init }) => init === 2);
  expect(second!.at).toBe(4_500);
  for (const [n, part] of parts.slice(1).entries())
    expect(part.at).toBeGreaterThanOrEqual(parts[n]!.at + parts[n]!.duration - 1);
});

test('sound that stops is not waited for, and is taken again', () => {
  const { stream, inits, parts, send } = packaged();
  for (const config of green.configs) stream.config(config);
  send(green.frames);
  send(moved(pictures, 4_000), 0);
  send(moved(green.frames, 8_000), 0);
  stream.close();
  // With sound, without, with sound.
  expect(inits.length).toBe(3);
  const end = parts.at(-1)!;
  expect(end.at + end.duration).toBeGreaterThan(11_900);
  // Waiting for sound and for the next key frame costs pictures, not more than that.
  expect(picturesIn(parts).length).toBeGreaterThan(200);
});

test('pictures that stop are not waited for, and are taken again', () => {
  const { stream, inits, parts, send } = packaged();
  for (const config of green.configs) stream.config(config);
  send(green.frames);
  send(moved(sounds, 4_000), 0);
  send(moved(sounds, 8_000), 0);
  send(moved(green.frames, 12_000), 0);
  stream.close();
  // With pictures, without, with pictures.
  expect(inits.length).toBe(3);
  const end = parts.at(-1)!;
  expect(end.at + end.duration).toBeGreaterThan(15_800);
  // What was waited for is lost, and not more than that.
  expect(parts.reduce((sum, { duration }) => sum + duration, 0)).toBeGreaterThan(12_000);
});

test('the next connection is another encoder', () => {
  const { stream, inits, parts, refused, send } = packaged();
  stream.config(green.configs[0]);
  send(pictures);
  stream.close();
  const before = parts.length;
  stream.config(green.configs[1]);
  send(sounds, sounds[0]!.time, 10_000);
  stream.close();
  expect(inits.map(({ number }) => number)).toEqual([1, 2]);
  expect(parts.length - before).toBeGreaterThan(6);
  stream.config({ kind: 'video', config: Buffer.alloc(3) });
  stream.close();
  stream.config({ kind: 'video', config: Buffer.alloc(3) });
  expect(refused).toEqual(['picture', 'picture']);
});

test('configurations of other codecs and broken ones are refused once', () => {
  const { stream, refused, parts, send } = packaged();
  // HE-AAC, and a record that ends within a parameter set.
  stream.config({ kind: 'audio', config: Buffer.from('2b920800', 'hex') });
  stream.config({ kind: 'audio', config: Buffer.from('2b920800', 'hex') });
  stream.config({ kind: 'video', config: green.configs[0].config.subarray(0, 12) });
  send(green.frames);
  stream.close();
  expect(refused).toEqual(['sound', 'picture']);
  expect(parts).toEqual([]);
  expect(soundFormatOf(green.configs[1].config)).toMatchObject({ channels: 2, encoder: { rate: 48_000 } });
  expect(parameterSetsOf(green.configs[0].config)!.length).toBe(2);
});
