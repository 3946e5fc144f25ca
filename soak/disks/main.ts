import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';
import { Damages } from './damaged.ts';
import { FULL_KINDS, SmallDisk } from './full.ts';

/** Every full disk of the plan, a row each; returns the number of failures. */
async function fillAll(count: number): Promise<number> {
  const line = table(['full disk                  ', 'refused', 'ready again ms', 'wrong']);
  const disk = new SmallDisk();
  let wrong = 0;
  try {
    await disk.start();
    for (let index = 0; index < count; index += 1) {
      const report = await disk.cut(FULL_KINDS[index % FULL_KINDS.length]!);
      line([report.kind, report.refused, Math.round(report.back), report.wrong.length]);
      for (const what of report.wrong) console.log(`  ${what}`);
      wrong += report.wrong.length;
    }
    console.log(`${disk.acknowledged} bookings were acknowledged`);
    return wrong;
  } finally {
    await disk.remove();
  }
}

/** Every kind of damage of the plan, a row each; returns the number of failures. */
async function damageAll(count: number): Promise<number> {
  const line = table(['damage                            ', 'found                  ', 'wrong']);
  const damages = new Damages();
  let wrong = 0;
  try {
    await damages.make();
    for (let index = 0; index < count; index += 1) {
      const report = await damages.try(index);
      line([report.kind, report.found, report.wrong.length]);
      for (const what of report.wrong) console.log(`  ${what}`);
      wrong += report.wrong.length;
    }
    return wrong;
  } finally {
    damages.remove();
  }
}

/**
 * The product on a disk that is filled repeatedly (`--count`, default 20) while people book, and on as many data
 * folders, each damaged in another way. Every fault is reported in a readable sentence, and no acknowledged data is
 * lost. `--only full` or `damaged`. docs/decisions/embedded-postgres.md
 */
const disks: Soak = async ({ count = 20, only }) => {
  if (only !== 'damaged' && process.getuid?.() !== 0)
    return {
      passed: false,
      verdict: 'This soak mounts a file system, so it runs as root alone (or with --only damaged).',
    };
  const full = only === 'damaged' ? 0 : await fillAll(count);
  const damaged = only === 'full' ? 0 : await damageAll(count);
  console.log(load());
  return full + damaged === 0
    ? {
        passed: true,
        verdict: 'Every full disk and every damage was named, and nothing that was acknowledged is lost.',
      }
    : { passed: false, verdict: `${full + damaged} things went wrong.` };
};
export default disks;
