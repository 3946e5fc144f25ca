import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missing } from '../../packages/recorder/test/film.ts';
import { s3Server } from '../../tools/s3.ts';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';
import { FAULT_KINDS, type FaultKind } from './faults.ts';
import { recordThrough, type RecordReport } from './run.ts';

const MINUTE = 60_000;
const LATER_AWAY = 20_000;
const SHOWN = 40;

/** For each kind of fault: how often, the largest gap and loss, and what was wrong. */
function print({ faults, verdicts }: RecordReport): void {
  const line = table(['fault    ', 'times', 'largest gap ms', 'beyond own ms', 'largest loss ms', 'wrong']);
  for (const kind of FAULT_KINDS) {
    const numbers = faults.flatMap((fault, n) => (fault.kind === kind ? [n] : []));
    if (numbers.length === 0) continue;
    const effects = verdicts.flatMap((verdict) => numbers.map((n) => verdict.effects[n]!));
    line([
      kind,
      numbers.length,
      Math.round(Math.max(...effects.map(({ gap }) => gap))),
      Math.round(Math.max(...effects.map(({ gap, own }) => gap - own))),
      Math.round(Math.max(...effects.map(({ lost }) => lost))),
      numbers.reduce((sum, n) => sum + faults[n]!.wrong.length, 0),
    ]);
  }
}

/** What was wrong, the same thing at several times in one line. */
function grouped(wrong: readonly string[]): string[] {
  const times = Map.groupBy(wrong, (line) => line.replace(/^at [\d.]+ s: /, ''));
  return [...times.values()].map((lines) =>
    lines.length === 1 ? lines[0]! : `${lines.length} times, first and last: ${lines[0]}; ${lines.at(-1)}`,
  );
}

function printWrong({ faults, verdicts }: RecordReport): void {
  for (const [n, { wrong }] of verdicts.entries())
    for (const what of grouped(wrong).slice(0, SHOWN)) console.log(`wrong in meeting ${n + 1}: ${what}`);
  for (const { kind, wrong } of faults) for (const what of wrong) console.log(`wrong at once (${kind}): ${what}`);
}

/**
 * Meetings are recorded (`--meetings`, default 5) while recorder, server and media process are killed, the S3 server is
 * away (`--minutes` the first time, default 10), the disk is full and the clock jumps (`--count` faults, default 30;
 * `--only` one kind). docs/kills.md
 */
const recordingKills: Soak = async ({ count = 30, seed = Date.now() % 2 ** 31, only, minutes = 10, meetings = 5 }) => {
  const s3 = s3Server();
  const reason = missing ?? s3.reason ?? (process.getuid?.() === 0 ? undefined : 'it mounts a file system, as root');
  if (reason !== undefined) return { passed: false, verdict: `Not run: ${reason}.` };
  const wanted = FAULT_KINDS.filter((kind) => only === undefined || only.split(',').includes(kind));
  if (wanted.length === 0) return { passed: false, verdict: `--only is one of ${FAULT_KINDS.join(', ')}.` };
  const kinds = Array.from({ length: count }, (_, n): FaultKind => wanted[n % wanted.length]!);
  console.log(`${count} faults while ${meetings} meetings are recorded, seed ${seed}`);
  const began = performance.now();
  const report = await recordThrough({
    s3Program: s3.path,
    hasOwnDisk: true,
    meetings,
    kinds,
    seed,
    awayFor: { first: minutes * MINUTE, later: Math.min(minutes * MINUTE, LATER_AWAY) },
    quiet: { least: 8_000, more: 8_000 },
    onFault: ({ kind, from, to }) =>
      console.log(`${Math.round((performance.now() - began) / 1_000)} s: ${kind}, ${Math.round(to - from)} ms`),
  });
  print(report);
  const log = join(tmpdir(), 'rmeet-recording-kills.log');
  writeFileSync(log, report.log);
  const wrong = [...report.faults, ...report.verdicts].flatMap((one) => one.wrong);
  printWrong(report);
  const seconds = report.verdicts.reduce((sum, verdict) => sum + verdict.seconds, 0);
  const looks = report.verdicts.reduce((sum, verdict) => sum + verdict.looks, 0);
  console.log(
    `${seconds.toFixed(0)} s recorded, ${looks} looks; ${Math.round((performance.now() - began) / 1_000)} s; ` +
      `${load()}; what the processes printed: ${log}`,
  );
  return {
    passed: wrong.length === 0,
    verdict: wrong.length === 0 ? 'Each gap is in the timeline, and everything plays.' : `${wrong.length} are wrong.`,
  };
};
export default recordingKills;
