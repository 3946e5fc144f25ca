import { Random } from '../fuzz/random.ts';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';
import { startDatabase } from './database.ts';
import { DEVICES, DiskRoom, disksMissing } from './disk.ts';
import { noFlushMissing, startProduct } from './product.ts';
import { endChildren } from './processes.ts';
import { cutPower, type Report, type Start } from './run.ts';

/** The programs under load, and their share of the cuts on each of the two kinds of disk. */
const SUBJECTS: Readonly<Record<string, { start: Start; share: number }>> = {
  database: { start: startDatabase, share: 0.3 },
  product: { start: startProduct, share: 0.2 },
};
/** Control cuts per cut with flushes. */
const CONTROL = 0.5;
const NAMED = 8;

/** Every cut of the plan, a row per subject and disk; with flushes, or as the control without. */
async function cutAll(
  room: DiskRoom,
  { count, random, only, isFlushing }: { count: number; random: Random; only: string | undefined; isFlushing: boolean },
): Promise<Report[]> {
  const line = table([
    'under load',
    'flushes',
    'the disk       ',
    'cuts',
    'acknowledged',
    'lost',
    'cuts that lost',
    'does not start',
    'corrupt',
    'seconds',
  ]);
  const reports: Report[] = [];
  for (const [name, { start, share }] of Object.entries(SUBJECTS)) {
    if (only !== undefined && only !== name) continue;
    for (const device of DEVICES) {
      const began = performance.now();
      const report = await cutPower(room, {
        device,
        cuts: Math.ceil(count * share * (isFlushing ? 1 : CONTROL)),
        isFlushing,
        start,
        random,
      });
      const { cuts, acknowledged, lost, losing, down, corrupt } = report;
      line([
        name,
        isFlushing ? 'yes' : 'no',
        device,
        cuts,
        acknowledged,
        lost,
        losing,
        down,
        corrupt.length,
        Math.round((performance.now() - began) / 1_000),
      ]);
      for (const what of corrupt.slice(0, NAMED)) console.log(`  ${what}`);
      reports.push(report);
    }
  }
  return reports;
}

function verdictOf(flushing: readonly Report[], control: readonly Report[]): { passed: boolean; verdict: string } {
  const broken = flushing.filter(({ lost, corrupt, down }) => lost + corrupt.length + down > 0);
  const blind = control.filter(({ losing }) => losing === 0);
  const idle = [...flushing, ...control].filter(({ acknowledged }) => acknowledged === 0);
  if (broken.length > 0)
    return { passed: false, verdict: 'A power loss lost what was acknowledged, or left something broken.' };
  if (blind.length > 0)
    return {
      passed: false,
      verdict: 'Nothing was lost, and without flushes nothing either: the run would not notice a loss.',
    };
  if (idle.length > 0) return { passed: false, verdict: 'Nothing was written between the power losses.' };
  return {
    passed: true,
    verdict: 'No acknowledged write was lost and nothing is corrupt; without flushes writes were lost.',
  };
}

/**
 * The power is lost repeatedly (`--count`, default 50) while writes are acknowledged: none is lost, and nothing is
 * corrupt. A control with half as many cuts, without any flushes, must lose writes. `--seed`, `--only database` or
 * `product`. docs/decisions/power-loss.md
 */
const power: Soak = async ({ count = 50, seed = Date.now() % 2 ** 31, only }) => {
  const missing = disksMissing() ?? noFlushMissing();
  if (missing !== null) return { passed: false, verdict: missing };
  console.log(`${count} power losses, seed ${seed}`);
  const room = await DiskRoom.make();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      // Running processes prevent the removal of a disk.
      void endChildren().finally(() => {
        room.remove();
        process.exit(1);
      });
    });
  }
  try {
    const random = new Random(seed);
    const flushing = await cutAll(room, { count, random, only, isFlushing: true });
    const control = await cutAll(room, { count, random, only, isFlushing: false });
    console.log(load());
    return verdictOf(flushing, control);
  } finally {
    room.remove();
  }
};
export default power;
