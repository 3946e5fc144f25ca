import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bookMeeting, joinAsTerminal, startServer, until, type RunningServer } from '@rmeet/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Recorded } from '../src/index.ts';
import { missing, picturesOf, probe, skipped } from './film.ts';
import { judge, settledPlaces } from './judge.ts';
import { inPlayer } from './player.ts';
import { Stage } from './stage.ts';

let server: RunningServer;
let folder: string;
let path: string;
let recorded: Recorded;
let stage: Stage;

/** A conference of a little more than half a minute. */
beforeAll(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), 'rmeet-programme-'));
  path = join(folder, 'programme.webm');
  stage = await Stage.open(server, path, 'alice');
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
  await stage.at(20);
  await stage.camera('bob', false, null);
  await stage.at(22);
  await stage.speaker('carol');
  await stage.at(24);
  await stage.camera('bob', true, 'yellow');
  await stage.at(25);
  await stage.poll(['alice', 'bob'], 3);
  await stage.at(33);
  await stage.stopPolling('yellow');
  await stage.at(35);
  recorded = await stage.end();
}, 120_000);
afterAll(async () => {
  await server?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

test('the file gets its name when the conference is over, and no other file remains', () => {
  expect(recorded.path).toBe(path);
  expect(recorded.milliseconds).toBeGreaterThan(35_000);
  expect(recorded.refused).toEqual([]);
  expect(readdirSync(folder)).toEqual(['programme.webm']);
});

test.skipIf(missing !== undefined)(`ffprobe finds a complete film of VP8 and Opus${skipped}`, async () => {
  const { streams, seconds, complaints } = await probe(path);
  expect(streams.map(({ codec_name }) => codec_name)).toEqual(['vp8', 'opus']);
  expect(complaints).toBe('');
  expect(seconds).toBeCloseTo(recorded.milliseconds / 1_000, 0);
});

test.skipIf(missing !== undefined)(
  `the terminal on air is visible within half a second, and exactly those who may be heard are${skipped}`,
  async () => {
    const { breaches, switches, looks } = await judge(path, stage.marks, stage.pauses, recorded.milliseconds / 1_000);
    if (process.env['PRINT_TIMES'])
      process.stderr.write(`${switches.map(({ what, milliseconds }) => `${what}: ${milliseconds} ms`).join('\n')}\n`);
    expect(breaches).toEqual([]);
    expect(looks).toBeGreaterThan(700);
    // There are ten, including turns; the machine may have stalled during some.
    expect(switches.length).toBeGreaterThan(5);
  },
  60_000,
);

test('a browser plays it to its end and seeks to any position', async () => {
  const seconds = recorded.milliseconds / 1_000;
  await inPlayer(path, async ({ duration, colourAt, playedTo }) => {
    expect(duration).toBeCloseTo(seconds, 0);
    const places = settledPlaces(stage.marks, seconds).toReversed();
    expect(places.length).toBeGreaterThan(8);
    for (const { at, colour } of places) expect(await colourAt(at), `at ${at} s`).toBe(colour);
    expect(await playedTo()).toBeCloseTo(duration, 0);
  });
}, 90_000);

test('the command records by a desk link until Ctrl-C, reports unstorable tracks, keeps existing files', async () => {
  const chair = await server.api.as('chair');
  const { meetId, numericId } = await bookMeeting(chair);
  const terminal = await joinAsTerminal(chair, server.url, { numericId, autoSubscribe: false });
  await terminal.media.publishVideo({ colour: 'cyan' });
  const { url } = await chair.conferences.manageUrl({ params: { a: meetId, b: 'viewer' }, query: {} });
  const film = join(folder, 'command.webm');
  const record = ['--link', url, '--out', film];

  const first = startCommand(record);
  await until('the chair is recorded', () => first.said().includes('On air: Chair (camera)'));
  const alice = await joinAsTerminal(await server.api.as('alice'), server.url, {
    numericId,
    password: '4821',
    autoSubscribe: false,
  });
  await alice.media.publishVideo({ colour: 'red', codec: 'h264' });
  const name = (termId: string) =>
    chair.conferences.setConfSpeaker({ params: { res: 'rz' }, query: { meetId, termId } });
  await name(alice.admission.termId);
  await until('H.264 is refused', () => first.said().includes('sends video/H264, which is not recorded'));
  await name(terminal.admission.termId);
  await until('the chair is seen again', () => first.said().split('On air: Chair (camera)').length === 3);
  // So that the film contains some of it.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  first.process.kill('SIGINT');
  expect([await first.ended, first.said()]).toEqual([0, expect.stringContaining('it was stopped')]);
  if (missing === undefined) {
    expect((await probe(film)).complaints).toBe('');
    const colours = (await picturesOf(film)).map(({ colour }) => colour);
    expect(colours.at(-1)).toBe('cyan');
    expect(colours.includes('red')).toBe(false);
  }

  const second = startCommand(record);
  expect([await second.ended, second.said()]).toEqual([1, `${film} is there already. Choose another name.\n`]);
  expect(readdirSync(folder).toSorted()).toEqual(['command.webm', 'programme.webm']);
  await alice.leave();
  await terminal.leave();
}, 60_000);

test('the command does nothing until it is enabled', async () => {
  const off = startCommand(['--link', 'http://127.0.0.1:1/#/?token=x', '--out', join(folder, 'none.webm')], {
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
