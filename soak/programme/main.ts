import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@rmeet/testkit';
import { joinMp4 } from '../../packages/recorder/src/index.ts';
import { missing, probe } from '../../packages/recorder/test/film.ts';
import { judge, LATEST, settledPlaces } from '../../packages/recorder/test/judge.ts';
import { inPlayer } from '../../packages/recorder/test/player.ts';
import { CAST, NAMES, recordTo, Stage } from '../../packages/recorder/test/stage.ts';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';

/** Three minutes of a conference: speakers, turns, content with and without a lock, muting, cameras. */
async function perform(stage: Stage<keyof typeof CAST>): Promise<void> {
  let second = 0;
  const later = (seconds: number): Promise<void> => stage.at((second += seconds));
  // Each by name, one after the other.
  for (const name of NAMES) {
    await later(5);
    await stage.speaker(name);
  }
  // Muted and unmuted, on air or not.
  for (const name of NAMES) {
    await later(4);
    await stage.mute(name);
    await later(4);
    await stage.unmute(name);
  }
  // Content while a speaker is named, without one, and locked.
  await later(4);
  await stage.share('bob', 'magenta', null);
  await later(4);
  await stage.nobodyNamed('magenta');
  await later(4);
  await stage.share('alice', 'cyan', 'cyan');
  await later(4);
  await stage.lockContent('bob', 'magenta');
  await later(4);
  await stage.lockContent(null, 'cyan');
  await later(4);
  await stage.stopSharing('bob', 'cyan');
  // Turns take precedence over content.
  await later(4);
  await stage.poll(NAMES, 5);
  // Twice each, and not at the beginning of one.
  await later(43);
  await stage.stopPolling('cyan');
  await later(4);
  await stage.mute('chair', 'alice', 'carol');
  await later(4);
  await stage.stopSharing('alice', 'blue');
  // Who speaks alone has the floor.
  for (const [name, before, seen] of [
    // Her camera sends VP8.
    ['carol', 'bob', null],
    ['chair', 'carol', 'red'],
    ['alice', 'chair', 'green'],
  ] as const) {
    await later(4);
    await stage.passFloor(before, name, seen);
  }
  await later(5);
  await stage.camera('alice', false, null);
  await later(3);
  await stage.speaker('bob');
  await later(4);
  await stage.camera('alice', true, 'blue');
  await later(3);
  for (const name of ['alice', 'chair', 'carol', 'bob'] as const) {
    await stage.speaker(name);
    await later(5);
  }
}

/** The programme of a scripted conference is recorded, checked at every moment, and played in a browser. */
const programme: Soak = async () => {
  if (missing !== undefined) return { passed: false, verdict: `Not run: ${missing}.` };
  const server = await startServer();
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-programme-'));
  const path = join(folder, 'programme.mp4');
  try {
    const stage = await Stage.open(server, { cast: CAST, on: 'chair', record: recordTo(join(folder, 'spool')) });
    await perform(stage);
    const { marks, pauses, seconds } = stage.scriptOf(await stage.end());
    await joinMp4(join(folder, 'spool', 'programme'), path);
    const { breaches, switches, looks } = await judge(path, marks, pauses, seconds);
    const print = table(['second', 'seen after ms', 'what']);
    for (const { what, at, milliseconds: after } of switches) print([at, after, what]);
    const { complaints } = await probe(path);
    await inPlayer(path, async ({ duration, colourAt, playedTo }) => {
      for (const { at, colour } of settledPlaces(marks, seconds).toReversed()) {
        const seen = await colourAt(at);
        if (seen !== colour)
          breaches.push(`at ${at.toFixed(1)} s Chromium shows ${seen ?? 'nobody'}, not ${colour ?? 'nobody'}`);
      }
      const end = await playedTo();
      if (Math.abs(end - duration) > 0.5 || Math.abs(duration - seconds) > 0.5)
        breaches.push(`Chromium plays ${end} of ${duration} s; recorded were ${seconds}`);
    });
    for (const breach of [...breaches, complaints].filter((line) => line !== '')) console.log(breach);
    const latest = Math.max(...switches.map(({ milliseconds: after }) => after));
    const still = pauses.reduce((sum, { from, to }) => sum + to - from, 0);
    const passed = breaches.length === 0 && complaints === '' && latest <= LATEST * 1_000 && still < seconds / 20;
    return {
      passed,
      verdict:
        `${seconds.toFixed(0)} s in ${path}: ${looks} looks, ${breaches.length} wrong; ${switches.length} ` +
        `switches, the latest seen after ${latest} ms (${LATEST * 1_000} allowed); ${still.toFixed(1)} s in which ` +
        `the process stood still were left out; ${load()}.`,
    };
  } finally {
    await server.stop();
  }
};
export default programme;
