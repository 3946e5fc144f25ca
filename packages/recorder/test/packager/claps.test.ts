import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RemoteTrack } from '@rmeet/participant';
import { H264Depacketizer, ReorderBuffer } from '@rmeet/rtp';
import { clap, startCallBrowser, until } from '@rmeet/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../../participant/test/engine.ts';
import { SenderClock, StreamClock } from '../../src/clocks.ts';
import { Mixer } from '../../src/mixer.ts';
import { AacEncoder } from '../../src/packager/aac.ts';
import { joinMp4 } from '../../src/packager/join-mp4.ts';
import { Packager } from '../../src/packager/packager.ts';
import { STEREO } from '../../src/packager/sample-entries.ts';
import { SegmentFolder } from '../../src/packager/segment-folder.ts';
import { segmentsIn } from '../../src/packager/segments.ts';
import { SoundSource } from '../../src/sources.ts';
import { BLOCK, SAMPLE_RATE } from '../../src/voice.ts';
import { missing, probe, skipped } from '../film.ts';

const SECONDS = 16;
/** After this, sender reports have arrived: seconds. */
const SETTLED = 6;
/** The delay of the mix, ms. */
const LATENCY_MS = 500;
/**
 * Seconds. The page claps up to 55 ms out of step itself, more on a busy machine (docs/engine-benchmarks.md, "Lip
 * sync"); what the packager adds is measured in files.test.ts.
 */
const WITHIN = 0.15;

let engine: TestEngine;
let root: string;
beforeAll(async () => {
  engine = await startEngine();
  root = mkdtempSync(join(tmpdir(), 'rmeet-claps-'));
});
afterAll(async () => {
  await engine.close();
  rmSync(root, { recursive: true });
});

/** Packs the camera and the microphone of a participant for a while. */
async function record(camera: RemoteTrack, microphone: RemoteTrack, folder: string): Promise<void> {
  const began = performance.now();
  const output = new SegmentFolder(folder);
  const packager = new Packager({ startsAt: Date.now(), hasPicture: true, sound: STEREO }, output);
  const encoder = new AacEncoder(STEREO, (data, position) => packager.addSound(data, position));
  const mixer = new Mixer(() => 1, {
    takeMix: (block, position) => (block ? encoder.add(block, position) : encoder.addSilence(BLOCK, position)),
  });
  const sender = new SenderClock();
  const sound = await SoundSource.open(microphone, sender, began);
  mixer.add(sound.voice);
  const clock = new StreamClock(sender, 90_000);
  const frames = new H264Depacketizer(({ units, isKey, timestamp }) =>
    packager.addPicture(units, isKey, clock.at(timestamp, camera.senderTime) - began),
  );
  const reorder = new ReorderBuffer(400, frames);
  camera.onPacket = (packet) => {
    clock.note(packet.readUInt32BE(4), performance.now(), camera.senderTime);
    reorder.push(packet, performance.now());
  };
  camera.requestKeyFrame();
  let asked = 0;
  await until(
    'the claps are recorded',
    () => {
      const now = performance.now() - began;
      sound.tick(now + began);
      reorder.tick(now + began);
      if (now - asked > 2_000) camera.requestKeyFrame();
      if (now - asked > 2_000) asked = now - (now % 2_000);
      mixer.advance(((now - LATENCY_MS) * SAMPLE_RATE) / 1_000);
      packager.advance(now - LATENCY_MS);
      return now > SECONDS * 1_000;
    },
    { within: 60_000, every: 20 },
  );
  camera.onPacket = undefined;
  sound.close();
  await encoder.finish();
  packager.finish(SECONDS * 1_000 - LATENCY_MS);
  await output.close();
}

/** Seconds at which something begins: values above a threshold after lower ones. */
function beginnings(values: readonly number[], threshold: number, step: number): number[] {
  return values.flatMap((value, n) => (n > 0 && value > threshold && values[n - 1]! <= threshold ? [n * step] : []));
}

/** When it becomes bright, and when it becomes loud. */
function clapsOf(film: string): { seen: number[]; heard: number[] } {
  const ffmpeg = (...args: string[]): Buffer =>
    execFileSync('ffmpeg', ['-v', 'error', '-i', film, ...args, 'pipe:1'], { maxBuffer: 1 << 28 });
  const pictures = ffmpeg('-vf', 'fps=100:round=up,scale=1:1', '-f', 'rawvideo', '-pix_fmt', 'gray');
  const samples = ffmpeg('-f', 's16le', '-ac', '1', '-ar', '8000');
  const loudness = Array.from({ length: Math.floor(samples.length / 160) }, (_, n) =>
    Math.max(...Array.from({ length: 80 }, (__, i) => Math.abs(samples.readInt16LE(n * 160 + i * 2)))),
  );
  return { seen: beginnings([...pictures], 128, 0.01), heard: beginnings(loudness, 2_000, 0.01) };
}

test.skipIf(missing !== undefined)(
  `H.264 of a browser is packed with its sound: claps are seen and heard together${skipped}`,
  async () => {
    const browser = await startCallBrowser();
    const alice = await browser.open('alice');
    await alice.run('join', engine.url, await engine.token('alice'), {});
    await clap(alice, { videoCodec: 'h264', simulcast: false, backupCodec: false });
    const bob = await engine.join('bob', { askAgain: true });
    const received = async (source: RemoteTrack['source']): Promise<RemoteTrack> =>
      until(`${source} is received`, () => {
        const track = [...bob.tracks.values()].find((one) => one.source === source);
        return (track?.counters.packets ?? 0) > 20 ? track : undefined;
      });
    const [camera, microphone] = [await received('camera'), await received('microphone')];
    expect(camera.mimeType).toBe('video/H264');
    const folder = join(root, 'segments');
    await record(camera, microphone, folder);
    await browser.close();
    const segments = await segmentsIn(folder);
    expect(segments.length).toBeGreaterThanOrEqual(SECONDS / 2 - 2);
    const film = join(root, 'claps.mp4');
    await joinMp4(folder, film);
    expect((await probe(film)).complaints).toBe('');
    const { seen, heard } = clapsOf(film);
    // How much later the sound came.
    const skews = seen
      .filter((at) => at > SETTLED)
      .map((at) => heard.map((sound) => sound - at).toSorted((a, b) => Math.abs(a) - Math.abs(b))[0] ?? Number.NaN)
      .toSorted((a, b) => a - b);
    if (process.env['PRINT_FIGURES'] !== undefined)
      process.stderr.write(`${JSON.stringify({ skews, durations: segments.map(({ duration }) => duration) })}\n`);
    expect(skews.length).toBeGreaterThan(5);
    expect(Math.abs(skews[skews.length >> 1]!)).toBeLessThan(WITHIN);
  },
  120_000,
);
