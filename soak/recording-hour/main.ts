import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { recordingIndex, recordingKeys, type RecordingIndex } from '@rmeet/contract';
import { bookMeeting, joinAsTerminal, startServer, until, type Api, type RunningServer } from '@rmeet/testkit';
import { processorSeconds, residentMegabytes } from '../../bench/sfu/process.ts';
import { joinMp4 } from '../../packages/recorder/src/files.ts';
import { missing } from '../../packages/recorder/test/film.ts';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';
import { publishClaps, type Claps } from './clapper.ts';
import { compare } from './film.ts';

const MINUTES = 60;
const PEOPLE = 10;
/** The first minute is looked at from here, the last one until so much before the end: seconds. */
const SETTLE = 10;
/** What is allowed: sound beside the picture, drift of the recording against the clock, growth of the memory. */
const IN_STEP_MS = 80;
const DRIFT_MS = 40;
const GROWTH = 0.2;
/** Memory is compared with that after this share of the time. */
const GROWN_BY = 0.3;

interface Recorded {
  meetId: string;
  id: string;
  claps: Claps;
}

/** A meeting of ten: one claps, one sends a small camera, the others are muted; it is recorded, each track too. */
async function startMeeting(server: RunningServer, chair: Api): Promise<Recorded> {
  const { meetId, numericId, password } = await bookMeeting(chair);
  const enter = (n: number) =>
    joinAsTerminal(server.api, server.url, { numericId, password, name: `Person ${n}`, autoSubscribe: false });
  const first = await enter(0);
  const claps = await publishClaps(first.media);
  await (await enter(1)).media.publishVideo({ codec: 'h264', colour: 'blue', height: 180 });
  for (let n = 2; n < PEOPLE; n += 1) await enter(n);
  await chair.conferences.setConfSpeaker({ params: { res: 'rz' }, query: { meetId, termId: first.admission.termId } });
  await chair.conferences.setConfRecord({ query: { meetId, action: 'START' } });
  const status = await until(
    'it records',
    async () => {
      const answer = await chair.conferences.getRecordStatus({ query: { meetId } });
      return answer.status === 'RECORDING' ? answer : undefined;
    },
    { within: 60_000 },
  );
  return { meetId, id: status.recordingId!, claps };
}

/** Prints a line each minute. Returns the memory of the recorder at each of them, MB. */
async function watch(server: RunningServer, minutes: number): Promise<number[]> {
  const print = table(['minute', 'recorder MB', 'cores', 'server MB', 'media MB']);
  const { serverPid, media, recorders } = server.run();
  const pid = recorders[0]!.pid!;
  const memory: number[] = [];
  let before = processorSeconds(pid);
  for (let minute = 1; minute <= minutes; minute += 1) {
    await wait(60_000);
    const used = processorSeconds(pid);
    memory.push(residentMegabytes(pid));
    const ofMedia = media.reduce((sum, one) => sum + (one.pid === undefined ? 0 : residentMegabytes(one.pid)), 0);
    print([minute, memory.at(-1)!, ((used - before) / 60).toFixed(3), residentMegabytes(serverPid), ofMedia]);
    before = used;
  }
  return memory;
}

async function finished(server: RunningServer, chair: Api, { meetId, id }: Recorded): Promise<RecordingIndex> {
  await chair.conferences.end({ params: { meetId } });
  const stored = join(server.data, 'files', recordingKeys.index(id));
  return until(
    'it is complete',
    () => {
      const index = recordingIndex.parse(JSON.parse(readFileSync(stored, 'utf8')));
      return index.isComplete ? index : undefined;
    },
    { within: 60_000 },
  );
}

/** Compares the first and the last minute of the programme with what was sent. Returns what is wrong. */
async function judge(server: RunningServer, { id, claps }: Recorded, index: RecordingIndex): Promise<string[]> {
  const film = join(server.data, `${id}.mp4`);
  await joinMp4(join(server.data, 'files', recordingKeys.folder(id), 'programme'), film);
  const { segments } = index.tracks.find(({ kind }) => kind === 'programme')!;
  const length = segments.reduce((sum, { duration }) => sum + duration, 0) / 1_000;
  const began = index.startsAt + segments[0]!.at;
  const first = compare(film, SETTLE, began, claps);
  const last = compare(film, length - 60 - SETTLE, began, claps);
  const print = table(['what', 'claps', 'picture later, ms', 'sound later', 'sound beside picture']);
  for (const [name, { claps: count, picture, sound }] of Object.entries({ first, last }))
    print([name, count, picture, sound, sound - picture]);
  const drift = Math.max(Math.abs(last.picture - first.picture), Math.abs(last.sound - first.sound));
  const apart = Math.max(Math.abs(first.sound - first.picture), Math.abs(last.sound - last.picture));
  return [
    ...(index.gaps.length > 0 ? [`gaps: ${JSON.stringify(index.gaps)}`] : []),
    ...(apart <= IN_STEP_MS ? [] : [`sound is ${apart} ms beside the picture`]),
    ...(drift <= DRIFT_MS ? [] : [`the recording drifts by ${drift} ms`]),
  ];
}

/**
 * Records meetings of ten for an hour (`--minutes`, `--count` meetings): the memory of the recorder over time, and
 * sound against picture against clock in the first and in the last minute.
 */
const hour: Soak = async ({ minutes = MINUTES, count = 1 }) => {
  if (missing !== undefined) return { passed: false, verdict: `Not run: ${missing}.` };
  const server = await startServer();
  try {
    const chair = await server.api.as('chair');
    const meetings: Recorded[] = [];
    while (meetings.length < count) meetings.push(await startMeeting(server, chair));
    const memory = await watch(server, minutes);
    const wrong: string[] = [];
    for (const meeting of meetings)
      wrong.push(...(await judge(server, meeting, await finished(server, chair, meeting))));
    const base = memory[Math.floor(memory.length * GROWN_BY)]!;
    const growth = memory.at(-1)! / base - 1;
    if (growth > GROWTH) wrong.push(`the memory grew by ${(growth * 100).toFixed(0)} %`);
    return {
      passed: wrong.length === 0,
      verdict:
        `${minutes} minutes of ${count} meetings: ${wrong.length === 0 ? 'nothing drifts' : wrong.join('; ')}; ` +
        `${memory[0]!.toFixed(0)} MB after a minute, ${memory.at(-1)!.toFixed(0)} MB at the end; ${load()}.`,
    };
  } finally {
    await server.stop();
  }
};
export default hour;
