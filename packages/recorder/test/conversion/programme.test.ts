import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordingIndex, type RecordingIndex } from '@rmeet/contract';
import { startServer, type RunningServer } from '@rmeet/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinMp4 } from '../../src/index.ts';
import { missing, probe, skipped } from '../film.ts';
import { judge, LATEST } from '../judge.ts';
import { CAST, recordTo, Stage, WatchedConversions } from '../stage.ts';

/** Carol's camera sends VP8. */
describe.skipIf(missing !== undefined)(`a VP8 camera on air${skipped}`, () => {
  let server: RunningServer;
  let folder: string;
  let film: string;
  let index: RecordingIndex;
  let stage: Stage<keyof typeof CAST>;
  let script: ReturnType<typeof stage.scriptOf>;
  /** How many conversions there were while she was on air, while she was not, and during the pause. */
  const counts: number[] = [];
  let lastPid = 0;

  beforeAll(async () => {
    server = await startServer();
    folder = mkdtempSync(join(tmpdir(), 'rmeet-converted-'));
    const program = join(folder, 'ffmpeg');
    writeFileSync(program, `#!/bin/sh\necho $$ >> ${join(folder, 'pids')}\nexec ffmpeg "$@"\n`);
    chmodSync(program, 0o755);
    const conversions = new WatchedConversions(program, 2);
    const record = recordTo(join(folder, 'spool'), conversions);
    stage = await Stage.open(server, { cast: CAST, on: 'carol', record, conversions });
    await stage.goesOn(3);
    counts.push(conversions.count);
    await stage.speaker('alice');
    await stage.goesOn(2);
    counts.push(conversions.count);
    await stage.speaker('carol');
    await stage.goesOn(2.5);
    await stage.pause();
    counts.push(conversions.count);
    await stage.goesOn(0.5);
    await stage.resume();
    await stage.goesOn(3);
    counts.push(conversions.count);
    lastPid = Number(readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').at(-1));
    await stage.happens('the conversion is killed', async () => process.kill(lastPid, 'SIGKILL'), null);
    await stage.goesOn(2);
    counts.push(conversions.count);
    await stage.speaker('bob');
    await stage.goesOn(2);
    index = await stage.end();
    script = stage.scriptOf(index);
    film = join(folder, 'programme.mp4');
    await joinMp4(join(folder, 'spool', 'programme'), film);
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    if (folder) rmSync(folder, { recursive: true });
  });

  test('is seen, and its card once the conversion fails; all is heard all the time', async () => {
    const { breaches, looks } = await judge(film, script.marks, script.pauses, script.seconds);
    expect(breaches).toEqual([]);
    expect(looks).toBeGreaterThan(250);
    const { streams, complaints } = await probe(film);
    expect(complaints).toBe('');
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
  }, 60_000);

  test('is converted only then, and no ffmpeg is left', () => {
    expect(counts).toEqual([1, 0, 0, 1, 0]);
    const pids = readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').map(Number);
    expect(pids.length).toBe(3);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('the index says when it was a card, and why', () => {
    expect(recordingIndex.parse(index)).toEqual(index);
    const [killed, bob] = ['the conversion is killed', 'bob is named'].map((step) =>
      stage.marks.find(({ what }) => what === step)!,
    );
    const termId = stage.termId('carol');
    const card = { from: expect.any(Number), to: expect.any(Number), termId, kind: 'camera', reason: 'conversion' };
    expect(index.cards).toEqual([card]);
    const { from, to } = index.cards![0]!;
    for (const [at, mark] of [
      [from, killed!],
      [to, bob!],
    ] as const) {
      expect(at).toBeGreaterThanOrEqual(Math.floor(mark.from * 1_000));
      expect(at).toBeLessThan((mark.to + LATEST) * 1_000);
    }
  });

  test('what was converted is in its own track, too', async () => {
    const track = index.tracks.find(({ id }) => id === `camera-${stage.termId('carol')}`)!;
    expect(track.segments.length).toBeGreaterThan(2);
    const path = join(folder, 'carol.mp4');
    await joinMp4(join(folder, 'spool', track.id), path);
    expect((await probe(path)).complaints).toBe('');
  });
});
