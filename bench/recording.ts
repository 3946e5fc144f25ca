import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bookMeeting,
  joinAsTerminal,
  startServer,
  until,
  type Api,
  type RunningServer,
  type Terminal,
} from '@rmeet/testkit';
import { environmentOfProcesses } from '../apps/server/src/platform/process/environment.ts';
import { joinMp4 } from '../packages/recorder/src/files.ts';
import { readSegment, VIDEO_TRACK } from '../packages/recorder/src/packager/fragments.ts';
import { segmentsIn } from '../packages/recorder/src/packager/segments.ts';
import { load } from '../soak/table.ts';
import type { RecordersOptions } from './recording/recorders.ts';
import type { Benchmark, Report } from './report.ts';
import { nextMessage, processorSeconds, residentMegabytes } from './sfu/process.ts';

const PEOPLE = 10;
/** So many send a camera of 720 lines, the next ones one of 180, and the others none. */
const LARGE = 2;
const SMALL = 2;
const BITRATE = 1_500_000;
/** So many speak at the same time, the next ones send silence, and the others are muted. */
const SPEAKING = 2;
const SILENT = 2;
/** Each terminal's own tracks are recorded, too, with so many meetings at most: all cameras then have to be sent. */
const MOST_WITH_TRACKS = 5;
const SECONDS = 60;
/** V8 compiles in steps what runs often. */
const WARM_UP_SECONDS = 20;
/** What others publish: LiveKit Egress reserves 4 cores for a room, Jibri has about 6 on a Xeon of 4 cores. */
const EGRESS_CORES = 4;
const JIBRI_CORES = 4 / 6;
const rz = { res: 'rz' };

/** A meeting of ten with cameras and voices. */
async function startMeeting(server: RunningServer, chair: Api): Promise<{ meetId: string; terminals: Terminal[] }> {
  const { meetId, numericId, password } = await bookMeeting(chair);
  const terminals: Terminal[] = [];
  for (let n = 0; n < PEOPLE; n += 1) {
    const terminal = await joinAsTerminal(n === 0 ? chair : server.api, server.url, {
      numericId,
      password,
      name: `Person ${n}`,
      autoSubscribe: false,
    });
    terminals.push(terminal);
    if (n < LARGE) await terminal.media.publishVideo({ codec: 'h264', colour: 'red', height: 720, bitrate: BITRATE });
    else if (n < LARGE + SMALL) await terminal.media.publishVideo({ codec: 'h264', colour: 'blue', height: 180 });
    if (n < SPEAKING) await terminal.media.publishAudio({ tone: n === 0 ? 500 : 700 });
    else if (n < SPEAKING + SILENT) await terminal.media.publishAudio({ tone: 'silence' });
  }
  return { meetId, terminals };
}

const wait = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Another of the large cameras is on air every five seconds. */
function directAll(chair: Api, meetings: readonly { meetId: string; terminals: Terminal[] }[]): NodeJS.Timeout {
  let turn = 0;
  return setInterval(() => {
    turn += 1;
    for (const { meetId, terminals } of meetings) {
      const { termId } = terminals[turn % LARGE]!.admission;
      chair.conferences.setConfSpeaker({ params: rz, query: { meetId, termId } }).catch(() => undefined);
    }
  }, 5_000);
}

/** Pictures per second of a programme: fewer than the camera sends if the machine is too slow for its senders. */
async function picturesPerSecond(folder: string): Promise<number> {
  let [pictures, duration] = [0, 0];
  for (const segment of await segmentsIn(folder)) {
    const { parts } = readSegment(readFileSync(join(folder, segment.name)));
    const tracks = parts.flatMap((part) => part.tracks).filter(({ id }) => id === VIDEO_TRACK);
    pictures += tracks.reduce((sum, { samples }) => sum + samples.length, 0);
    duration += segment.duration;
  }
  return (pictures * 1_000) / duration;
}

/** What the recorder process of the product takes for one meeting, and that there is none at rest. */
async function measureProcess(report: Report, server: RunningServer, chair: Api, meetId: string): Promise<void> {
  const pids = (): number[] => (server.run().recorders ?? []).flatMap(({ pid }) => pid ?? []);
  const record = (action: 'START' | 'STOP') => chair.conferences.setConfRecord({ query: { meetId, action } });
  const statusOf = () => chair.conferences.getRecordStatus({ query: { meetId } });
  report({ case: 'at rest', figure: 'recorder processes', value: pids().length, unit: '' });
  await record('START');
  await until('it records', async () => (await statusOf()).status === 'RECORDING', { within: 30_000 });
  await wait(WARM_UP_SECONDS);
  const [pid] = pids();
  report({ case: 'one meeting', figure: 'memory of the recorder process', value: residentMegabytes(pid!), unit: 'MB' });
  await record('STOP');
  await until('the recorder has ended', () => pids().length === 0, { within: 30_000 });
  report({ case: 'at rest again', figure: 'recorder processes', value: pids().length, unit: '' });
}

