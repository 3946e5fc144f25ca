import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { positionOf, recordingIndex, type RecordingIndex, type RecordingTrack } from '@rmeet/contract';
import { bookMeeting, joinAsTerminal, startServer, until, type RunningServer, type Terminal } from '@rmeet/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConferenceRecorder, joinMp4, recoverSpool } from '../src/index.ts';
import { missing, picturesOf, probe, tonesOf } from './film.ts';

const CLOCK = pathToFileURL(join(import.meta.dirname, '../../../soak/kills/clock.ts')).href;
const HOUR = 3_600_000;

let server: RunningServer;
let root: string;
let chair: Terminal;
let meeting: { url: string; meetId: string; credentials: { token: string } };
beforeAll(async () => {
  server = await startServer();
  root = mkdtempSync(join(tmpdir(), 'rmeet-interruptions-'));
  const api = await server.api.as('chair');
  const { meetId, numericId } = await bookMeeting(api);
  meeting = { url: server.url, meetId, credentials: { token: api.token } };
  chair = await joinAsTerminal(api, server.url, { numericId, reconnect: true, autoSubscribe: false });
  await chair.media.publishVideo({ colour: 'cyan', codec: 'h264' });
  await chair.media.publishAudio({ tone: 700 });
}, 90_000);
afterAll(async () => {
  chair?.kill();
  await server?.stop();
  if (root) rmSync(root, { recursive: true });
});

function programmeOf(index: RecordingIndex): RecordingTrack {
  return index.tracks.find(({ id }) => id === 'programme')!;
}

/** Ms of the recording. */
function endOf(index: RecordingIndex): number {
  const last = programmeOf(index).segments.at(-1)!;
  return last.at + last.duration;
}

/** The programme's film shows and plays the chair all the time, but for cards where `mayMiss` says so. */
async function expectWhole(folder: string, index: RecordingIndex, mayMiss: (second: number) => boolean = () => false) {
  const film = join(folder, 'film.mp4');
  await joinMp4(join(folder, 'programme'), film);
  if (missing !== undefined) return;
  const { complaints, seconds } = await probe(film);
  expect(complaints).toBe('');
  expect(seconds).toBeCloseTo(programmeOf(index).segments.reduce((sum, { duration }) => sum + duration, 0) / 1_000, 0);
  const isJudged = ({ at }: { at: number }): boolean => at > 0.5 && at < seconds - 0.3 && !mayMiss(at);
  expect((await picturesOf(film)).filter((seen) => isJudged(seen) && seen.colour !== 'cyan')).toEqual([]);
  expect((await tonesOf(film)).filter((heard) => isJudged(heard) && heard.tones.join() !== '700')).toEqual([]);
}

/** A recorder in a process of its own, whose clock is ahead by so many ms; resolves when it records. */
async function startProcess(folder: string, index: RecordingIndex | null, ahead = 0) {
  const clock = join(root, 'clock');
  writeFileSync(clock, String(ahead));
  const child: ChildProcess = fork(
    join(import.meta.dirname, 'recorder-process.ts'),
    [JSON.stringify({ ...meeting, folder, index })],
    {
      env: { ...process.env, SOAK_CLOCK: clock },
      execArgv: [...process.execArgv, '--import', CLOCK],
    },
  );
  let last = index;
  const begins = new Promise<void>((resolve, reject) => {
    child.on('message', (message: RecordingIndex | 'records') => {
      if (message === 'records') resolve();
      else last = message;
    });
    child.once('exit', (code) => reject(new Error(`the recorder ended with ${String(code)}`)));
  });
  await begins;
  return { child, lastIndex: () => last };
}

