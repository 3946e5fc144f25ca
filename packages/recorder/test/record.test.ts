import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { positionOf, recordingIndex, type RecordingIndex } from '@rmeet/contract';
import { bookMeeting, joinAsTerminal, startServer, until, type RunningServer } from '@rmeet/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinMp4 } from '../src/index.ts';
import { missing, picturesOf, probe, skipped, tonesOf } from './film.ts';
import { judge, settledPlaces } from './judge.ts';
import { inPlayer } from './player.ts';
import { CAST, NAMES, recordTo, Stage } from './stage.ts';

type Name = keyof typeof CAST;

let server: RunningServer;
let folder: string;
let spool: string;
let film: string;
let index: RecordingIndex;
let stage: Stage<Name>;
let script: ReturnType<Stage<Name>['scriptOf']>;

/** A conference of a little more than half a minute. */
beforeAll(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), 'rmeet-programme-'));
  spool = join(folder, 'spool');
  stage = await Stage.open(server, { cast: CAST, on: 'alice', record: recordTo(spool) });
  await stage.at(3);
  await stage.speaker('bob');
  await stage.at(5);
  await stage.mute('alice');
  await stage.at(7);
  await stage.speaker('alice');
  await stage.at(9);
  // The named speaker stays on air.
  await stage.share('carol', 'magenta', 'green');
  await stage.at(11);
  await stage.nobodyNamed('magenta');
  await stage.at(13);
  await stage.mute('chair', 'carol');
  await stage.at(16);
  // Bob is the only one who speaks.
  await stage.stopSharing('carol', 'blue');
  await stage.at(18);
  await stage.unmute('carol');
  await stage.at(19);
  await stage.pause();
  await stage.at(20);
  await stage.resume();
  await stage.at(21);
  await stage.camera('bob', false, null);
  await stage.at(23);
  await stage.speaker('alice');
  await stage.at(24);
  await stage.camera('bob', true, 'green');
  // Her camera sends VP8.
  await stage.speaker('carol');
  await stage.at(26);
  await stage.poll(['alice', 'bob'], 3);
  await stage.at(33);
  await stage.stopPolling(null);
  await stage.at(35);
  index = await stage.end();
  script = stage.scriptOf(index);
  film = join(folder, 'programme.mp4');
  await joinMp4(join(spool, 'programme'), film);
}, 120_000);
afterAll(async () => {
  await server?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

const trackOf = (id: string) => index.tracks.find((track) => track.id === id);

test('the index names all that was written, who was on air, who spoke, and the pause', () => {
  expect(recordingIndex.parse(index)).toEqual(index);
  const ids = NAMES.flatMap((name) => ['microphone', 'camera'].map((kind) => `${kind}-${stage.termId(name)}`)).filter(
    // It sends VP8.
    (id) => id !== `camera-${stage.termId('carol')}`,
  );
  expect(index.tracks.map(({ id }) => id).toSorted()).toEqual(
    ['programme', `screen-${stage.termId('carol')}`, ...ids].toSorted(),
  );
  for (const { id, segments } of index.tracks) {
    const files = readdirSync(join(spool, id)).filter((name) => name.endsWith('.m4s'));
    expect(segments.map(({ init, number }) => `segment-${init}-${number}.m4s`).toSorted()).toEqual(files.toSorted());
    for (const { init, number, bytes } of segments)
      expect(statSync(join(spool, id, `segment-${init}-${number}.m4s`)).size).toBe(bytes);
  }
  const [gap] = index.gaps;
  expect(index.gaps).toEqual([
    { from: expect.closeTo(19_000, -3) as number, to: expect.closeTo(20_000, -3) as number, reason: 'paused' },
  ]);
  const { segments } = trackOf('programme')!;
  expect(segments.some(({ at }) => at > gap!.from && at < gap!.to - 1)).toBe(false);
  expect(index.onAir.slice(0, 3).map(({ picture }) => picture?.termId)).toEqual(
    (['alice', 'bob', 'alice'] as const).map((name) => stage.termId(name)),
  );
  const spoken = (name: Name) => index.speaking.filter(({ termId }) => termId === stage.termId(name));
  // He spoke already when the recorder came.
  expect(spoken('bob')[0]!.from - segments[0]!.at).toBeLessThan(500);
  expect(spoken('bob')[0]!.to).toBeGreaterThan(16_000);
  expect(spoken('alice').at(-1)!.to).toBeLessThan(8_000);
});

test('the track of a picture ends with it, and begins again with it', () => {
  const stretchesOf = (id: string): { from: number; to: number }[] => {
    const stretches: { from: number; to: number }[] = [];
    for (const { at, duration } of trackOf(id)!.segments) {
      const last = stretches.at(-1);
      if (last && at - last.to < 200) last.to = at + duration;
      else stretches.push({ from: at, to: at + duration });
    }
    return stretches;
  };
  const step = (what: string): number => stage.marks.find((mark) => mark.what === what)!.to * 1_000;
  const late = (at: number, what: string): number => at - step(what);
  const [screen] = stretchesOf(`screen-${stage.termId('carol')}`);
  expect(late(screen!.to, 'carol stops sharing')).toBeLessThan(500);
  // Before and after the pause, and after it was off.
  const camera = stretchesOf(`camera-${stage.termId('bob')}`);
  expect(camera, JSON.stringify(camera)).toHaveLength(3);
  expect(late(camera[1]!.to, "bob's camera off")).toBeLessThan(500);
  expect(late(camera[2]!.from, "bob's camera on")).toBeLessThan(1_000);
});

test.skipIf(missing !== undefined)(`ffprobe finds a complete film of H.264 and AAC${skipped}`, async () => {
  const { streams, seconds, complaints } = await probe(film);
  expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
  expect(complaints).toBe('');
  expect(seconds).toBeCloseTo(script.seconds, 0);
  expect(seconds).toBeGreaterThan(33);
});

test.skipIf(missing !== undefined)(
  `the terminal on air is visible within half a second, and exactly those who may be heard are${skipped}`,
  async () => {
    const { breaches, switches, looks } = await judge(film, script.marks, script.pauses, script.seconds);
    if (process.env['PRINT_TIMES'])
      process.stderr.write(`${switches.map(({ what, milliseconds }) => `${what}: ${milliseconds} ms`).join('\n')}\n`);
    expect(breaches).toEqual([]);
    expect(looks).toBeGreaterThan(700);
    // There are ten, including turns; the machine may have stalled during some.
    expect(switches.length).toBeGreaterThan(5);
  },
  60_000,
);

test.skipIf(missing !== undefined)(`each track has the colour or the tone of its terminal${skipped}`, async () => {
  const joined = async (id: string): Promise<string> => {
    const path = join(folder, `${id}.mp4`);
    await joinMp4(join(spool, id), path);
    expect((await probe(path)).complaints).toBe('');
    return path;
  };
  const bob = await joined(`camera-${stage.termId('bob')}`);
  const colours = new Set((await picturesOf(bob)).map(({ colour }) => colour));
  expect([...colours]).toEqual(['blue']);
  const screen = await joined(`screen-${stage.termId('carol')}`);
  expect([...new Set((await picturesOf(screen)).map(({ colour }) => colour))]).toEqual(['magenta']);
  const { segments } = trackOf(`microphone-${stage.termId('alice')}`)!;
  const heard = (await tonesOf(await joined(`microphone-${stage.termId('alice')}`))).filter(
    ({ tones }) => tones.length > 0,
  );
  expect(new Set(heard.flatMap(({ tones }) => tones))).toEqual(new Set([500]));
  // From the beginning until the chair muted her.
  expect(heard.at(-1)!.at).toBeCloseTo(positionOf(segments, 5_200) / 1_000, 0);
  expect(heard.length).toBeGreaterThan(40);
});

test('a browser plays it to its end and seeks to any position', async () => {
  await inPlayer(film, async ({ duration, colourAt, playedTo }) => {
    expect(duration).toBeCloseTo(script.seconds, 0);
    const places = settledPlaces(script.marks, script.seconds).toReversed();
    expect(places.length).toBeGreaterThan(8);
    for (const { at, colour } of places) expect(await colourAt(at), `at ${at} s`).toBe(colour);
    expect(await playedTo()).toBeCloseTo(duration, 0);
  });
}, 90_000);

test('the command records by a desk link until Ctrl-C, names VP8 cameras, keeps existing files', async () => {
  const chair = await server.api.as('chair');
  const { meetId, numericId } = await bookMeeting(chair);
  const terminal = await joinAsTerminal(chair, server.url, { numericId, autoSubscribe: false });
  await terminal.media.publishVideo({ colour: 'cyan', codec: 'h264' });
  const { url } = await chair.conferences.manageUrl({ params: { a: meetId, b: 'viewer' }, query: {} });
  const path = join(folder, 'command.mp4');
  const record = ['--link', url, '--out', path];

  const first = startCommand(record);
  await until('the chair is recorded', () => first.said().includes('On air: Chair (camera)'));
  const alice = await joinAsTerminal(await server.api.as('alice'), server.url, {
    numericId,
    password: '4821',
    autoSubscribe: false,
  });
  await alice.media.publishVideo({ colour: 'red' });
  const name = (termId: string) =>
    chair.conferences.setConfSpeaker({ params: { res: 'rz' }, query: { meetId, termId } });
  await name(alice.admission.termId);
  await until('VP8 is named', () => first.said().includes('sends video/VP8, which is not recorded'));
  await name(terminal.admission.termId);
  await until('the chair is seen again', () => first.said().split('On air: Chair (camera)').length === 3);
  // So that the film contains some of it.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  first.process.kill('SIGINT');
  expect([await first.ended, first.said()]).toEqual([0, expect.stringContaining('it was stopped')]);
  if (missing === undefined) {
    expect((await probe(path)).complaints).toBe('');
    const colours = (await picturesOf(path)).map(({ colour }) => colour);
    expect(colours.at(-1)).toBe('cyan');
    expect(colours.includes('red')).toBe(false);
  }

  const second = startCommand(record);
  expect([await second.ended, second.said()]).toEqual([1, `${path} is there already. Choose another name.\n`]);
  expect(readdirSync(folder).includes('command.mp4.parts')).toBe(false);
  await alice.leave();
  await terminal.leave();
}, 60_000);

test('the command does nothing until it is enabled', async () => {
  const off = startCommand(['--link', 'http://127.0.0.1:1/#/?token=x', '--out', join(folder, 'none.mp4')], {
    RMEET_RECORDER: undefined,
  });
  expect([await off.ended, off.said()]).toEqual([2, expect.stringContaining('RMEET_RECORDER=on switches it on')]);
  const empty = startCommand([]);
  expect([await empty.ended, empty.said()]).toEqual([2, expect.stringContaining('npm run record -- --meet <number>')]);
});

/** tools/record.ts as started by `npm run record`. */
function startCommand(args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', '..', '..', 'tools', 'record.ts'), ...args], {
    env: { ...process.env, RMEET_RECORDER: 'on', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  return { process: child, said: () => text, ended: once(child, 'close').then(([code]) => code as number) };
}