/** Records meetings for a while. Returns the cores that one takes. */
async function measure(report: Report, options: RecordersOptions, seconds: number): Promise<number> {
  const { meetIds, folder, withTracks } = options;
  const name = `${meetIds.length} x ${PEOPLE} people${withTracks ? ', tracks' : ''}`;
  const file = join(import.meta.dirname, 'recording', 'recorders.ts');
  const child = fork(file, [JSON.stringify(options)], { env: environmentOfProcesses(process.env) });
  await nextMessage(child);
  await wait(WARM_UP_SECONDS);
  const [before, bytes, began] = [processorSeconds(child.pid!), bytesIn(folder), performance.now()];
  await wait(seconds);
  const passed = (performance.now() - began) / 1_000;
  const cores = (processorSeconds(child.pid!) - before) / passed / meetIds.length;
  const written = (bytesIn(folder) - bytes) / meetIds.length / passed;
  const memory = residentMegabytes(child.pid!);
  child.send('stop');
  await once(child, 'exit');
  report({ case: name, figure: 'cores per meeting', value: cores, unit: '' });
  report({ case: name, figure: 'processor time per programme minute', value: cores * 60, unit: 's' });
  report({ case: name, figure: 'memory of the process', value: memory, unit: 'MB' });
  report({ case: name, figure: 'memory per meeting', value: memory / meetIds.length, unit: 'MB' });
  report({ case: name, figure: 'disk per meeting and hour', value: (written * 3_600) / 1e6, unit: 'MB' });
  const pictures = await Promise.all(meetIds.map((meetId) => picturesPerSecond(join(folder, meetId, 'programme'))));
  report({ case: name, figure: 'pictures per second, of 15', value: Math.min(...pictures), unit: '' });
  return cores;
}

async function measureMp4(report: Report, folder: string, seconds: number): Promise<void> {
  const began = performance.now();
  await joinMp4(join(folder, 'programme'), join(folder, 'film.mp4'));
  const speed = (seconds * 1_000) / (performance.now() - began);
  report({ case: 'MP4', figure: 'times real time', value: speed, unit: '' });
}

/** Records meetings of ten: `npm run bench -- recording 1 5 20 --seconds 60` are the numbers of meetings at once. */
const run: Benchmark = async (report, args) => {
  const at = args.indexOf('--seconds');
  const seconds = at < 0 ? SECONDS : Number(args[at + 1]);
  const given = args.filter((_, n) => at < 0 || (n !== at && n !== at + 1)).map(Number);
  const counts = given.length > 0 ? given : [1, 5, 20];
  const server = await startServer({ env: { RMEET_RECORDER_IDLE_SECONDS: '1' } });
  const root = mkdtempSync(join(tmpdir(), 'rmeet-bench-recording-'));
  try {
    const chair = await server.api.as('chair');
    const meetings: Awaited<ReturnType<typeof startMeeting>>[] = [];
    const results: string[] = [];
    for (const count of counts) {
      while (meetings.length < count) meetings.push(await startMeeting(server, chair));
      const director = directAll(chair, meetings);
      const meetIds = meetings.slice(0, count).map(({ meetId }) => meetId);
      if (count === counts[0]) await measureProcess(report, server, chair, meetIds[0]!);
      for (const withTracks of count > MOST_WITH_TRACKS ? [false] : [false, true]) {
        const folder = mkdtempSync(join(root, `${count}-`));
        const options = { url: server.url, token: chair.token, meetIds, folder, withTracks };
        const cores = await measure(report, options, seconds);
        results.push(`${cores.toFixed(3)} cores for each of ${count}${withTracks ? ' with tracks' : ''}`);
        if (!withTracks) await measureMp4(report, join(folder, meetIds[0]!), seconds + WARM_UP_SECONDS);
      }
      clearInterval(director);
    }
    report({ case: 'livekit-egress', figure: 'cores reserved per room composite', value: EGRESS_CORES, unit: '' });
    report({ case: 'jibri', figure: 'cores per recording, at 6 on a Xeon E3-1245v5', value: JIBRI_CORES, unit: '' });
    return `A recording takes ${results.join(', ')}; ${cpus().length} processors, ${load()}.`;
  } finally {
    await server.stop();
    rmSync(root, { recursive: true });
  }
};
export default run;