test('a recorder that is killed loses at most a second; another continues, whatever the clock says', async () => {
  const folder = join(root, 'killed');
  const first = await startProcess(folder, null);
  await until('some segments are complete', () => programmeOf(first.lastIndex()!).segments.length >= 2, {
    within: 20_000,
  });
  const stored = first.lastIndex()!;
  await new Promise((resolve) => setTimeout(resolve, 700));
  const killedAt = Date.now() - stored.startsAt;
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const left = await recoverSpool(folder, stored);
  expect(left.index!.startsAt).toBe(stored.startsAt);
  expect(endOf(left.index!)).toBeGreaterThan(killedAt - 1_000);
  expect(left.files.map(({ track, name }) => `${track} ${name}`)).toEqual(
    expect.arrayContaining(['programme init-1.mp4', 'programme segment-1-1.m4s']),
  );
  // Without an index, the spool says the same but for what was seen.
  const alone = await recoverSpool(folder, null);
  expect(alone.index!.startsAt).toBeCloseTo(stored.startsAt, -1);
  expect(programmeOf(alone.index!)).toMatchObject({ ...programmeOf(left.index!), name: expect.any(String) as string });

  const second = await startProcess(folder, stored, HOUR);
  const { length } = programmeOf(left.index!).segments;
  await until('the second one has written', () => programmeOf(second.lastIndex()!).segments.length > length, {
    within: 20_000,
  });
  second.child.send('stop');
  await once(second.child, 'exit');
  const index = recordingIndex.parse(second.lastIndex());
  const numbers = programmeOf(index).segments.map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, n) => n + 1));
  expect(index.gaps).toEqual([
    { from: expect.closeTo(endOf(left.index!), -2) as number, to: expect.any(Number) as number, reason: 'recorder' },
  ]);
  expect(index.gaps[0]!.to - index.gaps[0]!.from).toBeLessThan(30_000);
  expect(index.tracks.map(({ kind }) => kind).toSorted()).toEqual(['camera', 'microphone', 'programme']);
  await expectWhole(folder, index);
}, 90_000);

/** Kills the media processes, and those that replace them, until a time of `performance.now()`. */
async function killMedia(end: number): Promise<void> {
  await until(
    'they were killed for long enough',
    () => {
      for (const { pid } of server.run().media) if (pid !== undefined) process.kill(pid, 'SIGKILL');
      return performance.now() > end;
    },
    { every: 100 },
  );
}

test('a killed server leaves no gap, a killed media process one that is noted, and the end none', async () => {
  let hasEnded = false;
  const folder = join(root, 'lost');
  const recorder = await ConferenceRecorder.start({
    ...meeting,
    folder,
    index: null,
    startsAt: Date.now(),
    withTracks: false,
    onFile: () => undefined,
    onEnded: () => {
      hasEnded = true;
    },
  });
  const written = (): number => programmeOf(recorder.index).segments.length;
  await until('a segment is complete', () => written() > 0, { within: 20_000 });
  const killed = server.kill('server');
  await until('the server is back', () => server.run().serverPid !== killed, { within: 30_000 });
  await server.ready();
  const before = written();
  await until('it still records', () => written() > before, { within: 20_000 });
  expect(recorder.index.gaps).toEqual([]);

  const from = performance.now() - recorder.began;
  const back = once(chair.media, 'reconnected');
  await killMedia(from + recorder.began + 2_000);
  await back;
  const lost = written();
  await until('it records again', () => recorder.index.gaps.length > 0 && written() > lost + 2, { within: 40_000 });
  const { meetId } = meeting;
  const endsAt = performance.now() - recorder.began;
  await server.api.withToken(meeting.credentials.token).conferences.end({ params: { meetId } });
  // Long enough for a gap, if it were one.
  await until('its end is long ago', () => hasEnded && performance.now() - recorder.began > endsAt + 1_500);
  await recorder.stop();
  const { index } = recorder;
  expect(endOf(index) - endsAt).toBeLessThan(500);
  const { segments } = programmeOf(index);
  expect(index.gaps).toEqual([
    { from: expect.any(Number) as number, to: expect.any(Number) as number, reason: 'media' },
  ]);
  const [gap] = index.gaps;
  expect(Math.abs(gap!.from - from)).toBeLessThan(700);
  // The chair, too, has to join again: at the end all is as before.
  const interrupted = positionOf(segments, gap!.from) / 1_000;
  const last = positionOf(segments, segments.at(-1)!.at) / 1_000;
  await expectWhole(folder, index, (second) => second > interrupted - 0.5 && second < last);
}, 120_000);
