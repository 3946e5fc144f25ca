import { startPostgres } from '@rmeet/testkit';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';
import { DEEDS } from './ledger.ts';
import { killServer, type KillReport } from './run.ts';

function print({ ledger, verdicts }: KillReport): void {
  const line = table([
    'what                       ',
    'asked',
    'acknowledged',
    'refused',
    'broken off',
    'checked',
    'wrong',
  ]);
  for (const deed of DEEDS) {
    const { asked, acknowledged, refused, brokenOff } = ledger.counts.get(deed)!;
    line([deed, asked, acknowledged, refused, brokenOff, '', '']);
  }
  for (const [promise, { checked, wrong }] of Object.entries(verdicts))
    line([promise, '', '', '', '', checked, wrong.length]);
}

/** The time until the product was ready again, by what was killed. */
function printReadyTimes(readyAfter: Record<string, readonly number[]>): void {
  for (const [died, times] of Object.entries(readyAfter)) {
    const sorted = times.toSorted((a, b) => a - b);
    if (sorted.length > 0)
      console.log(
        `ready again after the ${died} died: ${sorted.length} times, ` +
          `${Math.round(sorted[sorted.length >> 1] ?? 0)} ms in ` +
          `the middle, ${Math.round(sorted.at(-1) ?? 0)} ms at most`,
      );
  }
}

/**
 * The server is killed repeatedly (`--count`, default 50) while people book, change, cancel, approve, meet and are
 * notified: nothing acknowledged is lost, everybody is notified, no meeting is stuck. `--postgres` on a PostgreSQL
 * server that is not killed, `--seed`.
 */
const kills: Soak = async ({ count = 50, seed = Date.now() % 2 ** 31, postgres: isOnPostgres = false }) => {
  console.log(`${count} kills on ${isOnPostgres ? 'a PostgreSQL server' : 'the embedded database'}, seed ${seed}`);
  const began = performance.now();
  const postgres = isOnPostgres ? await startPostgres() : undefined;
  try {
    const report = await killServer({ kills: count, seed, ...(postgres ? { postgres: postgres.url } : {}) });
    print(report);
    const wrong = Object.values(report.verdicts).flatMap((verdict) => verdict.wrong);
    for (const what of wrong.slice(0, 20)) console.log(`not as promised: ${what}`);
    console.log(
      `seen: ${[...report.seen].map(([status, meetings]) => `${meetings} ${status}`).join(', ')}; refused: ` +
        [...report.ledger.refusals].map(([code, times]) => `${times} ${code}`).join(', '),
    );
    printReadyTimes(report.readyAfter);
    console.log(
      `${report.mails} mails, ${report.orphans} files swept, ` +
        `${Math.round((performance.now() - began) / 1_000)} s; ${load()}`,
    );
    if (report.ledger.counts.get('booking')?.acknowledged === 0)
      return { passed: false, verdict: 'Nothing could be booked between the kills.' };
    return {
      passed: wrong.length === 0,
      verdict:
        wrong.length === 0 ? 'Nothing was lost, and no meeting is stuck.' : `${wrong.length} promises were broken.`,
    };
  } finally {
    await postgres?.stop();
  }
};
export default kills;
