import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { bookMeeting, joinAsTerminal, startServer, type Api, type RunningServer, type Terminal } from '@rmeet/testkit';
import { joinMp4 } from '../packages/recorder/src/files.ts';
import { load } from '../soak/table.ts';
import type { RecordersOptions } from './recording/recorders.ts';
import type { Benchmark, Report } from './report.ts';
import { nextMessage, processorSeconds, residentMegabytes } from './sfu/process.ts';

const PEOPLE = 10;
/** So many send a camera of 720 lines, the next ones one of 180, and the last ones none. */
const LARGE = 3;
const SMALL = 4;
const BITRATE = 1_500_000;
/** So many speak at the same time; the others are silent. */
const SPEAKING = 2;
const SECONDS = 60;
const WARM_UP_SECONDS = 5;
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
    await terminal.media.publishAudio({ tone: n < SPEAKING ? 500 : 'silence' });
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

/** Records meetings for a while. Returns the cores that one takes. */
async function measure(report: Report, options: RecordersOptions, seconds: number): Promise<number> {
  const { meetIds, folder, withTracks } = options;
  const name = `${meetIds.length} x ${PEOPLE} people${withTracks ? ', tracks' : ''}`;
  const child = fork(join(import.meta.dirname, 'recording', 'recorders.ts'), [JSON.stringify(options)]);
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
  const server = await startServer();
  const root = mkdtempSync(join(tmpdir(), 'rmeet-bench-recording-'));
  try {
    const chair = await server.api.as('chair');
    const meetings: Awaited<ReturnType<typeof startMeeting>>[] = [];
    const results: string[] = [];
    for (const count of counts) {
      while (meetings.length < count) meetings.push(await startMeeting(server, chair));
      const director = directAll(chair, meetings);
      const meetIds = meetings.slice(0, count).map(({ meetId }) => meetId);
      for (const withTracks of [false, true]) {
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
