import { Random } from '../fuzz/random.ts';
import type { Soak } from '../main.ts';
import { load, table } from '../table.ts';
import { DEVICES, DiskRoom, disksMissing } from './disk.ts';
import { startDatabase } from './database.ts';
import { startProduct } from './product.ts';
import { cutPower } from './run.ts';

/**
 * The power is lost over and over (`--count`, 50 without) while writes are acknowledged: none is lost, and nothing is
 * corrupt. A control without fsync (half as many cuts) has to lose some, or the run proves nothing. `--seed`.
 */
const power: Soak = async ({ count = 50, seed = Date.now() % 2 ** 31, only }) => {
  const missing = disksMissing();
  if (missing !== null) return { passed: false, verdict: missing };
  console.log(`${count} power losses, seed ${seed}`);
  const room = await DiskRoom.make();
  const onEnd = (): void => {
    room.remove();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, onEnd);
  const random = new Random(seed);
  const print = table(['fsync', 'the disk        ', 'cuts', 'acknowledged', 'lost', 'cuts that lost', 'does not start', 's']);
  let [lost, controlled] = [0, 0];
  try {
    for (const isFlushing of [true, false]) {
      for (const device of DEVICES) {
        const began = performance.now();
        const report = await cutPower(room, { device, cuts: Math.ceil(count / (isFlushing ? 2 : 4)), isFlushing, start: only === 'product' ? startProduct : startDatabase, random });
        print([isFlushing ? 'on' : 'off', device, report.cuts, report.acknowledged, report.lost, report.losing, report.down, Math.round((performance.now() - began) / 1_000)]);
        for (const what of report.corrupt.slice(0, 5)) console.log(`  ${what}`);
        if (isFlushing) lost += report.lost + report.corrupt.length;
        else controlled += report.losing;
      }
    }
  } finally {
    room.remove();
  }
  console.log(load());
  return { passed: lost === 0, verdict: String(controlled) };
};
export default power;
