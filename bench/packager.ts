import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { annexBUnits } from '@rmeet/rtp';
import { videoClip } from '../packages/participant/src/clips.ts';
import { nameCard } from '../packages/recorder/src/cards/card.ts';
import { AacEncoder } from '../packages/recorder/src/packager/aac.ts';
import { joinMp4 } from '../packages/recorder/src/packager/join-mp4.ts';
import { Packager } from '../packages/recorder/src/packager/packager.ts';
import { STEREO } from '../packages/recorder/src/packager/sample-entries.ts';
import { SegmentFolder } from '../packages/recorder/src/packager/segment-folder.ts';
import type { Benchmark } from './report.ts';

const RATE = 30;
const BITRATE = 2_000_000;
const SAMPLE_RATE = 48_000;
const BLOCK = 960;
const CARD_RUNS = 20;

/** Packs a programme of 720 lines at 2 Mbit/s and 30 frames/s with sound, and joins it to an MP4 file. */
async function pack(folder: string, minutes: number): Promise<number> {
  const output = new SegmentFolder(folder);
  const packager = new Packager({ startsAt: Date.now(), hasPicture: true, sound: STEREO }, output);
  const sound = new AacEncoder(STEREO, (data, position) => packager.addSound(data, position));
  const frames = videoClip('h264', 'red', 720, BITRATE / 2).frames.map(annexBUnits);
  const noise = Float32Array.from({ length: BLOCK * 2 }, () => (Math.random() - 0.5) / 4);
  const before = process.cpuUsage();
  // The clip has a key frame and 29 others: two seconds need twice as many.
  const seconds = minutes * 60;
  for (let second = 0; second < seconds; second += 1) {
    for (let n = 0; n < RATE; n += 1) {
      const nth = (second % 2) * RATE + n;
      const frame = nth === 0 ? 0 : 1 + (nth % (frames.length - 1));
      packager.addPicture(frames[frame]!, nth === 0, (second + n / RATE) * 1_000);
    }
    for (let n = 0; n < SAMPLE_RATE / BLOCK; n += 1) sound.add(noise, second * SAMPLE_RATE + n * BLOCK);
    packager.advance(second * 1_000);
    if (second % 10 === 9) await output.written();
  }
  await sound.finish();
  packager.finish(seconds * 1_000);
  await output.close();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

const run: Benchmark = async (report, [argument]) => {
  const minutes = Number(argument ?? 10);
  const root = mkdtempSync(join(tmpdir(), 'rmeet-bench-packager-'));
  try {
    const folder = join(root, 'segments');
    const seconds = await pack(folder, minutes);
    report({
      case: '720p@30 2 Mbit/s',
      figure: 'processor time per programme minute',
      value: seconds / minutes,
      unit: 's',
    });
    const bytes = (await readdir(folder)).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    report({ case: '720p@30 2 Mbit/s', figure: 'disk per hour', value: (bytes / minutes) * 60e-6, unit: 'MB' });
    const began = performance.now();
    const before = process.cpuUsage();
    await joinMp4(folder, join(root, 'film.mp4'));
    const speed = (minutes * 60_000) / (performance.now() - began);
    const { user, system } = process.cpuUsage(before);
    report({ case: 'MP4', figure: 'times real time', value: speed, unit: '' });
    report({
      case: 'MP4',
      figure: 'processor time per hour',
      value: ((user + system) / 1e6 / minutes) * 60,
      unit: 's',
    });
    await nameCard({ title: '王' }, 1_280, 720);
    const cards = performance.now();
    let size = 0;
    for (let n = 0; n < CARD_RUNS; n += 1) {
      const card = await nameCard({ title: `王小明 ${n}`, note: '摄像头已关闭' }, 1_280, 720);
      size += card.keyFrame.reduce((sum, unit) => sum + unit.length, 0);
    }
    report({ case: 'name card 720p', figure: 'time', value: (performance.now() - cards) / CARD_RUNS, unit: 'ms' });
    report({ case: 'name card 720p', figure: 'key frame', value: size / CARD_RUNS / 1_000, unit: 'kB' });
    return (
      `A programme of ${minutes} minutes takes ${((seconds / minutes / 60) * 100).toFixed(1)} % of a core, ` +
      `and its MP4 is joined ${speed.toFixed(0)} times as fast as it plays.`
    );
  } finally {
    rmSync(root, { recursive: true });
  }
};
export default run;
